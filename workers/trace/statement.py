"""A ledger as lines for a terminal.

This module knows layout and words. What is drawn comes from agents, so all of it is made printable here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from pairl.budget import Quota
from pairl.diagnostics import printable
from workers.trace.amounts import amount, amounts
from workers.trace.ledger import BudgetLine, Ledger

_TITLES = ("budget of", "limit", "spent", "left")
_STRONG, _OVER = "1", "1;31"


def draw_ledger(ledger: Ledger, *, color: bool = False) -> Iterator[str]:
    """Yield the lines of a ledger; none where nothing was budgeted, spent or reported."""
    if ledger.budgets:
        rows = [_TITLES, *map(_budget, ledger.budgets)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        yield _styled(_STRONG, _aligned(_TITLES, widths), color=color)
        for row, line in zip(rows[1:], ledger.budgets, strict=True):
            is_over = line.left is not None and line.left < 0
            yield _styled(_OVER if is_over else "", _aligned(row, widths), color=color)
    if ledger.costs:
        yield f"{_styled(_STRONG, 'costs', color=color)}: {amounts(ledger.costs)}"
    if ledger.outside is None:
        yield "what of these is under no budget was not added up: too many messages have several parents"
    elif ledger.outside:
        label = _styled(_STRONG, "of these under no budget", color=color)
        yield f"{label}: {amounts(ledger.outside)}"
    for report in ledger.quotas:
        label = _styled(_STRONG, "quota", color=color)
        yield f"{label}: {_quota(report.quota)}, as {printable(report.id)} says"


def _budget(line: BudgetLine) -> tuple[str, ...]:
    unit = line.budget.unit
    limit = amount(line.budget.limit, unit)
    if line.spent is None or line.left is None:
        return printable(line.id), limit, "not added up", ""
    left = amount(line.left, unit) if line.left >= 0 else f"over by {amount(-line.left, unit)}"
    return printable(line.id), limit, amount(line.spent, unit), left


def _quota(quota: Quota) -> str:
    used = f"{quota.used} of {quota.total} used" if quota.used else f"{quota.total} in all"
    left = f", {quota.rem} left" if quota.rem else ""
    return printable(f"{quota.type}: {used}{left}")


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row: the first column to the left, amounts to the right."""
    first, *rest = zip(cells, widths, strict=True)
    padded = [first[0] + " " * (first[1] - cell_len(first[0]))]
    padded += [" " * (width - cell_len(cell)) + cell for cell, width in rest]
    return "  ".join(padded)


def _styled(style: str, text: str, *, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color and style else text
