"""Budgets and costs: what a message may spend, and what it says that it has spent (§2.3, §6.1, §11 V8).

This module knows amounts, which are exact decimals in a unit. It does not know which messages a budget
is for (`pairl.thread_memory`), or what is wrong with spending more (`pairl.rules.v08_budget`).
"""

from __future__ import annotations

import re
from decimal import Context, Decimal

import msgspec

from pairl.grammar import BUDGET
from pairl.model import Message, Record

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
    """Return what a message has spent, by unit; costs that cannot be summed are left out."""
    if is_projection(message):
        return {}
    costs: dict[str, Decimal] = {}
    for record in message.body.records:
        amount = read_amount(record) if record.kind == "cost" else None
        if amount:
            unit = record.kv.get("cur", "")
            costs[unit] = plus(costs.get(unit, NOTHING), amount)
    return costs
