"""Marks of a few letters by which turns are known again, and the first one that differs is found.

This module knows what of a turn goes into a mark, and that turns of a long conversation share marks. It does
not know what follows from a mark that differs.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence

from pairl.encode.history import Call, Part, Result, Said, Thought, Turn, Unknown
from pairl.encode.tools.records import atoms_of
from pairl.quotation import normalise

MOST_MARKS = 2_000
"""Turns of longer conversations share a mark: what is remembered is written again and again."""

LENGTH = 4
CHANGED = "-" * LENGTH
"""The mark of turns of which something was changed since: no mark that is computed has a hyphen."""


def turns_of_a_mark(length: int) -> int:
    """Return how many turns share a mark, of a conversation of so many turns."""
    return max(1, -(-length // MOST_MARKS))


def mark_at(marks: str, place: int) -> str:
    """Return one of several marks; what is too short has none there."""
    return marks[place * LENGTH : (place + 1) * LENGTH]


def spoken(turns: Sequence[Turn], first: int, group: int) -> tuple[str, list[str]]:
    """Return the SHA-256 of who speaks and what is said and called, and what it begins with after each group.

    `first` is the index in the record of the first turn. White space counts as quotations have it (§11 V15).
    Linear in what the turns hold.
    """
    digest = hashlib.sha256()
    marks = []
    for index, turn in enumerate(turns, 1):
        answers = turn.answers - first if turn.answers is not None and turn.answers >= first else None
        _add(digest, f"{turn.role} {turn.speaker!r} {answers}")
        for part in turn.parts:
            if isinstance(part, Said):
                text = normalise(part.text).strip(" ")
                if text:
                    _add(digest, f"said {part.is_summary}", text)
            elif isinstance(part, Call):
                _add(digest, f"call {[part.tool, *atoms_of(part.arguments, by_name=True)]!r}")
        if index % group == 0 or index == len(turns):
            marks.append(_mark(digest.digest()))
    return digest.hexdigest(), marks


def thought(turns: Sequence[Turn], group: int) -> Iterator[str]:
    """Yield the mark of what is thought in each group of turns."""
    digest = hashlib.sha256()
    for index, turn in enumerate(turns, 1):
        for part in turn.parts:
            if isinstance(part, Thought):
                _add(digest, "thought", part.text)
        if index % group == 0 or index == len(turns):
            yield _mark(digest.digest())
            digest = hashlib.sha256()


def returned(turns: Sequence[Turn], group: int) -> Iterator[str]:
    """Yield the mark of what was returned in each group of turns, and of items of unknown kinds."""
    digest = hashlib.sha256()
    for index, parts in enumerate(numbered(turns), 1):
        for part, number in parts:
            if isinstance(part, Result):
                _add(digest, f"result {number} {part.is_error} {sorted(part.details.items())!r}", part.text)
            elif isinstance(part, Unknown):
                _add(digest, f"unknown {part.kind!r}", part.text)
        if index % group == 0 or index == len(turns):
            yield _mark(digest.digest())
            digest = hashlib.sha256()


def numbered(turns: Iterable[Turn]) -> Iterator[list[tuple[Part, int | None]]]:
    """Yield the parts of each turn: calls, and results behind them, with the call's number in the body."""
    count = 0
    for turn in turns:
        numbers: dict[int, int] = {}
        parts: list[tuple[Part, int | None]] = []
        for part in turn.parts:
            number = None
            if isinstance(part, Call):
                count += 1
                number = numbers[part.number] = count
            elif isinstance(part, Result) and part.call is not None:
                number = numbers.get(part.call)
            parts.append((part, number))
        yield parts


def _mark(digest: bytes) -> str:
    return b64encode(digest[: LENGTH * 3 // 4]).decode()


def _add(digest: hashlib._Hash, what: str, text: str = "") -> None:
    digest.update(f"\n{what} {len(text)} ".encode("utf-8", "backslashreplace"))
    digest.update(text.encode("utf-8", "surrogatepass"))
