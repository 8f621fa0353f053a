"""Units: what of a text is chosen or left out as one, as coarse as will do.

This module knows which sentences are worth cutting, and where within them a cut parts nothing that belongs
together. It does not know what there is room for.

A sentence without a value is a unit: a part of it would tell less than its room is worth. One with values is
cut into clauses and, where that is not enough, so that what stands far from any value can be left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pairl.encode.quoting.clauses import SIGN_OF_A_ROW, clause_ends
from pairl.encode.quoting.spans import Span, pieces
from pairl.encode.quoting.weights import Words, Worth

_SHORT = 40
"""Characters. A sentence of no more is not cut."""

_SHORTEST_GAP = 14
"""Characters. Less than that between values is not left out: the elision takes seven."""

_WORDS_AROUND = 1
"""So many words stay before and behind a value, where the rest of its clause is left out."""

_SHORTEST_FRAGMENT = 16
"""Characters. Up to so many words stay before a value that what is left of a clause has this length."""


def coarse_units(text: str, sentences: Sequence[Span], words: Words) -> list[Span]:
    """Return the sentences of a lined text, those with values cut into clauses, in order."""
    units: list[Span] = []
    worths = words.worths
    place = 0
    for sentence in sentences:
        first = place
        has_value = False
        while place < len(worths) and worths[place].start < sentence.end:
            has_value = has_value or worths[place].heuristic.is_value
            place += 1
        if not has_value or sentence.end - sentence.start <= _SHORT:
            units.append(sentence)
            continue
        ends = clause_ends(text, sentence, words.restrictions, words.conditions)
        if ends:
            ends = list(_outside(ends, worths, first))
        if not ends:
            units.append(sentence)
            continue
        parts = list(pieces(text, ends, sentence.start, sentence.end))
        if sentence.is_bound:
            parts[0] = Span(parts[0].start, parts[0].end, is_bound=True)
        units += parts
    return units


def fine_units(normalised: str, units: Sequence[Span], words: Words) -> list[Span]:
    """Return units cut finer: what stands far from any value, within a clause, is a unit of its own.

    `normalised` is the text with blanks for all white space. What is bound is not cut, nor what has a
    condition in it, nor are rows of tables.
    """
    finer: list[Span] = []
    values = [worth for worth in words.worths if worth.heuristic.is_value]
    place = 0
    for unit in units:
        first = place
        while place < len(values) and values[place].start < unit.end:
            place += 1
        condition = bisect_left(words.conditions, unit.start)
        is_conditional = condition < len(words.conditions) and words.conditions[condition] < unit.end
        if place == first or unit.is_bound or is_conditional or normalised[unit.start] == SIGN_OF_A_ROW:
            finer.append(unit)
        else:
            finer += _around(normalised, unit, values[first:place])
    return finer


def _around(normalised: str, unit: Span, values: Sequence[Worth]) -> Iterator[Span]:
    """Yield what stands close to values, and what stands between."""
    start = told = unit.start
    for number in range(len(values) + 1):
        is_last = number == len(values)
        end = unit.end if is_last else _before(normalised, values[number], told)
        begin = told if number == 0 else _behind(normalised, told, end)
        if end - begin >= _SHORTEST_GAP:
            if begin > start:
                yield Span(start, begin)
            yield Span(begin + (begin > unit.start), end)
            start = end + 1
        if not is_last:
            told = values[number].end
    if start < unit.end:
        yield Span(start, unit.end)


def _before(normalised: str, value: Worth, least: int) -> int:
    """Return where the blank is before the words before a value, `least` if that is not behind it."""
    place = value.start
    for _ in range(_WORDS_AROUND + 1):
        place = normalised.rfind(" ", least, place)
        if place < 0:
            return least
    if value.end - place < _SHORTEST_FRAGMENT:
        place = normalised.rfind(" ", least, max(least, value.end - _SHORTEST_FRAGMENT))
    return max(place, least)


def _behind(normalised: str, place: int, most: int) -> int:
    """Return where the blank is behind the words behind a place, `most` if that is not before it."""
    place = normalised.find(" ", place, most)
    for _ in range(_WORDS_AROUND):
        if place < 0:
            return most
        place = normalised.find(" ", place + 1, most)
    return most if place < 0 else place


def _outside(ends: Sequence[int], worths: Sequence[Worth], first: int) -> Iterator[int]:
    """Yield those of the ends that are not within what is worth quoting, from the `first` of these on."""
    for end in ends:
        while first < len(worths) and worths[first].end <= end:
            first += 1
        if first == len(worths) or worths[first].start >= end:
            yield end
