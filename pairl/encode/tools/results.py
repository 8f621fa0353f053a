"""What of a tool's result is kept when its text is not: status, exit statuses, error lines and paths (§7.2).

This module knows what decides whether a call failed. It does not know what error lines and reports of failure
look like, or what a body holds already.

A result failed if its record says so. Where the record says nothing, it failed if its exit status is not 0,
that of the record or the last one that the text reports as the call's own; and where there is none, if the
text reports a failure. Otherwise its status is `ok`: nothing is known to have gone wrong.
"""

from __future__ import annotations

import re

import msgspec

from pairl.encode.carried import line_carried, without_colours
from pairl.encode.history import Result
from pairl.encode.tools.error_lines import LONGEST_ERROR, error_lines
from pairl.encode.tools.exit_statuses import exits_in, is_exit_status
from pairl.encode.tools.failures import reports_failure
from pairl.encode.tools.lines import first_line, lowered
from pairl.encode.tools.paths import paths_in

_HEAD = re.compile(
    r"\s*+(?:(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines): [^\n]*+"
    r"|Process exited with code [^\n]*+)\n)++Output:\n"
)
"""What Codex puts over the output of a command."""


class Reading(msgspec.Struct, frozen=True):
    """What was read of a result: distinct exit statuses, error lines and paths, in the text's order."""

    is_ok: bool
    exits: tuple[str, ...]
    errors: tuple[str, ...]
    paths: tuple[str, ...]
    lines: int


def read_result(result: Result) -> Reading:
    """Return what is kept of a result, whatever else becomes of it. Linear in its text."""
    text = without_colours(result.text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    low = lowered(text)
    recorded = result.details.get("exit", "").strip()
    exits = {recorded: True} if is_exit_status(recorded) else {}
    decisive = next(iter(exits), None)
    for found in exits_in(text, low):
        exits[found.status] = True
        if found.decides and not is_exit_status(recorded):
            decisive = found.status
    errors = error_lines(text, low)
    if result.is_error is not None:
        is_ok = not result.is_error
    elif decisive is not None:
        is_ok = int(decisive) == 0
    else:
        is_ok = not reports_failure(text, errors)
    kept = tuple([error.kept for error in errors])
    if not is_ok and not kept:
        kept = _first_of(text)
    return Reading(is_ok, tuple(exits), kept, paths_in(text), text.count("\n", 0, len(text) - 1) + 1)


def _first_of(text: str) -> tuple[str, ...]:
    """Return what is kept of the first line that is not empty, and not of a head, if there is one."""
    head = _HEAD.match(text)
    text = text[head.end() :] if head is not None and text[head.end() :].strip() else text
    start = first_line(text)
    line = line_carried(text[start : start + 8 * LONGEST_ERROR].partition("\n")[0], LONGEST_ERROR)
    return (line,) if line else ()
