"""Money and quotas in words: amounts as they were given, with signs and separators (§6, §12).

This module knows currency signs, units and percentages. It does not know what was budgeted, nor
whether amounts add up (`pairl.rules.v08_budget`).

No digit of an amount is changed: only separators are added, and only a percentage is rounded. What
is no plain decimal of at most 30 digits on either side of the point is shown as it is.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

from pairl.model import Record
from pairl.render.escape import first, shown

NOT_GIVEN = "*not given*"
"""What stands for a key that a record needs and does not have."""

SIGNS = {
    "USD": "$",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "INR": "₹",
    "KRW": "₩",
    "ILS": "₪",
    "NGN": "₦",
    "PHP": "₱",
    "TRY": "₺",
    "UAH": "₴",
    "VND": "₫",
}
"""ISO 4217 codes that are written as a sign; a sign that currencies share goes to the best known."""

LIMIT_UNITS = {"t": "tokens", "api": "API calls", "s": "seconds"}
"""The units of `@limit` that §2.3 names."""

RESOURCES = {"tokens": "Token"}
"""Quota types with a word of their own; any other is capitalised, `_` becoming a space."""

COST_KEYS = ("val", "cur")
QUOTA_KEYS = ("type", "total", "used", "rem")

_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]{0,29}+)(\.[0-9]{1,30}+)?")
_NUMBER_AND_UNIT = re.compile(rf"({_NUMBER.pattern})([A-Za-z][A-Za-z0-9_]*+)")
_PRECISE = Context(prec=80, rounding=ROUND_HALF_UP)
_TENTH = Decimal("0.1")


def number(value: str) -> str:
    """Return a number with separators between thousands; any other text as it is."""
    match = _NUMBER.fullmatch(value)
    if match is None:
        return shown(value)
    sign, whole, fraction = match.groups()
    return f"{sign}{int(whole):,}{fraction or ''}"


def amount(value: str, unit: str) -> str:
    """Return an amount of a unit: `$0.02`, `5,000 tokens`."""
    if unit in SIGNS and _NUMBER.fullmatch(value):
        sign = "-" if value.startswith("-") else ""
        return f"{sign}{SIGNS[unit]}{number(value.removeprefix('-'))}"
    return f"{number(value)} {shown(unit)}"


def budget(value: str) -> str:
    """Return the value of `@budget` in words (§2.3)."""
    match = _NUMBER_AND_UNIT.fullmatch(value)
    return amount(match[1], match[5]) if match else shown(value)


def limit(value: str) -> str:
    """Return the value of `@limit` in words (§2.3)."""
    match = _NUMBER_AND_UNIT.fullmatch(value)
    return amount(match[1], LIMIT_UNITS.get(match[5], match[5])) if match else shown(value)


def cost(record: Record) -> str:
    """Return what a `#cost` says of the amount: `Cost: $0.02` (§6.1, §12)."""
    value, unit = record.kv.get("val"), record.kv.get("cur")
    if value is None:
        return f"Cost: {NOT_GIVEN}" + (f" {shown(unit)}" if unit is not None else "")
    return f"Cost: {number(value) if unit is None else amount(value, unit)}"


def quota(record: Record) -> str:
    """Return a `#quota` in words: `Token usage: 5,000 / 100,000 (5%)` (§6.2, §12).

    Without `used` nothing is known of the usage: `Token quota: 100,000`.
    """
    total, used, remaining = (record.kv.get(key) for key in ("total", "used", "rem"))
    words = f"{_resource(record.kv.get('type'))} {'quota' if used is None else 'usage'}: "
    if used is not None:
        words += f"{number(used)} / "
    words += NOT_GIVEN if total is None else number(total)
    if used is not None and total is not None:
        words += _share(used, total)
    return words if remaining is None else f"{words}, {number(remaining)} left"


def _resource(name: str | None) -> str:
    """Return the name of a quota's resource, for the start of a line."""
    if not name:
        return "*Unnamed*"
    words = name.replace("_", " ")
    return RESOURCES.get(name) or first(words[0].upper() + words[1:])


def _share(used: str, total: str) -> str:
    """Return how much of `total` is used, as a percentage in parentheses, if that can be said."""
    if not (_NUMBER.fullmatch(used) and _NUMBER.fullmatch(total)) or Decimal(total) <= 0:
        return ""
    percent = _PRECISE.divide(_PRECISE.multiply(Decimal(used), 100), Decimal(total))
    rounded = percent.quantize(_TENTH, context=_PRECISE)
    if not rounded and percent:
        return " (under 0.1%)"
    return f" ({rounded.normalize(_PRECISE):,f}%)"
