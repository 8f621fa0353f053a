"""Writes blocks as plain text, for terminals, logs and mail (§12).

This module knows how a document reads without any markup: underlined headings, hyphens, a `> ` before
quotations. It does not know what the blocks say.

Content never begins a line of its own, so it cannot pose as a heading, an item or a quotation. Within a line
there is no telling it from the words around it; whoever needs that takes another form.
"""

from __future__ import annotations

from collections.abc import Iterable

from pairl.render.blocks import Block, Code, Heading, Inline, Item, Line, Quote, Words
from pairl.render.spacing import spaced
from pairl.render.visible import visible

_UNDERLINES = {1: "=", 2: "-"}
_LONGEST_UNDERLINE = 72


def plain_text(blocks: Iterable[Block]) -> str:
    """Return plain text that ends in one LF."""
    return spaced(blocks, _block)


def _block(block: Block) -> str:
    line = _line(block.line)
    if isinstance(block, Heading):
        return f"{line}\n{_UNDERLINES[block.level] * min(len(line), _LONGEST_UNDERLINE)}"
    if isinstance(block, Item):
        return f"- {line}"
    return f"> {line}" if isinstance(block, Quote) else line


def _line(line: Line) -> str:
    return "".join(map(_inline, line))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, Words):
        return part.text
    return visible(part.text) if isinstance(part, Code) else _line(part.line)
