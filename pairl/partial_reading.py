"""Takes of a message what can be read, and keeps beside it what could not (§13.2).

This module knows which lines of a text became something: a header, a record, the header of a columnar
block. It does not read them, nor judge what was read: a record may be readable and yet break a rule.
"""

from __future__ import annotations

import msgspec

from pairl.diagnostics import Finding, Findings
from pairl.headers import read_headers, unread_headers
from pairl.model import Message, Record
from pairl.parser import MAX_BYTES, MAX_RECORDS, parse
from pairl.text import BLANKS, encode, read_text


class Unreadable(msgspec.Struct, frozen=True):
    """A piece of text that could not be read, or was not because of a limit.

    `text` is a line without the white space around it, or everything from `line` (from 1) on where reading
    stopped there. `findings` say why, as far as findings were listed: of one kind only the first are.
    """

    line: int
    text: str
    findings: tuple[Finding, ...] = ()


class Partial(msgspec.Struct, frozen=True):
    """A message, those of its records that were read whole, and what of its text was not."""

    message: Message
    readable: tuple[Record, ...]
    unreadable: tuple[Unreadable, ...]


def partial(source: str | bytes, *, max_bytes: int = MAX_BYTES, max_records: int = MAX_RECORDS) -> Partial:
    """Return what can be read of `source`, together with what cannot: each line is in one or the other.

    Lines are readable if they are headers, records, headers of columnar blocks, blank, or the `---` at the
    end. A malformed or repeated header is unreadable, as are rows that do not fit their columns, text
    behind `---`, and all that stands above a limit; the limits are those of `pairl.parse`.

    Never raises on data. Section 13.2 of the specification.

    """
    message = parse(source, max_bytes=max_bytes, max_records=max_records)
    text, records = message.source, message.records
    headers_end = read_headers(text, Findings())[1]
    in_headers = _count_lines(text[:headers_end])
    stopped = next((found.line for found in message.findings if found.code == "SYN/too-many-records"), None)
    if message.size > max_bytes:
        # Such a message keeps only its beginning.
        data = source if isinstance(source, bytes) else encode(source)
        text, stopped = read_text(source, data, Findings()), in_headers + 1
    lines = text.split("\n")
    pieces = unread_headers(message.source)
    pieces += [(record.line, record.raw) for record in records if record.malformed]
    if stopped is not None:
        rest = "\n".join(lines[stopped - 1 :])
        if rest.strip(BLANKS + "\n"):
            pieces.append((stopped, rest))
    by_line: dict[int, list[Finding]] = {}
    for found in message.findings:
        by_line.setdefault(found.line or stopped or 0, []).append(found)
    return Partial(
        message,
        tuple([record for record in records if not record.malformed]),
        tuple([Unreadable(line, piece, tuple(by_line.get(line, ()))) for line, piece in pieces]),
    )


def _count_lines(text: str) -> int:
    return text.count("\n") + (text != "" and not text.endswith("\n"))
