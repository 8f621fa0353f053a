"""How validators are set up for a trial, and how likely each thing is to go wrong in it.

Knows that a seed always gives the same ones. Does not know how anything is made to go wrong.
"""

from __future__ import annotations

from random import Random

import msgspec


class Circumstances(msgspec.Struct, frozen=True):
    """How validators are set up, how likely each thing is to go wrong before a step, and what is forgotten.

    After the phase `forgotten_after` all is silent until sessions are forgotten.
    """

    strict: bool
    most_waiting: int = 1_000
    cached_messages: int = 50_000
    forgotten_after: int | None = None
    astray: float = 0.0
    kill: float = 0.0
    sleep: float = 0.0
    away: float = 0.0
    flush: float = 0.0
    set_back: float = 0.0

    @classmethod
    def drawn(cls, seed: int) -> Circumstances:
        """Return the circumstances of a trial."""
        chance = Random(f"circumstances {seed}")
        danger = chance.choice((0.0, 0.003, 0.006, 0.012))
        return cls(
            strict=chance.random() < 0.65,
            most_waiting=chance.choice((1_000, 1_000, 1_000, 2)),
            cached_messages=chance.choice((50_000, 20, 1)),
            forgotten_after=chance.choice((None, None, 0, 1)),
            astray=chance.choice((0.0, 0.1, 0.5)),
            kill=danger,
            sleep=chance.choice((0.0, danger / 2)),
            away=chance.choice((0.0, danger / 2)),
            flush=chance.choice((0.0, danger)),
            set_back=chance.choice((0.0, danger / 2)),
        )
