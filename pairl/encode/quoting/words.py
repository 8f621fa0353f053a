"""What is known of a word wherever it stands: whether it is worth quoting, is a unit, or ends a sentence.

This module knows single words, as they stand between blanks. It does not know their neighbours: those are for
`pairl.encode.quoting.weights`. What comes again is looked up once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from pairl.encode.quoting.heuristics import COMMON, UNITS, Heuristic
from pairl.encode.quoting.restrictions import CONDITIONS, FIRST_OF_PAIRS, WORDS, is_restricting
from pairl.encode.quoting.spans import ABBREVIATIONS

POSSESSIVES = ("'s", "\u2019s")
_BEFORE = "([{<\"'`*\u201c\u201e\u2018\u00ab\u2022"
_BEHIND = ")]}>\"'`*\u201d\u2019\u00bb.,;:!?"
_SENTENCE_END = re.compile(r"[.!?:][\"')*_\u201d\u2019]{0,3}\Z")
_MARKER = re.compile(r"[0-9]{1,3}[.)]|[^\w]{1,6}")
_LONGEST_WORD = 300
_KNOWN_WORDS = 16_384


class Word(msgspec.Struct, frozen=True, gc=False):
    """What is known of a word.

    `start` and `end` are those of the word without punctuation; `behind` is what that behind it says.
    """

    start: int
    end: int
    heuristic: Heuristic | None = None
    behind: Heuristic | None = None
    is_unit: bool = False
    is_common: bool = False
    ends_sentence: bool = False
    is_restricting: bool = False
    is_condition: bool = False
    begins_pair: bool = False


@lru_cache(maxsize=8)
def dictionary(heuristics: tuple[Heuristic, ...]) -> Callable[[str], Word | None]:
    """Return what looks a word up in a table of heuristics; it returns None for a plain word."""
    rows = "|".join(f"(?P<_{number}>{row.pattern})" for number, row in enumerate(heuristics))
    match_row = re.compile(rows).fullmatch

    @lru_cache(maxsize=_KNOWN_WORDS)
    def matching(text: str) -> Heuristic | None:
        match = match_row(text) if text else None
        return None if match is None or match.lastgroup is None else heuristics[int(match.lastgroup[1:])]

    @lru_cache(maxsize=_KNOWN_WORDS)
    def look_up(written: str) -> Word | None:
        return of_letters(written) if written.isascii() and written.isalpha() else with_marks(written)

    def of_letters(written: str) -> Word | None:
        """Look up a word of plain letters, as most are: what it says is fewer things."""
        lower = written.lower()
        is_unit, restricts, is_condition = lower in UNITS, lower in WORDS, lower in CONDITIONS
        begins_pair = lower in FIRST_OF_PAIRS
        heuristic = matching(written) if len(written) <= _LONGEST_WORD else None
        if heuristic is None and not (is_unit or restricts or is_condition or begins_pair):
            return None
        return Word(
            0,
            len(written),
            heuristic,
            is_unit=is_unit,
            is_common=lower in COMMON,
            is_restricting=restricts,
            is_condition=is_condition,
            begins_pair=begins_pair,
        )

    def with_marks(written: str) -> Word | None:
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
        ends_sentence, is_unit = _ends_sentence(written, lower), lower in UNITS
        restricts, is_condition = is_restricting(written), lower in CONDITIONS
        is_plain = not (is_unit or ends_sentence or restricts or is_condition)
        if is_plain and heuristic is None and behind is None:
            return None
        is_common = lower in COMMON
        return Word(start, end, heuristic, behind, is_unit, is_common, ends_sentence, restricts, is_condition)

    return look_up


def _ends_sentence(written: str, lower: str) -> bool:
    """Say whether a capital letter behind this word, in which `lower` stands, says nothing."""
    if _MARKER.fullmatch(written):
        return True
    is_short = len(lower) == 1 or lower in ABBREVIATIONS
    return _SENTENCE_END.search(written[-4:]) is not None and not (is_short and written.endswith("."))
