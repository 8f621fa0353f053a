"""Mends a message: makes the changes that its diagnostics carry and that keep what it says.

This module knows how edits are made in the text as it arrived, with its line ends and its byte order
mark, and when to stop. It does not know what an edit is for: the check that found the fault does.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pairl.canonical import compute_hash
from pairl.diagnostics import Edit, Severity
from pairl.model import Message
from pairl.parser import parse
from pairl.rules import Policy
from pairl.validator import Report, validate

MOST_ROUNDS = 100
"""How often a message is read again for what could not be listed, or mended, the time before."""


_QUOTING = "SYN/unquoted-value"


class Mended(msgspec.Struct, frozen=True):
    """A message after mending: its bytes, how many edits were made, what was read, and what is left."""

    data: bytes
    count: int
    message: Message
    report: Report


def mend(data: bytes, policy: Policy) -> Mended:
    """Return a message with every safe edit made, again and again until none is left.

    Bytes that no edit is about stay as they are, and so does the hash of a message that is valid. Edits
    that would bring an error to light which was not reported before are not made: whoever wrote the
    message should see the two together. Never raises on data; at most `MOST_ROUNDS` times linear.
    """
    now = _judged(data, 0, policy)
    for _ in range(MOST_ROUNDS):
        edits = safe_edits(now.report)
        if not edits:
            break
        try:
            text, made = apply_edits(now.data.decode(), edits)
        except UnicodeDecodeError:
            break
        then = _judged(text.encode(), now.count + made, policy)
        if not made or not _says_the_same(now, then):
            break
        now = then
    return now


def apply_edits(text: str, edits: Iterable[Edit]) -> tuple[str, int]:
    """Return `text` with the edits made that do not overlap, and how many these are.

    `text` is as it arrived: lines may end in CRLF, and then a line that an edit puts in does too.
    Of edits that overlap, or begin at one place, the first is made.
    """
    lines = text.split("\n")
    mark = 1 if text.startswith("\ufeff") else 0
    pieces: dict[int, list[str]] = {}
    done: dict[int, int] = {}
    made = 0
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column)):
        if not 0 < edit.line <= len(lines):
            continue
        line = lines[edit.line - 1]
        start = edit.column - 1 + (mark if edit.line == 1 else 0)
        behind = done.get(edit.line, -1)
        if start <= behind or start < 0 or start + edit.length > len(line.removesuffix("\r")):
            continue
        new = edit.text.replace("\n", "\r\n") if line.endswith("\r") else edit.text
        pieces.setdefault(edit.line, []).extend((line[max(0, behind) : start], new))
        # What was put in at a place keeps another edit from that very place.
        done[edit.line] = start + edit.length
        made += 1
    for number, parts in pieces.items():
        lines[number - 1] = "".join([*parts, lines[number - 1][done[number] :]])
    return "\n".join(lines), made


def safe_edits(report: Report) -> list[Edit]:
    """Return the safe edits of a report, without those that quote a value which an error is about as well.

    What is wrong with such a value is not that it has no quotation marks: they would hide it.
    """
    faulty = {
        (found.line, found.column + found.length)
        for found in report.diagnostics
        if found.severity is Severity.ERROR
    }
    return [
        found.edit
        for found in report.diagnostics
        if found.edit is not None
        and found.edit.safe
        and not (found.code == _QUOTING and (found.line, found.column + found.length) in faulty)
    ]


def _judged(data: bytes, count: int, policy: Policy) -> Mended:
    message = parse(data, max_bytes=policy.max_bytes, max_records=policy.max_records)
    return Mended(data, count, message, validate(message, policy=policy))


def _says_the_same(now: Mended, then: Mended) -> bool:
    """Say whether no kind of error was added, and a valid message has kept its hash."""
    return _errors(then.report) <= _errors(now.report) and (
        not now.report.valid or compute_hash(then.message) == compute_hash(now.message)
    )


def _errors(report: Report) -> set[str]:
    return {found.code for found in report.diagnostics if found.severity is Severity.ERROR}
