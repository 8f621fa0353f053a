"""Budgets, costs and quotas: what a message may spend, and what it says of that (§2.3, §6, §11 V8).

This module knows amounts, which are exact decimals in a unit. It does not know which messages a budget
is for (`pairl.thread_memory`), or what is wrong with spending more (`pairl.rules.v08_budget`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal

import msgspec

from pairl.grammar import BUDGET
from pairl.model import Message, Record

_LONGEST_WORD = 32
_AMOUNT = re.compile(r"-?[0-9]{1,30}+(?:\.[0-9]{1,30}+)?(?:[eE][+\-]?[0-9]{1,2}+)?")
_EXACT = Context(prec=400)

NOTHING = Decimal(0)


class Budget(msgspec.Struct, frozen=True):
    """The most that a message and its descendants may spend, and in which unit."""

    limit: Decimal
    unit: str


class Tally(msgspec.Struct, frozen=True):
    """A budget that a message comes under: its own, or an ancestor's.

    `id` is the message that has the budget. `spent` is what was spent under it without the message,
    `joined` what comes under it together with the message, by descendants that were there before it.
    """

    id: str
    budget: Budget
    spent: Decimal
    joined: Decimal = NOTHING


class Quota(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A resource as a message reports it (§6.2), word for word; what it does not say is empty."""

    type: str
    total: str
    used: str = ""
    rem: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether it says what it must, and no more than a number or a unit needs."""
        words = (self.type, self.total, self.used, self.rem)
        return bool(self.type and self.total) and all(len(word) <= _LONGEST_WORD for word in words)


def plus(first: Decimal, second: Decimal) -> Decimal:
    """Return the exact sum of two amounts."""
    return _EXACT.add(first, second)


def read_budget(message: Message) -> Budget | None:
    """Return what `@budget` gives; None where there is none, or it is not a decimal and a unit."""
    match = BUDGET.fullmatch(message.headers.get("budget", ""))
    return None if match is None else Budget(Decimal(match[1]), match[2])


def read_amount(cost: Record) -> Decimal | None:
    """Return the amount of a `#cost`; None where it is negative or no decimal."""
    text = cost.kv.get("val", "")
    amount = Decimal(text) if _AMOUNT.fullmatch(text) else None
    return None if amount is None or amount < 0 else amount


def is_projection(message: Message) -> bool:
    """Say whether the costs of a message are not spent: those of a bid, or of a refusal (§11 V8)."""
    records = message.body.records
    names = {record.name for record in records if record.kind == "intent"}
    return "bid" in names or (
        "ref" in names
        and any(record.kind == "fact" and record.kv.get("reason") == "budget_exceeded" for record in records)
    )


def actual_costs(message: Message) -> dict[str, Decimal]:
    """Return what the records of a message say that it has spent, by unit; projections are left out.

    So are costs that cannot be summed, and those in a unit that is too long to be one.
    """
    if is_projection(message):
        return {}
    amounts = (
        (read_amount(record), record.kv.get("cur", ""))
        for record in message.body.records
        if record.kind == "cost"
    )
    return sum_by_unit((amount, unit) for amount, unit in amounts if amount is not None)


def sum_by_unit(amounts: Iterable[tuple[Decimal, str]]) -> dict[str, Decimal]:
    """Return the exact sum of amounts for each unit in which there is something, if it can be a unit."""
    costs: dict[str, Decimal] = {}
    for amount, unit in amounts:
        if amount and len(unit) <= _LONGEST_WORD:
            costs[unit] = plus(costs[unit], amount) if unit in costs else amount
    return costs


def reported_quotas(message: Message) -> tuple[Quota, ...]:
    """Return the quotas that the records of a message report, as far as they are kept."""
    found = (
        Quota(*(record.kv.get(key, "") for key in ("type", "total", "used", "rem")))
        for record in message.body.records
        if record.kind == "quota"
    )
    return tuple(quota for quota in found if quota.is_kept)
