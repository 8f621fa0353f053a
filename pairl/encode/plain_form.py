"""A conversation as plain text: what a body is compared with.

This module knows the shortest way to write a conversation down that a reader still understands: who speaks, a
colon, and what was said, called and returned, a line for each. It does not know what is worth writing.

The same is made of a history and of what was read back from its body, so that the two differ in what they
tell, not in how.

    >>> from pairl.encode.history import Call, Result, Said, Turn
    >>> parts = (Said("I look."), Call(1, "Read", {"path": "/etc/hosts", "lines": 2}), Result(1, "::1 here"))
    >>> print(plain_text([Turn("user", (Said("Who am I?"),)), Turn("assistant", parts)]), end="")
    user: Who am I?
    assistant: I look.
    Read(path=/etc/hosts, lines=2)
    ::1 here
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pairl.encode.history import Call, Part, Result, Turn
from pairl.encode.tools.records import argument_text


def plain_text(turns: Iterable[Turn]) -> str:
    """Return turns as plain text, each from a line of its own on. Linear in what they hold."""
    return "".join(f"{line}\n" for turn in turns for line in _lines(turn))


def _lines(turn: Turn) -> Iterator[str]:
    spoken = [text for part in turn.parts if (text := _text(part))]
    yield f"{turn.speaker or turn.role}: {spoken[0] if spoken else ''}".rstrip(" ")
    yield from spoken[1:]


def _text(part: Part) -> str:
    if isinstance(part, Call):
        given = ", ".join(f"{name}={_value(value)}" for name, value in part.arguments.items())
        return f"{part.tool}({given})"
    if isinstance(part, Result) and not part.text:
        status = "error" if part.is_error else "ok"
        return ", ".join([status, *(f"{name}={value}" for name, value in part.details.items())])
    return part.text


def _value(value: object) -> str:
    return value if isinstance(value, str) else argument_text(value) or "…"
