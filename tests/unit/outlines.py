"""A history in few words, for comparing: who speaks in each turn, and what the turn holds.

Knows the parts of a turn. Refuses to know any format that histories are read from.
"""

from __future__ import annotations

from pairl.encode.history import Call, History, Part, Result, Said, Thought


def outline(history: History) -> list[tuple[str, ...]]:
    """Return for each turn its speaker and its parts: `text`, `(thought)`, `1:tool`, `1=result`, `?kind`.

    A result that the record calls an error ends in `!`, one that it calls none in `.`; details stand in
    brackets. A summary begins with `~`.
    """
    return [(turn.speaker or turn.role, *map(_outline_of, turn.parts)) for turn in history.turns]


def answers(history: History) -> list[int | None]:
    """Return for each turn which one it follows."""
    return [turn.answers for turn in history.turns]


def calls(history: History) -> list[Call]:
    """Return the calls in their order."""
    return [part for turn in history.turns for part in turn.parts if isinstance(part, Call)]


def notices(history: History) -> dict[str, tuple[int, int]]:
    """Return count and size of each notice."""
    return {notice.what: (notice.count, notice.size) for notice in history.notices}


def _outline_of(part: Part) -> str:
    match part:
        case Said():
            return f"~{part.text}" if part.is_summary else part.text
        case Thought():
            return f"({part.text})"
        case Call():
            return f"{part.number}:{part.tool}"
        case Result():
            details = "".join(f"[{name}={value}]" for name, value in part.details.items())
            return f"{part.call or ''}={part.text}{_ENDS[part.is_error]}{details}"
        case _:
            return f"?{part.kind}"


_ENDS = {None: "", True: "!", False: "."}
