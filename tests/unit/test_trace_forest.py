"""What hangs below what in a traced conversation."""

from __future__ import annotations

import pytest

from schemas.session_state import Entry
from tests.unit.traced import judged, session, waiting
from workers.trace.forest import grow

Shape = list[tuple[str, "Shape"]]


def shape(*entries: Entry, marked: str | None = None) -> Shape:
    """Return the forest as ids within ids; one that nobody has is in parentheses."""
    forest = grow(session(*entries), marked)

    def below(number: int) -> tuple[str, Shape]:
        branch = forest.branches[number]
        name = f"({branch.missing})" if branch.message is None else branch.message.id
        return name, [below(other) for other in branch.below]

    return [below(root) for root in forest.roots]


def test_answers_hang_below_what_they_answer_in_the_order_of_judging() -> None:
    assert shape(judged("m1"), judged("m2", "m1"), judged("x"), judged("m3", "m2"), judged("m0", "m1")) == [
        ("m1", [("m2", [("m3", [])]), ("m0", [])]),
        ("x", []),
    ]


def test_a_message_hangs_below_what_it_answers_and_not_below_its_dependencies() -> None:
    entries = (judged("m1"), judged("m2", "m1"), judged("m3", "m1", "m2"))
    assert shape(*entries) == [("m1", [("m2", []), ("m3", [])])]
    forest = grow(session(*entries))
    assert [branch.further for branch in forest.branches] == [(), (), ("m2",)]


def test_with_dependencies_only_it_hangs_below_the_first_that_is_there() -> None:
    assert shape(judged("m1"), judged("m2"), judged("m3", None, "m9", "m2", "m1")) == [
        ("m1", []),
        ("m2", [("m3", [])]),
    ]
    assert shape(judged("m3", None, "m9", "m8")) == [("(m9)", [("m3", [])])]


def test_what_answers_a_message_that_is_not_there_hangs_below_its_id() -> None:
    assert shape(judged("m1"), judged("m2", "m9", "m1"), judged("m3", "m9")) == [
        ("m1", []),
        ("(m9)", [("m2", []), ("m3", [])]),
    ]


def test_what_waits_hangs_below_the_id_that_it_waits_for() -> None:
    assert shape(judged("m1"), waiting("m2", "m1", "m9"), waiting("m3", "m2")) == [
        ("m1", []),
        ("(m9)", [("m2", [("m3", [])])]),
    ]


def test_a_parent_may_come_after_its_answer() -> None:
    assert shape(judged("m2", "m1"), judged("m1")) == [("m1", [("m2", [])])]


def test_answers_to_a_rejected_message_hang_below_it_until_its_id_is_taken() -> None:
    assert shape(judged("m1", errors=("V6",)), waiting("m1", "m9"), judged("m2", "m1")) == [
        ("m1", [("m2", [])]),
        ("(m9)", [("m1", [])]),
    ]


def test_several_that_wait_under_one_id_are_all_there() -> None:
    assert shape(waiting("m2", "m9", offset=3), waiting("m2", "m8", offset=4), waiting("m3", "m2")) == [
        ("(m9)", [("m2", [("m3", [])])]),
        ("(m8)", [("m2", [])]),
    ]


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_circle_is_cut_at_its_first_message(length: int) -> None:
    circle = [judged(f"m{number}", f"m{(number + 1) % length}") for number in range(length)]
    expected: Shape = []
    for number in range(1, length):
        expected = [(f"m{number}", expected)]
    assert shape(*circle) == [("m0", expected)]
    assert shape(judged("x", "m0"), *circle) == [("m0", [("x", []), *expected])]


def test_of_a_marked_message_its_ancestors_and_descendants_are_left() -> None:
    entries = (
        judged("m1"),
        judged("m2", "m1"),
        judged("m3", "m1"),
        judged("m4", "m2", "m3"),
        judged("m5", "m3"),
        judged("m6", "m5", "m4"),
    )
    assert shape(*entries, marked="m2") == [("m1", [("m2", [("m4", [("m6", [])])])])]
    assert shape(*entries, marked="m4") == [("m1", [("m2", [("m4", [("m6", [])])]), ("m3", [])])]
    forest = grow(session(*entries), "m4")
    assert [branch.message.id for branch in forest.branches if branch.is_marked and branch.message] == ["m4"]


def test_what_a_marked_message_waits_for_is_left() -> None:
    assert shape(judged("m1"), waiting("m2", "m9"), marked="m2") == [("(m9)", [("m2", [])])]
