"""Quotes a turn within a room: whole where it fits, else what is worth most of it, in its own words.

This module knows how parts are tried, from sentences to phrases, until those that fit keep what is worth
keeping. It does not know what that is (`pairl.encode.quoting.weights`), how a text is cut (`.spans`), what no
message can carry (`.quotable`), or what room a turn gets.

Whatever it returns was verified as a quotation of the text (§3.1, §11 V15).

    >>> quote("The tide turns at 14:05. We went for a walk. Do not row out after 15:30!", 60)
    Quotation(content='The tide turns at 14:05. [...] Do not row out after 15:30!', is_whole=False)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from pairl.encode.budget import Measure
from pairl.encode.quoting.heuristics import HEURISTICS, Heuristic
from pairl.encode.quoting.lined_text import lined
from pairl.encode.quoting.quotable import Quotable
from pairl.encode.quoting.selection import Costs, Weighed, choose
from pairl.encode.quoting.spans import Span, clauses, phrases, sentences
from pairl.encode.quoting.weights import Worth, worths
from pairl.quotation import ELISION, normalise, verify

Propose = Callable[[str, int], Iterable[str]]
"""Proposes fragments of a text, its first argument, that fit together in a room, its second: a model's."""

_FIRST_WORTH = 3.0
_WORDS_OF_A_PHRASE = 3
_ENOUGH = 0.97
_MOST_TRIES = 8


class Quotation(msgspec.Struct, frozen=True):
    """A content that quotes a turn, and whether nothing of the turn but white space is left out."""

    content: str
    is_whole: bool


def quote(
    text: str,
    room: int | None = None,
    measure: Measure = len,
    propose: Propose | None = None,
    heuristics: tuple[Heuristic, ...] = HEURISTICS,
) -> Quotation | None:
    """Return a quotation of `text` that takes at most `room`, as `measure` says; None where there is none.

    Without a room everything is quoted. What `propose` proposes is quoted as far as it stands in the text,
    cuts no word and no clause with a negation, and fits; where nothing of it does, the heuristics choose.
    What they choose is the same each time. Linear in the text.
    """
    turn = Quotable(text, measure)
    if turn.is_a_quotation and (room is None or measure(turn.stripped) <= room):
        return Quotation(turn.stripped, is_whole=True)
    content = turn.content([turn.whole])
    if not content or (room is not None and measure(content) > room):
        room = measure(text) if room is None else room
        chooser = _Chooser(turn)
        content = chooser.proposed(propose(text, room), room) if propose is not None else ""
        content = content or chooser.chosen(room, heuristics)
        if measure(content) > room:
            return None
    if not content or verify(content, turn.source):
        return None
    return Quotation(content, is_whole=content == turn.stripped)


def quote_a_sentence(text: str, longest: int) -> Quotation | None:
    """Return a quotation of the first sentence of at most `longest` characters; None where there is none.

    For a text of which nothing fits its room: a sentence with a negation is not cut (see `.negations`).
    """
    cut = lined(text)
    for sentence in sentences(cut):
        if sentence.end - sentence.start <= longest:
            found = quote(cut[sentence.start : sentence.end])
            if found is not None:
                return Quotation(found.content, is_whole=False)
    return None


class _Chooser:
    """Chooses from a text what is quoted of it."""

    def __init__(self, turn: Quotable) -> None:
        self._turn = turn
        self._lined = lined(turn.source.text)
        self._costs = Costs(turn.measure(" "), turn.measure(ELISION))

    def chosen(self, room: int, heuristics: tuple[Heuristic, ...]) -> str:
        """Return what the heuristics choose: sentences, or smaller parts if those keep more of the values."""
        found = worths(self._lined, heuristics)
        numbers: dict[str, int] = {}
        weights: list[float] = []
        values: list[int | None] = []
        for one in found:
            number = None
            if one.heuristic.is_value:
                number = numbers.setdefault(self._lined[one.start : one.end], len(weights))
                if number == len(weights):
                    weights.append(one.heuristic.weight)
                weights[number] = one.heuristic.weight
            values.append(number)
        best, most = "", -1.0
        for units in self._cuts(found):
            weighed = self._weighed(units, found, values)
            content, taken = self._fitting(units, weighed, weights, room)
            kept = sum(
                [weights[value] for value in {value for one in taken for value in weighed[one].values}]
            )
            if content and kept > most:
                best, most = content, kept
            if best and most >= _ENOUGH * sum(weights):
                break
        return best

    def proposed(self, proposals: Iterable[str], room: int) -> str:
        """Return the content that quotes what was proposed, as far as it stands there, is whole and fits."""
        parts = chain.from_iterable(clauses(self._lined, one, frozenset()) for one in sentences(self._lined))
        bound = [part for part in parts if part.is_bound]
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

    def _cuts(self, found: Sequence[Worth]) -> Iterator[list[Span]]:
        """Yield what may be chosen from: sentences, then clauses and phrases, if those are smaller."""
        units = sentences(self._lined)
        yield units
        whole: set[int] = set()
        for one in found:
            whole.update(self._places_within(one))
        parts = [part for unit in units for part in clauses(self._lined, unit, whole)]
        if len(parts) > len(units):
            yield parts
        pieces = [piece for part in parts for piece in phrases(self._lined, part, whole, _WORDS_OF_A_PHRASE)]
        if len(pieces) > len(parts):
            yield pieces

    def _places_within(self, one: Worth) -> range:
        """Return where a cut would part a value, or a number from what it counts."""
        value = self._lined[one.start : one.end]
        counts = one.heuristic.name == "number" and self._lined[one.end + 1 : one.end + 2].isalpha()
        # Nothing is cut within a single word, where no full-width punctuation can be in it.
        is_word = " " not in value and value.isascii()
        return range(one.end if is_word else one.start + 1, one.end + counts)

    def _weighed(
        self, units: Sequence[Span], found: Sequence[Worth], numbers: Sequence[int | None]
    ) -> list[Weighed]:
        """Return the units with what they are worth; `numbers` are those of the values that were found."""
        ends = [unit.end for unit in units]
        worths = [0.0] * len(units)
        if worths:
            worths[0] = _FIRST_WORTH
        values: dict[int, dict[int, None]] = {}
        for one, number in zip(found, numbers, strict=True):
            place = bisect_right(ends, one.start)
            if place == len(ends):
                break
            if number is None or one.end > ends[place]:
                worths[place] += one.heuristic.weight
            else:
                values.setdefault(place, {})[number] = None
        contained: list[tuple[int, ...]] = [()] * len(units)
        for place, known in values.items():
            contained[place] = tuple(known)
        return list(map(Weighed, self._turn.sizes(units), worths, contained))

    def _fitting(
        self, units: Sequence[Span], weighed: Sequence[Weighed], weights: Sequence[float], room: int
    ) -> tuple[str, list[int]]:
        """Return a content that takes at most `room`, and the numbers of its units.

        What parts take together is not known before they are put together. Where it is more than they take
        one by one, there is less room for them.
        """
        left = room
        for _ in range(_MOST_TRIES):
            taken = choose(weighed, weights, left, self._costs)
            content = self._turn.content(_runs(units, taken))
            size = self._turn.measure(content)
            if size <= room:
                return content, taken
            left = left * room // size - 1
        return "", []


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
