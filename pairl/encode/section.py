"""What is written of one turn: lines that stand in any case, and what is quoted as far as there is room.

This module knows how a room is shared out: what calls were given first, as far as it is short, then what was
said, then what was thought. It does not know how much room a turn has, or what of a text is worth quoting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pairl.encode.carried import is_cut, line_carried
from pairl.encode.items import THOUGHT, Fixed, Item, Quoted
from pairl.encode.quoting.quote import Quotation, Quoting, quote, quote_a_sentence
from pairl.encode.quoting.weights import values_in
from pairl.encode.rooms import Rooms, shared_out
from pairl.encode.tools.call_record import CallRecord
from pairl.encode.tools.paths import paths_in
from pairl.encode.tools.records import LONGEST_VALUE, in_records, listed_paths, record_line
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

_LONGEST_CITED = 160


class Section:
    """What was written of a turn: its lines, what they quote, and how much was left out."""

    def __init__(self, name: str, quoting: Quoting, dropped: Counter[str]) -> None:
        """Begin the turn that has this name in its marker; what is left out is counted in `dropped`."""
        self.name = name
        self.text = ""
        self.source: list[SourceTurn] = []
        self._dropped = dropped
        self._quoting = quoting
        self._measure = quoting.measure
        self._written: list[str] = []

    def write(self, items: Sequence[Item], rooms: Rooms) -> Rooms:
        """Fill the room; return what is left. What is said shortly has room in any case."""
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
            rooms = self._write_texts(said, rooms, SHORT_TEXT)
        if thought:
            rooms = self._write_texts(thought, rooms.less((rooms.left or 0) // 2), 0)
        self.text = "".join([f"{lines}\n" for lines in self._written if lines])
        return rooms

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
            if is_cut(text):
                self._dropped["arguments cut"] += 1
            used += size if room is None else min(size, room)
        for index, call in calls:
            self._dropped["arguments left out"] += len(call.arguments) - len(told[index])
            self._written[index] = call.lines(told[index])
        return rooms.less(used)

    def _write_texts(self, texts: Sequence[tuple[int, Quoted]], rooms: Rooms, least: int) -> Rooms:
        """Write quotations; return the room that is left.

        Where there is one room for all that is written, each has some for `least` characters at least.
        """
        if rooms.left is None:
            return self._write_shares(texts, rooms)
        frame = texts[0][1].frame(self._measure)
        sizes = [self._measure(item.text) for _, item in texts]
        used = 0
        for (index, item), size, room in zip(
            texts, sizes, shared_out(rooms.left, [size + frame for size in sizes]), strict=True
        ):
            length = max(1, len(item.text))
            self._write_text(index, item, size, max(room - frame, size * min(least, length) // length))
            # The paths are paid already.
            used += self._measure(self._written[index])
            self._keep_paths(index, item.paths)
        return rooms.less(used)

    def _write_shares(self, texts: Sequence[tuple[int, Quoted]], rooms: Rooms) -> Rooms:
        """Write quotations, each in its share of the room or, where there is no share, all of each."""
        for index, item in texts:
            size = self._measure(item.text)
            room = rooms.for_text(size, is_short=len(item.text) <= SHORT_TEXT)
            quotation = self._write_text(index, item, size, room)
            if room is not None:
                # A sentence that is quoted without room for it is no debt of the texts behind it.
                rooms = rooms.settled(size, min(room, self._measure(quotation.content)) if quotation else 0)
            self._keep_paths(index, item.paths)
        return rooms

    def _write_text(self, index: int, item: Quoted, size: int, room: int | None) -> Quotation | None:
        """Write what is quoted of a text of this size, and return it."""
        length = max(1, len(item.text))
        quotation = None
        if room is None or room * length >= size * min(SHORTEST_QUOTATION, length):
            quotation = self._quoted(item, room)
        if quotation is not None:
            self._written[index] = self._record(item, quotation)
        elif item.text.strip():
            self._dropped[f"{item.what} left out"] += 1
        return quotation

    def _keep_paths(self, index: int, paths: Sequence[str]) -> None:
        """Add facts for those of a text's paths that its quotation does not show."""
        if not paths:
            return
        shown = frozenset(paths_in(self._written[index]))
        facts = [
            record_line("fact", [pair])
            for pair in listed_paths([each for each in paths if each not in shown])
        ]
        self._written[index] = "\n".join(filter(None, [self._written[index], *facts]))

    def _quoted(self, item: Quoted, room: int | None) -> Quotation | None:
        """Return what is quoted of a text; None where it would not fit, or there is nothing to quote."""
        if len(item.text) > LONGEST_VALUE:
            room = LONGEST_VALUE if room is None else min(room, LONGEST_VALUE)
        quotation = quote(item.text, room, self._quoting) if room is None or room > 0 else None
        if quotation is None and item.tag != THOUGHT:
            quotation = quote_a_sentence(item.text, LONGEST_SENTENCE, self._quoting)
        if quotation is None or len(quotation.content) > LONGEST_VALUE:
            return None
        if not quotation.is_whole:
            self._dropped[f"{item.what} quoted in part"] += 1
        return quotation

    def _record(self, item: Quoted, quotation: Quotation) -> str:
        """Return the record of a quotation, and facts for the values of a summary."""
        if item.tag == THOUGHT:
            return record_line(THOUGHT, [("summary", quotation.content)])
        if not item.is_summary:
            self.source.append(SourceTurn(self.name, item.text))
            return record_line(item.tag, [("content", quotation.content)])
        values = values_in(item.text, self._quoting.heuristics)
        cited = [line_carried(value, _LONGEST_CITED) for value in values]
        facts = [(f"value{number}", value) for number, value in enumerate(filter(None, cited), 1)]
        head = [("content", quotation.content), ("mode", CONDENSED)]
        lines = [record_line(item.tag, head)]
        if facts:
            lines += in_records("fact", facts[:1], facts[1:])
        return "\n".join(lines)
