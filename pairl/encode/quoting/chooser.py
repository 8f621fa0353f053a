"""Chooses from a text what is quoted of it: whole clauses, or less of them if that keeps more values.

This module knows what parts of a text are worth for the words in them and for where they stand, and tries
which of them fit. It does not know which words are worth something (`.weights`), how a text is cut
(`.units`), or how units are weighed against each other (`.selection`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from pairl.encode.quoting.clauses import clause_ends
from pairl.encode.quoting.heuristics import Heuristic
from pairl.encode.quoting.lined_text import lined
from pairl.encode.quoting.quotable import Quotable
from pairl.encode.quoting.selection import Costs, Weighed, choose
from pairl.encode.quoting.spans import Span, is_answer, is_heading, sentences
from pairl.encode.quoting.units import coarse_units, fine_units
from pairl.encode.quoting.weights import read_words
from pairl.quotation import ELISION, normalise

_FIRST_WORTH = 3.0
_SHORTEST_BEGINNING = 12
"""What a text begins with says what it is about, unless it is as short as a greeting."""

_ANSWER_WORTH = 20.0
"""The question is in another turn, and may be kept: without its answer it says nothing, or the opposite."""

_RESTRICTED_WORTH = 1.5
_HEADING_WORTH = 3.0
_ENOUGH = 0.95
_ROOM_FOR_FRAGMENTS = 0.25
"""Where there is room for a smaller share of a text, clauses are not cut: fewer, but whole ones tell more."""

_MOST_TRIES = 8


class Chooser:
    """A text, read once, from which parts are chosen."""

    def __init__(self, turn: Quotable, heuristics: tuple[Heuristic, ...]) -> None:
        """Read the text of a turn, and find in it what the table of heuristics says is worth something."""
        normalised, text = turn.source.normalised, turn.source.text
        self._turn = turn
        self._lined = text if normalised == text else lined(text)
        self._words = read_words(self._lined, heuristics)
        self._sentences = sentences(self._lined, self._words.restrictions)
        self._costs = Costs(turn.measure(" "), turn.measure(ELISION))

    def chosen(self, room: int) -> str:
        """Return what the heuristics choose: whole clauses, or less of them if that keeps more values.

        Nothing where the text is little more than one part that does not fit, and that holds more values than
        all that does.
        """
        numbers, weights = self._values()
        units = coarse_units(self._lined, self._sentences, self._words)
        weighed = self._weighed(units, numbers)
        best, most = self._fitting(units, weighed, weights, room)
        largest = max(weighed, key=lambda one: one.size, default=Weighed(0, 0.0))
        is_most = largest.size > room and 2 * largest.size > sum([one.size for one in weighed])
        if is_most and sum([weights[value] for value in largest.values]) > most:
            return ""
        is_much = room >= _ROOM_FOR_FRAGMENTS * self._turn.measure(self._turn.source.normalised)
        if most < _ENOUGH * sum(weights) and is_much:
            finer = fine_units(self._turn.source.normalised, units, self._words)
            content, kept = self._fitting(finer, self._weighed(finer, numbers), weights, room)
            if content and kept > most:
                return content
        return best

    def by_worth(self) -> list[Span]:
        """Return the sentences, those first that are worth most; of the same worth, in order."""
        worths = dict.fromkeys(self._sentences, 0.0)
        ends = [sentence.end for sentence in self._sentences]
        for one in self._words.worths:
            place = bisect_right(ends, one.start)
            if place < len(ends):
                worths[self._sentences[place]] += one.heuristic.weight
        return sorted(worths, key=lambda sentence: -worths[sentence])

    def text(self, part: Span) -> str:
        """Return a part of the text."""
        return self._lined[part.start : part.end]

    def proposed(self, proposals: Iterable[str], room: int) -> str:
        """Return the content that quotes what was proposed, as far as it stands there, is whole and fits."""
        bound = [self._bound_part(sentence) for sentence in self._sentences if sentence.is_bound]
        starts = [part.start for part in bound]
        runs: list[Span] = []
        end = 0
        for passage in self._turn.source.passages(proposals):
            fragment = normalise(self._turn.source.copy(passage))
            start = self._turn.source.find_whole(fragment, end)
            end = start + len(fragment)
            cost = self._turn.size(Span(start, end)) + (self._costs.elision if runs else 0)
            if cost <= room and not _cuts_one_of(bound, starts, start, end):
                runs.append(Span(start, end))
                room -= cost
        return self._turn.content(runs)

    def _bound_part(self, sentence: Span) -> Span:
        """Return what of a bound sentence stays whole."""
        ends = clause_ends(self._lined, sentence, self._words.restrictions, self._words.conditions)
        return Span(sentence.start, ends[0] if ends else sentence.end)

    def _values(self) -> tuple[list[int | None], list[float]]:
        """Return the number of the value that each worth is, None if it is none; and the values' weights."""
        known: dict[str, int] = {}
        numbers: list[int | None] = []
        weights: list[float] = []
        for one in self._words.worths:
            number = None
            if one.heuristic.is_value:
                number = known.setdefault(self._lined[one.start : one.end], len(weights))
                if number == len(weights):
                    weights.append(one.heuristic.weight)
            numbers.append(number)
        return numbers, weights

    def _weighed(self, units: Sequence[Span], numbers: Sequence[int | None]) -> list[Weighed]:
        """Return the units with what they are worth; `numbers` are those of the values that were found."""
        weighed: list[Weighed] = []
        worths = self._words.worths
        place = 0
        for unit, size in zip(units, self._turn.sizes(units), strict=True):
            worth = self._standing(unit, size, is_first=not weighed)
            values: list[int] = []
            while place < len(worths) and (one := worths[place]).start < unit.end:
                number = numbers[place]
                place += 1
                if number is None or one.end > unit.end:
                    worth += one.heuristic.weight
                else:
                    values.append(number)
            weighed.append(Weighed(size, worth, tuple(dict.fromkeys(values)) if values else ()))
        return weighed

    def _standing(self, unit: Span, size: int, *, is_first: bool) -> float:
        """Return what a unit is worth for where it stands and that it denies, whatever words are in it."""
        worth = _RESTRICTED_WORTH if unit.is_bound else 0.0
        if is_first and is_answer(self._lined, unit):
            worth += _ANSWER_WORTH
        elif is_first and size >= _SHORTEST_BEGINNING:
            worth += _FIRST_WORTH
        if is_heading(self._lined, unit):
            worth += _HEADING_WORTH
        return worth

    def _fitting(
        self, units: Sequence[Span], weighed: Sequence[Weighed], weights: Sequence[float], room: int
    ) -> tuple[str, float]:
        """Return a content of units that takes at most `room`, and what the values in it weigh.

        What parts take together is not known before they are put together. Where it is more than they take
        one by one, there is less room for them, and with each try less than that.
        """
        left = room
        for tries in range(_MOST_TRIES):
            taken = choose(weighed, weights, left, self._costs)
            content = self._turn.content(_runs(units, taken))
            size = self._turn.measure(content)
            if size <= room:
                kept = {value for number in taken for value in weighed[number].values}
                return content, sum([weights[value] for value in kept])
            left = left * room // size - 1 - (room >> (_MOST_TRIES - tries))
        return "", -1.0


def _runs(units: Sequence[Span], numbers: Iterable[int]) -> Iterator[Span]:
    """Yield the parts that the units of these numbers make up, those side by side as one."""
    start = last = -1
    for number in numbers:
        if number != last + 1 or start < 0:
            if start >= 0:
                yield Span(start, units[last].end)
            start = units[number].start
        last = number
    if start >= 0:
        yield Span(start, units[last].end)


def _cuts_one_of(bound: Sequence[Span], starts: Sequence[int], start: int, end: int) -> bool:
    """Say whether a part that begins at `start` begins or ends within a clause that is not to be cut."""
    first = bisect_right(starts, start) - 1
    last = bisect_left(starts, end) - 1
    return (first >= 0 and starts[first] < start < bound[first].end) or (
        last >= 0 and starts[last] < end < bound[last].end
    )
