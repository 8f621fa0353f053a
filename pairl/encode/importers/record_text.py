"""What the bytes of a record hold: a value of JSON, several of them, or words.

This module knows how the three are told apart, also where a part is broken. It does not know what is
recorded.
"""

from __future__ import annotations

import re

from pairl.encode.history import Notice
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.json_text import read_json, read_json_lines, read_json_sequence
from pairl.encode.importers.text_encoding import read_text

_BLANKS = b" \t\r\n"
_LINE_END = re.compile(rb"[\r\n]+")
_IN_BRACKETS = re.compile(rb"\[[^\[\]{}\"\r\n]*\]")
"""What begins a line of a log, as a time in brackets: no JSON that holds a conversation."""

_OF_PYTHON = re.compile(rb"[\[({\s]*(?:'[^'\r\n]{0,80}'\s*:|[A-Za-z_][A-Za-z_0-9.]{0,80}\([a-z_]{1,80}=)")
"""What begins a value as Python prints it: a key in single quotes, or an object with its class."""

_LINES_LOOKED_AT = 3


def value_of(content: bytes) -> tuple[object, list[Notice]]:
    """Return what a text holds: the value of its JSON, the `Lines` of several, or itself; and what to notice.

    Raises:
        NotATranscript: it begins as JSON, and is broken.

    """
    content, notices = _in_utf8(content)
    beginning = content.lstrip(_BLANKS)
    fault: NotATranscript | None = None
    if beginning.startswith((b"{", b"[")):
        try:
            return read_json(content), notices
        except NotATranscript as caught:
            fault = caught
    if _may_be_lines(beginning):
        items, faults = read_json_lines(content)
        noise = sum(one.count for one in faults)
        if fault is not None or noise < min(_LINES_LOOKED_AT, len(items)):
            return Lines(items), [*notices, *faults]
    is_of_python = _OF_PYTHON.match(beginning) is not None
    if fault is not None and (is_of_python or not _IN_BRACKETS.match(beginning)):
        items = read_json_sequence(content)
        if not items and is_of_python:
            raise NotATranscript(
                "this is no JSON, but what Python prints of a value",
                "write it with `json.dumps` instead of `print` or `repr`; messages of LangChain with `dumps`",
            )
        if not items:
            raise fault
        return Lines(items), notices
    return content.decode("utf-8", "surrogatepass") if beginning else "", notices


def _in_utf8(content: bytes) -> tuple[bytes, list[Notice]]:
    try:
        content.decode()
    except UnicodeDecodeError:
        pass
    else:
        if b"\0" not in content[:4]:
            return content.removeprefix(b"\xef\xbb\xbf"), []
    text, notices = read_text(content)
    return text.encode("utf-8", "surrogatepass"), notices


def _may_be_lines(beginning: bytes) -> bool:
    """Say whether one of the first lines is a whole value of JSON; the lines of one value are none."""
    first, *more = _LINE_END.split(beginning, maxsplit=_LINES_LOOKED_AT)[:_LINES_LOOKED_AT]
    if first.strip() in (b"[", b"{"):
        return False
    return any(line.lstrip().startswith((b"{", b"[")) and _is_json(line) for line in (first, *more))


def _is_json(line: bytes) -> bool:
    try:
        read_json(line)
    except NotATranscript:
        return False
    return True
