"""Budgets of an encoder: how much of a conversation is to be kept, and what room that leaves for a turn.

This module knows shares and sizes. It does not know what they are sizes of, how tokens are counted, or what
is worth its room.

A turn's room depends on its own size and on the share alone, so that what is written of a turn stays what it
was when the conversation goes on.

    >>> share_of(read_budget("2000c"), 8_000)
    0.25
    >>> [room_for(size, 0.25, least=40) for size in (12, 100, 1_000)]
    [12, 40, 250]
"""

from __future__ import annotations

import re

import msgspec

LEAST_CHARACTERS = 40
"""A text of no more characters is quoted whole: the record around it costs as much, and it may be `no`."""

LEAST_TOKENS = 10
"""The same in tokens."""

_WRITTEN = re.compile(r"([0-9]{1,15}+(?:\.[0-9]{1,6}+)?+)([%ct])")
_ADVICE = "write a share of the text, `50%`, or how much is to remain: `2000c` characters, `800t` tokens"


class Budget(msgspec.Struct, frozen=True):
    """What may remain of a conversation: a share of it over 0 and up to 1, or characters, or tokens.

    Raises:
        ValueError: none of them is given, or more than one, or it is nothing that could remain.

    """

    share: float | None = None
    characters: int | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no budget."""
        given = [amount for amount in (self.share, self.characters, self.tokens) if amount is not None]
        if len(given) != 1 or not given[0] > 0 or (self.share is not None and self.share > 1):
            raise ValueError(f"this is no budget; {_ADVICE}")


def read_budget(text: str) -> Budget:
    """Return the budget that is written as `50%`, `2000c` (characters) or `800t` (tokens).

    Raises:
        ValueError: it is written in another way, nothing would remain, or more than there is.

    """
    match = _WRITTEN.fullmatch(text)
    if match is None or (match[2] != "%" and "." in match[1]):
        raise ValueError(f"a budget is written in another way; {_ADVICE}")
    if match[2] == "%":
        return Budget(share=float(match[1]) / 100)
    return Budget(characters=int(match[1])) if match[2] == "c" else Budget(tokens=int(match[1]))


def share_of(budget: Budget, size: int) -> float:
    """Return which share of a conversation of this size, in the budget's own measure, may remain.

    To be asked once: where a conversation goes on, what was written of it is not to change.
    """
    if budget.share is not None:
        return budget.share
    amount = budget.characters if budget.tokens is None else budget.tokens
    return min(1.0, (amount or 0) / size) if size > 0 else 1.0


def room_for(size: int, share: float, *, least: int = LEAST_CHARACTERS) -> int:
    """Return the room that a text of this size gets; up to `least` it is kept whole."""
    return min(size, max(int(size * share), least))
