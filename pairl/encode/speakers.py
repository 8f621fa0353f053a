"""Markers of turns, and the names that speakers have in them (§3.3).

This module knows when letters can tell the speakers of a conversation apart, and how a name becomes one that
a marker can carry. It does not know what the speakers say.

Letters, `#u1 #a2 #s3`, do for a conversation in which each turn answers the one before and each role is
played by one speaker. All others have `#msg`, with a name for each. A name that the marker does not show is
given by a fact under the first turn of the speaker: `#fact speaker_anna_k="Anna K."`, and `role_anna_k=user`
where the speaker is not an assistant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from pairl.canonical import serialize_record
from pairl.encode.carried import name_carried
from pairl.encode.history import Role, Turn
from pairl.model import Record
from pairl.vocabulary import ROLES

NO_TURN = "-"
SPEAKER_FACT = "speaker_"
ROLE_FACT = "role_"
LONGEST_NAME = 200

LETTERS: dict[Role, str] = {"user": "u", "assistant": "a", "system": "s"}
_TAKEN = frozenset({*LETTERS, *ROLES})
_LONGEST_SLUG = 18
_NOT_OF_A_SLUG = re.compile(r"[^a-z0-9]+")


def name_of_speaker(turn: Turn) -> str | None:
    """Return the name of a turn's speaker as a body can carry it, None where it is none but the role."""
    if turn.speaker is None:
        return None
    name = name_carried(turn.speaker, LONGEST_NAME)
    return name if name and name != turn.role else None


def first_turn(turns: Iterable[Turn]) -> int:
    """Return the index of the first turn that is in the body: the system's, at the head, stand beside it."""
    index = -1
    for index, turn in enumerate(turns):
        if turn.role != "system":
            return index
    return index + 1


class Markers:
    """Gives a marker to each turn, in order."""

    def __init__(self, first: int, *, named: bool) -> None:
        """Begin with the turn of this index. `named` says that letters will not do, whatever comes first."""
        self.is_named = named
        self._first = first
        self._markers: list[Record] = []
        self._letters: dict[str, str | None] = {}
        self._slugs: dict[tuple[Role, str | None], str] = {}
        self._given: set[str] = set()
        self._numbers: dict[str, int] = {}

    def lines(self, turn: Turn) -> list[str]:
        """Return the lines that begin the next turn; from the first on that letters do not fit, by name."""
        index = self._first + len(self._markers)
        letter, name = LETTERS[turn.role], name_of_speaker(turn)
        if not _follows(turn, index, self._first) or self._letters.get(letter, name) != name:
            self.is_named = True
        number = len(self._markers) + 1
        if self.is_named:
            parent = _parent(turn, index, self._first)
            slug, facts = self._slug(turn.role, name)
            answered = NO_TURN if parent is None else self._markers[parent - self._first].name
            marker = Record("marker", f"t{number}", role=slug, parent=answered)
        else:
            facts = {f"{SPEAKER_FACT}{letter}": name} if name and letter not in self._letters else {}
            marker = Record("marker", f"{letter}{number}", role=letter)
        self._letters.setdefault(letter, name)
        self._markers.append(marker)
        lines = [serialize_record(marker)]
        if facts:
            lines.append(serialize_record(Record("fact", "fact", facts)))
        return lines

    @property
    def name(self) -> str:
        """The name of the latest turn."""
        return self._markers[-1].name or ""

    def answered_before(self, index: int) -> dict[str, str]:
        """Return the marker of the turn that the latest one names as answered, if it stands before this one.

        It is by the turn's name, and begins the turn again where its own marker is not at hand.
        """
        named = self._markers[-1].parent
        if named is None or named == NO_TURN or int(named[1:]) > index - self._first:
            return {}
        return self.again(int(named[1:]) - 1)

    def again(self, place: int) -> dict[str, str]:
        """Return what begins a turn again, by the turn's name; `place` is how many turns stand before it."""
        marker = self._markers[place]
        again = marker if marker.parent is None else replace(marker, parent=NO_TURN)
        return {marker.name or "": serialize_record(again)}

    def _slug(self, role: Role, name: str | None) -> tuple[str, dict[str, str]]:
        """Return how a speaker is called, and what has to be said when it is called so first."""
        known = self._slugs.get((role, name))
        if known is not None:
            return known, {}
        slug = role if name is None else self._free(_NOT_OF_A_SLUG.sub("_", name.lower()).strip("_"))
        self._slugs[role, name] = slug
        self._given.add(slug)
        facts = {f"{SPEAKER_FACT}{slug}": name} if name and name != slug else {}
        if name is not None and role != "assistant":
            facts[f"{ROLE_FACT}{slug}"] = role
        return slug, facts

    def _free(self, wished: str) -> str:
        wished = wished[:_LONGEST_SLUG].strip("_") or "speaker"
        slug = wished
        while slug in self._given or slug in _TAKEN:
            self._numbers[wished] = self._numbers.get(wished, 1) + 1
            slug = f"{wished}_{self._numbers[wished]}"
        return slug


def letters_do(turns: Iterable[Turn], first: int) -> bool:
    """Say whether letters tell the speakers of these turns apart, and each answers the one before."""
    names: dict[Role, str | None] = {}
    for index, turn in enumerate(turns, first):
        name = name_of_speaker(turn)
        if not _follows(turn, index, first) or names.setdefault(turn.role, name) != name:
            return False
    return True


def _parent(turn: Turn, index: int, first: int) -> int | None:
    """Return the index of the turn that a turn answers, None if that is none of those before it."""
    return turn.answers if turn.answers is not None and first <= turn.answers < index else None


def _follows(turn: Turn, index: int, first: int) -> bool:
    return _parent(turn, index, first) == (index - 1 if index > first else None)
