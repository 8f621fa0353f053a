"""The shape that a message has as JSON: frozen values, one for each kind of thing in a body.

This module knows names and types, which programs that read the JSON rely on. It does not know how text
becomes one of these and comes back: `pairl.json_form` does.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class _Item(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"):
    """Something in a body; `kind` says what, and other members are left out where there is nothing."""


class RecordItem(_Item, tag="record", frozen=True):
    """`#type key=value`, `rid` its `@rid=` and `turn` its `@m=`."""

    type: str
    fields: dict[str, str]
    rid: str | None = None
    turn: str | None = None


class IntentItem(_Item, tag="intent", frozen=True):
    """`name{key=value}`."""

    name: str
    parameters: dict[str, str] = {}
    rid: str | None = None
    turn: str | None = None


class TurnItem(_Item, tag="turn", frozen=True):
    """`#u1`, or `#msg id r=speaker parent=…`, which alone has a parent."""

    id: str
    speaker: str
    parent: str | None = None


class StateItem(_Item, tag="state", frozen=True):
    """`#s value`."""

    value: str | None = None
    rid: str | None = None
    turn: str | None = None


class MalformedItem(_Item, tag="malformed", frozen=True):
    """A line as it came, because it holds what no field can carry; `like` is what it began as."""

    raw: str
    like: str = "unknown"


class RowItem(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row of a block: its values, or, of one that is malformed, its text."""

    values: list[str] = []
    rid: str | None = None
    turn: str | None = None
    raw: str | None = None


class BlockItem(_Item, tag="block", frozen=True):
    """A columnar block: `#type[column,column]` and its rows."""

    type: str
    columns: list[str]
    rows: list[RowItem]


BodyItem = RecordItem | IntentItem | TurnItem | StateItem | BlockItem | MalformedItem


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A message: its headers, in order and without `@`, and what is in its body, in order."""

    format: Literal["pairl-json/1"] = "pairl-json/1"
    headers: dict[str, str]
    body: list[BodyItem]
