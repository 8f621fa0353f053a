"""Chooses what to quote: of units in their order those that together are worth most in the room there is.

This module knows units, what they weigh and what they take. It does not know texts.

A value that is kept once is kept: where units have it in common, the first that is chosen has its weight.
What stands side by side is quoted without an elision between it. The units are taken by their worth for the
room they take, again and again weighed as others are chosen. What room is left closes the gaps between what
was chosen, the smallest first, so that fewer sentences are cut; then it goes to neighbours of what was
chosen, from the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, compress

import msgspec

_GAP = re.compile(rb"(?<=\x01)\x00+(?=\x01)")
_EDGE = re.compile(rb"(?<=\x01)\x00|\x00(?=\x01)")


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A unit: the room it takes, what it is worth in itself, and the numbers of the values in it."""

    size: int
    worth: float
    values: tuple[int, ...] = ()


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
    selection.close_gaps()
    selection.take_neighbours()
    return selection.chosen()


class _Selection:
    """What is chosen so far, and what the rest is worth besides."""

    def __init__(self, units: Sequence[Weighed], weights: Sequence[float], room: int, costs: Costs) -> None:
        self._units = units
        self._weights = weights
        self._left = room
        self._is_empty = True
        self._costs = costs
        # One byte for each unit, 1 if it is chosen, and one before and behind them, so that each has two
        # neighbours.
        self._marks = bytearray(len(units) + 2)
        self._having: list[list[int]] = [[] for _ in weights]
        self._worths = [unit.worth for unit in units]
        for number, unit in enumerate(units):
            for value in unit.values:
                self._having[value].append(number)
                self._worths[number] += weights[value]

    def chosen(self) -> list[int]:
        """Return the numbers of the units that are chosen, in order."""
        return list(compress(range(len(self._units)), memoryview(self._marks)[1:]))

    def take_what_is_worth_most(self) -> None:
        """Choose by what a unit is worth for what it takes, as long as one fits that is worth anything."""
        units, worths, around = self._units, self._worths, self._costs.elision + 1
        waiting = [
            (-worth / (units[number].size + around), number)
            for number, worth in enumerate(worths)
            if worth > 0
        ]
        heapify(waiting)
        while waiting:
            score, number = heappop(waiting)
            now = -worths[number] / (units[number].size + around)
            if now <= score:
                self._take(number)
            elif now < 0:
                # It is worth less than when it was weighed: a value of it was chosen elsewhere.
                heappush(waiting, (now, number))

    def close_gaps(self) -> None:
        """Choose all that stands between two chosen units, where that is little."""
        beside, elision = self._costs.beside, self._costs.elision
        ends = [0, *accumulate([unit.size + beside for unit in self._units])]
        gaps = sorted(
            (ends[gap.end() - 1] - ends[gap.start() - 1] + beside - elision, gap.start(), gap.end())
            for gap in _GAP.finditer(self._marks)
        )
        for cost, start, end in gaps:
            if cost <= self._left:
                self._left -= cost
                self._marks[start:end] = b"\x01" * (end - start)

    def take_neighbours(self) -> None:
        """Choose what stands beside something chosen, as long as it fits."""
        beside, elision = self._costs.beside, self._costs.elision
        least = min([unit.size for unit in self._units], default=0) + min(beside, 2 * beside - elision)
        edge = _EDGE.search(self._marks, 1, len(self._units) + 1)
        while edge is not None and least <= self._left:
            self._take(edge.start() - 1)
            edge = _EDGE.search(self._marks, edge.start() + 1, len(self._units) + 1)

    def _take(self, number: int) -> None:
        # Joins take more or less with this unit: those beside it have no elision any more.
        beside = self._marks[number] + self._marks[number + 2]
        cost = self._units[number].size + beside * self._costs.beside
        if not self._is_empty:
            cost += (1 - beside) * self._costs.elision
        if cost > self._left:
            return
        self._left -= cost
        self._is_empty = False
        self._marks[number + 1] = 1
        for value in self._units[number].values:
            for other in self._having[value]:
                self._worths[other] -= self._weights[value]
            self._having[value] = []
