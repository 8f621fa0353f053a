"""Circles among messages that wait: found when they close, and not left to their deadline."""

from __future__ import annotations

import pytest

from tests.unit.partitions import BROKEN, LOOSE, Partition, codes_by_offset, decide, said, words


@pytest.mark.parametrize("length", [2, 3, 5])
def test_a_circle_does_not_wait_for_its_deadline(length: int) -> None:
    circle = [said(f"m{place}", f"m{(place + 1) % length}") for place in range(length)]
    strict = decide(*circle)
    assert codes_by_offset(strict) == {
        length - 1: ["V7/cycle"],
        **{place: ["V4/rejected-parent"] for place in range(length - 1)},
    }
    loose = decide(*circle, policy=LOOSE)
    assert set(words(loose).values()) == {"accepted"}
    assert "V7/cycle" in codes_by_offset(loose)[length - 1]


@pytest.mark.parametrize("from_memory", [True, False])
def test_a_circle_through_a_message_that_was_rejected_before_is_found(from_memory: bool) -> None:
    partition = Partition(LOOSE)
    partition.take(said("m1", more=BROKEN), said("m2", "m1,m9"))
    if not from_memory:
        partition.forget_memory()
    outcome = partition.take(said("m1", "m2"))
    assert words(outcome) == {2: "accepted"}
    assert "V7/cycle" in codes_by_offset(outcome)[2]
