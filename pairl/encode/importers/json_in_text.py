"""JSON objects that stand as blocks of their own in a text of another kind, as in documentation.

This module knows where such a block begins and ends: with a line that is only `{`, and the next line that is
only `}` and as far from the margin. It does not know what the objects mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.json_text import read_json

_EDGE = re.compile(r"^([ \t]*)([{}])[ \t\r]*$", re.MULTILINE)


def objects_in(text: str) -> Iterator[object]:
    """Yield the objects that stand in a text as blocks and are JSON, the last one first."""
    for start, end in reversed(_blocks(text)):
        try:
            yield read_json(text[start:end])
        except NotATranscript:
            continue


def _blocks(text: str) -> list[tuple[int, int]]:
    """Return where the outermost blocks of a text begin and end."""
    blocks = []
    opened: re.Match[str] | None = None
    for edge in _EDGE.finditer(text):
        if opened is None:
            opened = edge if edge[2] == "{" else None
        elif edge[2] == "}" and edge[1] == opened[1]:
            blocks.append((opened.start(), edge.end()))
            opened = None
    return blocks
