"""What is appended to a body: the lines of turns, what they quote, and which earlier turns they name.

This module knows that what came late is written before the turns that are new, and when nothing is
left of a turn. It does not know where a body goes on, or how a turn is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairl.encode.body import BodyWriter
from pairl.encode.history import Said, Thought, Turn
from pairl.encode.items import Fixed, Item
from pairl.encode.past import Late
from pairl.encode.section import Section
from pairl.encode.speakers import Markers
from pairl.quotation import SourceTurn

NOTHING_LEFT = "turns of which nothing is left"
"""What turns are called that are a marker and no more, though something was said or thought in them."""


class Addition:
    """What is appended to a body."""

    def __init__(self, writer: BodyWriter, markers: Markers, start: int) -> None:
        """Begin with nothing; `start` is the index of the first turn that is written."""
        self.lines: list[str] = []
        self.source: list[SourceTurn] = []
        self.earlier: dict[str, str] = {}
        self._writer = writer
        self._markers = markers
        self._start = start

    def add(self, turn: Turn, items: list[Item]) -> None:
        """Add a turn."""
        section = self._write(items)
        self.earlier |= self._markers.answered_before(self._start)
        if _is_nothing_left(turn, items, section):
            self._writer.dropped[NOTHING_LEFT] += 1

    def add_late(self, late: Sequence[Late]) -> None:
        """Add parts of turns that were written without them."""
        for one in late:
            self.earlier |= self._markers.again(one.turn)
        self._write([self._writer.read_late(one) for one in late])

    def _write(self, items: list[Item]) -> Section:
        section = self._writer.write(items)
        self.lines.append(section.text)
        self.source += section.source
        return section


def _is_nothing_left(turn: Turn, items: Sequence[Item], section: Section) -> bool:
    """Say whether nothing but a marker is written of a turn in which something was said or thought."""
    texts = [part.text for part in turn.parts if isinstance(part, Said | Thought)]
    if len(texts) < len(turn.parts) or not any(text.strip() for text in texts):
        return False
    return section.text == "".join([f"{item.lines}\n" for item in items if isinstance(item, Fixed)])
