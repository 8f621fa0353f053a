"""Money and quotas in words: amounts as they were given, with signs and separators (§6, §12).

This module knows currency signs, units and resources. It does not know what was budgeted, nor
whether amounts add up (`pairl.rules.v08_budget`).
"""

from __future__ import annotations

import re

from pairl.model import Record
from pairl.render.blocks import NOT_GIVEN, Emphasis, Inline, Line, Words, shown
from pairl.render.numbers import NUMBER, is_number, number, percentage

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

_NUMBER_AND_UNIT = re.compile(rf"({NUMBER})([A-Za-z][A-Za-z0-9_]*+)")
_UNNAMED = Emphasis((Words("Unnamed"),))


def amount(value: str, unit: str) -> Line:
    """Return an amount of a unit: `$0.02`, `5,000 tokens`."""
    if unit in SIGNS and is_number(value):
        sign = "-" if value.startswith("-") else ""
        return (f"{sign}{SIGNS[unit]}{number(value.removeprefix('-'))}",)
    return shown(number(value)), Words(" "), shown(unit)


def budget(value: str) -> Line:
    """Return the value of `@budget` in words (§2.3)."""
    match = _NUMBER_AND_UNIT.fullmatch(value)
    return amount(match[1], match[2]) if match else (shown(value),)


def limit(value: str) -> Line:
    """Return the value of `@limit` in words (§2.3)."""
    match = _NUMBER_AND_UNIT.fullmatch(value)
    return amount(match[1], LIMIT_UNITS.get(match[2], match[2])) if match else (shown(value),)


def cost(record: Record) -> Line:
    """Return what a `#cost` says of the amount: `Cost: $0.02` (§6.1, §12)."""
    value, unit = record.kv.get("val"), record.kv.get("cur")
    words = Words("Cost: ")
    if unit is None:
        return words, _count(value)
    if value is None:
        return words, NOT_GIVEN, Words(" "), shown(unit)
    return words, *amount(value, unit)


def quota(record: Record) -> Line:
    """Return a `#quota` in words: `Token usage: 5,000 / 100,000 (5%)` (§6.2, §12).

    Without `used` nothing is known of the usage: `Token quota: 100,000`.
    """
    total, used, remaining = (record.kv.get(key) for key in ("total", "used", "rem"))
    line: list[Inline] = [_resource(record.kv.get("type"))]
    if used is None:
        line += Words(" quota: "), _count(total)
    else:
        line += Words(" usage: "), _count(used), Words(" / "), _count(total)
        share = None if total is None else percentage(used, total)
        if share is not None:
            line.append(Words(f" ({share})"))
    if remaining is not None:
        line += Words(", "), _count(remaining), Words(" left")
    return tuple(line)


def _count(value: str | None) -> Inline:
    return NOT_GIVEN if value is None else shown(number(value))


def _resource(name: str | None) -> Inline:
    """Return the name of a quota's resource, for the start of a line."""
    if not name:
        return _UNNAMED
    words = name.replace("_", " ")
    return RESOURCES.get(name) or words[0].upper() + words[1:]
