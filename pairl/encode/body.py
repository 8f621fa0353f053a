"""The records of a conversation, turn by turn (§3.1, §3.3, §7).

This module knows what of a turn becomes which record, and fills the room that there is for it. It does not
know where a body begins or ends, or what an encoding remembers.

What is written of a turn depends on this turn and on those before it. What was seen before is not told again:
a path stands in the body once, an error line behind the first of a result once, and of a result that came
before, only that it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pairl.encode.allowance import Allowance, Sizes
from pairl.encode.budget import LEAST_CHARACTERS, LEAST_TOKENS, Measure
from pairl.encode.carried import line_carried
from pairl.encode.history import Call, Result, Said, Thought, Turn, Unknown
from pairl.encode.items import THOUGHT, Fixed, Item, Quoted, in_pieces
from pairl.encode.past import Late
from pairl.encode.quoting.quote import BY_DEFAULT, Quoting
from pairl.encode.rooms import Rooms
from pairl.encode.section import Section
from pairl.encode.speakers import Markers
from pairl.encode.tools.call_record import CallRecord
from pairl.encode.tools.chain import Edits, Results, aggregated
from pairl.encode.tools.error_lines import LONGEST_ERROR
from pairl.encode.tools.paths import paths_in
from pairl.encode.tools.records import (
    Pair,
    edited_file,
    exit_pairs,
    in_records,
    late_result_lines,
    listed_paths,
    reading_pairs,
    record_line,
    result_lines,
    strings_of,
)
from pairl.encode.tools.results import Reading, read_result

UNKNOWN_ITEM = "unknown_item"
"""The key of a `#fact` that tells that a turn holds an item of a kind that is not known: which."""

QUOTED_BY = {"user": "req", "assistant": "rpt", "system": "rpt"}
"""The record that quotes what was said, by who said it."""


def sizes_of(turns: Iterable[Turn], first: int, measure: Measure) -> Sizes:
    """Return what turns have to quote, and what is written of them in any case; `first` is the first's index.

    Linear in what they hold.
    """
    writer = BodyWriter(Markers(first, named=False), Allowance())
    quotable = kept = 0
    for turn in turns:
        for item in writer.read(turn):
            quotable += item.quotable(measure)
            kept += item.kept(measure) + (item.frame(measure) if isinstance(item, Quoted) else 0)
    return Sizes(quotable, kept)


class BodyWriter:
    """Writes turns one after the other, and remembers what later ones need not repeat."""

    def __init__(
        self,
        markers: Markers,
        allowance: Allowance,
        *,
        balance: int = 0,
        quoting: Quoting = BY_DEFAULT,
    ) -> None:
        """Begin with nothing seen. `balance` is what turns that were written elsewhere left over, or owe."""
        self.balance = balance
        self.dropped: Counter[str] = Counter()
        self._markers = markers
        self._allowance = allowance
        self._quoting = quoting
        self._measure = quoting.measure
        self._least = LEAST_CHARACTERS if quoting.measure is len else LEAST_TOKENS
        self._has_called = False
        self._calls = 0
        self._results = Results()
        self._paths: set[str] = set()
        self._errors: set[str] = set()

    def read(self, turn: Turn) -> list[Item]:
        """Take note of a turn, and return what is to be written of it, room or no room."""
        self._has_called = self._has_called or any(isinstance(part, Call) for part in turn.parts)
        items: list[Item] = [Fixed(line) for line in self._markers.lines(turn)]
        readings = {
            place: read_result(part) for place, part in enumerate(turn.parts) if isinstance(part, Result)
        }
        replaced = aggregated(turn.parts, readings) if len(turn.parts) > 3 else {}
        calls: dict[int, tuple[Call, str]] = {}
        for place, part in enumerate(turn.parts):
            if isinstance(part, Call):
                self._calls += 1
                calls[part.number] = (part, f"c{self._calls}")
            if place in replaced:
                items += self._edits(turn, replaced[place])
            elif isinstance(part, Call):
                items.append(self._call(part, f"c{self._calls}"))
            elif isinstance(part, Result):
                items.append(self._result(part, readings[place], calls))
            elif isinstance(part, Said):
                tag = QUOTED_BY[turn.role]
                items += [
                    Quoted(tag, text, part.is_summary, self._paths_said(text))
                    for text in in_pieces(part.text)
                ]
            elif isinstance(part, Thought):
                items.append(Quoted(THOUGHT, part.text, paths=self._paths_said(part.text)))
            elif isinstance(part, Unknown):
                items.append(Fixed(_unknown_line(part)))
        return items

    def read_late(self, late: Late) -> Item:
        """Take note of a part whose turn was read without it, and return what is to be written of it."""
        (turn,) = self._markers.again(late.turn)
        if isinstance(late.part, Unknown):
            return Fixed(f"{_unknown_line(late.part)} @m={turn}")
        reading = read_result(late.part)
        rid = f"c{late.number}" if late.call is not None else None
        pairs = self._told_of(late.part, reading, late.call, rid)
        if rid is None:
            of_no_call = result_lines(None, is_ok=reading.is_ok, pairs=pairs)
            return Fixed("\n".join(f"{line} @m={turn}" for line in of_no_call), late.part.text)
        lines = late_result_lines(rid, turn, is_ok=reading.is_ok, pairs=pairs)
        return Fixed("\n".join(lines), late.part.text)

    def write(self, items: list[Item]) -> Section:
        """Return what is written of a turn that was read, and settle what it cost."""
        section = Section(self._markers.name, self._quoting, self.dropped)
        is_on = self._is_on
        if self._allowance.share is None or not is_on:
            rooms = Rooms(None)
        elif not self._allowance.is_of_all:
            rooms = Rooms(None, self._allowance.share, self._least, self.balance, self._allowance.most_owed)
        else:
            size = sum(self._measure(item.plain) for item in items)
            self.balance += int(size * self._allowance.share)
            rooms = Rooms(self.balance - sum(item.kept(self._measure) for item in items))
        left = section.write(items, rooms)
        if self._allowance.is_of_all and is_on:
            self.balance -= self._measure(section.text)
        else:
            self.balance = left.balance
        return section

    def _call(self, call: Call, rid: str) -> CallRecord:
        plain = "\n".join(strings_of(call.arguments))
        return CallRecord.of(call, rid, plain, self._unseen(paths_in(plain)))

    @property
    def _is_on(self) -> bool:
        """Whether the allowance holds already."""
        return self._has_called or not self._allowance.from_call

    def _paths_said(self, text: str) -> list[str]:
        """Return the paths in a text that are kept: where room is short for all that is written, new ones."""
        return self._unseen(paths_in(text)) if self._allowance.is_of_all and self._is_on else []

    def _unseen(self, paths: tuple[str, ...]) -> list[str]:
        new = [path for path in paths if path not in self._paths]
        self._paths.update(new)
        return new

    def _result(self, result: Result, reading: Reading, calls: dict[int, tuple[Call, str]]) -> Fixed:
        call, rid = calls.get(result.call or 0, (None, None))
        pairs = self._told_of(result, reading, call, rid)
        return Fixed("\n".join(result_lines(rid, is_ok=reading.is_ok, pairs=pairs)), result.text)

    def _told_of(self, result: Result, reading: Reading, call: Call | None, rid: str | None) -> list[Pair]:
        same = self._results.same_as(call, result.text, rid) if call is not None and rid is not None else None
        if same is not None:
            return [*exit_pairs(reading), ("same_as", same)]
        errors = reading.errors[:1] + tuple(line for line in reading.errors[1:] if line not in self._errors)
        self._errors.update(reading.errors)
        return [
            *reading_pairs(reading, errors, result.details),
            *listed_paths(self._unseen(reading.paths)),
        ]

    def _edits(self, turn: Turn, edits: Edits | None) -> list[Item]:
        """Return the record that takes the place of a run of edits; nothing for all but the last part."""
        if edits is None:
            return []
        parts = [turn.parts[place] for place in edits.parts]
        plain = "\n".join(
            "\n".join(strings_of(part.arguments)) if isinstance(part, Call) else part.text for part in parts
        )
        paths = self._unseen(paths_in(plain))
        file = edited_file(edits.file)
        pairs = listed_paths([path for path in paths if path != file])
        head = [("file", file), ("changes", str(edits.changes))]
        return [Fixed("\n".join(in_records("edit", head, pairs)), plain)]


def _unknown_line(part: Unknown) -> str:
    kind = line_carried(part.kind[: LONGEST_ERROR + 1], LONGEST_ERROR) or "none"
    return record_line("fact", [(UNKNOWN_ITEM, kind)])
