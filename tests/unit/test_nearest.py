"""Did you mean: which known word an unknown one is near to."""

from __future__ import annotations

import time

import pytest

from pairl.nearest import nearest
from pairl.vocabulary import INTENTS, RECORD_TYPES


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("fcat", RECORD_TYPES, "fact"),
        ("quote", RECORD_TYPES, "quota"),
        ("evidence", RECORD_TYPES, "evid"),
        ("upt", INTENTS, "upd"),
        ("UPD", INTENTS, "upd"),
        ("c7", ["c1", "c2"], "c1"),
        ("C2", ["c1", "c2"], "c2"),
        ("zebra", RECORD_TYPES, None),
        ("x", ["y"], None),
        ("", RECORD_TYPES, None),
        ("f" * 33, ["f" * 33], None),
    ],
)
def test_a_slip_of_the_hand_is_recognised(word: str, known: list[str], found: str | None) -> None:
    assert nearest(word, known) == found


def test_only_so_many_words_are_looked_at() -> None:
    begun = time.perf_counter()
    assert nearest("w1000000", (f"v{number}" * 1_000 for number in range(10**9))) is None
    assert time.perf_counter() - begun < 1


def test_what_is_suggested_is_short() -> None:
    assert nearest("c" * 32, ["c" * 40]) is None
