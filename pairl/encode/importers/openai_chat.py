"""Conversations with OpenAI's chat interface, and with those that have messages with a `role` as well.

This module knows whether a record is one, and where its messages are: in a list, on a line each, or in
requests and responses (`openai_exchanges`). What a message holds, knows `chat_messages`.
"""

from __future__ import annotations

from pairl.encode.history import History
from pairl.encode.importers.chat_messages import read_message
from pairl.encode.importers.format import Format, NotATranscript, joined
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.openai_exchanges import are_messages, exchanges_in, note_envelopes, read_exchanges

NAME = "openai_chat"


def _recognise(value: object) -> bool:
    """Say whether a value is a list of chat messages, or holds one where chats are recorded."""
    if are_messages(joined(value)):
        return True
    exchanges = exchanges_in(value)
    return bool(exchanges) and not exchanges[-1].is_of_items


def _read(value: object) -> History:
    """Return the conversation that a value records; raise `NotATranscript` where there are no messages."""
    history = HistoryBuilder(NAME)
    items = joined(value)
    exchanges = [] if are_messages(items) else exchanges_in(value)
    if exchanges:
        note_envelopes(history, value)
        read_exchanges(history, exchanges)
    elif isinstance(items, list) and items:
        for item in items:
            read_message(history, item)
    else:
        raise NotATranscript(
            "there are no chat messages in it",
            "a chat is a list of objects with `role` and `content`, alone, on a line each, in `messages`,"
            " `contents` or `traj`, or in `exchanges` of a `request` and a `response`",
        )
    return history.history()


FORMAT = Format(
    NAME,
    "messages with `role`, and `content` or `parts`: OpenAI's chat, Vercel's AI SDK, Bedrock, Gemini, others",
    _recognise,
    _read,
)
