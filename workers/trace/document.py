"""A traced session as one JSON document, for programs.

This module knows the names of the fields, which scripts rely on; its structs are the table of them. Amounts
are strings, so that no reader rounds them, and times are ISO 8601. The document is one line of ASCII, so
nothing in it can move a cursor.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal

import msgspec

from pairl.budget import Budget
from pairl.thread import Status
from workers.trace.amounts import iso_time
from workers.trace.ledger import Ledger
from workers.trace.messages import TracedMessage, TracedSession


class _Judged(msgspec.Struct, frozen=True):
    """A message that was accepted or rejected, `at` that time. `parent` is what it answers."""

    id: str
    status: Status
    parents: tuple[str, ...]
    parent: str | None
    root: str | None
    depth: int | None
    at: str
    source: str
    hash: str
    costs: dict[str, Decimal]
    budget: Budget | None
    errors: tuple[str, ...]


class _Waiting(msgspec.Struct, frozen=True):
    """A message that came `at` some time, and waits for others until it is `due`."""

    id: str
    parents: tuple[str, ...]
    parent: str | None
    waits_for: tuple[str, ...]
    at: str
    due: str
    source: str


class _BudgetLine(msgspec.Struct, frozen=True):
    """What was spent under the budget of a message; null where it would take too long to add up."""

    id: str
    limit: Decimal
    unit: str
    spent: Decimal | None
    left: Decimal | None


class _QuotaLine(msgspec.Struct, frozen=True):
    """The last report on a quota, word for word, and the id of the message that made it."""

    id: str
    type: str
    total: str
    used: str
    rem: str


class _Ledger(msgspec.Struct, frozen=True):
    """The sums of the whole session; `outside` is under no budget in its unit, null as above."""

    budgets: tuple[_BudgetLine, ...]
    costs: dict[str, Decimal]
    outside: dict[str, Decimal] | None
    quotas: tuple[_QuotaLine, ...]


class _Document(msgspec.Struct, frozen=True):
    """A session, or those of its messages that the message `marked` goes back to or that go back to it."""

    session: str
    marked: str | None
    messages: tuple[_Judged, ...]
    waiting: tuple[_Waiting, ...]
    ledger: _Ledger


def write_document(
    session: TracedSession, messages: Iterable[TracedMessage], ledger: Ledger, marked: str | None = None
) -> str:
    """Return the JSON document of these messages of a session."""
    listed = list(messages)
    document = _Document(
        session.name,
        marked,
        tuple(_judged(message) for message in listed if message.status is not Status.WAITING),
        tuple(_waiting(session, message) for message in listed if message.status is Status.WAITING),
        _Ledger(
            tuple(
                _BudgetLine(line.id, line.budget.limit, line.budget.unit, line.spent, line.left)
                for line in ledger.budgets
            ),
            dict(ledger.costs),
            None if ledger.outside is None else dict(ledger.outside),
            tuple(
                _QuotaLine(line.id, line.quota.type, line.quota.total, line.quota.used, line.quota.rem)
                for line in ledger.quotas
            ),
        ),
    )
    return json.dumps(msgspec.to_builtins(document))


def _judged(message: TracedMessage) -> _Judged:
    return _Judged(
        message.id,
        message.status,
        message.parents,
        message.parent,
        message.root,
        message.depth,
        iso_time(message.at),
        message.source,
        message.hash,
        message.costs,
        message.budget,
        message.errors,
    )


def _waiting(session: TracedSession, message: TracedMessage) -> _Waiting:
    return _Waiting(
        message.id,
        message.parents,
        message.parent,
        session.waits_for(message),
        iso_time(message.at),
        iso_time(message.at if message.due is None else message.due),
        message.source,
    )
