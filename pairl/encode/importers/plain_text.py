"""Conversations in plain text: `user: text` on lines, or `**User:**` and `## Assistant` as in Markdown.

This module knows how a line names who speaks, and that what follows belongs to the one named last. It knows
only roles that everybody uses: a line that begins with any other word and a colon is part of a text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

import msgspec

from pairl.encode.history import History, Role
from pairl.encode.importers.format import Format, NotATranscript
from pairl.encode.importers.history_builder import HistoryBuilder

NAME = "plain_text"

WORDS: dict[str, Role] = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "chatbot", "bot", "ai"), "assistant"),
    "system": "system",
}
"""The words that name who speaks, in lower case. Fewer than elsewhere: `model:` is often part of a text."""

_ROLE = "|".join(WORDS)
_STYLES = (
    re.compile(rf"(?im)\n[ ]{{0,3}}(?:\*\*|__)({_ROLE})(?::(?:\*\*|__)|(?:\*\*|__)[ ]?:)"),
    re.compile(rf"(?im)\n[ ]{{0,3}}#{{1,6}}[ ]+(?:\*\*)?({_ROLE})(?:\*\*)?:?(?:\*\*)?[ \t]*(?=\r?$)"),
    re.compile(rf"(?im)\n[ ]{{0,3}}({_ROLE})[ ]?:(?=\s|$)"),
)
"""How a line names who speaks; one text keeps to one of them."""

_SETTING = re.compile(r"(?m)^[ \t]*[A-Za-z_][\w.-]*[ ]?:(?=\s|$)")
"""How a line of settings begins, as of YAML."""

_FENCE = re.compile(r"\n[ ]{0,3}(?:```|~~~)")


class _Marker(msgspec.Struct, frozen=True):
    """A place that names who speaks."""

    role: str
    start: int
    end: int


def _recognise(value: object) -> bool:
    """Say whether a text begins with one who speaks, and two roles take turns in it, or a user alone speaks.

    A user alone has not been answered yet, unless other lines begin as settings do: there `user:` is one.
    """
    if not isinstance(value, str):
        return False
    markers = _markers(value)
    if not markers or _above(value, markers):
        return False
    roles = {WORDS[one.role] for one in markers}
    return len(roles) > 1 or (roles == {"user"} and not _is_of_settings(value, markers))


def _read(value: object) -> History:
    """Return the conversation that a text holds; raise `NotATranscript` if no line names who speaks."""
    markers = _markers(value) if isinstance(value, str) else []
    if not isinstance(value, str) or not markers:
        raise NotATranscript(
            "no line of the text says who speaks",
            f"begin what each says with its role and a colon, as in `user: …`; roles are {', '.join(WORDS)}",
        )
    history = HistoryBuilder(NAME)
    above = _above(value, markers)
    if above:
        history.leave_out("text above the first that is said", "line 1", len(above))
    ends = [one.start for one in markers[1:]] + [len(value)]
    for marker, end in zip(markers, ends, strict=True):
        history.item(value[marker.start : end])
        history.turn(WORDS[marker.role])
        history.say(value[marker.end : end].strip(" \t\r\n"))
    history.leave_unfinished(_first_unfinished(value, markers))
    return history.history()


def first_speaker(text: str) -> tuple[str, int] | None:
    """Return the first that a text names as a speaker, and where; None if it names nobody."""
    found = _markers(text)
    return (found[0].role, found[0].start) if found else None


def _first_unfinished(text: str, markers: list[_Marker]) -> int:
    """Return the index of the first turn of which a text that goes on may tell otherwise.

    It is the last one, or that of a fence that is open: who speaks behind it may stand in a block of code.
    """
    fences = _fences(f"\n{text}")
    if len(fences) % 2 == 0:
        return len(markers) - 1
    return max(0, bisect_right(markers, fences[-1], key=lambda one: one.start) - 1)


def _is_of_settings(text: str, markers: list[_Marker]) -> bool:
    return sum(1 for _ in _SETTING.finditer(text)) > len(markers)


def _markers(text: str) -> list[_Marker]:
    """Return where a text names who speaks, in the style of the first place that does.

    What stands between the fences of a block of code is none: there `user:` is mostly a key of YAML.
    """
    # A line end before each line is found much sooner than the beginning of one.
    text = f"\n{text}"
    found = [(first.start(), style) for style in _STYLES if (first := style.search(text))]
    if not found:
        return []
    _, style = min(found, key=lambda one: one[0])
    return list(_outside(style.finditer(text), _fences(text)))


def _fences(text: str) -> list[int]:
    return [fence.start() for fence in _FENCE.finditer(text)]


def _outside(places: Iterator[re.Match[str]], fences: list[int]) -> Iterator[_Marker]:
    """Yield the places that stand between no two fences; a last fence without its like counts for nothing.

    Both are counted in a text that has a line end more at its beginning.
    """
    pairs = iter(zip(fences[::2], fences[1::2], strict=False))
    opened, closed = next(pairs, (-1, -1))
    for place in places:
        while 0 <= closed < place.start():
            opened, closed = next(pairs, (-1, -1))
        if not 0 <= opened < place.start():
            yield _Marker(place[1].lower(), place.start(), place.end() - 1)


def _above(text: str, markers: list[_Marker]) -> str:
    """Return what stands above the first speaker apart from headings and rules."""
    lines = (line.strip() for line in text[: markers[0].start].splitlines())
    return "\n".join(line for line in lines if line.strip("-=* ") and not line.startswith("#"))


FORMAT = Format(
    NAME,
    "text with a line for each that speaks: `user: …` or `**User:** …`, and `## User` above what is said",
    _recognise,
    _read,
)
