"""The shortest well-formed text of a message: columnar blocks, and nothing that follows from the rest.

This module knows what §3.4 and §8.3 allow to be left out without changing what is read, and so the hash
(§9.4a). It does not know when a message is worth shortening.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pairl.canonical import (
    canonical_headers,
    canonical_text,
    quotable,
    serialize_record,
    with_tags,
)
from pairl.grammar import NOT_ATOM, REFERENCE
from pairl.headers import END_OF_MESSAGE
from pairl.model import Message, Record
from pairl.vocabulary import RECORD_TYPES


def compact(msg: Message) -> str:
    """Return the text of a message, `@hash` included, in as few bytes as the format allows.

    Records of one type with the same keys that follow each other become a columnar block (§3.4); values
    that may stand without quotation marks do, and an intent without parameters has no braces. The text has
    the hash of the message, and is never longer than its canonical text. A message with a malformed line
    keeps its canonical text.

    Raises:
        ValueError: for a message made by hand, if a value cannot be written.

    """
    return canonical_text(canonical_headers(msg.headers, for_hash=False), compact_lines(msg.body.records))


def compact_lines(records: list[Record]) -> list[str]:
    """Return the lines of a body in as few bytes as the format allows, canonical ones if any is malformed."""
    if any(record.malformed for record in records):
        return [serialize_record(record) for record in records]
    return list(_lines(records))


def block_lines(kind: str, columns: list[str], rows: list[Record]) -> list[str]:
    """Return the lines of a columnar block; a row that is malformed stands for its text."""
    header = f"#{kind}[{','.join(columns)}]"
    return [header, *(row.raw if row.malformed else _row(row) for row in rows)]


def _lines(records: list[Record]) -> Iterator[str]:
    in_block = False
    for columns, group in groupby(records, _columns):
        run = list(group)
        # A header has one byte more than it saves in the row below it, and saves at least five in each
        # further one: two rows pay for the header, and for an empty line behind the block.
        if columns is not None and len(run) > 1:
            yield from block_lines(run[0].kind, list(columns[1:]), run)
            in_block = True
            continue
        for record in run:
            if in_block and record.kind == "intent":
                # Below a block it would be read as a row (§3.4).
                yield ""
            in_block = False
            yield _line(record)


def _columns(record: Record) -> tuple[str, ...] | None:
    """Return the type and the keys of a record that can be a row, else None."""
    record_type = RECORD_TYPES.get(record.kind)
    if record_type is None or not record_type.columnar or not record.kv:
        return None
    return (record.kind, *record.kv)


def _line(record: Record) -> str:
    if record.kind in ("marker", "s"):
        return serialize_record(record)
    if record.kind == "intent":
        line = serialize_record(record)
        # Behind a value's closing quotation mark there is never a `!`, so only whole values are found.
        return line.replace('="!"', "=!") if record.kv else line.replace("{}", "", 1)
    pairs = [f"{key}={_value(value)}" for key, value in record.kv.items()]
    return with_tags(" ".join([f"#{record.name}", *pairs]), record)


def _row(record: Record) -> str:
    fields = " ".join([_value(value) for value in record.kv.values()])
    if fields == END_OF_MESSAGE:
        # As the only thing on its line it would end the message.
        fields = f'"{fields}"'
    return with_tags(fields, record)


def _value(value: str) -> str:
    """Return a value with quotation marks only where it cannot be read without (§8.1, §8.3)."""
    if value and (not NOT_ATOM.search(value) or (REFERENCE.fullmatch(value) and "=" not in value)):
        return value
    return f'"{quotable(value)}"'
