"""V8 budget: a message does not spend more than it was given.

Checks `@budget`, and the sum of the `#cost` records in its unit, exactly, as decimals. In a bid
(`bid{…}`) or a refusal (`ref{…}` with `#fact reason=budget_exceeded`) costs are projections, and
a sum above the budget is only a warning. A cost in another unit is not counted, which is said, and
so is a `#cost` without `val` or `cur`, or a `#quota` without `type` or `total`.

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
from collections.abc import Iterator
from decimal import Context, Decimal

from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.grammar import BUDGET
from pairl.rules.evidence import Evidence, Rule

_AMOUNT = re.compile(r"-?[0-9]{1,30}+(?:\.[0-9]{1,30}+)?(?:[eE][+\-]?[0-9]{1,2}+)?")
_EXACT = Context(prec=400)
_REQUIRED = (
    ("cost", "val", "cur", "V8/incomplete-cost"),
    ("quota", "type", "total", "V8/incomplete-quota"),
)


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with the budget and the costs set against it."""
    for kind, first, second, code in _REQUIRED:
        for record in evidence.of_kind(kind):
            if not (record.kv.get(first) and record.kv.get(second)):
                missing = " and ".join(f"`{key}`" for key in (first, second) if not record.kv.get(key))
                yield evidence.finding(code, f"`#{kind}` is missing {missing}", record)
    value = evidence.headers.get("budget")
    if value is None:
        return
    match = BUDGET.fullmatch(value)
    if match is None:
        yield evidence.finding(
            "V8/budget-form",
            f"`@budget {excerpt(value, 40)}` is not a decimal and a unit",
            "budget",
            value,
            "write `@budget 0.50USD`",
        )
        return
    limit, unit = Decimal(match[1]), match[2]
    total = Decimal(0)
    for record in evidence.of_kind("cost"):
        currency, amount = record.kv.get("cur", ""), record.kv.get("val", "")
        if currency != unit:
            yield evidence.finding(
                "V8/other-unit",
                f"a cost in `{excerpt(currency, 40)}` does not count towards a budget in `{unit}`",
                record,
                f"cur={currency}",
            )
        elif not _AMOUNT.fullmatch(amount) or Decimal(amount) < 0:
            yield evidence.finding(
                "V8/cost-form",
                f"`val={excerpt(amount, 40)}` is not an amount that can be summed",
                record,
                f"val={amount}",
                "write a decimal that is not negative: `val=0.42`",
            )
        else:
            total = _EXACT.add(total, Decimal(amount))
    if total > limit:
        projected = _is_projection(evidence)
        yield evidence.finding(
            "V8/projected-over-budget" if projected else "V8/over-budget",
            f"{'projected costs' if projected else 'costs'} of {total:f} {unit} exceed "
            f"the budget of {limit:f} {unit}",
            "budget",
            value,
            None
            if projected
            else "ask with `bid{…}` before spending, or decline with "
            "`ref{…}` and `#fact reason=budget_exceeded`",
        )


def _is_projection(evidence: Evidence) -> bool:
    names = {record.name for record in evidence.of_kind("intent")}
    return "bid" in names or (
        "ref" in names
        and any(record.kv.get("reason") == "budget_exceeded" for record in evidence.of_kind("fact"))
    )


RULE = Rule(
    "V8",
    "budget",
    "§2.3, §6.1, §6.2, §11 V8",
    (
        error("over-budget", "the costs of the message exceed its budget"),
        error("budget-form", "`@budget` is not a decimal and a unit"),
        error("cost-form", "a cost in the budget's unit is negative or no decimal"),
        warning("projected-over-budget", "the costs of a bid or a refusal exceed the budget"),
        warning("other-unit", "a cost is in another unit than the budget"),
        warning("incomplete-cost", "`#cost` lacks `val` or `cur`"),
        warning("incomplete-quota", "`#quota` lacks `type` or `total`"),
    ),
    evaluate,
    frozenset({"cost", "quota", "@budget"}),
)
