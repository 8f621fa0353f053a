"""What is written of one turn: lines that stand in any case, and what is quoted as far as there is room.

This module knows how a room is shared out: what calls were given first, as far as it is short, then what was
said, then what was thought. It does not know how much room a turn has, or what of a text is worth quoting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from pairl.encode.allowance import shared_out
from pairl.encode.budget import LEAST_CHARACTERS, Measure, room_for
from pairl.encode.carried import line_carried
from pairl.encode.quoting.quote import Propose, quote, quote_a_sentence
from pairl.encode.quoting.weights import values_in
from pairl.encode.tools.call_record import CallRecord
from pairl.encode.tools.records import LONGEST_VALUE, in_records, listed_paths, record_line
from pairl.encode.tools.results import paths_in
from pairl.quotation import SourceTurn
from pairl.vocabulary import CONDENSED

SHORT_ARGUMENT = 120
"""Characters of a value that are written of it where room has to be found for all that is written."""

SHORT_TEXT = 120
"""Characters. So much of what is said is quoted in any case: all that follows may hang on a request, and an
answer may be what all before it was for."""

LONGEST_SENTENCE = 300
"""Characters. Where nothing of what is said fits its room, a sentence of up to so many is quoted anyway."""

SHORTEST_QUOTATION = 24
"""Characters. Where there is room for fewer, nothing is quoted: a word or two of a text tell nothing."""

THOUGHT = "think"
_LONGEST_CITED = 160


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


class Rooms(msgspec.Struct, frozen=True):
    """The room for a turn: so much for all of it, or a share of each text; neither is room for everything."""

    left: int | None
    share: float | None = None
    least: int = 0

    def for_each(self, sizes: Sequence[int], part: float = 1.0) -> list[int | None]:
        """Return the room of each of several texts, all together at most this part of what is left."""
        if self.left is not None:
            return list(shared_out(int(self.left * part), sizes))
        if self.share is not None:
            return [room_for(size, self.share, least=self.least) for size in sizes]
        return [None] * len(sizes)

    def less(self, used: int) -> Rooms:
        """Return the room that is left when so much is used."""
        return self if self.left is None else Rooms(self.left - used)


class Section:
    """What was written of a turn: its lines, what they quote, and how much was left out."""

    def __init__(self, name: str, measure: Measure, propose: Propose | None, dropped: Counter[str]) -> None:
        """Begin the turn that has this name in its marker; what is left out is counted in `dropped`."""
        self.name = name
        self.text = ""
        self.source: list[SourceTurn] = []
        self._dropped = dropped
        self._measure = measure
        self._propose = propose
        self._written: list[str] = []

    def write(self, items: Sequence[Item], rooms: Rooms) -> None:
        """Fill the room. What is said shortly has room in any case."""
        said: list[tuple[int, Quoted]] = []
        thought: list[tuple[int, Quoted]] = []
        calls: list[tuple[int, CallRecord]] = []
        self._written = [""] * len(items)
        for index, item in enumerate(items):
            if isinstance(item, Fixed):
                self._written[index] = item.lines
            elif isinstance(item, CallRecord):
                calls.append((index, item))
            else:
                (thought if item.tag == THOUGHT else said).append((index, item))
        if calls:
            rooms = self._write_calls(calls, rooms, 0.5 if said else 1.0)
        if said:
            rooms = self._write_texts(said, rooms, SHORT_TEXT, LEAST_CHARACTERS)
        if thought:
            self._write_texts(thought, rooms.less((rooms.left or 0) // 2), 0, 0)
        self.text = "".join([f"{lines}\n" for lines in self._written if lines])

    def _write_calls(self, calls: Sequence[tuple[int, CallRecord]], rooms: Rooms, part: float) -> Rooms:
        """Write calls; return the room that is left. What is told in any case is paid already."""
        longest = SHORT_ARGUMENT if rooms.left is not None else None
        values = [(index, argument) for index, call in calls for argument in call.told(longest)]
        sizes = [self._measure(value.text) - self._measure(value.least) for _, value in values]
        told: dict[int, list[tuple[str, str]]] = {index: [] for index, _ in calls}
        used = 0
        for (index, value), size, room in zip(values, sizes, rooms.for_each(sizes, part), strict=True):
            text = value.told(room, size)
            if text or not value.text:
                told[index].append((value.key, text))
            if text and text != value.text:
                self._dropped["arguments cut"] += 1
            used += size if room is None else min(size, room)
        for index, call in calls:
            self._dropped["arguments left out"] += len(call.arguments) - len(told[index])
            self._written[index] = call.lines(told[index])
        return rooms.less(used)

    def _write_texts(
        self, texts: Sequence[tuple[int, Quoted]], rooms: Rooms, least: int, short: int
    ) -> Rooms:
        """Write quotations; return the room that is left.

        Where room is short for all that is written, each has room for `least` characters at least, and a text
        of up to `short` characters for all of them.
        """
        is_short = rooms.left is not None
        frame = texts[0][1].frame(self._measure) if is_short else 0
        sizes = [self._measure(item.text) + frame for _, item in texts]
        used = 0
        for (index, item), size, room in zip(texts, sizes, rooms.for_each(sizes), strict=True):
            length = max(1, len(item.text))
            if room is not None and is_short:
                in_any_case = length if length <= short else min(least, length)
                room = max(room - frame, (size - frame) * in_any_case // length)
            if room is None or room * length >= (size - frame) * min(SHORTEST_QUOTATION, length):
                self._written[index] = self._quoted(item, room)
                if is_short:
                    used += self._measure(self._written[index])
            elif item.text.strip():
                self._dropped[f"{item.what} left out"] += 1
            if item.paths:
                self._keep_paths(index, item.paths)
        return rooms.less(used)

    def _keep_paths(self, index: int, paths: Sequence[str]) -> None:
        """Add facts for paths that a quotation does not show."""
        shown = frozenset(paths_in(self._written[index]))
        facts = [
            record_line("fact", [pair])
            for pair in listed_paths([each for each in paths if each not in shown])
        ]
        self._written[index] = "\n".join(filter(None, [self._written[index], *facts]))

    def _quoted(self, item: Quoted, room: int | None) -> str:
        """Return the record that quotes a text, and facts for the values of a summary."""
        if len(item.text) > LONGEST_VALUE:
            room = LONGEST_VALUE if room is None else min(room, LONGEST_VALUE)
        quotation = quote(item.text, room, self._measure, self._propose) if room is None or room > 0 else None
        if quotation is None and item.tag != THOUGHT:
            quotation = quote_a_sentence(item.text, LONGEST_SENTENCE)
        if quotation is None or len(quotation.content) > LONGEST_VALUE:
            if item.text.strip():
                self._dropped[f"{item.what} left out"] += 1
            return ""
        if not quotation.is_whole:
            self._dropped[f"{item.what} quoted in part"] += 1
        if item.tag == THOUGHT:
            return record_line(THOUGHT, [("summary", quotation.content)])
        if not item.is_summary:
            self.source.append(SourceTurn(self.name, item.text))
            return record_line(item.tag, [("content", quotation.content)])
        cited = [line_carried(value, _LONGEST_CITED) for value in values_in(item.text)]
        facts = [(f"value{number}", value) for number, value in enumerate(filter(None, cited), 1)]
        head = [("content", quotation.content), ("mode", CONDENSED)]
        lines = [record_line(item.tag, head)]
        if facts:
            lines += in_records("fact", facts[:1], facts[1:])
        return "\n".join(lines)
