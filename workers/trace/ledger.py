"""What a session has spent, under which budgets, and the quotas that it has reported last.

This module knows how costs add up over all messages of a session, in exact decimals: a budget is for its
message and all accepted ones that go back to it, each once (§11 V8). It does not judge what was spent.

Where messages below a budget have several parents, each budget takes a walk over all that is below it. These
walks end when they have taken so many steps, in proportion to the session: what is not added up then is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from pairl.budget import NOTHING, Budget, Quota, plus
from pairl.thread import Status
from workers.trace.messages import TracedMessage

_FREE_STEPS = 10_000_000
_STEPS_FOR_EACH_MESSAGE = 20

Costs = dict[str, Decimal]


class BudgetLine(msgspec.Struct, frozen=True):
    """A budget, by the id of the message that has it: its limit, and what was spent under it."""

    id: str
    budget: Budget
    spent: Decimal | None

    @property
    def left(self) -> Decimal | None:
        """What is left of it; negative where more was spent."""
        return None if self.spent is None else plus(self.budget.limit, -self.spent)


class QuotaLine(msgspec.Struct, frozen=True):
    """A quota, and the id of the message that reported it."""

    id: str
    quota: Quota


class Ledger(msgspec.Struct, frozen=True):
    """The sums of a session.

    `costs` is what was spent, by unit; `outside` is what of that is under no budget in its unit. `quotas` has
    the last report on each type. What would take too long to add up is None.
    """

    budgets: tuple[BudgetLine, ...] = ()
    costs: Mapping[str, Decimal] = {}
    outside: Mapping[str, Decimal] | None = {}
    quotas: tuple[QuotaLine, ...] = ()


def add_up(messages: Iterable[TracedMessage]) -> Ledger:
    """Return the sums over the accepted ones of the messages of a session."""
    thread = _Thread([message for message in messages if message.status is Status.ACCEPTED])
    outside, spent = thread.outside(), thread.spent()
    quotas: dict[str, QuotaLine] = {}
    for message in thread.messages:
        for quota in message.quotas:
            quotas.pop(quota.type, None)
            quotas[quota.type] = QuotaLine(message.id, quota)
    return Ledger(
        tuple(
            BudgetLine(message.id, message.budget, spent[number])
            for number, message in enumerate(thread.messages)
            if message.budget is not None
        ),
        _sum(message.costs for message in thread.messages),
        outside,
        tuple(quotas.values()),
    )


class _Thread:
    """The accepted messages, by number, with what is directly above and below each."""

    def __init__(self, messages: Sequence[TracedMessage]) -> None:
        self.messages = messages
        numbers = {message.id: number for number, message in enumerate(messages)}
        self._above = [[numbers[name] for name in one.parents if name in numbers] for one in messages]
        self._below: list[list[int]] = [[] for _ in messages]
        for number, parents in enumerate(self._above):
            for parent in parents:
                self._below[parent].append(number)
        self._steps = _FREE_STEPS + _STEPS_FOR_EACH_MESSAGE * len(messages)

    def spent(self) -> dict[int, Decimal | None]:
        """Return what was spent under each budget, by the number of its message.

        Upwards from those without answers, sums are handed on as long as there is one parent to hand them to.
        Where there are several the parts overlap, and what is below a budget is walked.
        """
        spent: dict[int, Decimal | None] = {}
        sums: list[Costs | None] = [{} for _ in self.messages]
        awaited = [len(answers) for answers in self._below]
        ready = [number for number, count in enumerate(awaited) if not count]
        while ready:
            number = ready.pop()
            message, costs = self.messages[number], sums[number]
            if costs is not None:
                _add(costs, message.costs)
                if message.budget is not None:
                    spent[number] = costs.get(message.budget.unit, NOTHING)
            parents = self._above[number]
            for parent in parents:
                sums[parent] = _merged(sums[parent], costs) if len(parents) == 1 else None
                awaited[parent] -= 1
                if not awaited[parent]:
                    ready.append(parent)
        for number, message in enumerate(self.messages):
            if message.budget is not None and number not in spent:
                spent[number] = self._spent_below([number], message.budget.unit)
        return spent

    def outside(self) -> Costs | None:
        """Return, by unit, what neither has nor is below a budget in that unit."""
        starts: dict[str, list[int]] = {}
        for number, message in enumerate(self.messages):
            if message.budget is not None:
                starts.setdefault(message.budget.unit, []).append(number)
        outside = _sum(message.costs for message in self.messages)
        for unit in starts.keys() & outside.keys():
            covered = self._spent_below(starts[unit], unit)
            if covered is None:
                return None
            outside[unit] = plus(outside[unit], -covered)
        return {unit: cost for unit, cost in outside.items() if cost}

    def _spent_below(self, start: Iterable[int], unit: str) -> Decimal | None:
        """Return what the messages of `start`, and all below them, have spent; None if it takes too long."""
        if self._steps <= 0:
            return None
        total = NOTHING
        seen = set(start)
        waiting = list(seen)
        while waiting:
            number = waiting.pop()
            costs, answers = self.messages[number].costs, self._below[number]
            if unit in costs:
                total = plus(total, costs[unit])
            self._steps -= 1 + len(answers)
            for answer in answers:
                if answer not in seen:
                    seen.add(answer)
                    waiting.append(answer)
        return total


def _sum(parts: Iterable[Costs]) -> Costs:
    total: Costs = {}
    for costs in parts:
        _add(total, costs)
    return total


def _add(total: Costs, costs: Costs) -> None:
    for unit, cost in costs.items():
        total[unit] = plus(total.get(unit, NOTHING), cost)


def _merged(first: Costs | None, second: Costs | None) -> Costs | None:
    """Return the sum of both, in the larger one of them; None where one of them is not known."""
    if first is None or second is None:
        return None
    larger, smaller = (first, second) if len(first) >= len(second) else (second, first)
    _add(larger, smaller)
    return larger
