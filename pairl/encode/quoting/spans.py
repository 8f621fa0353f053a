r"""Cuts a text into what may be quoted on its own: sentences, list items and lines.

This module knows punctuation, line ends, and which sentences go together because one denies what the other
says. It does not know which words do that, how a sentence is cut (`.clauses`), or what is worth quoting.

All offsets are those of the text with each run of white space as one character (`lined`), which are also
those of `SourceText.normalised`. Cuts are made at white space, and behind punctuation that needs none.

    >>> from pairl.encode.quoting.lined_text import lined
    >>> text = lined("Ship them today, please.  Do not,\r\nas Ms. Orr says on page 4, call.\n\n- tea\n- milk")
    >>> found = sentences(text, restrictions=[text.index("not")])
    >>> [text[span.start : span.end] for span in found]
    ['Ship them today, please.', 'Do not,\nas Ms. Orr says on page 4, call.', '- tea', '- milk']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pairl.encode.quoting.lined_text import LINE_END, PARAGRAPH_END

_ABBREVIATIONS = (
    "e.g i.e vs cf approx dr mr mrs ms prof st no nos vol fig figs sec dept est inc ltd jan feb mar apr jun"
    " jul aug sep sept oct nov dec a.m p.m u.s z.b d.h u.a o.ä bzw ca ggf evtl inkl exkl usw vgl abs art bspw"
    " max min tel sog nr str bd av ing sr sra mme"
)
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
"""Words behind which a full stop ends no sentence.

So does none behind a letter that is no unit, or behind one or two digits.
"""

_BEFORE_A_NUMBER = "no"
"""Of the words above, the one that is an answer elsewhere."""

_CLOSING = r"""["')\]}\u2019\u201d\u00bb*_`]*+"""
_FULL = "\u3002\uff01\uff1f\uff61\uff0e"
_FULL_CLOSING = r"[\u300b\u300d\u300f\u3011\u3015\uff09\u201d\u2019]*+"
BEHIND_FULL_WIDTH = _FULL_CLOSING + r"(?![ \n\v\ufe00-\ufe0f\u200d]|\Z)"
"""What stands behind full-width punctuation where the text goes on without white space."""

# Each begins with a set of characters, which is what is looked for fastest.
_END = re.compile(
    rf"[.!?…{_FULL}\n\v](?:(?<=[\n\v])|(?<=[.!?…]){_CLOSING}(?= )"
    rf"|(?<=[{_FULL}])(?![{_FULL}]){BEHIND_FULL_WIDTH})"
)
_TERMINATED = re.compile(rf"(?:[.!?…{_FULL}]{_CLOSING}{_FULL_CLOSING})\Z")
_ITEM = re.compile(r"[-*\u2022\u2023\u25e6\u00b7+\u2013] |\[[ xX]\] |(?:[0-9]{1,3}|[a-zA-Z])[.)] |[|#>]")
_IS_A_REPLY = re.compile(
    r"(?i)(?:[a-z]: )?(?:(?:no|not|never|nope|that|this|it|they|these|those|but|just|don['\u2019]?t|do not"
    r"|i (?:do not|don['\u2019]?t|doubt)|wrong|false|nein|nicht|nie|das|dies\w*|es|aber|ich glaube|non|pas|ce"
    r"|c['\u2019]|ça|eso|esto|não|isso|mais|pero|нет|это|но)(?!\w)|[不没沒别別]|いいえ|いや)"
)
_ANSWERS = re.compile(
    r"(?i)(?:yes|yeah|ja|jein|oui|si|s\u00ed|sim|da|tak|да|так|correct|right|agreed|done|ok|okay|sure|doch)(?!\w)"
    r"|はい|是|对|對"
)
_REFERS_BACK = re.compile(r"(?i:otherwise|else|instead|except|unless|sonst|andernfalls|stattdessen|sinon)\b")
_SIGNS_OF_A_LINE = ">#/%;"
# All of these are characters.
_WRAPPED_LINE = 40
_LONGEST_SENTENCE = 1_000
_LONGEST_REPLY = 40
_DIGIT = re.compile("[0-9]")
_LONGEST_ANSWER = 24
_LONGEST_HEADING = 60
_LONGEST_BACK_REFERENCE = 160
_LONGEST_WITH_REPLY = 400


class Span(msgspec.Struct, frozen=True, gc=False):
    """A part of a lined text: where it starts, where it ends, and whether it is to stay whole."""

    start: int
    end: int
    is_bound: bool = False


def sentences(text: str, restrictions: Sequence[int]) -> list[Span]:
    """Return the sentences, list items and lines of a lined text, in order, without white space around them.

    `restrictions` are the places, in order, of what denies or restricts. A sentence with one is bound, and
    has the list with it that it introduces. One that is short, as `That is false.`, goes with the sentence
    before, which it is about; so do a few words behind a question.
    """
    parts = [part for part in pieces(text, _sentence_ends(text), 0, len(text)) if part.end > part.start]
    spans: list[Span] = []
    number = place = 0
    while number < len(parts):
        start, end = parts[number].start, parts[number].end
        number += 1
        while place < len(restrictions) and restrictions[place] < start:
            place += 1
        is_bound = place < len(restrictions) and restrictions[place] < end
        if is_bound:
            number = _governed(text, parts, number)
            end = parts[number - 1].end
        if spans and _goes_with(text, spans[-1], Span(start, end, is_bound)):
            spans[-1] = Span(spans[-1].start, end, is_bound=True)
        else:
            spans.append(Span(start, end, is_bound))
    return spans


def pieces(text: str, ends: Iterable[int], start: int, end: int) -> Iterator[Span]:
    """Yield what stands between the ends, without the white space around it."""
    for place in (*ends, end):
        while start < place and text[start] in " \n\v":
            start += 1
        last = place
        while last > start and text[last - 1] in " \n\v":
            last -= 1
        yield Span(start, last)
        start = place


def is_answer(text: str, first: Span) -> bool:
    """Say whether what a text begins with is a short answer to what was said before it."""
    if first.end - first.start > _LONGEST_REPLY or _ITEM.match(text, first.start):
        return False
    return first.is_bound or _ANSWERS.match(text, first.start) is not None


def is_heading(text: str, span: Span) -> bool:
    """Say whether a short line is above what it is about: that would stand below the one before it else."""
    is_short = span.end - span.start <= _LONGEST_HEADING
    return is_short and (text[span.end - 1] in ":\uff1a" or text[span.start] == "#")


def _goes_with(text: str, before: Span, span: Span) -> bool:
    """Say whether a sentence is about the one before, so that neither is to be quoted alone."""
    length = span.end - span.start
    if length > _LONGEST_BACK_REFERENCE or span.end - before.start > _LONGEST_WITH_REPLY:
        return False
    if span.is_bound:
        is_short = length <= _LONGEST_REPLY and not _ITEM.match(text, span.start)
        # What names a thing of its own by a number says something by itself.
        is_reply = (
            is_short
            and _IS_A_REPLY.match(text, span.start) is not None
            and not _DIGIT.search(text, span.start, span.end)
        )
        return is_reply or _REFERS_BACK.match(text, span.start) is not None
    return length <= _LONGEST_ANSWER and text[before.end - 1] == "?" and not _ITEM.match(text, span.start)


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
    if word == _BEFORE_A_NUMBER:
        return following.isdecimal()
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
