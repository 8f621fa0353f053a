"""Reads a message: bytes or text in, a `Message` out, whatever the bytes are.

This module knows the layout of a document: headers, an empty line, a body, and `---` between
documents. It does not judge: what it finds odd goes into `Message.findings`, and `pairl.validator`
says what that means. Nothing here raises on data, and every step is linear in the text.
"""

from __future__ import annotations

import re

from pairl.body import read_body
from pairl.diagnostics import Finding, Findings
from pairl.headers import read_headers
from pairl.model import Body, Message, Unread
from pairl.text import encode, read_text

MAX_BYTES = 1_048_576
"""§15.1: the size above which a message is not read, unless the caller says otherwise."""

MAX_RECORDS = 1_000
"""§15.1: the number of records at which reading stops, unless the caller says otherwise."""

_END = re.compile(rb"(?m)^[ \t]*+---[ \t\r]*+$\n?")
_HEADER_BYTES = 4_096


Source = str | bytes | bytearray | memoryview
"""What can be read: text, or bytes in any object that has a buffer of them."""


def parse(source: Source, *, max_bytes: int = MAX_BYTES, max_records: int = MAX_RECORDS) -> Message:
    """Return the message that `source` holds, however broken it is.

    Args:
        source: the text, or its UTF-8 bytes.
        max_bytes: above this many bytes only the headers are read (`SYN/too-large`).
        max_records: reading stops after this many records (`SYN/too-many-records`).

    Never raises on data, only `TypeError` for what is neither text nor bytes. Sections 1 to 3, 8 and 9.4a
    of the specification.

    """
    data = source if isinstance(source, bytes) else _bytes(source)
    size = len(data)
    if size > max_bytes:
        return _headers_only(data, max_bytes)
    findings = Findings()
    text = read_text(source if isinstance(source, str) else data, data, findings)
    headers, start, line = read_headers(text, findings)

    def read() -> Body:
        records, blocks = read_body(text, start, line, findings, max_records)
        if headers and not records:
            last_line = text.count("\n", 0, start) + 1
            findings.add(Finding("HDR/no-body", "there are headers but no record", last_line, 1))
        return Body(records, blocks, findings.listing())

    unread = Unread(read, start, findings.any(), max_records)
    return Message(headers, source=text, size=size, unread=unread)


def _bytes(source: Source) -> bytes:
    # A `memoryview` refuses numbers, of which `bytes` would make as many zeros.
    return encode(source) if isinstance(source, str) else bytes(memoryview(source))


def _headers_only(data: bytes, max_bytes: int) -> Message:
    """Return a message without a body: who sent too much can be told from its first whole lines."""
    size = len(data)
    beginning = data[:_HEADER_BYTES].rpartition(b"\n")[0]
    text = read_text(beginning, beginning, Findings())
    headers, _, _ = read_headers(text, Findings())
    finding = Finding(
        "SYN/too-large",
        f"the message has {size:,} bytes; at most {max_bytes:,} are read",
        help="keep large content elsewhere and point to it with `#ref`, or raise the limit",
    )
    return Message(headers, findings=[finding], source=text, size=size)


def split_messages(source: Source) -> list[bytes]:
    """Return the messages of a file that holds several, separated by lines that are just `---`.

    Each keeps its bytes as they are, those of UTF-8 if it came as text; pieces of nothing but white space
    are left out.
    """
    data = source if isinstance(source, bytes) else _bytes(source)
    return [piece for piece in _END.split(data) if piece.strip()]
