"""What is said where a conversation does not go on where it was encoded before.

This module knows how the first turn that differs is named, and what most often is behind it. It does not know
how turns are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from pairl.diagnostics import excerpt
from pairl.encode.history import Call, Said, Turn
from pairl.encode.plain_form import plain_text

_CAUSES = (
    "most often the context was compacted or summarised, earlier turns were edited or taken back, or this is "
    "another conversation"
)
_CAUSES_OF_AN_END = (
    "most often this is an earlier copy that comes late, and adds nothing, or the last turns were taken back"
)
_LONGEST_SHOWN = 80


class HistoryChanged(ValueError):  # noqa: N818  # what happened
    """A conversation does not go on where it was encoded before: the body that was written is not its own.

    `reason` names the first turn that differs, and `causes` says what most often is behind it. `turn` is the
    turn's number, from 1, as in its marker; None where nothing differs, but turns at the end are missing.
    """

    def __init__(self, reason: str, causes: str, turn: int | None = None) -> None:
        """Say what differs."""
        super().__init__(f"{reason}; {causes}")
        self.reason = reason
        self.causes = causes
        self.turn = turn

    @classmethod
    def at(cls, turns: Sequence[Turn], index: int, encoded: int) -> Self:
        """Return what says that one of these turns, the first of which has this index, differs.

        `encoded` is how many turns were encoded before.
        """
        of = f"of the {encoded:,} turns that were encoded before"
        if len(turns) == 1:
            differs = f"turn {index + 1:,} is the first that differs: it is now `{_shown(turns[0])}`"
        else:
            differs = f"the first that differs is one of turns {index + 1:,} to {index + len(turns):,}"
        return cls(f"{of}, {differs}", _CAUSES, index + 1)

    @classmethod
    def because_it_ends(cls, encoded: int, turns: int) -> Self:
        """Return what says that there are too few turns, all of them as they were encoded."""
        return cls(
            f"{encoded:,} turns were encoded before, and this conversation ends after {turns:,} of them",
            _CAUSES_OF_AN_END,
        )


def _shown(turn: Turn) -> str:
    """Return the beginning of a turn as plain text, on one line: who speaks, and what is said and called."""
    parts = tuple(part for part in turn.parts if isinstance(part, Said | Call))
    text = plain_text([msgspec.structs.replace(turn, parts=parts)])
    return excerpt(" ".join(text[: 4 * _LONGEST_SHOWN].split()), _LONGEST_SHOWN)
