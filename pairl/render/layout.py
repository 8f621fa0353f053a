"""Lays a message out in blocks: a heading, its headers, then turn by turn what it says (§12).

This module knows which record is an item, which a paragraph, which a quotation. It does not judge the
message, and adds no fact: a message with faults is laid out like any other, with the lines that could not
be read as they came. It does not know in which form the blocks are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pairl.headers import unread_headers
from pairl.model import Message, Record
from pairl.quotation import ELISION
from pairl.render.blocks import (
    Block,
    Emphasis,
    Heading,
    Inline,
    Item,
    Line,
    Paragraph,
    Quote,
    Strong,
    Words,
    code,
    joined,
    shown,
)
from pairl.render.economy import budget, limit
from pairl.render.intents import intent
from pairl.render.records import details, line
from pairl.render.turns import Turn, by_turn
from pairl.vocabulary import CONDENSED


def _as_it_is(value: str) -> Line:
    return (shown(value),)


HEADERS: dict[str, tuple[str, Callable[[str], Line]]] = {
    "v": ("Version", _as_it_is),
    "mid": ("Long id", _as_it_is),
    "sid": ("Session", _as_it_is),
    "ts": ("Time", _as_it_is),
    "root": ("Root", _as_it_is),
    "p": ("Reply to", _as_it_is),
    "parent": ("Reply to", _as_it_is),
    "deps": ("Depends on", _as_it_is),
    "budget": ("Budget", budget),
    "limit": ("Limit", limit),
}
"""The words for each header, in the order in which they are shown; unknown ones follow, then `@hash`."""

QUOTATIONS = {"req": ("asked", "User"), "rpt": ("said", "Assistant")}
"""§3.1: the verb for a turn that is carried, and who spoke where no marker says it."""

_OMISSION = (Words(" "), Emphasis((Words("[...]"),)), Words(" "))
_USUAL_VERSION = "1"
_HEADER_FAULTS = frozenset({"HDR/malformed-header", "HDR/duplicate-header"})
_INCOMPLETE = frozenset({"SYN/too-large", "SYN/too-many-records"})


def blocks(msg: Message) -> Iterator[Block]:
    """Yield a message as blocks, in reading order. Never raises for a message that was parsed."""
    yield Heading(1, (Words("Message "), msg.msg_id) if msg.msg_id else (Words("Message"),))
    yield from _headers(msg)
    for turn in by_turn(msg.body.records):
        if turn.speaker is not None:
            yield _turn_heading(turn, turn.speaker)
        for record in turn.records:
            yield from _record(record, turn)
    for finding in msg.findings:
        if finding.code in _INCOMPLETE:
            words = Words("Not everything was read: "), finding.message, Words(".")
            yield Paragraph((Emphasis(words),))


def _headers(msg: Message) -> Iterator[Block]:
    """Yield the headers as one paragraph, then the lines of the header block that are none."""
    headers = {name: msg.headers[name] for name in HEADERS if name in msg.headers}
    if headers.get("v") == _USUAL_VERSION:
        del headers["v"]
    if "id" not in msg.headers:
        headers.pop("mid", None)  # stands in the title
    lines: list[Line] = []
    for name, value in headers.items():
        label, in_words = HEADERS[name]
        lines.append((Emphasis((Words(f"{label}:"),)), Words(" "), *in_words(value)))
    lines += [
        (Emphasis((Words("@"), name, Words(":"))), Words(" "), shown(value))
        for name, value in msg.headers.items()
        if name not in HEADERS and name not in ("id", "hash")
    ]
    if "hash" in msg.headers:
        lines.append((Emphasis((Words("Hash:"),)), Words(" "), code(msg.headers["hash"])))
    if lines:
        yield Paragraph(joined(" · ", lines))
    if any(finding.code in _HEADER_FAULTS for finding in msg.findings):
        for _, unread in unread_headers(msg.source):
            yield Item((Words("Header line not understood: "), code(unread)))


def _turn_heading(turn: Turn, speaker: str) -> Heading:
    notes: list[Line] = [(turn.name,)] if turn.name else []
    if turn.parent is not None and turn.parent != "-":
        notes.append((Words("after "), turn.parent))
    return Heading(2, (speaker, Words(" ("), *joined(", ", notes), Words(")")) if notes else (speaker,))


def _record(record: Record, turn: Turn) -> Iterator[Block]:
    """Yield the blocks that show a record."""
    if record.malformed or record.kind == "unknown":
        of_type: Line = (Words(" of "), code(f"#{record.name}")) if record.from_columnar else ()
        yield Item((Words("Line"), *of_type, Words(" not understood: "), code(record.raw)))
        return
    tags = _tags(record, turn)
    if record.kind == "intent" and not record.from_columnar:
        yield Paragraph((*intent(record), *tags))
    elif record.kind in QUOTATIONS and "content" in record.kv:
        yield from _quotation(record, turn, tags)
    else:
        yield Item((*line(record), *tags))


def _tags(record: Record, turn: Turn) -> Line:
    """Return the record's id, by which people refer to it, and a binding that its place does not show."""
    bound = record.m if record.m != turn.name else None
    tags: list[Inline] = []
    if record.rid:
        tags += Words(" "), code(f"#{record.rid}")
    if bound:
        tags += Words(" "), code(f"@m={bound}")
    return tuple(tags)


def _quotation(record: Record, turn: Turn, tags: Line) -> Iterator[Block]:
    """Yield a carried turn: quoted, with its omissions, or marked as a summary (§3.1)."""
    verb, usual_speaker = QUOTATIONS[record.kind]
    speaker = turn.speaker or usual_speaker
    content = record.kv["content"]
    if record.kv.get("mode") == CONDENSED:
        label = Words("Summary of what "), speaker, Words(f" {verb}, not a quotation:")
        rest = details(record, ("content", "mode"))
        yield Paragraph((Strong(label), Words(" "), shown(content), *rest, *tags))
        return
    introduction = (Strong((speaker,)), Words(f" {verb}"), *details(record, ("content",)), Words(":"))
    yield Paragraph((*introduction, *tags))
    yield Quote(_quoted(content))


def _quoted(content: str) -> Line:
    """Return quoted text with its omissions told apart; a marker at an end marks none (V15)."""
    if not content:
        return (shown(content),)
    parts: list[Inline] = []
    for fragment in content.split(ELISION):
        if parts:
            parts += _OMISSION
        parts.append(fragment)
    if "" in (parts[0], parts[-1]):
        return (content,)
    return tuple(parts)
