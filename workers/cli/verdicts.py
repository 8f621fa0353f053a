"""Verdicts as the `bus` commands show them.

This module knows how an accepted message, a dead letter and one that was not sent look on a terminal. It
does not know where they come from.
"""

from __future__ import annotations

import sys

from pairl.diagnostics import Severity, printable
from pairl.parser import parse
from pairl.rules import RULES, Needs
from pairl.show import show_diagnostic
from schemas.topics import LARGEST_INBOUND_RECORD
from schemas.verdict import Accepted, Rejected
from workers.cli.console import colored, paint, write
from workers.client import Answer, NotSent

_SHORT_HASH = 12
_THREAD_RULES = frozenset(rule.code for rule in RULES if rule.needs is Needs.THREAD)


def show_answer(answer: Answer, name: str, value: bytes | None, first_line: int = 1) -> None:
    """Print the verdict on a message that is called `name`, and below it what was found in it."""
    match answer:
        case Accepted():
            head = paint("32", "accepted")
            write(f"{head}  {_place(answer, name)}  {paint('2', answer.hash[:_SHORT_HASH])}{_wait(answer)}")
            _show_what_was_not_evaluated(answer)
            _show_diagnostics(answer, name, value, first_line)
        case Rejected():
            head = paint("1;31", "rejected")
            codes = paint("1", ",".join(answer.codes))
            write(f"{head}  {_place(answer, name)}  {codes}  {answer.source}{_wait(answer)}")
            _show_diagnostics(answer, name, value, first_line)
        case NotSent():
            write(f"{paint('1;31', 'not sent')}  {printable(name)}  {answer.reason}")


def _show_what_was_not_evaluated(answer: Accepted) -> None:
    # Few messages bring a legend, and none the turns that it quotes: that nobody judged those is no news.
    rules = ", ".join(code for code in answer.not_evaluated if code in _THREAD_RULES)
    if rules:
        write(paint("2", f"    not evaluated: {rules} (the message belongs to no session: give it `@sid`)"))


def _wait(answer: Accepted | Rejected) -> str:
    if answer.waited_ms is None:
        return ""
    return paint("2", f"  waited {answer.waited_ms / 1000:.1f} s")


def _place(answer: Accepted | Rejected, name: str) -> str:
    session = f"{printable(answer.session)}/" if answer.session else ""
    own = f"{session}{printable(answer.id or '?')}"
    return own if name == own else f"{printable(name)}  {own}"


def _show_diagnostics(answer: Accepted | Rejected, name: str, value: bytes | None, first_line: int) -> None:
    if not answer.diagnostics:
        return
    source = parse(value or b"", max_bytes=LARGEST_INBOUND_RECORD).source
    for diagnostic in answer.diagnostics:
        if isinstance(answer, Accepted) and diagnostic.severity is not Severity.WARNING:
            continue
        drawn = show_diagnostic(diagnostic, source, name, first_line=first_line, color=colored(sys.stdout))
        write("\n".join(f"    {line}" for line in drawn.split("\n")))
