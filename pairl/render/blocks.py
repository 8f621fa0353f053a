"""What a rendered message is made of, before anyone has chosen a form: blocks, and lines of text in them.

This module knows headings, paragraphs, items and quotations, and which text in them is the renderer's and
which the message's. It does not know what a record says, nor how any of it is written down.

A bare string is content of the message, which every writer escapes; the renderer's own words are `Words`.
So forgetting the difference shows a word too plainly, and never lets content become markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec


class Words(msgspec.Struct, frozen=True):
    """Words of the renderer: plain ones, without any character that a form would take for markup."""

    text: str


class Code(msgspec.Struct, frozen=True):
    """Content in which every character counts: a reference, a path, a command, a line that was not read."""

    text: str


class Emphasis(msgspec.Struct, frozen=True):
    """What stands out a little: names of keys, and what the renderer says of a value."""

    line: Line


class Strong(msgspec.Struct, frozen=True):
    """What stands out: who speaks, what is done, the keys of facts."""

    line: Line


Inline: TypeAlias = str | Words | Code | Emphasis | Strong
Line: TypeAlias = tuple[Inline, ...]


class Heading(msgspec.Struct, frozen=True):
    """A heading: level 1 for the message, 2 for a turn."""

    level: int
    line: Line


class Paragraph(msgspec.Struct, frozen=True):
    """A line that stands alone."""

    line: Line


class Item(msgspec.Struct, frozen=True):
    """An item of a list; items that follow each other are one list."""

    line: Line


class Quote(msgspec.Struct, frozen=True):
    """What somebody said, word for word."""

    line: Line


Block: TypeAlias = Heading | Paragraph | Item | Quote

EMPTY = Emphasis((Words("empty"),))
"""What stands for a value of no characters."""

NOT_GIVEN = Emphasis((Words("not given"),))
"""What stands for a key that a record needs and does not have."""


def shown(value: str) -> Inline:
    """Return a value as text; one of no characters as the word that it is empty."""
    return value or EMPTY


def code(value: str) -> Inline:
    """Return a value in which every character counts; one of no characters as the word that it is empty."""
    return Code(value) if value else EMPTY


def joined(separator: str, lines: Iterable[Line]) -> Line:
    """Return the lines as one, with the separator, which is the renderer's, between them."""
    parts: list[Inline] = []
    for line in lines:
        if parts:
            parts.append(Words(separator))
        parts.extend(line)
    return tuple(parts)
