"""When something was recorded: the many ways in which records write a time, as one.

This module knows how a time can be written. It knows no clock.
"""

from __future__ import annotations

from datetime import UTC, datetime

_LATEST = 32_503_680_000
"""The year 3000 in seconds: a larger number counts in smaller units."""

_UNITS = (1, 1_000, 1_000_000, 1_000_000_000)
_LARGEST = _LATEST * _UNITS[-1]


def moment(value: object) -> str | None:
    """Return a time as ISO 8601 with an offset; None if the value is none.

    A number counts from 1970 in seconds, or in as many milli-, micro- or nanoseconds as make it a time before
    the year 3000. A text is such a number or ISO 8601; where it gives no offset, it is taken as UTC.
    """
    if isinstance(value, str):
        if value.isdecimal() and value.isascii() and len(value) <= 20:
            return moment(int(value))
        try:
            read = datetime.fromisoformat(value)
            return (read if read.tzinfo else read.replace(tzinfo=UTC)).isoformat()
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _LARGEST:
        return None
    for unit in _UNITS:
        if value / unit < _LATEST:
            return datetime.fromtimestamp(round(value / unit, 3), UTC).isoformat()
    return None
