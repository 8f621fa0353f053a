"""What an encoded conversation takes, what it is compared with, and what of it is kept: numbers only.

This module knows with what a body may be compared honestly: with the conversation as its record has it, with
the same as plain text, and with plain text that tells no more than the body does. It does not know how
numbers are shown. Compared is what the body carries; what stays beside it counts on neither side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from pairl.encode.budget import Measure
from pairl.encode.encoding import BodyState, Encoded
from pairl.encode.history import History
from pairl.encode.importers.json_text import write_json
from pairl.encode.kept import Kept, kept
from pairl.encode.plain_form import plain_text
from pairl.encode.reread import reread
from pairl.encode.speakers import first_turn
from pairl.legend import Legend
from pairl.model import Message, Record
from pairl.session import Session
from pairl.validator import Report
from pairl.vocabulary import CARRIED_TURNS, CONDENSED
from workers.cli.tokens import ENCODINGS, counter

JSON = "compact JSON"
PLAIN = "plain text"
SAME = "same information as plain text"
BODY = "body"
LEGEND = "legend"
CHARACTERS = "characters"

_QUOTATION_RULE = "V15"


class Measured(msgspec.Struct, frozen=True):
    """What was measured of an encoded conversation.

    `sizes` are of texts by their names, in each measure; a record that keeps no items has no JSON, and an
    addition to a body no legend. Of all `quotations`, V15 found nothing wrong with `verified`, and of all
    `messages`, strict mode with `valid`.
    """

    encoded: Encoded
    turns: int
    sizes: Mapping[str, Mapping[str, int]]
    kept: Kept
    quotations: int
    verified: int
    messages: int
    valid: int


def _measures() -> dict[str, Measure]:
    """Return how texts are measured, by name: in tokens where a tokenizer is installed, and in characters."""
    measures = {name: count for name in ENCODINGS if (count := counter(name)) is not None}
    return {**measures, CHARACTERS: len}


def measured(
    history: History,
    encoded: Encoded,
    judged: Sequence[tuple[Message, Report]],
    *,
    before: BodyState | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """Return what there is to tell of a conversation that was encoded.

    `judged` are the messages of its body and what strict mode says of them, with the turns that they quote;
    `progress` is told how many texts were measured, and how many more there are than it was told before.
    """
    first = first_turn(history.turns)
    start = first if before is None else first + before.past.length
    end = first + encoded.state.past.length
    turns = history.turns[start:end]
    items = _items(history, start, end)
    texts = {
        PLAIN: plain_text(turns),
        SAME: plain_text(reread(encoded.body).turns),
        BODY: encoded.body,
    }
    if items:
        texts = {JSON: f"[{','.join(map(write_json, items))}]", **texts}
    if before is None:
        texts[LEGEND] = _legend(encoded.body)
    quotations = verified = valid = 0
    for message, report in judged:
        wrong = {found.line for found in report.diagnostics if found.rule == _QUOTATION_RULE}
        lines = [record.line for record in message.body.records if _quotes(record)]
        quotations += len(lines)
        verified += len([line for line in lines if line not in wrong])
        valid += report.valid
    measures = _measures()
    if progress is not None:
        progress(0, len(texts) * len(measures))
    sizes: dict[str, dict[str, int]] = {name: {} for name in texts}
    for unit, count in measures.items():
        for name, text in texts.items():
            sizes[name][unit] = count(text)
            if progress is not None:
                progress(1, 0)
    return Measured(
        encoded,
        len(turns),
        sizes,
        kept(turns, encoded.body, history.turns[first:start]),
        quotations,
        verified,
        len(judged),
        valid,
    )


def _items(history: History, start: int, end: int) -> tuple[object, ...]:
    """Return the items of the record that these turns were read from."""
    turns = history.turns
    if start >= end:
        return ()
    return history.items[turns[start].item : turns[end].item if end < len(turns) else None]


def _legend(body: str) -> str:
    """Return the legend that is sent with a body; nothing where the full specification has to be."""
    session = Session.begin(body)
    return session.legend.text if isinstance(session, Session) and isinstance(session.legend, Legend) else ""


def _quotes(record: Record) -> bool:
    return record.kind in CARRIED_TURNS and record.kv.get("mode") != CONDENSED
