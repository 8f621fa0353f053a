"""What Redis must have of a partition's sessions according to the changelog, and in what it differs.

This module knows how records of a changelog become what stands in Redis, what of it can be compared while
workers go on changing both, and the kinds of difference. It reads neither, and keeps digests of what the
changelog says rather than that itself: a partition's sessions need not fit into memory.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum

from schemas.changelog import Change

_DIGEST_BYTES = 16


class Difference(StrEnum):
    """In what a session in Redis is not as the changelog has it, put so that it follows `2 sessions`."""

    MISSING = "missing in Redis"
    SURPLUS = "only in Redis"
    ENTRIES_MISSING = "without some entries in Redis"
    ENTRIES_SURPLUS = "with entries that only Redis has"
    VALUES = "with other values in Redis"
    DUE_MISSING = "with something due that Redis does not know of, or for another time"
    DUE_SURPLUS = "with something due in Redis only"
    IDLE_MISSING = "without the time of the last change in Redis"
    IDLE_SURPLUS = "gone, but with the time of the last change still in Redis"


_WHOLE = (Difference.MISSING, Difference.SURPLUS)


class Comparison:
    """Redis at a position of the changelog, against the changelog.

    First `read` takes in the changelog up to its end. Then `compare` is given what Redis has of every session
    that is expected and of every other one that it has, `compare_due` and `compare_idle` all there is. At
    last `read` takes in what was added to the changelog meanwhile.

    Records from the position on are not taken as expected. Their sessions are not compared at all: they
    may have changed before or after somebody looked, and compaction may have taken away what they were.
    """

    def __init__(self, position: int) -> None:
        """Expect what the changelog says before the offset `position`."""
        self._position = position
        self._expected: dict[str, dict[str, bytes]] = {}
        self._due: dict[tuple[str, str], int] = {}
        self._later: list[int] = []
        self._changed: set[str] = set()
        self._found: dict[Difference, set[str]] = {kind: set() for kind in Difference}
        self._on_time: set[tuple[str, str]] = set()
        self._with_idle: set[str] = set()

    def read(self, offset: int, change: Change) -> None:
        """Take in the record of the changelog at `offset`, in the order of offsets."""
        session, entry = change.session, change.entry
        if offset >= self._position:
            self._later.append(offset)
            self._changed.add(session)
        elif change.value is not None:
            self._expected.setdefault(session, {})[entry] = _digest(b"%d %b" % (offset, change.value))
            if change.due is not None:
                self._due[session, entry] = change.due
        elif session in self._expected:
            entries = self._expected[session]
            entries.pop(entry, None)
            self._due.pop((session, entry), None)
            if not entries:
                del self._expected[session]

    def later(self, position: int) -> int:
        """Return how many records that were read stand at the offset `position` or behind it."""
        return len(self._later) - bisect_left(self._later, position)

    @property
    def expected(self) -> Collection[str]:
        """The sessions that Redis must have."""
        return self._expected.keys()

    @property
    def entries(self) -> int:
        """How many entries the sessions have that Redis must have."""
        return sum(map(len, self._expected.values()))

    @property
    def changed(self) -> int:
        """How many sessions are not compared, because they changed meanwhile."""
        return len(self._changed)

    def compare(self, session: str, stored: Mapping[bytes, bytes]) -> None:
        """Compare a session with what Redis has of it: by name of the entry, `<changelog offset> <value>`."""
        expected = self._expected.get(session, {})
        found = {name.decode(errors="replace"): _digest(value) for name, value in stored.items()}
        if not expected and not found:
            return
        if not found:
            self._found[Difference.MISSING].add(session)
        elif not expected:
            self._found[Difference.SURPLUS].add(session)
        if expected.keys() - found.keys():
            self._found[Difference.ENTRIES_MISSING].add(session)
        if found.keys() - expected.keys():
            self._found[Difference.ENTRIES_SURPLUS].add(session)
        if any(found[name] != expected[name] for name in expected.keys() & found.keys()):
            self._found[Difference.VALUES].add(session)

    def compare_due(self, session: str, entry: str, time: int) -> None:
        """Compare when an entry is due, in milliseconds since 1970."""
        due = self._due.get((session, entry))
        if due is None:
            self._found[Difference.DUE_SURPLUS].add(session)
        elif due == time:
            self._on_time.add((session, entry))

    def compare_idle(self, session: str) -> None:
        """Take note that Redis knows since when a session is idle."""
        if session in self._expected:
            self._with_idle.add(session)
        else:
            self._found[Difference.IDLE_SURPLUS].add(session)

    def differences(self) -> dict[Difference, list[str]]:
        """Return the sessions of each kind of difference, sorted; of kinds that occur.

        What is missing altogether, or should not be there at all, is not taken apart further.
        """
        self._found[Difference.DUE_MISSING] = {session for session, _ in self._due.keys() - self._on_time}
        self._found[Difference.IDLE_MISSING] = self._expected.keys() - self._with_idle
        return dict(self._sorted())

    def _sorted(self) -> Iterator[tuple[Difference, list[str]]]:
        whole = set[str]().union(*(self._found[kind] for kind in _WHOLE))
        for kind, sessions in self._found.items():
            left_out = self._changed if kind in _WHOLE else self._changed | whole
            if sessions - left_out:
                yield kind, sorted(sessions - left_out)


def _digest(stored: bytes) -> bytes:
    return hashlib.blake2b(stored, digest_size=_DIGEST_BYTES).digest()
