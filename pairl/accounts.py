"""How budgets add up over a thread: what was spent under each, and which ones a message comes under.

This module knows accepted messages as points of a graph along which costs go up. It does not know whether
too much was spent (`pairl.rules.v08_budget`).

Every message stands below at most one account, its nearest: its own if it has a budget, if it joins
what different accounts are above, or if it came before a message that it names. Otherwise it shares the one
above it. So a long chain of answers keeps one account, and memory is linear in what the messages name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from pairl.budget import NOTHING, Budget, Tally, minus, plus
from pairl.thread import ThreadNode


class _Account:
    """A message that has a budget, or from which several ways lead up, and the accounts directly above it."""

    __slots__ = ("above", "budget", "id", "spent")

    def __init__(self, message_id: str, budget: Budget | None, above: list[_Account]) -> None:
        self.id = message_id
        self.budget = budget
        self.above = above
        self.spent = NOTHING


_Joining = dict[_Account, dict[str, Decimal]]
"""Costs of messages that come under budgets together with one that they waited for, by nearest account."""


class Accounts:
    """The budgets of a thread, and what was spent under them."""

    def __init__(self) -> None:
        """Start without messages."""
        self._nearest: dict[str, _Account] = {}
        self._costs: dict[str, dict[str, Decimal]] = {}
        self._answers: dict[str, list[str]] = {}
        # The accounts over the latest message, its nearest first: most often the next one answers it.
        self._way: list[_Account] = []
        self._left: dict[str, Decimal] | None = None
        """The least that is left in any budget on that way, by unit; None where it was not looked for."""
        self._pending: dict[str, Decimal] = {}
        """What was spent under all of that way, by unit, and is still to be added to its accounts."""

    def has_room(self, message_id: str, parents: Iterable[str], costs: Mapping[str, Decimal]) -> bool:
        """Say whether costs fit into all budgets over a message that is not there yet; False if in doubt.

        There is doubt where nobody has given a budget in their unit.
        It takes no look at each budget, as long as messages answer the one before them.
        """
        over = self._over(parents)
        if message_id in self._answers or len(over) > 1:
            return False
        if not over:
            return True
        way = self._upwards(over)
        if self._left is None:
            self._settle()
            self._left = _least_left(way)
        left = self._left
        if left:
            for unit, amount in costs.items():
                if unit not in left or amount > left[unit]:
                    return False
        return True

    def tallies(self, message_id: str, parents: Iterable[str], own: Budget | None) -> tuple[Tally, ...]:
        """Return the budgets that a message which is not there yet would come under.

        `parents` are those that it names, `own` is the budget that it has itself.
        """
        self._settle()
        over = self._upwards(self._over(parents))
        joining = self._joining(message_id)
        joined = _joined(over, joining) if joining else {}
        found = [
            Tally(account.id, account.budget, account.spent, joined.get(account, NOTHING))
            for account in over
            if account.budget is not None
        ]
        if own is not None:
            found.append(Tally(message_id, own, NOTHING, _sum(joining.values(), own.unit)))
        return tuple(found)

    def add(self, node: ThreadNode, *, is_early: bool) -> None:
        """Take in an accepted message; `is_early` says that a message which it names is not there yet."""
        name, costs = node.id, node.costs
        over = self._over(node.parents)
        needs_account = node.budget is not None or len(over) > 1 or is_early
        own = _Account(name, node.budget, over) if needs_account else None
        joining = self._joining(name)
        if len(over) == 1 and costs and not joining:
            self._spend_below(over, own, costs)
        elif costs or joining:
            self._settle()
            way = self._upwards(over)
            if own is not None:
                self._way = way = [own, *way]
            self._spend(way, costs, joining)
            self._left = None
        nearest = over[0] if own is None and over else own
        if nearest is not None:
            self._nearest[name] = nearest
            for child in self._answers.get(name, ()):
                # It came before, and so has an account of its own.
                self._settle()
                self._nearest[child].above.append(nearest)
                self._way, self._left = [], None
        if costs:
            self._costs[name] = costs
        for parent in node.parents:
            self._answers.setdefault(parent, []).append(name)

    def _spend_below(self, over: list[_Account], own: _Account | None, costs: dict[str, Decimal]) -> None:
        """Take note of what a message costs that has one account above it, and that nobody waited for.

        What is left shrinks by as much in each budget on the way, so none of them needs to be looked at.
        """
        way = self._upwards(over)
        pending, left = self._pending, self._left
        for unit, amount in costs.items():
            pending[unit] = plus(pending.get(unit, NOTHING), amount)
            if left is not None and unit in left:
                left[unit] = minus(left[unit], amount)
        if own is not None:
            self._way = [own, *way]
            if own.budget is not None:
                unit, cost = own.budget.unit, costs.get(own.budget.unit, NOTHING)
                # All that is pending will be added to it as well, though it is under the rest only.
                own.spent = minus(cost, pending.get(unit, NOTHING))
                if left is not None:
                    rest = minus(own.budget.limit, cost)
                    left[unit] = min(rest, left.get(unit, rest))

    def _settle(self) -> None:
        """Add what is pending to the accounts on the way."""
        if self._pending:
            self._spend(self._way, self._pending, {})
            self._pending = {}

    def _spend(self, over: list[_Account], costs: dict[str, Decimal], joining: _Joining) -> None:
        """Add what a message costs, and what comes with it, to the accounts over it."""
        joined = _joined(over, joining) if joining else {}
        for account in over:
            budget = account.budget
            if budget is not None and budget.unit in costs:
                account.spent = plus(account.spent, costs[budget.unit])
        for account, amount in joined.items():
            account.spent = plus(account.spent, amount)

    def _over(self, parents: Iterable[str]) -> list[_Account]:
        """Return the accounts that are nearest above a message with these parents, each once."""
        found = [account for parent in parents if (account := self._nearest.get(parent)) is not None]
        return found if len(found) < 2 else list(dict.fromkeys(found))

    def _upwards(self, over: list[_Account]) -> list[_Account]:
        """Return these accounts and all above them, each once."""
        if len(over) != 1:
            return _upwards(over)
        if not self._way or self._way[0] is not over[0]:
            self._settle()
            self._way, self._left = _upwards(over), None
        return self._way

    def _joining(self, message_id: str) -> _Joining:
        """Return the costs of the messages below one that is not there yet, by their nearest account."""
        if message_id not in self._answers:
            return {}
        found: _Joining = {}
        seen: set[str] = set()
        waiting = list(self._answers[message_id])
        while waiting:
            current = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            waiting.extend(self._answers.get(current, ()))
            costs = found.setdefault(self._nearest[current], {})
            for unit, amount in self._costs.get(current, {}).items():
                costs[unit] = plus(costs.get(unit, NOTHING), amount)
        return found


def _least_left(accounts: Iterable[_Account]) -> dict[str, Decimal]:
    """Return the least that is left in any of these budgets, by unit."""
    left: dict[str, Decimal] = {}
    for account in accounts:
        budget = account.budget
        if budget is not None:
            rest = minus(budget.limit, account.spent)
            left[budget.unit] = min(rest, left.get(budget.unit, rest))
    return left


def _upwards(accounts: Iterable[_Account]) -> list[_Account]:
    """Return these accounts and all above them, each once."""
    found: dict[_Account, None] = {}
    waiting = list(accounts)
    while waiting:
        account = waiting.pop()
        if account not in found:
            found[account] = None
            waiting += account.above
    return list(found)


def _joined(over: list[_Account], joining: _Joining) -> dict[_Account, Decimal]:
    """Return for each budget `over` a message what comes under it with the message, and did not before."""
    below: dict[_Account, list[_Account]] = {}
    for account in _upwards(joining):
        for higher in account.above:
            below.setdefault(higher, []).append(account)
    found: dict[_Account, Decimal] = {}
    for account in over:
        if account.budget is not None:
            known = _downwards(account, below)
            costs = (costs for lower, costs in joining.items() if lower not in known)
            found[account] = _sum(costs, account.budget.unit)
    return found


def _downwards(account: _Account, below: dict[_Account, list[_Account]]) -> set[_Account]:
    """Return the account and those that are below it."""
    found: set[_Account] = set()
    waiting = [account]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            waiting += below.get(current, ())
    return found


def _sum(costs: Iterable[dict[str, Decimal]], unit: str) -> Decimal:
    total = NOTHING
    for amounts in costs:
        if unit in amounts:
            total = plus(total, amounts[unit])
    return total
