"""Numbers as people write them: separators between thousands, and parts of a whole in percent (§12).

This module knows digits. It does not know what is counted (`pairl.render.economy`).

No digit of a number is changed: only separators are added, and only a percentage is rounded. What is no
plain decimal of at most 30 digits on either side of the point is shown as it is.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

NUMBER = r"-?(?:0|[1-9][0-9]{0,29}+)(?:\.[0-9]{1,30}+)?"

is_number = re.compile(NUMBER).fullmatch
_PRECISE = Context(prec=80, rounding=ROUND_HALF_UP)
_TENTH = Decimal("0.1")


def number(value: str) -> str:
    """Return a number with separators between thousands; any other text as it is."""
    if is_number(value) is None:
        return value
    sign = "-" if value.startswith("-") else ""
    whole, point, fraction = value.removeprefix("-").partition(".")
    return f"{sign}{int(whole):,}{point}{fraction}"


def percentage(part: str, whole: str) -> str | None:
    """Return what share `part` is of `whole`, to a tenth of a percent; None if that cannot be said."""
    if not (is_number(part) and is_number(whole)) or Decimal(whole) <= 0:
        return None
    percent = _PRECISE.divide(_PRECISE.multiply(Decimal(part), 100), Decimal(whole))
    rounded = percent.quantize(_TENTH, context=_PRECISE)
    if not rounded and percent:
        return "under 0.1%"
    return f"{rounded.normalize(_PRECISE):,f}%"
