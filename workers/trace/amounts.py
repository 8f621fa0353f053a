"""Times, spans and amounts as the tree and the ledger write them.

This module knows units and digits. No digit of an amount is rounded away.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal

from pairl.diagnostics import excerpt

_SECOND = 1_000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_LAST = 253_402_300_799_999


def moment(milliseconds: int) -> str:
    """Return a time, in milliseconds since 1970, as people read it: in UTC, to the second."""
    return f"{iso_time(milliseconds)[:19].replace('T', ' ')}Z"


def iso_time(milliseconds: int) -> str:
    """Return a time, in milliseconds since 1970, as ISO 8601 has it: `2026-11-30T09:00:00.250Z`.

    One before 1970, or after the year 9999, becomes the nearest one between.
    """
    within = min(max(milliseconds, 0), _LAST)
    seconds, rest = divmod(within, _SECOND)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:03}Z"


def span(milliseconds: int) -> str:
    """Return how much later something is, with a sign: `+1.204 s`, `+3 min 20 s`, `-2 h 05 min`."""
    sign, length = ("-", -milliseconds) if milliseconds < 0 else ("+", milliseconds)
    if length < _MINUTE:
        return f"{sign}{length // _SECOND}.{length % _SECOND:03} s"
    if length < _HOUR:
        return f"{sign}{length // _MINUTE} min {length % _MINUTE // _SECOND:02} s"
    if length < _DAY:
        return f"{sign}{length // _HOUR} h {length % _HOUR // _MINUTE:02} min"
    return f"{sign}{length // _DAY} d {length % _DAY // _HOUR:02} h"


def amount(value: Decimal, unit: str) -> str:
    """Return an amount with its unit, on one line, whatever the unit holds."""
    return f"{value:f} {excerpt(unit)}".rstrip()


def amounts(values: Mapping[str, Decimal]) -> str:
    """Return amounts by unit, one after the other."""
    return ", ".join(amount(value, unit) for unit, value in values.items())
