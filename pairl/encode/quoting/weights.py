r"""What in a text is worth quoting, and how much: single words by the table, and what belongs together.

This module knows words and their neighbours: a number and its unit, the parts of a date, those of a name. It
does not know budgets, nor how a text is cut.

    >>> values_in("We met Ada Orr on 5 March. She paid 20 EUR for ./a/b.txt, since v2.1 failed.")
    ['Ada Orr', '5 March', '20 EUR', './a/b.txt', 'v2.1']
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

import msgspec

from pairl.encode.quoting.heuristics import BEFORE_PLACES, COMMON, GERMAN, HEURISTICS, NOUN, UNITS, Heuristic
from pairl.encode.quoting.lined_text import LINE_END, PARAGRAPH_END, lined
from pairl.encode.quoting.spans import ABBREVIATIONS

_CJK = "\u3000-\u30a0\u3400-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_WORD = re.compile(rf"([^\s{_CJK}\u30a1-\u30ff\u2014\u2026|]+|[\u30a1-\u30ff]+)")
_BEFORE = "([{<\"'`*\u201c\u201e\u2018\u00ab\u2022"
_BEHIND = ")]}>\"'`*\u201d\u2019\u00bb.,;:!?"
POSSESSIVES = ("'s", "\u2019s")
_SENTENCE_END = re.compile(r"[.!?:][\"')*_\u201d\u2019]{0,3}\Z")
_MARKER = re.compile(r"[0-9]{1,3}[.)]|[^\w]{1,6}")
_YEAR = re.compile(r"[0-9]{4}(?![\w\-])")
_LONGEST_WORD = 300
_LONGEST_VALUE = 80
_WIDEST_GAP = 2
_LOOKED_AT = 4_000
_GERMAN_SHARE = 0.07
_PLACE = re.compile(rf"(?<!\w)(?:{'|'.join(BEFORE_PLACES)}) \Z")
_KNOWN_WORDS = 16_384
_COUNTED = frozenset(("number", "time"))
_OF_A_DATE = frozenset(("date", "time", "number"))


class Worth(msgspec.Struct, frozen=True, gc=False):
    """A part of a text that is worth quoting: its offsets, and the heuristic that says so."""

    start: int
    end: int
    heuristic: Heuristic


class _Word(msgspec.Struct, frozen=True, gc=False):
    """What is known of a word wherever it stands.

    `start` and `end` are those of the word without punctuation; `behind` is what that behind it says.
    """

    start: int
    end: int
    heuristic: Heuristic | None
    behind: Heuristic | None
    is_unit: bool
    is_common: bool
    ends_sentence: bool
    is_worth_a_look: bool


def values_in(text: str, heuristics: tuple[Heuristic, ...] = HEURISTICS) -> list[str]:
    """Return the citable values of a text (§5), each once, in order: numbers with units, dates, names, paths.

    White space in them is one blank.
    """
    text = lined(text)
    found = (text[worth.start : worth.end] for worth in worths(text, heuristics) if worth.heuristic.is_value)
    return list(dict.fromkeys(found))


def worths(text: str, heuristics: tuple[Heuristic, ...] = HEURISTICS) -> list[Worth]:
    """Return what in a lined text is worth quoting, in order and without overlap; linear.

    A name at the beginning of a sentence is one where the text has it elsewhere, too, or another follows. In
    German, where every noun has a capital letter, a single one is no name, except behind words as `in`.
    """
    joiner = _Joiner(text)
    look_up = _dictionary(heuristics)
    pieces = _WORD.split(text)
    places = list(accumulate(map(len, pieces)))
    last_to_end = -1
    # Words and what is between them take turns; most words are plain, and for those nothing else is done.
    for number, word in enumerate(map(look_up, pieces[1::2])):
        if word is None:
            continue
        if word.is_worth_a_look:
            place = places[2 * number]
            is_first = last_to_end == number - 1 or text[place - 1] in (LINE_END, PARAGRAPH_END)
            joiner.add(word, place, is_first)
        if word.ends_sentence:
            last_to_end = number
    found = joiner.worths()
    return [_noun_or(worth, text) for worth in found] if _is_german(text) else found


class _Joiner:
    """Joins what single words are worth: numbers and their units, the parts of a date, those of a name."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._worths: list[Worth] = []
        self._names: set[str] = set()
        self._doubtful: list[Worth] = []

    def worths(self) -> list[Worth]:
        """Return what was found."""
        known = [worth for worth in self._doubtful if self._text[worth.start : worth.end] in self._names]
        return sorted([*self._worths, *known], key=lambda worth: worth.start) if known else self._worths

    def add(self, word: _Word, place: int, is_first: bool) -> None:
        """Add the next word, where it stands, and whether a sentence begins with it."""
        start, end = place + word.start, place + word.end
        last = self._worths[-1] if self._worths and word.is_unit else None
        if last is not None and last.heuristic.name in _COUNTED and self._text[last.end : start] == " ":
            self._worths[-1] = Worth(last.start, end, last.heuristic)
        elif word.heuristic is not None and word.heuristic.name != "name":
            self._add(Worth(start, end, word.heuristic))
        elif word.heuristic is not None and not word.is_common:
            self._add_name(Worth(start, end, word.heuristic), is_first)
        if word.behind is not None:
            self._worths.append(Worth(end, end + 1, word.behind))

    def _add_name(self, worth: Worth, is_first: bool) -> None:
        if is_first:
            self._doubtful.append(worth)
            return
        self._names.add(self._text[worth.start : worth.end])
        if self._doubtful and self._text[self._doubtful[-1].end : worth.start] == " ":
            worth = Worth(self._doubtful.pop().start, worth.end, worth.heuristic)
        self._add(worth)

    def _add(self, worth: Worth) -> None:
        """Add what was found, joined with what stands before it where the two are one name or one date."""
        last = self._worths[-1] if self._worths else None
        if last is not None and worth.start - last.end <= _WIDEST_GAP and self._are_one(last, worth):
            heuristic = worth.heuristic if worth.heuristic.name == "date" else last.heuristic
            self._worths[-1] = Worth(last.start, worth.end, heuristic)
        else:
            self._worths.append(worth)

    def _are_one(self, first: Worth, second: Worth) -> bool:
        between = self._text[first.end : second.start]
        kinds = (first.heuristic.name, second.heuristic.name)
        if second.end - first.start > _LONGEST_VALUE:
            return False
        if kinds == ("name", "name"):
            return between == " "
        is_year = _YEAR.match(self._text, second.start) is not None
        is_joined = between in (" ", ". ") or (between == ", " and is_year)
        return is_joined and "date" in kinds and _OF_A_DATE.issuperset(kinds)


def _is_german(text: str) -> bool:
    words = text[:_LOOKED_AT].lower().split()
    if GERMAN.isdisjoint(words):
        return False
    return sum(map(GERMAN.__contains__, words)) > _GERMAN_SHARE * len(words)


def _noun_or(worth: Worth, text: str) -> Worth:
    is_word = worth.heuristic.name == "name" and " " not in text[worth.start : worth.end]
    if not is_word or _PLACE.search(text[max(0, worth.start - 6) : worth.start]):
        return worth
    return Worth(worth.start, worth.end, NOUN)


@lru_cache(maxsize=8)
def _dictionary(heuristics: tuple[Heuristic, ...]) -> Callable[[str], _Word | None]:
    """Return what looks a word up in a table, None for a plain one; what comes again is known by then."""
    rows = "|".join(f"(?P<_{number}>{row.pattern})" for number, row in enumerate(heuristics))
    match_row = re.compile(rows).fullmatch

    @lru_cache(maxsize=_KNOWN_WORDS)
    def matching(text: str) -> Heuristic | None:
        match = match_row(text) if text else None
        return None if match is None or match.lastgroup is None else heuristics[int(match.lastgroup[1:])]

    @lru_cache(maxsize=_KNOWN_WORDS)
    def look_up(written: str) -> _Word | None:
        return of_letters(written) if written.isalpha() else with_marks(written)

    def of_letters(written: str) -> _Word | None:
        """Look up a word with no punctuation, as most are: what it says is fewer things."""
        lower = written.lower()
        is_unit = lower in UNITS
        heuristic = matching(written) if len(written) <= _LONGEST_WORD else None
        if heuristic is None and not is_unit:
            return None
        return _Word(0, len(written), heuristic, None, is_unit, lower in COMMON, False, True)

    def with_marks(written: str) -> _Word | None:
        start = len(written) - len(written.lstrip(_BEFORE))
        bare = written[start:].rstrip(_BEHIND)
        if bare.endswith("(") and written.startswith(")", start + len(bare)):
            bare += ")"
        for possessive in POSSESSIVES:
            bare = bare.removesuffix(possessive)
        end = start + len(bare)
        lower = bare.lower()
        # What is very long is no word: a picture, or a key.
        is_word = len(written) <= _LONGEST_WORD
        heuristic, behind = (matching(bare), matching(written[end:])) if is_word else (None, None)
        ends_sentence = _ends_sentence(written, lower)
        is_unit = lower in UNITS
        is_worth_a_look = is_unit or heuristic is not None or behind is not None
        if not is_worth_a_look and not ends_sentence:
            return None
        is_common = lower in COMMON
        return _Word(start, end, heuristic, behind, is_unit, is_common, ends_sentence, is_worth_a_look)

    return look_up


def _ends_sentence(written: str, lower: str) -> bool:
    """Say whether a capital letter behind this word, in which `lower` stands, says nothing."""
    if _MARKER.fullmatch(written):
        return True
    is_short = len(lower) == 1 or lower in ABBREVIATIONS
    return _SENTENCE_END.search(written[-4:]) is not None and not (is_short and written.endswith("."))
