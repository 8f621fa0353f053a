"""The room for a turn, and how the texts in it share it.

This module knows sizes. It does not know what fills the room (`pairl.encode.section`), or why a turn has so
much of it (`pairl.encode.allowance`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from pairl.encode.budget import LEAST_CHARACTERS


class Rooms(msgspec.Struct, frozen=True):
    """The room for a turn: so much for all of it, or a share of each text; neither is room for everything.

    Of a share, `least` is quoted in any case, `balance` was left over by texts before, or is owed to them if
    it is negative, and `most_owed` may be.
    """

    left: int | None
    share: float | None = None
    least: int = 0
    balance: int = 0
    most_owed: int = 0

    def for_each(self, sizes: Sequence[int], part: float = 1.0) -> list[int | None]:
        """Return the room of each of several texts, all together at most this part of what is left."""
        if self.left is not None:
            return list(shared_out(int(self.left * part), sizes))
        if self.share is not None:
            return [room_for(size, self.share, least=self.least) for size in sizes]
        return [None] * len(sizes)

    def for_text(self, size: int, *, is_short: bool) -> int | None:
        """Return the room of a text where each has a share, None where each has all that it takes.

        A short text is not cut if it may owe the rest. However much is owed, half of its share is left to
        each.
        """
        if self.share is None or self.share >= 1:
            return None
        fair = int(size * self.share)
        if is_short and self.balance + fair - size >= -self.most_owed:
            return size
        return min(size, max(self.least, fair // 2, fair + self.balance))

    def settled(self, size: int, used: int) -> Rooms:
        """Return the rooms behind a text of this size, of which so much was used."""
        if self.share is None:
            return self
        return replace(self, balance=self.balance + int(size * self.share) - used)

    def less(self, used: int) -> Rooms:
        """Return the room that is left when so much is used."""
        return self if self.left is None else replace(self, left=self.left - used)


def shared_out(room: int, wants: Sequence[int]) -> list[int]:
    """Return what each of several gets of a room: all it wants, or as much as the others that want more.

    >>> shared_out(100, [10, 80, 90])
    [10, 45, 45]
    """
    given = [0] * len(wants)
    left = max(0, room)
    for count, index in enumerate(sorted(range(len(wants)), key=wants.__getitem__)):
        given[index] = min(wants[index], left // (len(wants) - count))
        left -= given[index]
    return given


def room_for(size: int, share: float, *, least: int = LEAST_CHARACTERS) -> int:
    """Return the room that a text of this size gets; up to `least` it is kept whole.

    >>> [room_for(size, 0.25, least=40) for size in (12, 100, 1_000)]
    [12, 40, 250]
    """
    return min(size, max(int(size * share), least))
