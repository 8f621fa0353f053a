"""Quotation: what a turn said, and whether a record quotes it faithfully (§3.1, §11 V15).

This module knows how fragments of a turn are told apart in a content, found in the turn's text and copied
from it. It does not know where a conversation comes from, who chooses what to quote, or how much a flaw
weighs.

    >>> turn = SourceText("Could you ship  by Friday, please?")
    >>> ELISION.join(turn.copy(found) for found in turn.passages(["you ship by", "on Monday", "please"]))
    'you ship  by [...] please'
    >>> [(flaw.fault.value, flaw.fragment) for flaw in verify("ship on Friday", turn)]
    [('not-in-source', 'ship on Friday')]
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import chain

import msgspec

ELISION = " [...] "
"""What stands in a content for text that was left out (§3.1)."""

_WHITE_SPACE = "[ \t\r\n\v\f\x85\u2028\u2029]"
# What is one blank already is left alone: most runs are, and to replace them takes most of the time.
_RUN = re.compile(rf"{_WHITE_SPACE}(?:(?<! )|{_WHITE_SPACE}){_WHITE_SPACE}*+")
_LONG_RUN = re.compile(rf"{_WHITE_SPACE}{{2,}}+")
_SIGN = ELISION.strip(" ")
_MARKER = re.compile(r"(?:\A| )\[\.\.\.\](?= |\Z)")
_REST_OF_WORD = re.compile(r"[^\W_]*+")
_MOST_TRIES = 100


class SourceTurn(msgspec.Struct, frozen=True):
    """A turn of the source conversation: the id of its marker in the body, if it has one, and its text."""

    id: str | None
    text: str


class Fault(StrEnum):
    """What can be wrong with a quotation."""

    EMPTY_CONTENT = "empty-content"
    EMPTY_FRAGMENT = "empty-fragment"
    STRAY_ELISION = "stray-elision"
    NOT_IN_SOURCE = "not-in-source"
    OUT_OF_ORDER = "out-of-order"
    CUT_WORD = "cut-word"


class Flaw(msgspec.Struct, frozen=True):
    """What is wrong with a quotation, and with which of its fragments; `number` counts them from 1."""

    fault: Fault
    number: int
    fragment: str


class Passage(msgspec.Struct, frozen=True):
    """A part of a turn's text: the offsets of its first code point and of the one behind its last."""

    start: int
    end: int


def normalise(text: str) -> str:
    """Return `text` with each run of white space as one space: what is compared is the same in both."""
    return _RUN.sub(" ", text)


def fragments(content: str) -> list[str]:
    """Return the fragments of a content, normalised: an empty one where an elision has no text beside it."""
    said = normalise(content).strip(" ")
    return [part.strip(" ") for part in _MARKER.split(said)] if _SIGN in said else [said]


class SourceText:
    """The text of a turn, made ready to be quoted from: its white space is normalised once."""

    def __init__(self, text: str) -> None:
        """Make `text` ready."""
        self.text = text
        self.normalised = normalise(text)

    def passages(self, proposed: Iterable[str]) -> tuple[Passage, ...]:
        """Return where the fragments of proposed contents stand, each after the end of the one before.

        A fragment that is not there, or only with a word cut in two, is left out (§3.1): an encoder copies
        what remains and joins it with `ELISION`. A fragment that is not there costs one search of the text.
        None has an elision in it, be it the text's own: what is joined is a quotation that verifies.
        """
        found: list[Passage] = []
        end = 0
        for fragment in chain.from_iterable(map(fragments, proposed)):
            start = self.find_whole(fragment, end) if fragment else -1
            if start >= 0:
                end = start + len(fragment)
                found.append(Passage(self._offset(start), self._offset(end - 1) + 1))
        return tuple(found)

    def copy(self, passage: Passage) -> str:
        """Return the text's own characters of a passage, white space as it was written."""
        return self.text[passage.start : passage.end]

    def find_whole(self, fragment: str, start: int) -> int:
        """Return the first place in the normalised text where `fragment` cuts no word in two, or -1.

        After a hundred places where it does, there is none: to try them all would not be linear.
        """
        for _ in range(_MOST_TRIES):
            found = self.normalised.find(fragment, start)
            if found < 0:
                break
            if self.cuts(found):
                start = max(found + 1, self._end_of_word(found))
            elif self.cuts(found + len(fragment)):
                start = found + 1
            else:
                return found
        return -1

    def cuts(self, place: int) -> bool:
        """Say whether a place in the normalised text is inside a run of letters or digits."""
        around = self.normalised[place - 1 : place + 1] if place else ""
        return len(around) == 2 and _is_of_a_word(around[0]) and _is_of_a_word(around[1])

    def _end_of_word(self, place: int) -> int:
        match = _REST_OF_WORD.match(self.normalised, place)
        return match.end() if match else place

    def _offset(self, place: int) -> int:
        """Return the offset in `text` of a character, no white space, of the normalised text."""
        places, shifts = self._shifts
        return place + shifts[bisect_right(places, place) - 1]

    @cached_property
    def _shifts(self) -> tuple[list[int], list[int]]:
        """The places of the normalised text behind longer runs, and by how much it is shorter up to there."""
        places, shifts = [0], [0]
        shift = 0
        for run in _LONG_RUN.finditer(self.text):
            shift += run.end() - run.start() - 1
            places.append(run.end() - shift)
            shifts.append(shift)
        return places, shifts


def verify(content: str, source: SourceText) -> tuple[Flaw, ...]:
    """Return what is wrong with `content` as a quotation of `source`; nothing if it is one (§11 V15)."""
    parts = fragments(content)
    return *flaws_of_form(parts), *flaws_in(source, parts)


def flaws_of_form(parts: Sequence[str]) -> Iterator[Flaw]:
    """Yield what is wrong with fragments whatever they quote: where one is empty there is nothing said."""
    last = len(parts)
    for number, part in enumerate(parts, 1):
        if not part:
            at_end = Fault.STRAY_ELISION if last > 1 else Fault.EMPTY_CONTENT
            yield Flaw(at_end if number in (1, last) else Fault.EMPTY_FRAGMENT, number, part)


def flaws_in(source: SourceText, parts: Sequence[str]) -> Iterator[Flaw]:
    """Yield what is wrong with fragments as those of a text, up to the first that is not found.

    Where they can be found both inside and between words, it counts that they can be found between words.
    Linear in the source.
    """
    if _are_whole(source, parts):
        return
    end = 0
    for number, part in enumerate(parts, 1):
        start = source.normalised.find(part, end)
        if start < 0:
            is_elsewhere = end > 0 and part in source.normalised
            yield Flaw(Fault.OUT_OF_ORDER if is_elsewhere else Fault.NOT_IN_SOURCE, number, part)
            return
        end = start + len(part)
        if part and (source.cuts(start) or source.cuts(end)):
            yield Flaw(Fault.CUT_WORD, number, part)


def _are_whole(source: SourceText, parts: Iterable[str]) -> bool:
    end = 0
    for part in parts:
        start = source.find_whole(part, end) if part else end
        if start < 0:
            return False
        end = start + len(part)
    return True


def _is_of_a_word(character: str) -> bool:
    """Say whether it is a letter, a digit, or a mark that is written onto a letter."""
    return character.isalnum() or unicodedata.category(character).startswith("M")
