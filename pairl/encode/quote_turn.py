"""Quotes a turn within a room: whole where it fits, else what is worth most of it, in its own words.

This module knows how what is chosen becomes a content that verifies. It does not know what is worth quoting
(`pairl.encode.weights`), how a text is cut (`pairl.encode.spans`), or what room a turn gets.

Whatever it returns was verified as a quotation of the text (§3.1, §11 V15), and is a value that a message can
carry: what no value holds is cut around.

    >>> quote("The tide turns at 14:05. We went for a walk. Do not row out after 15:30!", 60)
    Quotation(content='The tide turns at 14:05. [...] Do not row out after 15:30!', is_whole=False)
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from pairl.encode.heuristics import HEURISTICS, Heuristic
from pairl.encode.selection import Costs, Weighed, choose
from pairl.encode.spans import Span, clauses, lined, phrases, sentences
from pairl.encode.weights import Worth, worths
from pairl.grammar import CONTROL, SURROGATE
from pairl.quotation import ELISION, SourceText, fragments, normalise, verify

Propose = Callable[[str, int], Iterable[str]]
"""Proposes fragments of a text, its first argument, that fit together in a room, its second: a model's."""

Measure = Callable[[str], int]
"""What room a text takes: more for a longer one, and for two texts together at most about what each takes."""

_REFUSED = re.compile(rf"(?:{CONTROL.pattern}|{SURROGATE.pattern})++")
_UNWRITABLE_END = re.compile(r"(?:\\[\\ ]*+(?:\]\.\.\.\[(?= |\Z) *+)?+)*+")
_ELIDED = ELISION.strip()
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
    turn = _Turn(text, measure)
    content = turn.content([Span(0, len(turn.lined))])
    if room is None:
        room = max(measure(content), measure(text))
    if not content or measure(content) > room:
        content = turn.proposed(propose(text, room), room) if propose is not None else ""
        content = content or turn.chosen(room, heuristics)
        if measure(content) > room:
            return None
    if not content or verify(content, turn.source):
        return None
    return Quotation(content, is_whole=content == turn.source.normalised.strip(" "))


class _Turn:
    """A text that is quoted from."""

    def __init__(self, text: str, measure: Measure) -> None:
        self.lined = lined(text)
        self.source = SourceText(text)
        self._measure = measure
        self._costs = Costs(measure(" "), measure(ELISION))
        self._is_plain = _REFUSED.search(text) is None and _ELIDED not in text

    def content(self, runs: Iterable[Span]) -> str:
        """Return the content that quotes these parts, in order; a part that is not found so is left out."""
        kept: list[str] = []
        end = 0
        for run in runs:
            pieces = self._pieces(run)
            found = self._end_of(pieces, end)
            if found is not None:
                kept += pieces
                end = found
        while kept:
            last = _without_backslash(kept.pop())
            if last:
                return ELISION.join([*kept, last])
        return ""

    def chosen(self, room: int, heuristics: tuple[Heuristic, ...]) -> str:
        """Return what the heuristics choose: sentences, or smaller parts if those keep more of the values."""
        found = worths(self.lined, heuristics)
        names = dict.fromkeys(self.lined[one.start : one.end] for one in found if one.heuristic.is_value)
        numbers = {name: number for number, name in enumerate(names)}
        weights = [0.0] * len(numbers)
        for one in found:
            if one.heuristic.is_value:
                weights[numbers[self.lined[one.start : one.end]]] = one.heuristic.weight
        best, most = "", -1.0
        for units in self._cuts(found):
            weighed = list(self._weighed(units, found, numbers))
            content, taken = self._fitting(units, weighed, weights, room)
            kept = sum(
                weights[value] for value in {value for number in taken for value in weighed[number].values}
            )
            if content and kept > most:
                best, most = content, kept
            if best and most >= _ENOUGH * sum(weights):
                break
        return best

    def proposed(self, proposals: Iterable[str], room: int) -> str:
        """Return the content that quotes what was proposed, as far as it stands there, is whole and fits."""
        parts = chain.from_iterable(clauses(self.lined, one, frozenset()) for one in sentences(self.lined))
        bound = [part for part in parts if part.is_bound]
        starts = [part.start for part in bound]
        runs: list[Span] = []
        end = 0
        for passage in self.source.passages(proposals):
            fragment = normalise(self.source.copy(passage))
            start = self.source.find_whole(fragment, end)
            end = start + len(fragment)
            cost = self._size(Span(start, end)) + (self._costs.elision if runs else 0)
            if cost <= room and not _cuts_one_of(bound, starts, start, end):
                runs.append(Span(start, end))
                room -= cost
        return self.content(runs)

    def _cuts(self, found: Sequence[Worth]) -> Iterator[list[Span]]:
        """Yield what may be chosen from: sentences, clauses, and then phrases."""
        units = sentences(self.lined)
        yield units
        whole = set(chain.from_iterable(self._places_within(one) for one in found))
        units = [part for unit in units for part in clauses(self.lined, unit, whole)]
        yield units
        yield [part for unit in units for part in phrases(self.lined, unit, whole, _WORDS_OF_A_PHRASE)]

    def _places_within(self, one: Worth) -> range:
        """Return where a cut would part a value, or a number from what it counts."""
        counts = one.heuristic.name == "number" and self.lined[one.end + 1 : one.end + 2].isalpha()
        return range(one.start + 1, one.end + counts)

    def _weighed(
        self, units: Sequence[Span], found: Sequence[Worth], numbers: Mapping[str, int]
    ) -> Iterator[Weighed]:
        waiting = iter(found)
        one = next(waiting, None)
        for number, unit in enumerate(units):
            worth = 0.0 if number else _FIRST_WORTH
            values: dict[int, None] = {}
            while one is not None and one.start < unit.end:
                if one.end <= unit.end and one.heuristic.is_value:
                    values[numbers[self.lined[one.start : one.end]]] = None
                else:
                    worth += one.heuristic.weight
                one = next(waiting, None)
            yield Weighed(self._size(unit), worth, tuple(values))

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
            content = self.content(_runs(units, taken))
            size = self._measure(content)
            if size <= room:
                return content, taken
            left = left * room // size - 1
        return "", []

    def _size(self, part: Span) -> int:
        if self._is_plain:
            return self._measure(self.source.normalised[part.start : part.end])
        return self._measure(ELISION.join(self._pieces(part)))

    def _pieces(self, part: Span) -> list[str]:
        """Return what of a part can stand in a value, and is no elision of the text's own."""
        said = self.source.normalised[part.start : part.end].strip(" ")
        if self._is_plain:
            return [said] if said else []
        if _REFUSED.search(said):
            said = _REFUSED.sub(ELISION, said)
        return [piece for piece in fragments(said) if piece]

    def _end_of(self, pieces: Iterable[str], end: int) -> int | None:
        """Return where the last of the pieces ends if all stand behind `end`, one after the other."""
        for piece in pieces:
            start = self.source.find_whole(piece, end)
            if start < 0:
                return None
            end = start + len(piece)
        return end


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


def _without_backslash(piece: str) -> str:
    """Return `piece` without what no value ends in (§8.2), and without an elision that it then ends in."""
    match = _UNWRITABLE_END.match(piece[::-1])
    return piece[: len(piece) - match.end()] if match else piece
