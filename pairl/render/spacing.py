"""How blocks stand below each other in a text: lists are tight, all else is set apart.

This module knows line feeds. It does not know how a block is written: whoever asks does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pairl.render.blocks import Block, Item


def spaced(blocks: Iterable[Block], write: Callable[[Block], str]) -> str:
    """Return the blocks, each as `write` writes it, as a text that ends in one LF."""
    parts: list[str] = []
    in_list = False
    for block in blocks:
        is_item = isinstance(block, Item)
        if parts:
            parts.append("\n" if in_list and is_item else "\n\n")
        parts.append(write(block))
        in_list = is_item
    parts.append("\n")
    return "".join(parts)
