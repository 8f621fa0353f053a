"""Constructs: which words of the language a body uses, in the order in which a legend explains them.

This module knows what in a body is language and what is content (§12a.1): the text between quotation
marks, the fields of a row, and tool output between `>>>` and `<<<` are never constructs. It does not know
what a construct means, or whether anybody can explain it: that is `pairl.legend`'s.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec

from pairl.body import TOOL_OUTPUT, TOOL_OUTPUT_END
from pairl.diagnostics import excerpt
from pairl.model import Body, ColumnarBlock, Record
from pairl.vocabulary import CARRIED_TURNS, CONDENSED, RECORD_TYPES


class Category(StrEnum):
    """A kind of construct, in the order of §12a.2; text that is no construct of any kind comes last."""

    TURN_MARKER = "turn marker"
    OVERRIDE = "turn override"
    INTENT = "intent"
    PARAMETER = "intent parameter"
    RECORD = "record type"
    CARRIAGE = "carriage form"
    BLOCK = "columnar form"
    TOOL_HISTORY = "history of tools"
    TEXT = "free text"


_POSITION = {category: position for position, category in enumerate(Category)}


class Construct(msgspec.Struct, frozen=True, gc=False):
    """A construct: its category, and how it is written, such as `#fact`, `req` or `mode=cond`."""

    category: Category
    name: str = ""

    def __str__(self) -> str:
        """Return the words for it, such as "record type `#fact`", on one line."""
        return f"{self.category} `{excerpt(self.name, 40)}`" if self.name else str(self.category)


COMPACT_MARKER = Construct(Category.TURN_MARKER, "#u1")
LONG_MARKER = Construct(Category.TURN_MARKER, "#msg")
OVERRIDE = Construct(Category.OVERRIDE, "@m=")
STATE = Construct(Category.RECORD, "#s")
CONDENSATE = Construct(Category.CARRIAGE, f"mode={CONDENSED}")
BLOCK = Construct(Category.BLOCK, "#type[key,key]")
TOOL_HISTORY = Construct(Category.TOOL_HISTORY)
FREE_TEXT = Construct(Category.TEXT)

Uses = dict[Construct, int]
"""The constructs of a body, each with the number of the line in which it occurs first."""


def scan(body: Body) -> Uses:
    """Return the constructs of a body in the order in which they occur (§12a.1).

    A line that holds more than its fields, and one that is nothing at all, is `FREE_TEXT`. Linear in the
    body; never raises.
    """
    records: Iterable[Record | ColumnarBlock] = split_tool_output(body.records)[0]
    uses: Uses = {}
    for entry in heapq.merge(body.blocks, records, key=_line_of):
        for construct in _of_block(entry) if isinstance(entry, ColumnarBlock) else _of_record(entry):
            uses.setdefault(construct, entry.line)
    return uses


def in_legend_order(uses: Uses) -> list[Construct]:
    """Return the constructs by category, and within one in the order in which they occur (§12a.2)."""
    return sorted(uses, key=lambda construct: _POSITION[construct.category])


def split_tool_output(records: Sequence[Record]) -> tuple[list[Record], bool]:
    """Return the records outside `>>> … <<<`, and whether the last of these passages is still open."""
    outside: list[Record] = []
    is_open = False
    for record in records:
        if is_open:
            is_open = not record.raw.startswith(TOOL_OUTPUT_END)
        elif record.kind == "unknown" and not record.from_columnar and record.raw.startswith(TOOL_OUTPUT):
            is_open = True
        else:
            outside.append(record)
    return outside, is_open


def _line_of(entry: Record | ColumnarBlock) -> int:
    return entry.line


def _of_block(block: ColumnarBlock) -> Iterator[Construct]:
    yield from _of_type(block.rtype)
    yield BLOCK


def _of_record(record: Record) -> Iterator[Construct]:
    if record.malformed or record.kind == "unknown":
        yield FREE_TEXT
    elif record.kind == "marker":
        yield COMPACT_MARKER if record.parent is None else LONG_MARKER
    elif record.kind == "intent":
        yield Construct(Category.INTENT, record.name or "")
        for key in record.kv:
            yield Construct(Category.PARAMETER, f"{key}=")
    else:
        yield from _of_type(record.kind)
        if record.kind in CARRIED_TURNS and "mode" in record.kv:
            yield Construct(Category.CARRIAGE, f"mode={record.kv['mode']}")
    if record.m:
        yield OVERRIDE


def _of_type(tag: str) -> Iterator[Construct]:
    yield Construct(Category.RECORD, f"#{tag}")
    known = RECORD_TYPES.get(tag)
    if known is not None and known.is_tool:
        yield TOOL_HISTORY
