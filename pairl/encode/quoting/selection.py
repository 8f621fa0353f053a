"""Chooses what to quote: of units in their order those that together are worth most in the room there is.

This module knows units, what they weigh and what they take. It does not know texts.

A value that is kept once is kept: where units have it in common, the first that is chosen has its weight.
What stands side by side is quoted without an elision between it. The units are taken by their worth for the
room they take, again and again weighed as others are chosen; then what room is left goes to neighbours of
what was chosen, from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import msgspec


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A unit: the room it takes, what it is worth in itself, and the numbers of the values in it."""

    size: int
    worth: float
    values: tuple[int, ...]


class Costs(msgspec.Struct, frozen=True, gc=False):
    """What it takes to put units together: side by side, and with an elision."""

    beside: int
    elision: int


def choose(units: Sequence[Weighed], weights: Sequence[float], room: int, costs: Costs) -> list[int]:
    """Return the numbers of the units that are chosen, in order; `weights` are those of the values.

    What they take together is at most `room`. Time goes with the number of units and values, and the
    logarithm of the units.
    """
    selection = _Selection(units, weights, room, costs)
    selection.take_what_is_worth_most()
    selection.fill()
    return [number for number, is_chosen in enumerate(selection.chosen) if is_chosen]


class _Selection:
    """What is chosen so far, and what the rest is worth besides."""

    def __init__(self, units: Sequence[Weighed], weights: Sequence[float], room: int, costs: Costs) -> None:
        self.chosen = [False] * len(units)
        self._units = units
        self._weights = weights
        self._left = room
        self._is_empty = True
        self._costs = costs
        self._having: list[list[int]] = [[] for _ in weights]
        self._worths = [unit.worth for unit in units]
        for number, unit in enumerate(units):
            for value in unit.values:
                self._having[value].append(number)
                self._worths[number] += weights[value]

    def take_what_is_worth_most(self) -> None:
        """Choose by what a unit is worth for what it takes, as long as one fits that is worth anything."""
        waiting = [(-self._score(number), number) for number in range(len(self._units))]
        heapify(waiting)
        while waiting:
            score, number = heappop(waiting)
            if score >= 0:
                break
            now = -self._score(number)
            if now > score:
                # It is worth less than when it was weighed: a value of it was chosen elsewhere.
                heappush(waiting, (now, number))
            else:
                self._take(number)

    def fill(self) -> None:
        """Choose what closes a gap, then what stands beside something chosen."""
        for needed in (2, 1):
            for number, is_chosen in enumerate(self.chosen):
                if not is_chosen and self._neighbours(number) >= needed:
                    self._take(number)

    def _score(self, number: int) -> float:
        return self._worths[number] / (self._units[number].size + self._costs.elision + 1)

    def _take(self, number: int) -> None:
        cost = self._units[number].size + self._join(number)
        if cost > self._left:
            return
        self._left -= cost
        self._is_empty = False
        self.chosen[number] = True
        for value in self._units[number].values:
            for other in self._having[value]:
                self._worths[other] -= self._weights[value]
            self._having[value] = []

    def _neighbours(self, number: int) -> int:
        last = len(self.chosen) - 1
        return (number > 0 and self.chosen[number - 1]) + (number < last and self.chosen[number + 1])

    def _join(self, number: int) -> int:
        """Return by how much more, or less, joins take with this unit."""
        beside = self._neighbours(number)
        elisions = 0 if self._is_empty else 1 - beside
        return beside * self._costs.beside + elisions * self._costs.elision
