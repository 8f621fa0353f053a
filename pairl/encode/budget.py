"""Budgets of an encoder: how much of a conversation is to be kept.

This module knows how budgets are written. It does not know what they are sizes of, how tokens are counted,
or what room they leave for a text (`pairl.encode.rooms`).

    >>> read_budget("25%")
    Budget(share=0.25, characters=None, tokens=None)
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

Measure = Callable[[str], int]
"""What room a text takes: more for a longer one, and for two texts together at most about what each takes."""

LEAST_CHARACTERS = 40
"""A text of no more characters is quoted whole: the record around it costs as much, and it may be `no`."""

LEAST_TOKENS = 10
"""The same in tokens."""

_FAULTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s*"), "it is empty"),
    (re.compile(r".*\s.*", re.DOTALL), "no blank belongs into a budget"),
    (re.compile(r"[-+].*", re.DOTALL), "a budget has no sign"),
    (re.compile(r"[0-9]{16}.*|[0-9]+\.[0-9]{7}.*", re.DOTALL), "the number has too many digits"),
    (re.compile(r"[0-9.]+"), "the unit is missing: `%`, `c` or `t` has to follow the number"),
    (re.compile(r"[0-9]+\.[0-9]+[ct]"), "only a share may have a fraction"),
    (re.compile(r"[0-9]+,[0-9]+.*", re.DOTALL), "no comma belongs into a number: a fraction follows a point"),
    (re.compile(r"[0-9]+[^0-9.,]+"), "the unit is another one than `%`, `c` or `t`"),
)
"""What is mostly wrong with what is no budget, and how that is said; the first that fits is."""

_WRITTEN = re.compile(r"([0-9]{1,15}+(?:\.[0-9]{1,6}+)?+)([%ct])")


class NotABudget(ValueError):  # noqa: N818  # what it is not
    """Something is no budget: what is wrong (`reason`), and how one is written (`advice`)."""

    advice = "write a share of the text, `50%`, or how much is to remain: `2000c` characters, `800t` tokens"

    def __init__(self, reason: str) -> None:
        """Say what is wrong."""
        super().__init__(f"{reason}; {self.advice}")
        self.reason = reason


class Budget(msgspec.Struct, frozen=True):
    """What may remain of a conversation: a share of it over 0 and up to 1, or characters, or tokens.

    Raises:
        NotABudget: none of them is given, or more than one, or it is nothing that could remain.

    """

    share: float | None = None
    characters: int | None = None
    tokens: int | None = None

    @property
    def amount(self) -> int | None:
        """How much may remain, in characters or in tokens; None for a share."""
        return self.characters if self.tokens is None else self.tokens

    def __post_init__(self) -> None:
        """Refuse what is no budget."""
        given = [amount for amount in (self.share, self.characters, self.tokens) if amount is not None]
        if len(given) != 1:
            raise NotABudget("a budget is a share, or characters, or tokens")
        if not given[0] > 0:
            raise NotABudget("nothing would remain")
        if self.share is not None and self.share > 1:
            raise NotABudget("a share is 100% at most")


def read_budget(text: str) -> Budget:
    """Return the budget that is written as `50%`, `2000c` (characters) or `800t` (tokens).

    Raises:
        NotABudget: it is written in another way, nothing would remain, or more than there is.

    """
    match = _WRITTEN.fullmatch(text)
    if match is None or (match[2] != "%" and "." in match[1]):
        reasons = (reason for fault, reason in _FAULTS if fault.fullmatch(text))
        raise NotABudget(next(reasons, "it is no number with a unit"))
    if match[2] == "%":
        return Budget(share=float(match[1]) / 100)
    return Budget(characters=int(match[1])) if match[2] == "c" else Budget(tokens=int(match[1]))


def write_budget(budget: Budget) -> str:
    """Return a budget as `read_budget` reads it."""
    if budget.share is not None:
        return f"{100 * budget.share:.6f}".rstrip("0").rstrip(".") + "%"
    return f"{budget.characters}c" if budget.tokens is None else f"{budget.tokens}t"
