"""A message as JSON, without loss, for programs that would rather not read PAIRL.

This module knows how headers, records, blocks and malformed lines stand in JSON, and how text comes back
from there with the same hash. It does not judge: `pairl.validate` does, before or after. Not kept are
empty lines, spaces, and where quotation marks are that need not be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from pairl import grammar
from pairl.canonical import canonical_text, serialize_record
from pairl.compact_form import block_lines
from pairl.diagnostics import Finding, excerpt
from pairl.document import (
    BlockItem,
    BodyItem,
    Document,
    IntentItem,
    MalformedItem,
    RecordItem,
    RowItem,
    StateItem,
    TurnItem,
)
from pairl.model import Message, Record
from pairl.parser import parse
from pairl.text import BLANKS

_is_key = re.compile(grammar.KEY).fullmatch

LOSSY = frozenset(
    {
        "SYN/not-utf8",
        "SYN/surrogate",
        "SYN/too-large",
        "SYN/too-many-records",
        "HDR/malformed-header",
        "HDR/duplicate-header",
    }
)
"""Codes that say that something of the text is not in the message, and would be missing in its JSON."""


class NoJsonForm(ValueError):  # noqa: N818  # what the message lacks
    """A message holds something that JSON cannot carry, or JSON says something that no message can.

    `line` is where in the message that is, from 1, if it can be said.
    """

    def __init__(self, reason: str, line: int = 1) -> None:
        """Say what cannot be carried, and in which line of the message."""
        self.line = max(line, 1)
        super().__init__(reason)


def to_document(msg: Message) -> Document:
    """Return a message in the shape that its JSON has.

    Raises:
        NoJsonForm: there is no message, or not all of the text is in it, for one of the reasons in `LOSSY`.

    """
    for finding in msg.findings:
        if finding.code in LOSSY and not _is_empty_header(msg, finding):
            reason = f"not all of the message can be told in JSON: {finding.message} ({finding.code})"
            raise NoJsonForm(reason, finding.line)
    document = Document(headers=msg.headers, body=list(_items(msg)))
    if not document.headers and not document.body and msg.source.strip(f"{BLANKS}\n"):
        raise NoJsonForm("there is no message: neither a header nor a record")
    return document


def _is_empty_header(msg: Message, finding: Finding) -> bool:
    """Say whether a finding is about the `@` alone that canonical text has where there are no headers."""
    return (
        finding.code == "HDR/malformed-header"
        and msg.source.split("\n", finding.line)[finding.line - 1].strip(BLANKS) == "@"
    )


def to_text(document: Document) -> str:
    """Return the text of a message, with its headers in the order that they are given in.

    Raises:
        NoJsonForm: the document says something that reads back as something else; the exception says
            where.

    """
    try:
        text = canonical_text(list(document.headers.items()), _lines(document.body))
        text.encode()
    except ValueError as fault:
        raise NoJsonForm(f"a message cannot carry it: {excerpt(str(fault), 120)}") from None
    # The one check for everything that a foreign program may have put in: what is read is what it said.
    message = parse(text, max_bytes=len(text.encode()), max_records=text.count("\n") + 1)
    if list(message.headers.items()) != list(document.headers.items()):
        changed = [name for name, value in document.headers.items() if message.headers.get(name) != value]
        which = f"`$.headers`, `{excerpt(changed[0])}`" if changed else "`$.headers`"
        raise NoJsonForm(f"{which}: it would not be read as it is given")
    read = list(_items(message))
    for place, item in enumerate(document.body):
        if place >= len(read) or read[place] != item:
            key = _wrong_key(item)
            which = f"`$.body[{place}]`" if key is None else f"`$.body[{place}]`, the key `{excerpt(key)}`"
            raise NoJsonForm(f"{which}: it would not be read as it is given")
    if len(read) > len(document.body):
        raise NoJsonForm("`$.body`: more would be read than is given")
    return text


def to_json(msg: Message) -> bytes:
    """Return a message as one line of JSON; raises as `to_document` does."""
    return msgspec.json.encode(to_document(msg))


def from_json(data: bytes) -> str:
    """Return the text of the message that `data` is the JSON of.

    Raises:
        NoJsonForm: it is no JSON, not of the right shape, or says what no message can carry.

    """
    if not data.strip():
        raise NoJsonForm("it is empty: a message is an object with `headers` and `body`")
    try:
        document = msgspec.json.decode(data, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        reason = excerpt(str(fault), 200)
        if data.lstrip().startswith(b"["):
            reason += ": messages stand each on a line of its own, not in an array"
        raise NoJsonForm(reason) from None
    return to_text(document)


def _wrong_key(item: BodyItem) -> str | None:
    """Return the first key of an item that no record can have."""
    match item:
        case RecordItem(fields=given) | IntentItem(parameters=given):
            return next((key for key in given if not _is_key(key)), None)
    return None


def _items(msg: Message) -> Iterator[BodyItem]:
    """Yield what is in a body: the records that stand by themselves, and each block with its rows."""
    body = msg.body
    blocks = iter(body.blocks)
    block = next(blocks, None)
    position = 0
    while position < len(body.records) or block is not None:
        record = body.records[position] if position < len(body.records) else None
        if block is not None and (record is None or block.line < record.line):
            end = position + len(block.rows)
            rows = list(map(_row_item, body.records[position:end], block.rows))
            yield BlockItem(block.rtype, block.columns, rows)
            position = end
            block = next(blocks, None)
        elif record is not None:
            yield _item(record)
            position += 1


def _item(record: Record) -> BodyItem:
    if record.malformed:
        return MalformedItem(record.raw, record.kind)
    if record.kind == "intent":
        return IntentItem(record.name or "", record.kv, record.rid, record.m)
    if record.kind == "marker":
        return TurnItem(record.name or "", record.role or "", record.parent)
    if record.kind == "s":
        return StateItem(record.arg, record.rid, record.m)
    return RecordItem(record.kind, record.kv, record.rid, record.m)


def _row_item(row: Record, fields: list[tuple[str, bool]]) -> RowItem:
    if row.malformed:
        return RowItem(raw=row.raw)
    return RowItem([value for value, _ in fields], row.rid, row.m)


def _lines(items: list[BodyItem]) -> Iterator[str]:
    """Yield the lines of a body; an empty one where the line above would change how one is read."""
    above: BodyItem | None = None
    for item in items:
        if isinstance(item, BlockItem):
            yield from block_lines(item.type, item.columns, [_row(item, row) for row in item.rows])
        else:
            line = _line(item)
            if _needs_gap(above, item, line):
                yield ""
            yield line
        above = item


def _line(item: RecordItem | IntentItem | TurnItem | StateItem | MalformedItem) -> str:
    return (
        item.raw
        if isinstance(item, MalformedItem)
        else serialize_record(_record(item), sort_parameters=False)
    )


def _needs_gap(above: BodyItem | None, item: BodyItem, line: str) -> bool:
    if isinstance(above, BlockItem):
        return not line.startswith("#")
    # Rows whose block's header cannot be read end at an empty line, and an intent is none of them.
    is_intent = isinstance(item, IntentItem) or (isinstance(item, MalformedItem) and item.like == "intent")
    return isinstance(above, MalformedItem) and is_intent


def _record(item: RecordItem | IntentItem | TurnItem | StateItem) -> Record:
    match item:
        case RecordItem():
            return Record(item.type, item.type, item.fields, item.rid, item.turn)
        case IntentItem():
            return Record("intent", item.name, item.parameters, item.rid, item.turn)
        case TurnItem():
            return Record("marker", item.id, role=item.speaker, parent=item.parent)
        case StateItem():
            return Record("s", "s", rid=item.rid, m=item.turn, arg=item.value)


def _row(block: BlockItem, row: RowItem) -> Record:
    if row.raw is not None:
        return Record("unknown", block.type, raw=row.raw, from_columnar=True, malformed=True)
    # Columns may be named twice, which is V12's to say, and values are written by their place.
    kv = {str(place): value for place, value in enumerate(row.values)}
    return Record(block.type, block.type, kv, row.rid, row.turn, from_columnar=True)
