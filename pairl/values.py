"""Writes typed values as the texts that a message carries, and refuses what no message can carry.

This module knows types and characters. It does not know records: `pairl.writer` does. A value is
refused where it is written, because a reader could not tell what was meant (§8.2, §9.5).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import NoReturn

import msgspec

from pairl import grammar
from pairl.diagnostics import excerpt

Value = str | int | float | Decimal | date | datetime
"""What can be written: text, whole numbers and `bool`, numbers, days, and times with an offset."""

_MOST_DIGITS = 400
"""More than any `float` has; a `Decimal` with an exponent could have as many as memory holds."""

_BITS_OF_MOST_DIGITS = 1_328


class CannotWrite(ValueError):  # noqa: N818  # what happened, in the caller's words
    """The format cannot carry what was to be written.

    `where` names the record or header, `key` the key in it if it is about one, `value` is the beginning
    of what was refused, and `advice` says what to do.
    """

    def __init__(self, where: str, key: str, value: str, problem: str, advice: str) -> None:
        """Say that `value`, given for `key` in `where`, has `problem`."""
        self.where = where
        self.key = key
        self.value = excerpt(value)
        self.problem = problem
        self.advice = advice
        place = f"{where} {excerpt(key)}=" if key else where
        if self.value:
            place += f"`{self.value}`" if place.endswith("=") else f" `{self.value}`"
        super().__init__(f"{place.removesuffix('=')}: {problem}; {advice}")


class _Refused(msgspec.Struct, frozen=True):
    """A row of the table of what no value may hold: how it is found, what it is, and what to do."""

    found_in: Callable[[str], object]
    problem: str
    advice: str


_REFUSED = (
    _Refused(
        re.compile(r"[\r\n]").search,
        "a value stands on one line, and this one has a line end",
        "write a record for each line, or put spaces in the place of line ends",
    ),
    _Refused(
        grammar.CONTROL.search,
        "it holds a control character",
        "leave it out; only TAB is carried",
    ),
    _Refused(
        grammar.SURROGATE.search,
        "it holds half of a surrogate pair, which is no character",
        "decode the text with its right encoding first",
    ),
    _Refused(
        re.compile(r"\\\Z").search,
        "a value cannot end in a backslash, which would escape the closing quotation mark",
        "leave the backslash out, or put a character behind it",
    ),
)


def write_value(value: Value, where: str, key: str) -> str:
    """Return the text of `value`, which `key` of the record or header `where` is to have.

    Numbers are written without an exponent, and read back exactly; `True` is `true`; times are ISO 8601,
    with `Z` for UTC.

    Raises:
        CannotWrite: the type is none of `Value`, a number is not finite or has more than 400 digits, a
            time has no offset, or the text is none that a message can carry (§8.2).

    """
    for kind, write in _WRITERS.items():
        if isinstance(value, kind):
            return write(value, where, key)
    raise CannotWrite(
        where,
        key,
        "",
        f"a `{excerpt(type(value).__name__)}` has no text in a message",
        "convert the value to text first, or leave the key out",
    )


def refuse_unless(pattern: re.Pattern[str], text: str, where: str, problem: str, advice: str) -> None:
    """Raise `CannotWrite` unless this is text, and the whole of it matches `pattern`."""
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise CannotWrite(where, "", str(text), problem, advice)


def refuse_unless_bool(value: object, where: str, name: str) -> None:
    """Raise `CannotWrite` unless the argument `name` is True or False: texts such as `"no"` are true."""
    if not isinstance(value, bool):
        raise CannotWrite(where, name, str(value), "it is neither True nor False", "give one of them")


def _write_text(value: str, where: str, key: str) -> str:
    text = str.__str__(value)
    for refused in _REFUSED:
        if refused.found_in(text):
            raise CannotWrite(where, key, text, refused.problem, refused.advice)
    return text


def _write_bool(value: bool, _where: str, _key: str) -> str:
    return "true" if value else "false"


def _write_int(value: int, where: str, key: str) -> str:
    if value.bit_length() > _BITS_OF_MOST_DIGITS:
        _refuse_length(where, key, f"a number of {value.bit_length():,} bits")
    return int.__repr__(value)


def _write_decimal(value: Decimal, where: str, key: str) -> str:
    if not value.is_finite():
        raise CannotWrite(where, key, str(value), "it is no finite number", "leave the key out")
    _, digits, exponent = value.as_tuple()
    if isinstance(exponent, int) and len(digits) + abs(exponent) > _MOST_DIGITS:
        _refuse_length(where, key, str(value))
    return f"{value:f}"


def _write_float(value: float, where: str, key: str) -> str:
    # `repr` is the shortest text that reads back as this very number; `Decimal` writes it in digits.
    return _write_decimal(Decimal(float.__repr__(value)), where, key)


def _write_datetime(value: datetime, where: str, key: str) -> str:
    offset = value.utcoffset()
    if offset is None or offset.seconds % 60 or offset.microseconds:
        raise CannotWrite(
            where,
            key,
            value.isoformat(),
            "a time needs an offset from UTC in whole minutes",
            "give it one: `datetime.now(UTC)`",
        )
    text = value.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _write_date(value: date, _where: str, _key: str) -> str:
    return value.isoformat()


def _refuse_length(where: str, key: str, value: str) -> NoReturn:
    raise CannotWrite(
        where,
        key,
        value,
        f"a number has at most {_MOST_DIGITS} digits",
        "write it as text, or in a larger unit",
    )


_Writer = Callable[..., str]
_WRITERS: dict[type, _Writer] = {
    str: _write_text,
    bool: _write_bool,
    int: _write_int,
    float: _write_float,
    Decimal: _write_decimal,
    datetime: _write_datetime,
    date: _write_date,
}
"""In this order, because a `bool` is an `int` and a `datetime` a `date`."""
