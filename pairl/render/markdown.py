"""Writes blocks as Markdown, in which content shows exactly as it is (§12).

This module knows where a line stands in Markdown, and which of its parts need to be escaped for that place
(`pairl.render.escape`). It does not know what the blocks say.
"""

from __future__ import annotations

from collections.abc import Iterable

from pairl.render.blocks import Block, Code, Emphasis, Heading, Inline, Item, Line, Quote, Words
from pairl.render.escape import code, first, last_in_heading, text
from pairl.render.spacing import spaced


def markdown(blocks: Iterable[Block]) -> str:
    """Return a Markdown document that ends in one LF."""
    return spaced(blocks, _block)


def _block(block: Block) -> str:
    line = block.line
    if isinstance(block, Heading):
        last = line[-1]
        end = last_in_heading(last) if isinstance(last, str) else _inline(last)
        return f"{'#' * block.level} {_line(line[:-1])}{end}"
    mark = "- " if isinstance(block, Item) else "> " if isinstance(block, Quote) else ""
    start = line[0]
    begin = first(start) if isinstance(start, str) else _inline(start)
    return f"{mark}{begin}{_line(line[1:])}"


def _line(line: Line) -> str:
    return "".join(map(_inline, line))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return text(part)
    if isinstance(part, Words):
        return part.text
    if isinstance(part, Code):
        return code(part.text)
    if isinstance(part, Emphasis):
        return f"*{_line(part.line)}*"
    return f"**{_line(part.line)}**"
