"""The comparison of Redis with a changelog: each kind of difference, and what is left alone.

Knows what `schemas.changelog` makes of an entry and how Redis keeps it. Does not know Kafka or Redis.
"""

from __future__ import annotations

import pytest

from schemas.changelog import Change
from workers.runtime.comparison import Comparison, Difference

END = 10
VALUE = b'{"at":1}'


def written(session: str, entry: str, value: bytes | None = VALUE, due: int | None = None) -> Change:
    return Change(session, entry, value, 1, due)


class Shown:
    """What Redis would have of a changelog; a test changes it before it is compared."""

    def __init__(self, *changes: Change) -> None:
        self.comparison = Comparison(END)
        self.hashes: dict[str, dict[bytes, bytes]] = {}
        self.due: dict[tuple[str, str], int] = {}
        for offset, change in enumerate(changes):
            self.comparison.read(offset, change)
            entries = self.hashes.setdefault(change.session, {})
            entries.pop(change.entry.encode(), None)
            self.due.pop((change.session, change.entry), None)
            if change.value is not None:
                entries[change.entry.encode()] = b"%d %b" % (offset, change.value)
                if change.due is not None:
                    self.due[change.session, change.entry] = change.due
        self.idle = {session for session, entries in self.hashes.items() if entries}

    def differences(self) -> dict[Difference, list[str]]:
        for session in {*self.comparison.expected, *self.hashes}:
            self.comparison.compare(session, self.hashes.get(session, {}))
        for (session, entry), time in self.due.items():
            self.comparison.compare_due(session, entry, time)
        for session in self.idle:
            self.comparison.compare_idle(session)
        return self.comparison.differences()


@pytest.fixture
def shown() -> Shown:
    """Two sessions; in `a` a message waits, and another one has waited."""
    return Shown(
        written("a", "m1"),
        written("b", "m1"),
        written("a", "m2/7", due=50),
        written("a", "m3/8", due=60),
        written("a", "m1", b'{"at":2}'),
        written("a", "m2/7", None),
    )


def test_what_was_applied_is_equal(shown: Shown) -> None:
    assert shown.differences() == {}
    assert (len(shown.comparison.expected), shown.comparison.entries) == (2, 3)


def test_a_session_of_which_everything_was_taken_away_is_not_expected() -> None:
    shown = Shown(written("a", "m1/7", due=5), written("a", "m1/7", None))
    assert list(shown.comparison.expected) == []
    assert shown.differences() == {}


def test_a_session_that_is_missing_is_not_taken_apart(shown: Shown) -> None:
    del shown.hashes["a"]
    shown.due.clear()
    shown.idle.discard("a")
    assert shown.differences() == {Difference.MISSING: ["a"]}


def test_a_session_that_should_not_be_there_is_not_taken_apart(shown: Shown) -> None:
    shown.hashes["c"] = {b"m1": b"3 {}"}
    shown.due["c", "m1"] = 5
    shown.idle.add("c")
    assert shown.differences() == {Difference.SURPLUS: ["c"]}


@pytest.mark.parametrize(
    ("stored", "kind"),
    [
        ({b"m1": b"4 " + VALUE}, Difference.VALUES),
        ({b"m1": b'0 {"at":2}'}, Difference.VALUES),
        ({b"m2": b"4 {}"}, Difference.ENTRIES_SURPLUS),
        ({b"\xff": b"\xff"}, Difference.ENTRIES_SURPLUS),
    ],
    ids=["value", "offset", "entry", "no text"],
)
def test_entries_that_differ(shown: Shown, stored: dict[bytes, bytes], kind: Difference) -> None:
    shown.hashes["a"].update(stored)
    assert shown.differences() == {kind: ["a"]}


def test_an_entry_that_is_missing(shown: Shown) -> None:
    del shown.hashes["a"][b"m1"]
    assert shown.differences() == {Difference.ENTRIES_MISSING: ["a"]}


@pytest.mark.parametrize("time", [None, 61])
def test_something_due_that_redis_does_not_know_of(shown: Shown, time: int | None) -> None:
    del shown.due["a", "m3/8"]
    if time is not None:
        shown.due["a", "m3/8"] = time
    assert shown.differences() == {Difference.DUE_MISSING: ["a"]}


def test_something_due_in_redis_only(shown: Shown) -> None:
    shown.due["a", "m2/7"] = 50
    assert shown.differences() == {Difference.DUE_SURPLUS: ["a"]}


def test_idle_sessions_that_redis_does_not_know_of_or_has_too_many(shown: Shown) -> None:
    shown.idle = {"a", "c"}
    assert shown.differences() == {Difference.IDLE_MISSING: ["b"], Difference.IDLE_SURPLUS: ["c"]}


def test_a_session_that_changed_behind_the_position_is_not_compared(shown: Shown) -> None:
    # Compaction may have taken the older value away, and Redis may have the newer one already.
    shown.comparison.read(END, written("b", "m1", b'{"at":9}'))
    shown.comparison.read(END + 2, written("c", "m1", due=4))
    shown.hashes["b"] = {b"m1": b'10 {"at":9}'}
    shown.hashes["c"] = {b"m1": b"12 " + VALUE}
    shown.due["c", "m1"] = 4
    shown.idle.add("c")
    assert shown.differences() == {}
    assert shown.comparison.changed == 2


def test_records_behind_a_position_are_counted_by_their_offsets(shown: Shown) -> None:
    for offset in (END, END + 1, END + 5):
        shown.comparison.read(offset, written("b", f"m{offset}"))
    assert [shown.comparison.later(END + step) for step in (0, 1, 2, 5, 6)] == [3, 2, 1, 1, 0]


def test_the_sessions_of_a_difference_are_sorted(shown: Shown) -> None:
    shown.hashes.clear()
    assert shown.differences() == {Difference.MISSING: ["a", "b"]}
