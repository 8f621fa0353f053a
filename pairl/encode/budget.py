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
        if len(given) != 1 or not given[0] > 0 or (self.share is not None and self.share > 1):
            raise NotABudget("this is no budget")


def read_budget(text: str) -> Budget:
    """Return the budget that is written as `50%`, `2000c` (characters) or `800t` (tokens).

    Raises:
        NotABudget: it is written in another way, nothing would remain, or more than there is.

    """
    match = _WRITTEN.fullmatch(text)
    if match is None or (match[2] != "%" and "." in match[1]):
        raise NotABudget("a budget is written in another way")
    if match[2] == "%":
        return Budget(share=float(match[1]) / 100)
    return Budget(characters=int(match[1])) if match[2] == "c" else Budget(tokens=int(match[1]))


def write_budget(budget: Budget) -> str:
    """Return a budget as `read_budget` reads it."""
    if budget.share is not None:
        return f"{100 * budget.share:.6f}".rstrip("0").rstrip(".") + "%"
    return f"{budget.characters}c" if budget.tokens is None else f"{budget.tokens}t"
