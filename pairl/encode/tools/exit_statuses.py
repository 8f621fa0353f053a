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


_NUMBER = r"(?<!\w)(-?[0-9]{1,10})\b(?!\.[0-9])"
_BETWEEN = (
    r"[\\\"'`*]{0,4}\s{0,4}(?:(?:[:=|(\uff1a]|->|is\b|was\b|of\b)[\\\"'`*]{0,4}\s{0,4}[\\\"'`*]{0,4})?\+?"
)
_CODE = r"(?:code|status|value)"
_ENDED = r"(?:complet|finish|terminat|end|clos|crash|stopp)ed"

EXIT_FORMS = (
    ExitForm(
        "tag",
        "<returncode>1</returncode>",
        r"<(?i:exit[_-]?code|exit[_-]?status|return[_-]?code)>\s*+(-?[0-9]{1,10})\s*+</",
        ANYWHERE,
    ),
    ExitForm(
        "note of a tool",
        "[The command completed with exit code 1.]",
        r"\[[^\]\[]{0,120}?\b(?i:exit code|exit(?:ed(?: with)?+)?+|rc|with (?:code|status)):?+"
        r" (-?[0-9]{1,10})\b",
        ANYWHERE,
    ),
    ExitForm(
        "key",
        '"exit_code": 1',
        r"\"(?i:exit_?+(?:code|status)|return_?+code)\"\s?+:\s?+\"?+(-?[0-9]{1,10})\b",
        ANYWHERE,
    ),
    ExitForm(
        "line of its own",
        "Process exited with code 1",
        r"(?<![^\n])Process exited with code (-?[0-9]{1,10})\b(?=\s*+(?:\([^\n()]{1,20}\))?+\s*+\Z)",
        ANYWHERE,
    ),
    ExitForm(
        "words",
        "exited with code 1",
        rf"\b(?i:exit(?:ed|s)?+(?: with)?+(?: an?)?+(?: non-?zero)?+"
        rf"(?: exit| error| return| status)?[ _-]{{0,2}}+{_CODE}|exited,? \(?code"
        r"|ret(?:urn(?:ed)?+)?+[ _-]?+code|returned (?:non-?zero )?+status|errorlevel(?=\s?[:=])"
        rf"|failed with {_CODE}(?= (?:[0-9]{{1,2}}|1[0-9]{{2}}|255)\b)"
        rf"|{_ENDED} with (?:exit |return )?+{_CODE}){_BETWEEN}{_NUMBER}",
    ),
    ExitForm("fewer words", "exited with 1", r"\b(?i:exited(?: with)?+) (-?[0-9]{1,10})\b(?!\.[0-9])"),
    ExitForm("brackets", "(exit 1)", r"\((?i:exit) (-?[0-9]{1,10})\)"),
    ExitForm("number in brackets", "Exited (1)", r"\b(?i:exited) \((-?[0-9]{1,10})\)"),
    ExitForm("short name", "rc=1", r"(?<![\w.$\-])(?i:exit|rc)[\"']?+ ?[:=] ?(-?[0-9]{1,3})(?!\w|[.,][0-9])"),
    ExitForm(
        "signal",
        "terminated by signal 9",
        r"\b(?i:(?:killed|terminated|stopped|died|crashed) (?:by |with |on |from |\()signal:?"
        r"|killed:(?= 9\b)|terminated:(?= 15\b)) ([0-9]{1,2})\b",
    ),
    ExitForm(
        "other languages",
        "Beendet mit Status 1",
        r"\b(?i:(?:beendet|fehlgeschlagen) mit (?:exit-?|status-?|r\u00fcckgabe)?(?:code|status|wert)"
        r"|r\u00fcckgabe(?:code|wert)|(?:code|statut) de (?:sortie|retour)"
        r"|(?:c\u00f3digo|estado) de salida|codice di uscita"
        rf"|\u7d42\u4e86\u30b3\u30fc\u30c9|\u9000\u51fa(?:\u7801|\u4ee3\u7801)){_BETWEEN}{_NUMBER}",
    ),
    ExitForm("make", "make: *** [all] Error 2", r"\*\*\* \[[^\[\]\n]{0,200}\] Error ([0-9]{1,3})\Z", NOWHERE),
    ExitForm("npm", "npm ERR! errno 1", r"npm (?:ERR!|error) (?:code|errno) (-?[0-9]{1,10})\Z", NOWHERE),
    ExitForm(
        "linker",
        "collect2: error: ld returned 1 exit status",
        r"\breturned ([0-9]{1,3}) exit status\b",
        NOWHERE,
    ),
    ExitForm("systemd", "code=exited, status=1/FAILURE", r"\bcode=\w++, status=([0-9]{1,3})(?:/[\w-]++)?+"),
)
"""Forms of exit statuses, those first that decide anywhere."""

_CUES = (
    "exit",
    "returncode",
    "return_code",
    "return-code",
    "return code",
    "returned code",
    "returned non",
    "returned status",
    "with code",
    "with status",
    "errorlevel",
    "rc=",
    "rc:",
    "rc =",
    "signal",
    "*** [",
    "npm err",
    "code=",
    "beendet mit",
    "fehlgeschlagen mit",
    "r\u00fcckgabe",
    " de sortie",
    " de retour",
    " de salida",
    "codice di uscita",
    "\u7d42\u4e86\u30b3\u30fc\u30c9",
    "\u9000\u51fa",
    "retcode",
    "ret code",
    "[rc ",
    "killed: 9",
    "terminated: 15",
)
# Each form begins with one of these; where none stands, they need not be tried.
_FORM = re.compile(rf"(?=\b\w|[<\[\"(*])(?:{'|'.join(form.pattern for form in EXIT_FORMS)})")
_ENDS = re.compile(r"(?:\s?\((?:0x[0-9A-Fa-f]{1,16}|SIG[A-Z]{2,6})\))?+[\s)\]}|\"'`*]*+(?:\Z|[:.,;])")
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
