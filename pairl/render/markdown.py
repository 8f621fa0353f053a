"""Lays a message out as Markdown: a heading, its headers, then turn by turn what it says (§12).

This module knows the layout: which record is a list item, which a paragraph, which a quotation. It
does not judge the message, and adds no fact: a message with faults is shown like any other, with
the lines that could not be read as they came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import dropwhile, takewhile

from pairl.headers import END_OF_MESSAGE
from pairl.model import Message, Record
from pairl.render.economy import budget, limit
from pairl.render.escape import code, first, last_in_heading, shown, text
from pairl.render.intents import intent
from pairl.render.records import details, line
from pairl.render.turns import Turn, by_turn
from pairl.text import BLANKS

HEADERS: dict[str, tuple[str, Callable[[str], str]]] = {
    "v": ("Version", shown),
    "mid": ("Long id", shown),
    "sid": ("Session", shown),
    "ts": ("Time", shown),
    "root": ("Root", shown),
    "p": ("Reply to", shown),
    "parent": ("Reply to", shown),
    "deps": ("Depends on", shown),
    "budget": ("Budget", budget),
    "limit": ("Limit", limit),
}
"""The words for each header, in the order in which they are shown; unknown ones follow, then `@hash`."""

QUOTATIONS = {"req": ("asked", "User"), "rpt": ("said", "Assistant")}
"""§3.1: the verb for a turn that is carried, and who spoke where no marker says it."""

ELISION = " [...] "
_OMISSION = " *[…]* "
_CONDENSATE = "cond"
_USUAL_VERSION = "1"
_BLOCK_ENDS = ("", END_OF_MESSAGE)
_HEADER_FAULTS = frozenset({"HDR/malformed-header", "HDR/duplicate-header"})
_INCOMPLETE = frozenset({"SYN/too-large", "SYN/too-many-records"})


def render(msg: Message) -> str:
    """Return a message as Markdown for people, ending in one LF (§12).

    Everything that was read is shown, and every value verbatim: escaped so that a CommonMark
    renderer shows exactly the value. Never raises for a message that `pairl.parse` returned.
    """
    blocks = [_title(msg), *_headers(msg)]
    for turn in by_turn(msg.body.records):
        if turn.speaker is not None:
            blocks.append(_turn_heading(turn, turn.speaker))
        for record in turn.records:
            blocks.extend(_record(record, turn))
    blocks += [
        f"*Not everything was read: {text(finding.message)}.*"
        for finding in msg.findings
        if finding.code in _INCOMPLETE
    ]
    return _join(blocks)


def _join(blocks: list[str]) -> str:
    """Set an empty line between blocks, but none between the items of a list.

    Content never begins a block, so a block that begins with `- ` is an item.
    """
    parts: list[str] = []
    in_list = False
    for block in blocks:
        is_item = block.startswith("- ")
        if parts:
            parts.append("\n" if in_list and is_item else "\n\n")
        parts.append(block)
        in_list = is_item
    parts.append("\n")
    return "".join(parts)


def _title(msg: Message) -> str:
    return f"# Message {last_in_heading(msg.msg_id)}" if msg.msg_id else "# Message"


def _headers(msg: Message) -> Iterator[str]:
    """Yield the headers as one paragraph, then the lines of the header block that are none."""
    headers = {name: msg.headers[name] for name in HEADERS if name in msg.headers}
    if headers.get("v") == _USUAL_VERSION:
        del headers["v"]
    if "id" not in msg.headers:
        headers.pop("mid", None)  # stands in the title
    shown_headers = [f"*{HEADERS[name][0]}:* {HEADERS[name][1](value)}" for name, value in headers.items()]
    shown_headers += [
        f"*@{text(name)}:* {shown(value)}"
        for name, value in msg.headers.items()
        if name not in HEADERS and name not in ("id", "hash")
    ]
    if "hash" in msg.headers:
        shown_headers.append(f"*Hash:* {code(msg.headers['hash'])}")
    if shown_headers:
        yield " · ".join(shown_headers)
    for unread in _unread_headers(msg):
        yield f"- Header line not understood: {code(unread)}"


def _unread_headers(msg: Message) -> Iterator[str]:
    """Yield the lines of the header block that are no header, and those that give one a second time."""
    if not any(finding.code in _HEADER_FAULTS for finding in msg.findings):
        return
    lines = (written.strip(BLANKS) for written in msg.source.split("\n"))
    block = list(
        takewhile(lambda header: header not in _BLOCK_ENDS, dropwhile(lambda header: not header, lines))
    )
    while block and not block[-1].startswith("@"):
        block.pop()  # stands in the body, which no empty line separates
    unread = dict(msg.headers)
    for header in block:
        name, _, value = header.partition(" ")
        if name.startswith("@") and unread.get(name[1:]) == value.lstrip(" "):
            del unread[name[1:]]
        else:
            yield header


def _turn_heading(turn: Turn, speaker: str) -> str:
    parts = [turn.name] if turn.name else []
    if turn.parent not in (None, "-"):
        parts.append(f"after {turn.parent}")
    return f"## {text(speaker)}" + (f" ({text(', '.join(parts))})" if parts else "")


def _record(record: Record, turn: Turn) -> Iterator[str]:
    """Yield the blocks that show a record."""
    if record.malformed or record.kind == "unknown":
        row = f" of {code(f'#{record.name}')}" if record.from_columnar else ""
        yield f"- Line{row} not understood: {code(record.raw)}"
        return
    tags = _tags(record, turn)
    if record.kind == "intent" and not record.from_columnar:
        yield intent(record) + tags
    elif record.kind in QUOTATIONS and "content" in record.kv:
        yield from _quotation(record, turn, tags)
    else:
        yield f"- {line(record)}{tags}"


def _tags(record: Record, turn: Turn) -> str:
    """Return the record's id, by which people refer to it, and a binding that its place does not show."""
    bound = record.m if record.m != turn.name else None
    return "".join(
        f" {code(tag)}" for tag in (record.rid and f"#{record.rid}", bound and f"@m={bound}") if tag
    )


def _quotation(record: Record, turn: Turn, tags: str) -> Iterator[str]:
    """Yield a carried turn: quoted, with its omissions, or marked as a summary (§3.1)."""
    verb, usual_speaker = QUOTATIONS[record.kind]
    speaker = text(turn.speaker or usual_speaker)
    content = record.kv["content"]
    if record.kv.get("mode") == _CONDENSATE:
        rest = details(record, ("content", "mode"))
        yield f"**Summary of what {speaker} {verb}, not a quotation:** {shown(content)}{rest}{tags}"
        return
    yield f"**{speaker}** {verb}{details(record, ('content',))}:{tags}"
    yield f"> {_quoted(content)}"


def _quoted(content: str) -> str:
    if not content:
        return shown(content)
    start, *fragments = content.split(ELISION)
    return _OMISSION.join([first(start), *map(text, fragments)]).strip(" ")
