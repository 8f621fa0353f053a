"""A text that is quoted from: how parts of it become a content that verifies and can be written.

This module knows what a value of a message can carry (§8.2, §9.5), and cuts around the rest. It does not know
which parts are worth quoting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pairl.encode.budget import Measure
from pairl.encode.quoting.spans import Span
from pairl.grammar import CONTROL, SURROGATE
from pairl.quotation import ELISION, SourceText, fragments

# One set of characters is looked for fastest.
_REFUSED = re.compile(f"[{CONTROL.pattern.strip('[]')}{SURROGATE.pattern.strip('[]')}]++")
_ELIDED = ELISION.strip()
_UNWRITABLE_END = re.compile(r"(?:\\[\\ ]*+(?:\]\.\.\.\[(?= |\Z) *+)?+)*+")


class Quotable:
    """The text of a turn; all offsets are those of the text with each run of white space as one character.

    `stripped` is all of it, with each run of white space as one blank, and none around it.
    """

    def __init__(self, text: str, measure: Measure) -> None:
        """Make `text` ready."""
        self.source = SourceText(text)
        self.measure = measure
        self.stripped = self.source.normalised.strip(" ")
        self._is_plain = _REFUSED.search(text) is None and _ELIDED not in text

    @property
    def is_a_quotation(self) -> bool:
        """Whether all of the text, as it is, is a quotation of it that can be written."""
        return self._is_plain and self.stripped != "" and not self.stripped.endswith("\\")

    @property
    def whole(self) -> Span:
        """All of the text."""
        return Span(0, len(self.source.normalised))

    def content(self, runs: Iterable[Span]) -> str:
        """Return the content that quotes these parts, in order; a part that is not found so is left out."""
        kept: list[str] = []
        end = 0
        for run in runs:
            pieces = self._pieces(run)
            found = self._end_of(pieces, run, end)
            if found is not None:
                kept += pieces
                end = found
        while kept:
            last = _without_backslash(kept.pop())
            if last:
                return ELISION.join([*kept, last])
        return ""

    def sizes(self, parts: Sequence[Span]) -> list[int]:
        """Return what room each of several parts takes, quoted on its own."""
        if self._is_plain and self.measure is len:
            return [part.end - part.start for part in parts]
        return [self.size(part) for part in parts]

    def size(self, part: Span) -> int:
        """Return what room a part takes, quoted on its own."""
        if self._is_plain:
            return self.measure(self.source.normalised[part.start : part.end])
        return self.measure(ELISION.join(self._pieces(part)))

    def _pieces(self, part: Span) -> list[str]:
        """Return what of a part can stand in a value, and is no elision of the text's own."""
        said = self.source.normalised[part.start : part.end].strip(" ")
        if self._is_plain:
            return [said] if said else []
        if _REFUSED.search(said):
            said = _REFUSED.sub(ELISION, said)
        return [piece for piece in fragments(said) if piece]

    def _end_of(self, pieces: Sequence[str], run: Span, end: int) -> int | None:
        """Return where the last of the pieces ends if all stand behind `end`, one after the other."""
        for piece in pieces:
            start = self.source.normalised.find(piece, end)
            # Most often a run is found where it was taken from, and that cuts no word.
            if start != run.start or not self._is_plain:
                start = self.source.find_whole(piece, end)
            if start < 0:
                return None
            end = start + len(piece)
        return end


def _without_backslash(piece: str) -> str:
    """Return `piece` without what no value ends in (§8.2), and without an elision that it then ends in."""
    match = _UNWRITABLE_END.match(piece[::-1])
    return piece[: len(piece) - match.end()] if match else piece
