"""Exit statuses in what a tool returned (§7.2).

This module knows in which words and marks programs and tools report them. It does not know which of them is
that of the call where none is reported to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from pairl.encode.tools.lines import begin_of_last, first_line, lines_with

ANYWHERE, AT_EDGE, NOWHERE = "any line", "the first or last line", "no line"
"""In which lines a status decides."""


class ExitForm(msgspec.Struct, frozen=True):
    """A form in which exit statuses are written: its name, an example, and a regular expression.

    The first group of the expression is the number. `decides` says in which lines such a status is that of
    the call: in any, in the first and the last, or in none.
    """

    name: str
    example: str
    pattern: str
    decides: str = AT_EDGE


EXIT_FORMS = (
    ExitForm(
        "tag",
        "<returncode>1</returncode>",
        r"(?i:<returncode>)\s*+(-?[0-9]{1,10})\s*+(?i:</returncode>)",
        ANYWHERE,
    ),
    ExitForm(
        "note of a tool",
        "[The command completed with exit code 1.]",
        r"\[[^\]\[]{0,120}?\b(?i:exit code) (-?[0-9]{1,10})\b",
        ANYWHERE,
    ),
    ExitForm(
        "key",
        '"exit_code": 1',
        r"\"(?i:exit_?+(?:code|status)|return_?+code)\"\s?+:\s?+\"?+(-?[0-9]{1,10})\b",
        ANYWHERE,
    ),
    ExitForm(
        "words",
        "exited with code 1",
        r"\b(?i:exit(?:ed)?+(?: with)?+(?: non-zero)?+(?: exit)?+ (?:code|status):?+) (-?[0-9]{1,10})\b",
    ),
    ExitForm("fewer words", "exited with 1", r"\b(?i:exited with) (-?[0-9]{1,10})\b"),
    ExitForm("brackets", "(exit 1)", r"\((?i:exit) (-?[0-9]{1,10})\)"),
    ExitForm(
        "name",
        "exit_code=1",
        r"\b(?i:exit_?+(?:code|status)|return_?+code)[\"']?+\s?+[:=]\s?+[\"']?+(-?[0-9]{1,10})\b",
    ),
    ExitForm("make", "make: *** [all] Error 2", r"\*\*\* \[[^\[\]\n]{0,200}\] Error ([0-9]{1,3})\Z", NOWHERE),
    ExitForm("npm", "npm ERR! errno 1", r"npm (?:ERR!|error) (?:code|errno) (-?[0-9]{1,10})\Z", NOWHERE),
)
"""Forms of exit statuses, those first that decide anywhere."""

_CUES = ("exit", "returncode", "return_code", "*** [", "npm err")
_FORM = re.compile("|".join(form.pattern for form in EXIT_FORMS))
_ENDS = re.compile(r"[\s)\]\"']*+(?:\Z|[:.,;])")
_EXIT_STATUS = re.compile(r"-?[0-9]{1,10}")


class Exit(msgspec.Struct, frozen=True):
    """An exit status that a text mentions, and whether it says that it is that of the call."""

    status: str
    decides: bool


def is_exit_status(text: str) -> bool:
    """Say whether a text is a number as exit statuses are."""
    return _EXIT_STATUS.fullmatch(text) is not None


def exits_in(text: str, low: str) -> Iterator[Exit]:
    """Yield the exit statuses that a text mentions, in order; `low` is the text in lower case.

    Linear in the text.
    """
    edges: tuple[int, ...] = ()
    for start, end in lines_with(_CUES, text, low):
        edges = edges or (first_line(text), begin_of_last(text, 1))
        for found in _FORM.finditer(text, start, end):
            decides = EXIT_FORMS[(found.lastindex or 1) - 1].decides
            is_at_edge = decides == AT_EDGE and start in edges and _ENDS.match(text, found.end(), end)
            yield Exit(found[found.lastindex or 0], decides == ANYWHERE or bool(is_at_edge))
