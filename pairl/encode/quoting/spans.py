r"""Cuts a text into what may be quoted on its own: sentences, list items and lines, clauses, phrases.

This module knows punctuation, line ends, and that a sentence with a negation is not cut. It does not know
what is worth quoting.

All offsets are those of the text with each run of white space as one character (`lined`), which are also
those of `SourceText.normalised`. Cuts are made at white space, and behind punctuation that needs none.

    >>> from pairl.encode.quoting.lined_text import lined
    >>> text = lined("Ship on Friday, please.  Do not,\r\nas Ms. Orr says, call.\n\n- tea\n- milk")
    >>> [text[span.start : span.end] for span in sentences(text)]
    ['Ship on Friday, please.', 'Do not,\nas Ms. Orr says, call.', '- tea', '- milk']
    >>> [text[part.start : part.end] for span in sentences(text) for part in clauses(text, span, set())][:3]
    ['Ship on Friday, please.', 'Do not,\nas Ms. Orr says, call.', '- tea']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

import msgspec

from pairl.encode.quoting.lined_text import LINE_END, PARAGRAPH_END
from pairl.encode.quoting.negations import is_negated

_ABBREVIATIONS = (
    "e.g i.e vs cf approx dr mr mrs ms prof st no nos vol fig figs sec dept est inc ltd jan feb mar apr jun"
    " jul aug sep sept oct nov dec a.m p.m u.s z.b d.h u.a o.ä bzw ca ggf evtl inkl exkl usw vgl abs art bspw"
    " max min tel sog nr str bd av ing sr sra mme"
)
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
"""Words behind which a full stop ends no sentence.

So does none behind a letter that is no unit, or behind one or two digits.
"""

_CLOSING = r"""["')\]}\u2019\u201d\u00bb*_`]*+"""
_FULL = "\u3002\uff01\uff1f\uff61\uff0e"
_FULL_CLOSING = r"[\u300b\u300d\u300f\u3011\u3015\uff09\u201d\u2019]*+"
_JOINED_ON = r"(?![ \n\v\ufe00-\ufe0f\u200d]|\Z)"
# Each begins with a set of characters, which is what is looked for fastest.
_END = re.compile(
    rf"[.!?…{_FULL}\n\v](?:(?<=[\n\v])|(?<=[.!?…]){_CLOSING}(?= )"
    rf"|(?<=[{_FULL}])(?![{_FULL}]){_FULL_CLOSING}{_JOINED_ON})"
)
_TERMINATED = re.compile(rf"(?:[.!?…{_FULL}]{_CLOSING}{_FULL_CLOSING})\Z")
_ITEM = re.compile(r"[-*\u2022\u2023\u25e6\u00b7+\u2013] |\[[ xX]\] |(?:[0-9]{1,3}|[a-zA-Z])[.)] |[|#>]")
_CLAUSE_END = re.compile(
    r"[,;:)\n \u3001\uff0c\uff1b\uff1a](?:(?<=\n)|(?<=[,;:)])(?=[ \n])"
    r"|(?<= )(?=\(|[-\u2013\u2014] |(?:and|or|but|because|which|who|while|when|where|so|as|to|und|oder|aber"
    r"|weil|denn|sowie|et|ou|mais|y|o|pero|e)\b)"
    rf"|(?<=[\u3001\uff0c\uff1b\uff1a]){_FULL_CLOSING}{_JOINED_ON})"
)
_MAIN_CLAUSE_END = re.compile(
    r";(?= )|,(?= (?:(?:but|yet|aber|sondern|doch|mais|pero|maar|mas) "
    r"(?!(?:not|no|never|only|nicht|nie|kein[a-z]{0,2}|nur|pas|non|nunca|niet|geen|n[aã]o)\b)"
    r"|so (?:I|you|he|she|it|we|they|please)\b|(?:and|und) (?:I|he|she|we|they|please|ich|er|wir|bitte)\b))"
)
_INTRODUCTION = re.compile(r"[:\uff1a\n\v]")
_WORD_END = re.compile("[ \n]")
_SIGNS_OF_A_LINE = ">#/%;"
_WRAPPED_LINE = 40
_LONGEST_SENTENCE = 1_000
_SHORTEST_CLAUSE = 12


class Span(msgspec.Struct, frozen=True, gc=False):
    """A part of a lined text: where it starts, where it ends, and whether it is to stay whole."""

    start: int
    end: int
    is_bound: bool = False


def sentences(text: str) -> list[Span]:
    """Return the sentences, list items and lines of a lined text, in order, without white space around them.

    A sentence with a negation is bound, and has the list with it that it introduces.
    """
    parts = [part for part in _pieces(text, _sentence_ends(text), 0, len(text)) if part.end > part.start]
    spans: list[Span] = []
    number = 0
    while number < len(parts):
        start, end = parts[number].start, parts[number].end
        number += 1
        is_bound = is_negated(text[start:end])
        if is_bound:
            governed = _governed(text, parts, number)
            end = parts[governed - 1].end
            number = governed
        spans.append(Span(start, end, is_bound))
    return spans


def clauses(text: str, sentence: Span, whole: Set[int]) -> Iterator[Span]:
    """Yield the clauses of a sentence of a lined text; nothing is cut at places in `whole`.

    One with a negation is only cut where another main clause follows, and before what it introduces.
    """
    start, end = sentence.start, sentence.end
    if sentence.is_bound:
        ends = [match.end() for match in _MAIN_CLAUSE_END.finditer(text, start, _introduced(text, sentence))]
    else:
        ends = [
            match.end() if match[0] in ",;:)" or match[0] > "\x7f" else match.start()
            for match in _CLAUSE_END.finditer(text, start, end)
        ]
    ends = list(_far_enough([place for place in ends if place not in whole], start, end))
    if not ends:
        yield sentence
        return
    for part in _pieces(text, ends, start, end):
        is_bound = sentence.is_bound and is_negated(text[part.start : part.end])
        yield Span(part.start, part.end, is_bound)


def phrases(text: str, clause: Span, whole: Set[int], words: int) -> Iterator[Span]:
    """Yield the pieces of a clause, of about so many words; nothing is cut at places in `whole`."""
    if clause.is_bound:
        yield clause
        return
    ends = [
        place
        for match in _WORD_END.finditer(text, clause.start, clause.end)
        if (place := match.start()) not in whole
    ]
    ends = ends[words - 1 :: words]
    # Each end is one character, which is all the white space there.
    starts = [place + 1 for place in ends]
    yield from map(Span, [clause.start, *starts], [*ends, clause.end])


def _sentence_ends(text: str) -> Iterator[int]:
    """Yield where a sentence ends, and another may begin."""
    start = line = 0
    for match in _END.finditer(text):
        mark, place = match[0], match.end()
        if mark in (LINE_END, PARAGRAPH_END):
            is_end = mark == PARAGRAPH_END or not _is_wrapped(text, start, line, match.start())
            line = place
            place -= 1
        else:
            is_end = mark[0] in _FULL or not _goes_on(text, start, match)
        if is_end:
            start = place
            yield place


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Say whether a full stop, or what else ends sentences, does not end this one."""
    following = text[end.end() + 1 : end.end() + 2]
    is_unfinished = end[0][0] == "…" or text[end.start() - 1 : end.start() + 1] == ".."
    if following.islower() or is_unfinished:
        return True
    before = text[max(start, end.start() - 8) : end.start()].replace(LINE_END, " ")
    rest, _, last = before.rpartition(" ")
    word = last.lstrip("(\"'[").lower()
    return end[0][0] == "." and (
        word in ABBREVIATIONS
        or (len(word) == 1 and word.isalpha() and not rest[-1:].isdecimal())
        or (0 < len(word) <= 2 and word.isdecimal())
    )


def _is_wrapped(text: str, start: int, line: int, place: int) -> bool:
    """Say whether a sentence goes on in the next line: it has no end, and that begins in the middle of one.

    What has no end for a thousand characters is no sentence.
    """
    before, following = text[place - 1 : place], text[place + 1 : place + 2]
    if (
        not (before.isalnum() or before in (",", ")", "-", "\u2019", "'", '"'))
        or place - start > _LONGEST_SENTENCE
    ):
        return False
    if _ITEM.match(text, place + 1):
        return False
    return following.islower() or (
        place - line >= _WRAPPED_LINE and (before == "," or before.isalpha()) and following.isalnum()
    )


def _governed(text: str, parts: list[Span], number: int) -> int:
    """Return the number behind the last part that goes with the negation in the part before `number`.

    That is the rest of a sentence that has no end yet, or the list that it introduces.
    """
    first = parts[number - 1]
    if number == len(parts) or _is_terminated(text, first):
        return number
    last = number
    sign = text[first.start]
    if sign in _SIGNS_OF_A_LINE:
        while (
            last < len(parts)
            and text[parts[last].start] == sign
            and not _is_terminated(text, parts[last - 1])
        ):
            last += 1
        return last
    introduces = text.endswith((":", "\uff1a"), first.start, first.end)
    if introduces or not _ITEM.match(text, first.start):
        while last < len(parts) and _ITEM.match(text, parts[last].start):
            last += 1
        if last == number and (introduces or text[first.end] == LINE_END):
            last += 1
    elif text[first.end] == LINE_END and not _ITEM.match(text, parts[number].start):
        last += 1
    return last


def _is_terminated(text: str, part: Span) -> bool:
    return _TERMINATED.search(text, max(part.start, part.end - 20), part.end) is not None


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


def _pieces(text: str, ends: Iterable[int], start: int, end: int) -> Iterator[Span]:
    """Yield what stands between the ends, without the white space around it."""
    for place in (*ends, end):
        while start < place and text[start] in " \n\v":
            start += 1
        last = place
        while last > start and text[last - 1] in " \n\v":
            last -= 1
        yield Span(start, last)
        start = place
