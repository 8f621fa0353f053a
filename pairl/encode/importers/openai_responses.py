"""Conversations with OpenAI's Responses interface.

This module knows whether a record is one, and where its items are: in a list, on a line each, or in requests
and responses (`openai_exchanges`). What an item holds, knows `response_items`.
"""

from __future__ import annotations

from pairl.encode.history import History
from pairl.encode.importers.format import Format, NotATranscript, joined
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.openai_exchanges import are_items, exchanges_in, note_envelopes, read_exchanges
from pairl.encode.importers.response_items import read_items

NAME = "openai_responses"


def _recognise(value: object) -> bool:
    """Say whether a value is a list of items, or exchanges of which the last is of this interface."""
    if are_items(joined(value)):
        return True
    exchanges = exchanges_in(value)
    return bool(exchanges) and exchanges[-1].is_of_items


def _read(value: object) -> History:
    """Return the conversation that a value records; raise `NotATranscript` where there are no items.

    What a call came to is taken from where it was told first: requests that repeat it often leave it out.
    """
    history = HistoryBuilder(NAME)
    items = joined(value)
    exchanges = [] if are_items(items) else exchanges_in(value)
    if exchanges:
        note_envelopes(history, value)
        read_exchanges(history, exchanges)
    elif isinstance(items, list) and items:
        if read_items(history, items, {}):
            history.leave_unfinished()
    else:
        raise NotATranscript(
            "there are no items of the Responses interface in it",
            "they stand in a list, in `input` and `output`, or in `exchanges` of `request` and `response`",
        )
    return history.history()


FORMAT = Format(
    NAME,
    "items with `type`: messages, reasoning, calls and outputs of OpenAI's Responses interface",
    _recognise,
    _read,
)
