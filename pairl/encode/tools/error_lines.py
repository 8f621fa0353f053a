"""Error lines: the lines of what a tool returned that are kept because they tell what went wrong (§7.2).

This module knows which words make a line an error line, and where they do not: in counts of nothing, code,
headings, talk of errors in general. It does not know whether the call failed.

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
from pairl.encode.tools.lines import is_numbered

LONGEST_ERROR = 160
"""So many characters of an error line are kept; `…` behind them says that there are more."""

_MOST_LOOKED_AT = 8 * LONGEST_ERROR
_MOST_BEFORE = 48
_MOST_WORDS = 3


class Sign(msgspec.Struct, frozen=True):
    """What makes a line an error line: its name, an example, cues, and a regular expression.

    A cue is in lower case. Where one stands, the expression is matched, from its first character on.
    """

    name: str
    example: str
    cues: tuple[str, ...]
    pattern: str


class NoSign(msgspec.Struct, frozen=True):
    """What makes a sign none, or a line one without: its name, an example, and a regular expression."""

    name: str
    example: str
    pattern: str


class WordsBefore(msgspec.Struct, frozen=True):
    """Words in lower case that make a sign none, with at most so many words between them and it.

    `signs` are the beginnings of the signs of which this is so; all, if there are none.
    """

    name: str
    example: str
    words: tuple[str, ...]
    between: int
    signs: tuple[str, ...] = ("",)


_BARE = r"(?<![\w./\\-])"
_ALONE = r"(?!\w|\.\w|[/\\-])"
SIGNS = (
    Sign(
        "word for an error",
        "ERROR disk full",
        ("error", "errno", "exception", "traceback", "fatal"),
        rf"(?:{_BARE}(?i:errors?|errno|exception|traceback|fatal){_ALONE}|(?:Error|Exception)(?!\w|\.\w)|error>)",
    ),
    Sign(
        "word for a failure",
        "disk: write failed",
        ("fail", "denied", "invalid", "cannot", "refused"),
        r"(?:(?:(?<![^\n])|(?<=--- ))FAIL\b"
        rf"|{_BARE}(?i:failed|failures?|failing|denied|invalid|cannot|refused){_ALONE})",
    ),
    Sign(
        "words for what is not there",
        "x: No such file or directory",
        ("no such file", "not found", "not recognized as", "could", "unable to", "timed out"),
        r"(?i:no such file|not found|not recognized as|could not|couldn't|unable to|timed out)(?!\w)",
    ),
    Sign(
        "words of a tool",
        "No replacement was performed",
        ("no replacement was",),
        r"No replacement was",
    ),
    Sign(
        "end of a program",
        "Segmentation fault (core dumped)",
        ("segmentation fault", "core dumped", "panic", "killed", "aborted"),
        rf"(?:(?i:segmentation fault|core dumped|{_BARE}panic(?:ked at|:))"
        r"|(?<![^\n])(?:Killed|Aborted)(?![^\n]))",
    ),
    Sign(
        "mark of a build tool",
        "make: *** [all] Error 2",
        ("npm err", "*** ", "not ok", "\u2716", "\u2717", "\u2718", "\u00d7 "),
        r"(?:npm (?:ERR!|error)|\*\*\* |(?<![^\s])(?:not ok \d|[\u2716\u2717\u2718\u00d7] ))",
    ),
)
"""What makes a line an error line, beside the codes of linters, as `E999` and `F821`."""

BEFORE_NO_SIGN = (
    WordsBefore("count of nothing", "12 passed, 0 failed", ("no", "0", "zero", "without"), 1),
    WordsBefore(
        "errors in general",
        "Tells what to do if an error occurs",
        (
            *(
                "handle",
                "handles",
                "handled",
                "handling",
                "catch",
                "catches",
                "catching",
                "avoid",
                "avoiding",
            ),
            *(
                "prevent",
                "prevents",
                "preventing",
                "ignore",
                "ignores",
                "ignoring",
                "log",
                "logs",
                "if",
                "when",
            ),
            *("whenever", "case", "should"),
        ),
        2,
        ("error", "exception", "failure"),
    ),
)
"""Words before a sign that make it none."""

BEHIND_NO_SIGN = (
    NoSign(
        "count of nothing",
        "Failed tests: 0",
        r"(?<=[sd])(?: \w+)?+[\"']?\s?[:=]\s?[\"']?(?:0|none|null|\[\])(?![\w.%])"
        r"|[\"']?\s?[:=]\s?(?:(?:0|none|null|nil|false)(?![\w.%]| [a-z])|\"\"|'')",
    ),
    NoSign(
        "errors in general",
        "Error handling is explained below",
        r"[ -](?:handl\w+|codes|logs?|types?|pages?|rates?|recovery|bound\w+|class\w*|report\w*|tracking"
        r"|prone|free|cases?|checking|conditions?)\b(?!\s?[:=(]| \d)"
        r"|(?<=rror|rors) (?:are|is|can|may|should|will|must) (?:be )?\w",
    ),
)
"""Words behind a word of an error which tell of none."""

NO_ERROR_LINES = (
    NoSign(
        "Python",
        "raise ValueError(name)",
        r"(?:raise|assert) [\w.]+(?:\(|\Z| from | is | ==| in )|except\b[^\n]*:(?:\s*#|\Z)"
        r"|(?:async )?(?:def|class) \w+[^\n]*[:(]|from [\w.]+ import |import [\w., ]+\Z"
        r"|(?:if|elif|while|for|with|else|try)\b[^\n]*+(?<=:)|@[a-z_]\w*|self\.\w+[(.=]",
    ),
    NoSign(
        "languages with braces",
        'throw new Error("x");',
        r"throw (?:new )?\w|\}? ?catch ?[({]|(?:const|let|var|export|import|public|private|protected|static"
        r"|fn|func|function|pub|use|package|#include) [^\n]*[{};(,=]|return [^\n]*+(?<=[;()])"
        r"|(?:if|while|for|switch) ?\([^\n]*+(?<=[{;)])"
        r"|(?![\"'\[{])(?=[^\n]*+(?<=[;{]))"
        r"(?![^\n]*(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Ff]ailed|FAILED)\b[^\"'(\n]{0,12}: )",
    ),
    NoSign(
        "call, or name that is set",
        "error = parse(line)",
        r"(?!\w*(?:Error|Exception)\()[A-Za-z_$][\w.$]*+\([^\n]*+(?<=[),;])(?<!\w[,;])"
        r"|[A-Za-z_][\w.\[\]\"']* (?:=|:=|\+=) (?:new |await |f[\"']|[\w.]+[(\[])",
    ),
    NoSign("comment", "// an error", r"//|/\*|<!--|\"\"\"|'''"),
    NoSign("heading", "## Errors", r"#{1,6} (?![^\n]*: )"),
    NoSign(
        "test that passed",
        "test pump::invalid ... ok",
        r"ok \d|[\u2713\u2714\u221a] |--- PASS|PASS\b|\S++ PASSED\b|[^\n]*+(?<= \.\.\. ok)",
    ),
)
"""Lines that are no error lines whatever stands in them, also behind the file and line of a search."""

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


class ErrorLine(msgspec.Struct):
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
    found: dict[str, ErrorLine] = {}
    known: dict[str, ErrorLine | None] = {}
    for start in sorted(signs):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        line = text[start : min(end, start + _MOST_LOOKED_AT)]
        if line in known:
            same = known[line]
            if same is not None:
                same.last = start
            continue
        known[line] = None
        if is_numbered(text, start) or not _is_error(line, signs[start] - start):
            continue
        kept = line_carried(line if end - start <= _MOST_LOOKED_AT else line + CUT, LONGEST_ERROR)
        if kept:
            known[line] = found.setdefault(kept, ErrorLine(kept, start, start))
            found[kept].last = start
    return list(found.values())


def _signs(text: str, low: str) -> Iterator[tuple[int, int]]:
    """Yield where lines begin that have signs of errors, and where the sign stands, by cues."""
    for cue, form in _FORMS:
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
