"""Where a sentence may be cut: behind clauses that say something, and never between what goes together.

This module knows the words and the punctuation that clauses begin and end with, and that what denies or
restricts a sentence, or says on what condition it holds, stays with it. It does not know which words do that,
how a text is cut into sentences (`.spans`), or what is worth quoting.

    >>> from pairl.encode.quoting.spans import Span
    >>> text = "We row on Friday, but not at night; bring the boots, please."
    >>> restricted = [text.index("not")]
    >>> [text[:end] for end in clause_ends(text, Span(0, len(text), is_bound=True), restricted, [])]
    ['We row on Friday, but not at night;']
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from pairl.encode.quoting.spans import BEHIND_FULL_WIDTH, Span

SIGN_OF_A_ROW = "|"
"""What rows of tables begin with."""

_CLAUSE_END = re.compile(
    r"[,;:)\n \u3001\uff0c\uff1b\uff1a](?:(?<=\n)|(?<=[,;:)])(?=[ \n])"
    r"|(?<= )(?=\(|[-\u2013\u2014] |(?:and|or|but|because|which|who|while|when|where|so|und|oder|aber"
    r"|weil|denn|sowie|et|ou|mais|y|o|pero|e)\b)"
    rf"|(?<=[\u3001\uff0c\uff1b\uff1a]){BEHIND_FULL_WIDTH})"
)
_MAIN_CLAUSE_END = re.compile(
    r";(?= (?!(?:otherwise|else|sonst|andernfalls|sinon)\b))"
    r"|,(?= (?:(?:but|yet|aber|sondern|doch|mais|pero|maar|mas) "
    r"(?!(?:only|nur)\b)"
    r"|so (?:I|you|he|she|it|we|they|please)\b|(?:and|und) (?:I|he|she|we|they|please|ich|er|wir|bitte)\b))"
)
_INTRODUCTION = re.compile(r"[:\uff1a\n\v]")
_SHORTEST_CLAUSE = 12
_WIDEST_GAP = 2


def clause_ends(
    text: str, sentence: Span, restrictions: Sequence[int], conditions: Sequence[int]
) -> list[int]:
    """Return where a sentence of a lined text may be cut: behind clauses that say something.

    A bound one is only cut behind all that restricts it, where another main clause follows, and before what
    it introduces. Where there is a condition, `conditions` being where their words stand, no cut is made
    behind it, or right before it. Rows of tables are not cut.
    """
    start, end = sentence.start, sentence.end
    if sentence.is_bound:
        last = bisect_left(restrictions, end) - 1
        if last < 0 or restrictions[last] < start:
            return []
        found = _MAIN_CLAUSE_END.finditer(text, restrictions[last], _introduced(text, sentence))
        ends = [match.end() for match in found]
    elif text[start] == SIGN_OF_A_ROW:
        return []
    else:
        ends = [
            match.end() if match[0] in ",;:)" or match[0] > "\x7f" else match.start()
            for match in _CLAUSE_END.finditer(text, start, end)
        ]
        first = bisect_left(conditions, start)
        if first < len(conditions) and conditions[first] < end:
            ends = _before_condition(ends, conditions[first])
    return list(_far_enough(ends, start, end))


def _before_condition(ends: Sequence[int], condition: int) -> list[int]:
    """Return those of the ends that part a condition neither from what follows nor from the clause before."""
    before = ends[: bisect_right(ends, condition)]
    return list(before[:-1] if before and condition - before[-1] <= _WIDEST_GAP else before)


def _introduced(text: str, sentence: Span) -> int:
    """Return where the list begins, if any, that a sentence introduces: its negation is for each item."""
    match = _INTRODUCTION.search(text, sentence.start, sentence.end)
    return match.start() if match else sentence.end


def _far_enough(ends: Iterable[int], start: int, end: int) -> Iterator[int]:
    """Yield those of the ends that leave no clause too short to say anything."""
    for place in ends:
        if place - start >= _SHORTEST_CLAUSE and end - place >= _SHORTEST_CLAUSE:
            yield place
            start = place
