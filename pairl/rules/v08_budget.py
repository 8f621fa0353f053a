"""V8 budget: a message does not spend more than it, or one that it goes back to, was given.

Checks `@budget`, and the sum of the `#cost` records in its unit, exactly, as decimals. In a bid
(`bid{…}`) or a refusal (`ref{…}` with `#fact reason=budget_exceeded`) costs are projections, and
a sum above the budget is only a warning. A cost in another unit is not counted, which is said, and
so is a `#cost` without `val` or `cur`, or a `#quota` without `type` or `total`.

Where the thread is known and keeps what was spent, a budget is for its message and all that goes back to
it. A message whose costs take that sum above the budget of an ancestor is in error; projections are not
part of it. Where none of its costs is in the unit of any of these budgets, that is said, too.

Why: a budget that is checked afterwards, by people, with rounded sums, is not a budget.

Example:
    @budget 0.10USD
    #cost val=0.42 cur=USD

Instead, before spending:
    bid{t=analysis}
    #cost val=0.42 cur=USD note="estimated"

Specification: §2.3, §6.1, §6.2, §11 V8
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from pairl.budget import NOTHING, Budget, Tally, is_projection, plus, read_amount, read_budget
from pairl.contents import told_costs
from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.nearest import did_you_mean
from pairl.rules.evidence import Evidence, Rule
from pairl.thread import message_id

_REQUIRED = (
    ("cost", "val", "cur", "V8/incomplete-cost"),
    ("quota", "type", "total", "V8/incomplete-quota"),
)
_COMPLETE = {"cost": "write `#cost val=0.42 cur=USD`", "quota": "write `#quota type=api total=100`"}
_AMOUNT = re.compile(r"(?<![0-9.,])[0-9]{1,30}+(?:\.[0-9]{1,30}+)?(?![0-9.,])")
_UNIT = re.compile(r"[A-Za-z]{1,16}+")
_LONGEST_BUDGET = 40
_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP"}
_ASK_BEFORE = "ask with `bid{…}` before spending, or decline with `ref{…}` and `#fact reason=budget_exceeded`"


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with the budgets that a message has or is under, and with its costs and quotas."""
    yield from _incomplete(evidence)
    yield from _over(evidence, _tallies(evidence, has_costs=bool(evidence.of_kind("cost"))))


def _evaluate_in_thread(evidence: Evidence) -> Iterable[Finding]:
    """Return what is wrong with a message whose costs are within its own budget."""
    if evidence.thread is None:
        return ()
    costs = told_costs(evidence.message)
    if costs is not None and evidence.thread.has_room(evidence.message, costs):
        return ()
    tallies = _tallies(evidence, has_costs=costs != {})
    if costs is None:
        return _over(evidence, tallies) if tallies else ()
    for tally in tallies:
        # What a message alone costs is added here and now: there may be many budgets, all far from spent.
        amount = costs.get(tally.budget.unit, NOTHING)
        if tally.joined or (amount and plus(tally.spent, amount) > tally.budget.limit):
            return _over(evidence, tallies)
    counts_nowhere = costs and tallies and not any(tally.budget.unit in costs for tally in tallies)
    return _over(evidence, tallies) if counts_nowhere else ()


def _tallies(evidence: Evidence, *, has_costs: bool) -> Sequence[Tally]:
    """Return the budgets that the message could exceed: none if nothing comes under them with it."""
    thread = evidence.thread
    if thread is None or not (has_costs or thread.is_awaited(message_id(evidence.message) or "")):
        return ()
    return thread.budgets_over(evidence.message) or ()


def _incomplete(evidence: Evidence) -> Iterator[Finding]:
    for kind, first, second, code in _REQUIRED:
        for record in evidence.of_kind(kind):
            if not (record.kv.get(first) and record.kv.get(second)):
                missing = " and ".join(f"`{key}`" for key in (first, second) if not record.kv.get(key))
                yield evidence.finding(
                    code, f"`#{kind}` is missing {missing}", record, advice=_COMPLETE[kind]
                )


def _over(evidence: Evidence, tallies: Sequence[Tally]) -> Iterator[Finding]:
    """Yield the budgets that the costs exceed, and the costs that cannot be set against a budget."""
    value = evidence.headers.get("budget")
    own = read_budget(evidence.message)
    if value is not None and own is None:
        yield evidence.finding(
            "V8/budget-form",
            f"`@budget {excerpt(value, 40)}` is not a decimal and a unit",
            "budget",
            value,
            _budget_advice(value),
        )
    units = {tally.budget.unit for tally in tallies}
    if own is not None:
        units.add(own.unit)
    if not units:
        return
    costs = dict.fromkeys(units, NOTHING)
    yield from _sum(evidence, own, costs)
    is_over = own is not None and costs[own.unit] > own.limit
    if not is_over and not tallies:
        return
    projected = is_projection(evidence.message)
    if own is not None and is_over:
        yield evidence.finding(
            "V8/projected-over-budget" if projected else "V8/over-budget",
            f"{'projected costs' if projected else 'costs'} of {costs[own.unit]:f} {own.unit} exceed "
            f"the budget of {own.limit:f} {own.unit}",
            "budget",
            value or "",
            None if projected else _ASK_BEFORE,
        )
    own_id = message_id(evidence.message)
    for tally in tallies:
        if projected or not is_over or tally.id != own_id:
            yield from _over_tally(evidence, tally, NOTHING if projected else costs[tally.budget.unit])


def _unit_advice(unit: str, wanted: str) -> str:
    """Return what to do about a cost in `unit` beside a budget in `wanted`."""
    guess = f"cur={wanted}" if unit.lower() == wanted.lower() else None
    return did_you_mean("convert it, or give a budget in its unit", guess)


def _budget_advice(value: str) -> str:
    """Return how to write a budget: with the amount and the unit that are there, as far as they are."""
    amount = _AMOUNT.search(value)
    unit = _UNIT.search(value)
    sign = next((_SIGNS[character] for character in value[:_LONGEST_BUDGET] if character in _SIGNS), None)
    written = (amount[0] if amount else "0.50") + (unit[0] if unit else sign or "<unit>")
    return f"write the amount with a dot and the unit right behind it: `@budget {written}`"


def _sum(evidence: Evidence, own: Budget | None, costs: dict[str, Decimal]) -> Iterator[Finding]:
    """Add to `costs`, by unit, what the message costs; yield what does not count, or cannot be summed."""
    records = evidence.of_kind("cost")
    # Beside a cost that counts, one in another unit is no slip: tokens beside money, say.
    counts = own is None and any(record.kv.get("cur") in costs for record in records)
    wanted = min(costs) if own is None else own.unit
    for record in records:
        unit = record.kv.get("cur", "")
        is_other = unit not in costs and not counts if own is None else unit != own.unit
        if is_other:
            yield evidence.finding(
                "V8/other-unit",
                f"a cost in `{excerpt(unit, 40)}` does not count towards a budget in `{wanted}`",
                record,
                f"cur={unit}",
                _unit_advice(unit, wanted),
            )
        if unit not in costs:
            continue
        amount = read_amount(record)
        if amount is None:
            text = record.kv.get("val", "")
            yield evidence.finding(
                "V8/cost-form",
                f"`val={excerpt(text, 40)}` is not an amount that can be summed",
                record,
                f"val={text}",
                "write a decimal that is not negative: `val=0.42`",
            )
        else:
            costs[unit] = plus(costs[unit], amount)


def _exceeding(tally: Tally, added: Decimal) -> Decimal | None:
    """Return what is spent under a budget with a message that costs `added`, if it takes that above it."""
    with_it = plus(added, tally.joined) if tally.joined else added
    if not with_it:
        return None
    total = plus(tally.spent, with_it)
    return total if total > tally.budget.limit else None


def _over_tally(evidence: Evidence, tally: Tally, added: Decimal) -> Iterator[Finding]:
    """Yield whether the message takes what is spent under a budget above it."""
    limit, unit = tally.budget.limit, tally.budget.unit
    total = _exceeding(tally, added)
    if total is None:
        return
    waiting = f", and {tally.joined:f} {unit} of messages that waited for it" if tally.joined else ""
    first = next((record for record in evidence.of_kind("cost") if record.kv.get("cur") == unit), None)
    yield evidence.finding(
        "V8/over-thread-budget",
        f"{total:f} {unit} exceed the budget of {limit:f} {unit} that `{excerpt(tally.id, 40)}` was given: "
        f"{tally.spent:f} {unit} spent before, {added:f} {unit} by this message{waiting}",
        first,
        "",
        _ASK_BEFORE,
    )


RULE = Rule(
    "V8",
    "budget",
    "§2.3, §6.1, §6.2, §11 V8",
    (
        error("over-budget", "the costs of the message exceed its budget"),
        error("over-thread-budget", "the costs take what is spent under a budget above it"),
        error("budget-form", "`@budget` is not a decimal and a unit"),
        error("cost-form", "a cost in the budget's unit is negative or no decimal"),
        warning("projected-over-budget", "the costs of a bid or a refusal exceed the budget"),
        warning("other-unit", "a cost is in another unit than the budget"),
        warning("incomplete-cost", "`#cost` lacks `val` or `cur`"),
        warning("incomplete-quota", "`#quota` lacks `type` or `total`"),
    ),
    evaluate,
    evaluate_plain=_evaluate_in_thread,
)
