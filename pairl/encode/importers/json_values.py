"""Values of JSON where a text, an object or an array is expected, and anything may stand.

This module knows what to take for each. It knows no format, and refuses to complain: what is of another
kind is taken for an empty one.
"""

from __future__ import annotations


def as_text(value: object) -> str:
    """Return a text as it is, anything else as the empty text."""
    return value if isinstance(value, str) else ""


def as_object(value: object) -> dict[str, object]:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return an array as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def as_flag(value: object) -> bool | None:
    """Return `true` and `false` as they are, and None for anything else."""
    return value if isinstance(value, bool) else None


def as_number(value: object) -> int | None:
    """Return a whole number as it is, and None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
