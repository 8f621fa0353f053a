"""The characters of a record: in UTF-8, or in what some programs write instead.

This module knows the marks of UTF-16 and UTF-32, and that a text whose bytes above ASCII are nowhere UTF-8 is
one of Windows. It does not know what a text means. No byte is lost: one that is not UTF-8 in a text that
otherwise is becomes half a surrogate.
"""

from __future__ import annotations

import re

from pairl.encode.history import Notice

BYTE_ORDER_MARK = "\ufeff"

_WINDOWS = "cp1252"
_MARKED = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""Marks that say that a text is not UTF-8; the longer ones begin with the shorter ones."""

_UNMARKED = {
    re.compile(rb"[^\0]\0[^\0]\0"): "utf-16-le",
    re.compile(rb"\0[^\0]\0[^\0]"): "utf-16-be",
}
"""How a text in UTF-16 without a mark begins, if its first characters are ASCII (RFC 4627, section 3)."""

_MANY_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
"""A character of UTF-8 that has more than one byte."""

_NOT_UTF8 = re.compile("[\udc80-\udcff]+")


def decode(data: bytes) -> str:
    """Return bytes as text, without a byte order mark."""
    return read_text(data)[0]


def read_text(data: bytes) -> tuple[str, list[Notice]]:
    """Return bytes as text without a byte order mark, and a notice where they are not in UTF-8 or UTF-16."""
    encoding = next((name for mark, name in _MARKED.items() if data.startswith(mark)), None)
    encoding = encoding or next((name for begins, name in _UNMARKED.items() if begins.match(data)), None)
    if encoding is not None:
        return data.decode(encoding, "replace").removeprefix(BYTE_ORDER_MARK), []
    try:
        return data.decode("utf-8", "surrogatepass").removeprefix(BYTE_ORDER_MARK), []
    except UnicodeDecodeError as fault:
        number = data.count(b"\n", 0, fault.start) + 1
    if not _MANY_BYTES.search(data):
        try:
            text = data.decode(_WINDOWS)
        except UnicodeDecodeError:
            pass
        else:
            return text, [Notice("text that is not in UTF-8, read as Windows-1252", f"line {number}")]
    text = data.decode("utf-8", "surrogateescape").removeprefix(BYTE_ORDER_MARK)
    found = _NOT_UTF8.findall(text)
    return text, [Notice("bytes that are not UTF-8", f"line {number}", len(found), sum(map(len, found)))]
