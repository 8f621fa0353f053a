"""Writes blocks as an HTML fragment: one `<article>` of elements that say what a part is (§12).

This module knows the element for each kind of block and of text. It does not know what the blocks say, nor
how they will look: there are no styles, no scripts, no links and no attributes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pairl.render.blocks import Block, Code, Emphasis, Heading, Inline, Item, Line, Quote, Words
from pairl.render.visible import visible


def hypertext(blocks: Iterable[Block]) -> str:
    """Return an `<article>`, a block a line, ending in one LF."""
    lines = ["<article>"]
    in_list = False
    for block in blocks:
        is_item = isinstance(block, Item)
        if is_item is not in_list:
            lines.append("<ul>" if is_item else "</ul>")
        lines.append(_block(block))
        in_list = is_item
    if in_list:
        lines.append("</ul>")
    lines += "</article>", ""
    return "\n".join(lines)


def _block(block: Block) -> str:
    line = _line(block.line)
    if isinstance(block, Heading):
        return f"<h{block.level}>{line}</h{block.level}>"
    if isinstance(block, Item):
        return f"<li>{line}</li>"
    return f"<blockquote><p>{line}</p></blockquote>" if isinstance(block, Quote) else f"<p>{line}</p>"


def _line(line: Line) -> str:
    return "".join(map(_inline, line))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return escape(visible(part))
    if isinstance(part, Words):
        return escape(part.text)
    if isinstance(part, Code):
        return f"<code>{escape(visible(part.text))}</code>"
    if isinstance(part, Emphasis):
        return f"<em>{_line(part.line)}</em>"
    return f"<strong>{_line(part.line)}</strong>"
