"""What is to be written of a turn: lines that stand in any case, texts to quote from, and calls.

This module knows what each of them takes, at least and at most. It does not know how much room there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pairl.encode.budget import Measure
from pairl.encode.tools.call_record import CallRecord
from pairl.encode.tools.records import LONGEST_VALUE

THOUGHT = "think"
"""The record of what was thought, where others are of what was said."""


class Fixed(msgspec.Struct, frozen=True):
    """Lines that are written in any case, and the text that they stand for."""

    lines: str
    plain: str = ""

    def kept(self, measure: Measure) -> int:
        """Return what the lines take."""
        return measure(self.lines) + 1

    def quotable(self, _measure: Measure) -> int:
        """Return what could be quoted: nothing."""
        return 0


class Quoted(msgspec.Struct, frozen=True):
    """A text of which a quotation is written: what was said or thought, or a summary of it.

    `paths` are those in it that are to be kept, whatever is quoted.
    """

    tag: str
    text: str
    is_summary: bool = False
    paths: Sequence[str] = ()

    @property
    def what(self) -> str:
        """What it is called where such texts are counted."""
        return "thoughts" if self.tag == THOUGHT else "texts"

    @property
    def plain(self) -> str:
        """The text that it stands for."""
        return self.text

    def kept(self, measure: Measure) -> int:
        """Return what is written in any case: the paths."""
        return measure(" ".join(self.paths)) if self.paths else 0

    def frame(self, measure: Measure) -> int:
        """Return what a record takes around its quotation."""
        return measure(f'#{self.tag} content=""') + 1

    def quotable(self, measure: Measure) -> int:
        """Return what the text takes."""
        return measure(self.text)


Item = Fixed | Quoted | CallRecord


def in_pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that a value can hold, cut at line ends and blanks (§15.1). Linear.

    What has none for so long is one piece all the same, of which only a part can be quoted.
    """
    start = 0
    while len(text) - start > LONGEST_VALUE:
        end = start + LONGEST_VALUE
        cut = max(text.rfind("\n", start, end), text.rfind(" ", start, end))
        if cut <= start:
            cut = min([place for sign in "\n " if (place := text.find(sign, end)) >= 0], default=len(text))
        yield text[start:cut]
        start = cut
    yield text[start:]
