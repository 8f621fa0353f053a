"""Sessions in which nothing happens: forgotten with everything that was kept of them, and not too early."""

from __future__ import annotations

import pytest

from pairl import Policy
from tests.unit.partitions import BROKEN, LOOSE, STRICT, Partition, said, words

BOTH = pytest.mark.parametrize("policy", [STRICT, LOOSE], ids=["strict", "loose"])


@BOTH
def test_a_session_is_forgotten_with_all_its_entries_once_it_is_idle(policy: Policy) -> None:
    partition = Partition(policy)
    partition.take(said("m1"), said("m2", more=BROKEN), said("a/b"), said("m1", key=b"other"))
    partition.now += 1
    partition.take(said("m3", key=b"other"))
    entries = set(partition.entries["s"])
    outcome = partition.take(idle_before=partition.now)
    assert {change.entry for change in outcome.changes if change.session == "s"} == entries
    assert all(change.value is None for change in outcome.changes)
    assert set(partition.entries) == {"other"}
    assert partition.chain == outcome.chain
    # An id that was forgotten is free, and a parent that was forgotten is not known.
    assert words(partition.take(said("m1", more="#fact c=3\n"), said("m4", "a/b"))) == {
        5: "accepted",
        6: "parked",
    }


def test_a_session_is_kept_while_something_waits_or_happens_in_it() -> None:
    partition = Partition()
    partition.take(said("m1"), said("m3", "m2"), said("m1", key=b"other"))
    partition.now += 1
    outcome = partition.take(said("m4", key=b"other"), idle_before=partition.now)
    assert all(change.value is not None for change in outcome.changes)
    assert set(partition.entries["s"]) == {"m1", "m3/1"}
    assert set(partition.entries["other"]) == {"m1", "m4"}
