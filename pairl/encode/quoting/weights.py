r"""What in a text is worth quoting, and how much: single words by the table, and what belongs together.

This module knows words and their neighbours: a number and its unit, the parts of a date, those of a name. It
does not know budgets, nor how a text is cut.

    >>> values_in("We met Ada Orr on 5 March. She paid 20 EUR for ./a/b.txt, since v2.1 failed.")
    ['Ada Orr', '5 March', '20 EUR', './a/b.txt', 'v2.1']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

import msgspec

from pairl.encode.quoting.heuristics import BEFORE_PLACES, GERMAN, HEURISTICS, ITEM_NUMBER, NOUN, Heuristic
from pairl.encode.quoting.lined_text import LINE_END, PARAGRAPH_END, lined
from pairl.encode.quoting.restrictions import is_pair, restricting_pieces
from pairl.encode.quoting.words import dictionary

_CJK = "\u3000-\u30a0\u3400-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_APART = f"\u2014\u2026|{_CJK}"
_WORD = re.compile(rf"([^\s{_APART}\u30a1-\u30ff]+|[\u30a1-\u30ff]+)")
_OTHER_THAN_BLANKS_PARTS = re.compile(rf"[{_APART}\u30a1-\u30ff]")
_YEAR = re.compile(r"[0-9]{4}(?![\w\-])")
_PLACE = re.compile(rf"(?<!\w)(?:{'|'.join(BEFORE_PLACES)}) \Z")
_LONGEST_VALUE = 80
_WIDEST_GAP = 2
_GERMAN_SHARE = 0.07
_COUNTED = frozenset(("number", "time"))
_OF_A_DATE = frozenset(("date", "time", "number"))
_BETWEEN_PARTS = (" ", ". ")


class Worth(msgspec.Struct, frozen=True, gc=False):
    """A part of a text that is worth quoting: its offsets, and the heuristic that says so."""

    start: int
    end: int
    heuristic: Heuristic


class Words(msgspec.Struct, frozen=True):
    """What the words of a text say: what is worth quoting, in order and without overlap.

    `restrictions` are the places, in order, of what denies or restricts what is said, `conditions` those of
    words as `if`.
    """

    worths: Sequence[Worth]
    restrictions: Sequence[int]
    conditions: Sequence[int]


def values_in(text: str, heuristics: tuple[Heuristic, ...] = HEURISTICS) -> list[str]:
    """Return the citable values of a text (§5), each once, in order: numbers with units, dates, names, paths.

    White space in them is one blank.
    """
    text = lined(text)
    found = read_words(text, heuristics).worths
    return list(dict.fromkeys([text[one.start : one.end] for one in found if one.heuristic.is_value]))


def read_words(text: str, heuristics: tuple[Heuristic, ...] = HEURISTICS) -> Words:
    """Return what the words of a lined text say; linear.

    A name at the beginning of a sentence is one where the text has it elsewhere, too, or another follows. In
    German, where every noun has a capital letter, a single one is no name, except behind words as `in`.
    """
    words, places = _split(text)
    joiner = _Joiner(text)
    restrictions: list[int] = []
    conditions: list[int] = []
    last_to_end = -1
    # Most words are plain, and for those nothing else is done.
    for number, word in enumerate(map(dictionary(heuristics), words)):
        if word is None:
            continue
        place = places[number]
        if word.is_restricting or (word.begins_pair and is_pair(words[number : number + 2])):
            restrictions.append(place)
        elif word.is_condition:
            conditions.append(place)
        heuristic = word.heuristic
        is_joined = word.is_unit and joiner.add_unit(place + word.start, place + word.end)
        if heuristic is None or is_joined:
            pass
        elif word.ends_sentence and heuristic.name == "number" and _begins_line(text, place):
            joiner.add(Worth(place + word.start, place + word.end, ITEM_NUMBER))
        elif heuristic.name != "name":
            joiner.add(Worth(place + word.start, place + word.end, heuristic))
        elif not word.is_common:
            is_first = last_to_end == number - 1 or _begins_line(text, place)
            joiner.add_name(Worth(place + word.start, place + word.end, heuristic), is_first=is_first)
        if word.behind is not None:
            joiner.found.append(Worth(place + word.end, place + word.end + 1, word.behind))
        if word.ends_sentence:
            last_to_end = number
    found = joiner.worths()
    if not GERMAN.isdisjoint(words) and _is_german(words):
        found = [_noun_or(worth, text) for worth in found]
    if not text.isascii():
        restrictions = sorted({*restrictions, *restricting_pieces(text)})
    return Words(found, restrictions, conditions)


def _begins_line(text: str, place: int) -> bool:
    return place == 0 or text[place - 1] in (LINE_END, PARAGRAPH_END)


def _split(text: str) -> tuple[list[str], list[int]]:
    """Return the words of a text, and where they begin."""
    if _OTHER_THAN_BLANKS_PARTS.search(text) is None:
        words = text.split()
        places = [0, *accumulate([len(word) + 1 for word in words])]
        is_led = text[:1] in (" ", LINE_END, PARAGRAPH_END) and text != ""
        if places[-1] + is_led - len(text) in (0, 1):
            return words, [place + 1 for place in places] if is_led else places
    # Words and what is between them take turns.
    pieces = _WORD.split(text)
    return pieces[1::2], list(accumulate(map(len, pieces)))[::2]


class _Joiner:
    """Joins what single words are worth: numbers and their units, the parts of a date, those of a name."""

    def __init__(self, text: str) -> None:
        self.found: list[Worth] = []
        self._text = text
        self._names: set[str] = set()
        self._doubtful: list[Worth] = []

    def worths(self) -> list[Worth]:
        """Return what was found."""
        known = [worth for worth in self._doubtful if self._text[worth.start : worth.end] in self._names]
        return sorted([*self.found, *known], key=lambda worth: worth.start) if known else self.found

    def add_unit(self, start: int, end: int) -> bool:
        """Join a unit with the number before it; say whether there is one."""
        last = self.found[-1] if self.found else None
        if last is None or last.heuristic.name not in _COUNTED or self._text[last.end : start] != " ":
            return False
        self.found[-1] = Worth(last.start, end, last.heuristic)
        return True

    def add_name(self, worth: Worth, *, is_first: bool) -> None:
        """Add a name, or what may be one: a sentence may begin with it."""
        if is_first:
            self._doubtful.append(worth)
            return
        self._names.add(self._text[worth.start : worth.end])
        if self._doubtful and self._text[self._doubtful[-1].end : worth.start] == " ":
            worth = Worth(self._doubtful.pop().start, worth.end, worth.heuristic)
        self.add(worth)

    def add(self, worth: Worth) -> None:
        """Add what was found, joined with what stands before it where the two are one name or one date."""
        last = self.found[-1] if self.found else None
        if last is not None and worth.start - last.end <= _WIDEST_GAP and self._are_one(last, worth):
            heuristic = worth.heuristic if worth.heuristic.name == "date" else last.heuristic
            self.found[-1] = Worth(last.start, worth.end, heuristic)
        else:
            self.found.append(worth)

    def _are_one(self, first: Worth, second: Worth) -> bool:
        between = self._text[first.end : second.start]
        kinds = (first.heuristic.name, second.heuristic.name)
        if second.end - first.start > _LONGEST_VALUE:
            return False
        if kinds == ("name", "name"):
            return between == " "
        if "date" not in kinds or not _OF_A_DATE.issuperset(kinds):
            return False
        return between in _BETWEEN_PARTS or (
            between == ", " and _YEAR.match(self._text, second.start) is not None
        )


def _is_german(words: Sequence[str]) -> bool:
    return sum(map(GERMAN.__contains__, words)) > _GERMAN_SHARE * len(words)


def _noun_or(worth: Worth, text: str) -> Worth:
    is_word = worth.heuristic.name == "name" and " " not in text[worth.start : worth.end]
    if not is_word or _PLACE.search(text[max(0, worth.start - 6) : worth.start]):
        return worth
    return Worth(worth.start, worth.end, NOUN)
