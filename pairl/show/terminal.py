"""Draws a diagnostic with its line and a caret below, and explains a rule.

This module knows layout: gutters, carets under wide characters, long lines cut around the place
that matters. It does not know whether a terminal shows the result; colours are the caller's choice.
What is drawn is data from a message, so every character that could move a cursor is escaped.
"""

from __future__ import annotations

import unicodedata

from pairl.diagnostics import Diagnostic, Severity, printable
from pairl.rules import Rule

_WIDTH = 100
_CONTEXT_BEFORE = 24
_WITHOUT_WIDTH = ("Mn", "Me")
_DOUBLE_WIDTH = ("W", "F")
_RESET = "\x1b[0m"
_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "gutter": "\x1b[1;34m",
    "strong": "\x1b[1m",
    "help": "\x1b[36m",
}


def show_diagnostic(
    diagnostic: Diagnostic, source: str, name: str, *, first_line: int = 1, color: bool = False
) -> str:
    """Return a diagnostic over several lines, with the line of `source` that it is about.

    Args:
        diagnostic: what was found.
        source: the message's text, in which the diagnostic's line numbers count.
        name: what to call the place, such as a file's name.
        first_line: the number, in that file, of the message's first line.
        color: whether to add ANSI colours.

    """
    paint = _Paint(enabled=color)
    severity = diagnostic.severity.value
    label = paint(severity, f"{severity}[{diagnostic.code}]")
    title = label + paint("strong", f": {printable(diagnostic.message)}")
    if not diagnostic.line:
        place = printable(name) if first_line == 1 else f"{printable(name)}:{first_line}"
        lines = [title, f" {paint('gutter', '-->')} {place}"]
        if diagnostic.help:
            lines.append(f"  {paint('help', 'help:')} {printable(diagnostic.help)}")
        return "\n".join(lines)
    number = str(first_line + diagnostic.line - 1)
    margin = " " * len(number)
    bar = paint("gutter", "|")
    text, before, marked = _around(source, diagnostic)
    carets = paint(severity, "^" * max(1, _width(marked)))
    lines = [
        title,
        f"{margin}{paint('gutter', '-->')} {printable(name)}:{number}:{max(1, diagnostic.column)}",
        f"{margin} {bar}",
        f"{paint('gutter', number)} {bar} {text}",
        f"{margin} {bar} {' ' * _width(before)}{carets}",
    ]
    if diagnostic.help:
        lines.append(f"{margin} {paint('help', 'help:')} {printable(diagnostic.help)}")
    return "\n".join(lines)


def show_rule(rule: Rule, code: str = "", *, color: bool = False) -> str:
    """Return a rule's explanation, and a table of its checks with what they weigh in each mode.

    The check with the diagnostic code `code`, if it is one of them, is pointed at.
    """
    paint = _Paint(enabled=color)
    title, _, body = rule.explanation.strip().partition("\n")
    lines = [paint("strong", title), body.strip("\n"), "", paint("strong", f"Checks of {rule.code}")]
    codes = [f"{rule.code}/{check.slug}" for check in rule.checks]
    longest = max(map(len, codes), default=0)
    lines.append(f"  {'code':<{longest}}  {'strict':<7}  {'loose':<7}")
    for own, check in zip(codes, rule.checks, strict=True):
        strict = _severity(check.strict, paint)
        loose = _severity(check.loose, paint)
        row = f"{own:<{longest}}"
        pointer, row = ("> ", paint("strong", row)) if own == code else ("  ", row)
        lines.append(f"{pointer}{row}  {strict}  {loose}  {check.summary}")
    return "\n".join(lines)


class _Paint:
    """Adds colours, or does not."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled

    def __call__(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self._enabled else text


def _severity(severity: Severity, paint: _Paint) -> str:
    return paint(severity.value, f"{severity.value:<7}")


def _around(source: str, diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Return the line to show, the part of it before the place, and the place, all printable."""
    lines = source.split("\n", diagnostic.line)
    line = lines[diagnostic.line - 1] if len(lines) >= diagnostic.line else ""
    start = max(0, diagnostic.column - 1)
    cut = max(0, start - _CONTEXT_BEFORE) if len(line) > _WIDTH else 0
    shown = _fitting(line[cut : cut + _WIDTH])
    left = "…" if cut else ""
    right = "…" if cut + len(shown) < len(line) else ""
    before = left + printable(shown[: start - cut])
    marked = printable(shown[start - cut : start - cut + diagnostic.length])
    return f"{left}{printable(shown)}{right}", before, marked


def _fitting(text: str) -> str:
    """Return as much of `text` as fits, however wide or however escaped its characters are."""
    columns = 0
    for index, character in enumerate(text):
        columns += _width(printable(character))
        if columns > _WIDTH:
            return text[:index]
    return text


def _width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    return sum(
        0
        if unicodedata.category(character) in _WITHOUT_WIDTH
        else 2
        if unicodedata.east_asian_width(character) in _DOUBLE_WIDTH
        else 1
        for character in text
    )
