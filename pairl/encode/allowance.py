"""How much room each turn gets: a share that was asked for, or what is left beside what must be kept.

This module knows sizes. It does not know what fills the room, or what is worth most of it.

What a turn gets depends on this turn and on those before it, so that a body never changes where it goes on.
A share of each text is settled over all of them: what one leaves of its room the next may have, and a short
one may owe a little to those behind it, since half a sentence tells nothing.

Without a budget, a conversation in which no tool is called is carried whole. Where tools are called, the aim
for all that is written is a fifth of all that was said, called and returned: a turn pays in its share, what
must be kept of it is paid first (markers, calls, statuses, error lines, paths), and what is left over is
carried on to the next. Of a conversation that goes on it is not known whether a tool will be called: it is
carried whole up to the first turn with a call.
"""

from __future__ import annotations

import msgspec

from pairl.encode.budget import Budget

AIM = 0.2
"""Of a conversation with tools: which share of its plain text is the aim for the body."""

MOST_OWED = 200
"""Of a share: how much more than it may be written for a while. An amount is never exceeded so."""


class Allowance(msgspec.Struct, frozen=True):
    """What was decided once for all of a body: the share, None for everything, and what it is a share of.

    With `is_of_all` it is a share of the whole turn, for all that is written of it; else of each text, for
    what is quoted of it, where up to `most_owed` may be owed to later ones. `from_call` says that it holds
    from the first turn with a call on.
    """

    share: float | None = None
    is_of_all: bool = False
    from_call: bool = False
    most_owed: int = 0


class Sizes(msgspec.Struct, frozen=True):
    """What a conversation comes to: texts that may be quoted, and what is written in any case."""

    quotable: int
    kept: int


def allowance_for(
    budget: Budget | None, *, has_calls: bool, is_open: bool, sizes: Sizes | None = None
) -> Allowance:
    """Return what a budget allows. `sizes` are needed for one in characters or tokens."""
    if budget is None:
        return Allowance(AIM, is_of_all=True, from_call=is_open) if is_open or has_calls else Allowance()
    if budget.share is not None:
        return Allowance(budget.share, most_owed=MOST_OWED)
    if sizes is None or not sizes.quotable:
        return Allowance(1.0)
    left = max(1, (budget.amount or 0) - sizes.kept)
    return Allowance(min(1.0, left / sizes.quotable))
