"""Budgets, costs and quotas: what a message may spend, and what it says of that (§2.3, §6, §11 V8).

This module knows amounts, which are exact decimals in a unit. It does not know which messages a budget
is for (`pairl.accounts`), or what is wrong with spending more (`pairl.rules.v08_budget`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal
from functools import lru_cache

import msgspec

from pairl.grammar import BUDGET
from pairl.model import Message, Record

LONGEST_WORD = 32
_LONGEST_BUDGET = 80
_AMOUNT = re.compile(r"-?[0-9]{1,30}+(?:\.[0-9]{1,30}+)?(?:[eE][+\-]?[0-9]{1,2}+)?")
_EXACT = Context(prec=400)

NOTHING = Decimal(0)


class Budget(msgspec.Struct, frozen=True, gc=False):
    """The most that a message and its descendants may spend, and in which unit."""

    limit: Decimal
    unit: str


class Tally(msgspec.Struct, frozen=True, gc=False):
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
        return bool(self.type and self.total) and max(map(len, words)) <= LONGEST_WORD


plus = _EXACT.add
"""Returns the exact sum of two amounts."""


def minus(first: Decimal, second: Decimal) -> Decimal:
    """Return the exact difference of two amounts."""
    return _EXACT.subtract(first, second)


def read_budget(message: Message) -> Budget | None:
    """Return what `@budget` gives; None where there is none, or it is not a decimal and a unit."""
    value = message.headers.get("budget")
    return None if value is None or len(value) > _LONGEST_BUDGET else _read_budget(value)


@lru_cache(maxsize=1_024)
def _read_budget(value: str) -> Budget | None:
    # Messages of a thread often have the same budget, which is read several times for each.
    match = BUDGET.fullmatch(value)
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
    amounts = [
        (amount, record.kv.get("cur", ""))
        for record in message.body.records
        if record.kind == "cost" and (amount := read_amount(record)) is not None
    ]
    return as_spent(sum_by_unit(amounts))


def sum_by_unit(amounts: Iterable[tuple[Decimal, str]]) -> dict[str, Decimal]:
    """Return the exact sum of the amounts in each unit."""
    sums: dict[str, Decimal] = {}
    for amount, unit in amounts:
        sums[unit] = plus(sums[unit], amount) if unit in sums else amount
    return sums


def as_spent(sums: dict[str, Decimal]) -> dict[str, Decimal]:
    """Return those of the sums that are more than nothing, in units that can be one."""
    return {unit: amount for unit, amount in sums.items() if amount and len(unit) <= LONGEST_WORD}


def reported_quotas(message: Message) -> tuple[Quota, ...]:
    """Return the quotas that the records of a message report, as far as they are kept."""
    found = (
        Quota(*(record.kv.get(key, "") for key in ("type", "total", "used", "rem")))
        for record in message.body.records
        if record.kind == "quota"
    )
    return tuple(quota for quota in found if quota.is_kept)
