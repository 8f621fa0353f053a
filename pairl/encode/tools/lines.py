"""Lines of what a program printed, found by the words that stand in them.

This module knows how to look at few of many lines. It does not know what any of them says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NUMBERED = re.compile(r"[ \t]*+[0-9]++(?:→|\t|[ \t]*+\||:(?![0-9]))")


def lowered(text: str) -> str:
    """Return a text in lower case, each character in its place."""
    changed = text.lower()
    # The one letter that becomes two.
    return changed if len(changed) == len(text) else text.replace("\u0130", "I").lower()


def is_numbered(text: str, start: int) -> bool:
    """Say whether a line that begins here is one of numbered source text."""
    return _NUMBERED.match(text, start) is not None


def lines_with(cues: Iterable[str], text: str, low: str) -> Iterator[tuple[int, int]]:
    """Yield where the lines begin and end that hold one of these words in lower case, in order.

    `low` is the text in lower case. Lines of numbered source text are left out. Linear in the text for each
    word.
    """
    begins: set[int] = set()
    for cue in [cue for cue in cues if cue in low]:
        at = low.find(cue)
        while at >= 0:
            begins.add(low.rfind("\n", 0, at) + 1)
            end = low.find("\n", at)
            at = low.find(cue, end) if end >= 0 else -1
    for start in sorted(begins):
        if not is_numbered(text, start):
            end = text.find("\n", start)
            yield start, end if end >= 0 else len(text)


def first_line(text: str) -> int:
    """Return where the first line begins that is not empty."""
    return text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1


def begin_of_last(text: str, count: int) -> int:
    """Return where the last `count` lines begin that are not empty."""
    end = len(text.rstrip())
    start = end
    for _ in range(count):
        start = text.rfind("\n", 0, end) + 1
        end = start - 1
        while end > 0 and text[end - 1] == "\n":
            end -= 1
        if end <= 0:
            break
    return start
