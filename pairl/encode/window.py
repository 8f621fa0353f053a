"""Where a body ends: which of the latest calls are left alone, and which turns wait (§7.7).

This module knows the recency window, and what may still be answered or added to. It does not know what
becomes of the turns before its end, or of those behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairl.encode.history import Call, Result, Turn

DEFAULT_WINDOW = 3
"""So many of the last calls with their results are left alone, unless it is said how many."""


def end_of_body(turns: Sequence[Turn], window: int, *, is_open: bool) -> int:
    """Return the index of the first turn that is left as it is: the body ends before it.

    Left alone are the last `window` calls with a result, with all from the turn of the first of them on. Of
    a conversation that goes on, so are turns that are not finished, and calls that may still be answered:
    nothing tells that their caller went on without.
    """
    places = {
        part.number: index
        for index, turn in enumerate(turns)
        for part in turn.parts
        if isinstance(part, Call)
    }
    answered = {part.call for turn in turns for part in turn.parts if isinstance(part, Result)}
    end = len(turns)
    if window > 0:
        pairs = [index for number, index in places.items() if number in answered]
        end = min(pairs[-window:], default=end)
    if is_open:
        spoken: set[tuple[str, str | None]] = set()
        waiting = {index for number, index in places.items() if number not in answered}
        for index in range(len(turns) - 1, -1, -1):
            speaker = (turns[index].role, turns[index].speaker)
            if turns[index].is_unfinished or (index in waiting and speaker not in spoken):
                end = min(end, index)
            spoken.add(speaker)
    return end
