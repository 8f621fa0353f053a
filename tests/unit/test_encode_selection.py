"""Choosing units: what is worth most for its size, values once, joins counted, never more than the room."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pairl.encode.quoting.selection import Costs, Weighed, choose

COSTS = Costs(1, 7)


def taken(units: list[Weighed], numbers: list[int]) -> int:
    """Return the room that these units take together."""
    joins = sum(1 if second == first + 1 else 7 for first, second in pairwise(numbers))
    return sum(units[number].size for number in numbers) + joins


def test_what_is_worth_most_for_its_size_is_chosen() -> None:
    units = [Weighed(10, 1.0, ()), Weighed(10, 0.0, (0,)), Weighed(10, 2.0, ())]
    assert choose(units, [5.0], 10, COSTS) == [1]
    assert choose(units, [5.0], 21, COSTS) == [1, 2]
    assert choose(units, [5.0], 32, COSTS) == [0, 1, 2]


def test_a_value_counts_once() -> None:
    units = [Weighed(10, 0.5, (0,)), Weighed(9, 0.0, (0,)), Weighed(9, 0.1, (1,))]
    assert choose(units, [5.0, 3.0], 29, COSTS) == [0, 2]


def test_room_that_is_left_goes_to_what_stands_beside() -> None:
    units = [Weighed(5, 0.0, ()) for _ in range(5)]
    units[2] = Weighed(5, 1.0, ())
    assert choose(units, [], 5, COSTS) == [2]
    assert choose(units, [], 11, COSTS) == [1, 2]
    assert choose(units, [], 17, COSTS) == [1, 2, 3]


def test_nothing_is_chosen_where_nothing_fits_or_nothing_is_worth_it() -> None:
    assert choose([Weighed(5, 1.0, ())], [], 4, COSTS) == []
    assert choose([Weighed(5, 0.0, ())], [], 9, COSTS) == []
    assert choose([], [], 9, COSTS) == []


UNITS = st.lists(
    st.builds(
        Weighed,
        st.integers(1, 20),
        st.floats(0, 5),
        st.sets(st.integers(0, 4), max_size=3).map(lambda values: tuple(sorted(values))),
    ),
    max_size=8,
)


@given(UNITS, st.integers(0, 80))
def test_the_room_is_kept_and_something_is_chosen_if_it_fits(units: list[Weighed], room: int) -> None:
    weights = [1.0, 2.0, 3.0, 4.0, 5.0]
    chosen = choose(units, weights, room, COSTS)
    assert taken(units, chosen) <= room
    if not chosen:
        worth = [unit for unit in units if unit.worth or unit.values]
        assert all(unit.size > room for unit in worth)
    assert chosen == sorted(set(chosen))
