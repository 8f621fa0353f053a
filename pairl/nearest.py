"""Did you mean: the known word that is most like an unknown one.

This module knows when two words are near enough to be a slip of the hand. It does not know which
words exist; whoever asks brings them. What it does is bounded, whatever the words are: long words
have no near ones, and only so many known words are looked at.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import islice

_LONGEST_WORD = 32
_MOST_CANDIDATES = 100
_LEAST_LIKENESS = 0.6
_SHORT_WORD = 3


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was most likely meant to be, without regard to case, or None.

    Of two equally near words the one that comes first is returned. A word of up to three characters
    may differ in one of them: what is left is too little to be told apart by likeness.
    """
    if not 0 < len(word) <= _LONGEST_WORD:
        return None
    wanted = word.lower()
    candidates: dict[str, str] = {}
    for candidate in islice(known, _MOST_CANDIDATES):
        if len(candidate) <= _LONGEST_WORD:
            candidates.setdefault(candidate.lower(), candidate)
    if wanted in candidates:
        return candidates[wanted]
    near = difflib.get_close_matches(wanted, candidates, 1, _LEAST_LIKENESS)
    if near:
        return candidates[near[0]]
    if len(wanted) > _SHORT_WORD:
        return None
    return next((candidates[other] for other in candidates if _differ_in_one(wanted, other)), None)


def _differ_in_one(word: str, other: str) -> bool:
    """Say whether two words of one length have all characters in common but one, and at least one."""
    return len(word) == len(other) > 1 and sum(map(str.__ne__, word, other)) == 1


def did_you_mean(advice: str, guess: str | None) -> str:
    """Return `advice` with a question about `guess` behind it, where there is one."""
    return advice if guess is None else f"{advice}; did you mean `{guess}`?"
