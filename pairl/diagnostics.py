"""What a check can say about a message: findings, and diagnostics once a severity is decided.

This module knows the shape of a complaint and how it reads on one line. It does not know which
checks exist (`pairl.rules`), nor how a complaint is drawn on a terminal (`pairl.show`).

A check only *finds*: it names its code, the place and the words. Whether that is an error or a
warning follows from the mode and the policy, and is decided in one place, `pairl.validator`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from pairl.grammar import SURROGATE


class Severity(StrEnum):
    """How much a finding weighs: an error makes the message invalid, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Check(msgspec.Struct, frozen=True):
    """One thing that can be wrong: its slug, how much it weighs in each mode, and its summary.

    The diagnostic code is the rule's code and the slug: `V9/orphan-ret`.
    """

    slug: str
    strict: Severity
    loose: Severity
    summary: str


def error(slug: str, summary: str) -> Check:
    """Return a check that is an error in both modes."""
    return Check(slug, Severity.ERROR, Severity.ERROR, summary)


def strict_error(slug: str, summary: str) -> Check:
    """Return a check that is an error in strict mode and a warning in loose mode."""
    return Check(slug, Severity.ERROR, Severity.WARNING, summary)


def warning(slug: str, summary: str) -> Check:
    """Return a check that is a warning in both modes."""
    return Check(slug, Severity.WARNING, Severity.WARNING, summary)


LONGEST_EDIT = 250
"""Reports travel beside messages, and must not grow as large: no edit puts in more code points than this."""


class Edit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A change that mends what was found: replace `length` code points at a place by `text`.

    `line` and `column` count as those of a finding do; column 0 is the byte order mark before the first
    line. A length of 0 inserts. A `safe` edit keeps what the message says: whoever wrote it would not
    object. Others are guesses, to be shown and not applied.
    """

    line: int
    column: int
    length: int
    text: str
    safe: bool = False


def make_edit(line: int, column: int, length: int, text: str, *, safe: bool = False) -> Edit | None:
    """Return an edit; None where its text is too long, or is no text that could be sent as UTF-8."""
    if len(text) > LONGEST_EDIT or (not text.isascii() and SURROGATE.search(text)):
        return None
    return Edit(line, column, length, text, safe)


class Finding(msgspec.Struct, frozen=True, gc=False):
    """Something a check noticed, before anyone has said how bad it is.

    `line` and `column` count from 1, in lines split at LF and in code points; 0 means that the
    finding is about the message as a whole. `length` is the number of code points to underline.
    `demanded` says that the message itself or the policy asks for this check to be an error.
    """

    code: str
    message: str
    line: int = 0
    column: int = 0
    length: int = 0
    help: str | None = None
    demanded: bool = False
    edit: Edit | None = None

    def __str__(self) -> str:
        """Return one line that begins with the code."""
        return _one_line(self.code, self.line, self.message)


class Diagnostic(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A finding with its severity: what reports, verdicts and terminals show.

    `str(diagnostic)` is one line that begins with the code, however hostile the message was:
    control characters in it are escaped.
    """

    code: str
    severity: Severity
    message: str
    line: int = 0
    column: int = 0
    length: int = 0
    help: str | None = None
    edit: Edit | None = None

    @property
    def rule(self) -> str:
        """The code of the rule that the check belongs to: `V9` of `V9/orphan-ret`."""
        return self.code.partition("/")[0]

    def __str__(self) -> str:
        """Return one line that begins with the code."""
        return _one_line(self.code, self.line, self.message)


def _one_line(code: str, line: int, message: str) -> str:
    where = f"line {line}: " if line else ""
    return f"{code}: {where}{printable(message)}"


def printable(text: str) -> str:
    """Return `text` on one line, with every character that could move a cursor written as an escape.

    Message content is data: it must not be able to start a new log line or to colour a terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def excerpt(text: str, limit: int = 60) -> str:
    """Return at most `limit` characters of `text` for quoting in a message, on one line."""
    short = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return printable(short)


class Findings:
    """Collects findings, and of each code only the first `LISTED`: a message cannot flood its report.

    The cap is for each code, so that no kind of fault can hide another one.
    """

    LISTED = 20

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        """Start with `findings`, which count towards the caps."""
        self._listed: list[Finding] = []
        self._seen: dict[str, int] = {}
        for finding in findings:
            self.add(finding)

    def add(self, finding: Finding) -> None:
        """Take note of a finding."""
        seen = self._seen[finding.code] = self._seen.get(finding.code, 0) + 1
        if seen <= self.LISTED:
            self._listed.append(finding)

    def any(self) -> bool:
        """Say whether anything was found."""
        return bool(self._listed)

    def listing(self) -> list[Finding]:
        """Return what was collected; a code with more findings than are listed says how many more."""
        if not self._seen or max(self._seen.values()) <= self.LISTED:
            return self._listed
        last = {finding.code: finding for finding in self._listed}
        more = [
            Finding(code, _how_many_more(count - self.LISTED), last[code].line, last[code].column)
            for code, count in self._seen.items()
            if count > self.LISTED
        ]
        return self._listed + more


def _how_many_more(count: int) -> str:
    return f"{count:,} more findings of this kind are not listed" if count > 1 else "1 more is not listed"
