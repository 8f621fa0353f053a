"""A thread that is kept in memory: which messages it has, who waits for whom, what was spent.

This module knows how budgets add up over a thread. It does not judge: whoever adds a message says what
became of it.

    >>> import pairl
    >>> thread = Thread()
    >>> message = pairl.parse("@v 1\\n@id m1\\n@ts 2026-01-01T00:00:00Z\\n\\nack\\n")
    >>> report = pairl.validate(message, thread=thread)
    >>> thread.add(message, Status.ACCEPTED if report.valid else Status.REJECTED)
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

import msgspec

from pairl.budget import NOTHING, Budget, Tally, actual_costs, plus, read_budget
from pairl.canonical import compute_hash
from pairl.model import Message
from pairl.thread import Status, ThreadNode, message_id, parent_id, parent_ids


class _Entry(msgspec.Struct, frozen=True):
    """A message, what it has spent, and the ids of the messages whose budgets it is under."""

    node: ThreadNode
    costs: dict[str, Decimal] = {}
    budgets: frozenset[str] = frozenset()


class Thread:
    """The messages of one thread. Implements `pairl.thread.ThreadView`."""

    def __init__(self) -> None:
        """Start without messages."""
        self._entries: dict[str, _Entry] = {}
        self._awaited: set[str] = set()
        self._answers: dict[str, list[str]] = {}
        self._budgets: dict[str, Budget] = {}
        self._spent: dict[str, Decimal] = {}

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id, or None if it was not added."""
        entry = self._entries.get(message_id)
        return None if entry is None else entry.node

    def is_awaited(self, message_id: str) -> bool:
        """Say whether an accepted message named this id before there was an accepted message with it."""
        return message_id in self._awaited

    def budgets_over(self, message: Message) -> tuple[Tally, ...]:
        """Return the budgets that `message` would come under; none where it was accepted before.

        Linear in the descendants that were there before it, times the budgets.
        """
        own_id = message_id(message)
        if own_id is None or self._accepted(own_id) is not None:
            return ()
        above = self._above(parent_ids(message))
        given = {name: self._budgets[name] for name in above}
        own = read_budget(message)
        if own is not None:
            given[own_id] = own
        joining = self._descendants(own_id) if given else []
        return tuple(
            Tally(name, budget, self._spent.get(name, NOTHING), _joined(name, budget, joining))
            for name, budget in given.items()
        )

    def add(self, message: Message, status: Status = Status.ACCEPTED) -> None:
        """Take in a message that was judged.

        A message without an id is left out, and so is one whose id an accepted message has. A rejected
        one spends nothing and is nobody's parent; another may be accepted under its id.

        Raises:
            ValueError: `status` is neither a `Status` nor the text of one.

        """
        status = Status(status)
        own_id = message_id(message)
        if own_id is None or self._accepted(own_id) is not None:
            return
        parents = parent_ids(message)
        if status is Status.REJECTED:
            self._entries[own_id] = _Entry(ThreadNode(own_id, status, "", parents, parent_id(message)))
            return
        costs = actual_costs(message)
        for tally in self.budgets_over(message):
            added = plus(tally.joined, costs.get(tally.budget.unit, NOTHING))
            self._budgets[tally.id] = tally.budget
            self._spent[tally.id] = plus(tally.spent, added)
        budgets = self._above(parents)
        if own_id in self._budgets:
            budgets |= {own_id}
        for entry in self._descendants(own_id) if budgets else ():
            joined = msgspec.structs.replace(entry, budgets=entry.budgets | budgets)
            self._entries[entry.node.id] = joined
        node = ThreadNode(own_id, status, compute_hash(message), parents, parent_id(message))
        self._entries[own_id] = _Entry(node, costs, budgets)
        self._awaited.update(parent for parent in parents if self._accepted(parent) is None)
        for parent in parents:
            self._answers.setdefault(parent, []).append(own_id)

    def _accepted(self, message_id: str) -> _Entry | None:
        entry = self._entries.get(message_id)
        return entry if entry is not None and entry.node.status is Status.ACCEPTED else None

    def _above(self, parents: Iterable[str]) -> frozenset[str]:
        """Return the ids of the messages whose budgets one with these parents comes under."""
        entries = [entry for parent in parents if (entry := self._accepted(parent)) is not None]
        if len(entries) == 1:
            # A chain of answers shares one set.
            return entries[0].budgets
        return frozenset[str]().union(*(entry.budgets for entry in entries))

    def _descendants(self, message_id: str) -> list[_Entry]:
        """Return the accepted messages below one that is not there yet, each once."""
        found: dict[str, _Entry] = {}
        waiting = list(self._answers.get(message_id, ()))
        while waiting:
            current = waiting.pop()
            if current not in found:
                found[current] = self._entries[current]
                waiting.extend(self._answers.get(current, ()))
        return list(found.values())


def _joined(name: str, budget: Budget, joining: Iterable[_Entry]) -> Decimal:
    total = NOTHING
    for entry in joining:
        if name not in entry.budgets:
            total = plus(total, entry.costs.get(budget.unit, NOTHING))
    return total
