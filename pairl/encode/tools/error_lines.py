"""Error lines: the lines of what a tool returned that are kept because they tell what went wrong (§7.2).

This module knows how signs of errors are found in a text, and what beside them makes them none. It does not
know what the signs are (`pairl.encode.tools.error_signs`), or whether the call failed.

Lines of numbered source text are not read: the errors in there are somebody's code.

    >>> text = "12 passed, 0 failed\\nraise ValueError(name)\\nsee error_log.txt\\ndisk: write failed"
    >>> [line.kept for line in error_lines(text, text.lower())]
    ['disk: write failed']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from pairl.encode.carried import CUT, line_carried
from pairl.encode.tools.error_signs import BEFORE_NO_SIGN, BEHIND_NO_SIGN, NO_ERROR_LINES, SIGNS
from pairl.encode.tools.lines import is_numbered

LONGEST_ERROR = 160
"""So many characters of an error line are kept; `…` behind them says that there are more."""

_MOST_LOOKED_AT = 8 * LONGEST_ERROR
_MOST_BEFORE = 48
_MOST_WORDS = 3

_FORMS = tuple((cue, re.compile(sign.pattern)) for sign in SIGNS for cue in sign.cues)
# Apart, each begins with the one letter that is searched for, and what is in front is looked at last.
_LINTERS = [re.compile(letter + r"[0-9]{3}(?<![\w./\\-]....)(?![\w-])") for letter in "EF"]
_BEFORE = {word: row for row in BEFORE_NO_SIGN for word in row.words}
_AROUND = "([{\"'`"
_BEHIND = re.compile(f"(?i:{'|'.join(row.pattern for row in BEHIND_NO_SIGN)})")
_NO_ERROR = re.compile(
    r"\s*+(?:(?:[^\s:]{1,120}+:[0-9]++:|[^\s:]{1,120}?\.\w{1,6}-[0-9]++-)\s*+)?+(?:[+\-]\s*+)?+(?:"
    + "|".join(row.pattern for row in NO_ERROR_LINES)
    + ")"
)
_IS_REPORT = re.compile(r"(?:[Ee]rror|[Ee]xception|[Ff]ailed)[\"']?\]?[:=]|ERROR|FATAL|FAILED")
_SENTENCE_END = re.compile(r"\. +[A-Z]")


class ErrorLine(msgspec.Struct, frozen=True):
    """An error line: what of it is kept, and where in its text the first and the last like it begin."""

    kept: str
    first: int
    last: int


def error_lines(text: str, low: str) -> list[ErrorLine]:
    """Return the error lines of a text, each once, in order; `low` is the text in lower case.

    Linear in the text.
    """
    signs: dict[int, int] = {}
    for start, at in _signs(text, low):
        signs[start] = min(at, signs.get(start, at))
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    known: dict[str, str] = {}
    for start in sorted(signs):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        line = text[start : min(end, start + _MOST_LOOKED_AT)]
        if line in known:
            last[known[line]] = start
            continue
        known[line] = ""
        if is_numbered(text, start) or not _is_error(line, signs[start] - start):
            continue
        kept = line_carried(line if end - start <= _MOST_LOOKED_AT else line + CUT, LONGEST_ERROR)
        if kept:
            known[line] = kept
            first.setdefault(kept, start)
            last[kept] = start
    return [ErrorLine(kept, start, last[kept]) for kept, start in first.items()]


def _signs(text: str, low: str) -> Iterator[tuple[int, int]]:
    """Yield where lines begin that have signs of errors, and where the sign stands, by cues."""
    # Most cues are in few texts, and to ask whether one is takes a fraction of what it takes to find it.
    for cue, form in [row for row in _FORMS if row[0] in low]:
        at = low.find(cue)
        while at >= 0:
            sign = form.match(text, at)
            if sign is None or _is_none(text, low, at, sign.end()):
                at = low.find(cue, at + 1)
                continue
            yield text.rfind("\n", 0, at) + 1, at
            at = text.find("\n", at)
            at = low.find(cue, at) if at >= 0 else -1
    for linter in _LINTERS:
        code = linter.search(text)
        while code is not None:
            yield text.rfind("\n", 0, code.start()) + 1, code.start()
            end = text.find("\n", code.end())
            code = linter.search(text, end) if end >= 0 else None


def _is_none(text: str, low: str, start: int, end: int) -> bool:
    """Say whether what stands beside a sign makes it none."""
    if _BEHIND.match(text, end):
        return True
    before = max(0, start - _MOST_BEFORE)
    line = low[max(before, low.rfind("\n", before, start) + 1) : start]
    for between, word in enumerate(reversed(line.split()[-_MOST_WORDS:])):
        row = _BEFORE.get(word.lstrip(_AROUND))
        if row is not None and between <= row.between and low.startswith(row.signs, start):
            return True
        if not word.isalnum():
            return False
    return False


def _is_error(line: str, sign: int) -> bool:
    """Say whether a line with a sign, or the begin of a long one, tells of an error."""
    if _NO_ERROR.match(line.rstrip()):
        return False
    is_prose = len(line) > LONGEST_ERROR and _SENTENCE_END.search(line, 0, sign)
    return not is_prose or _IS_REPORT.search(line) is not None
