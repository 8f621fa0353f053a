"""JSON as it is found in recorded conversations: half characters, `NaN`, half a line, several values.

This module knows how to read and to write JSON without losing what a stricter reader refuses. It does not
know what the values mean.

What no text of Unicode can hold stays in the strings as half of a surrogate pair: a half that was written as
an escape, and each byte that is not UTF-8. Numbers that no `float` has (`NaN`, `1e999`) stay texts.
"""

from __future__ import annotations

import json
import math
import re

import msgspec

from pairl.diagnostics import excerpt
from pairl.encode.history import Notice
from pairl.encode.importers.format import NotATranscript, nested_too_deeply
from pairl.encode.importers.text_encoding import BYTE_ORDER_MARK, decode

_MOST_DIGITS = 400
"""More digits than any `float` has, and fewer than Python refuses to read."""

_LINE_END = re.compile(rb"\r\n|\n|\r")

_BETWEEN_VALUES = re.compile(r"[\s,]*")

_CUT_OFF = (
    "the text ends in the middle of a value, most often of a file that was cut off while it was copied or is"
    " still being written: fetch it whole"
)
_NOT_ALONE = "mostly there is other text around the JSON, or it was edited by hand: keep the JSON alone"

HALF_A_LINE = "half a line at the end"
LINE_NOT_JSON = "line that is no JSON"


def read_json(data: bytes | str) -> object:
    """Return the value of a JSON text.

    Raises:
        NotATranscript: it is none; the exception says in which line and column, and what is most often why.

    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _read_tolerantly(decode(data) if isinstance(data, bytes) else data)


def read_arguments(value: object) -> object:
    """Return the arguments of a call, which are mostly an object of JSON that stands in a text.

    A text that holds something else, or cannot be read, is returned as it is.
    """
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return read_json(value)
    except NotATranscript:
        return value


def read_json_lines(data: bytes) -> tuple[list[object], list[Notice]]:
    """Return the values of a text that holds one on each line, and notices of the lines that cannot be read.

    A line that ends in the middle of a value is what a program leaves that still writes, or was stopped.

    Raises:
        NotATranscript: no line holds a value.

    """
    items: list[object] = []
    faults: list[tuple[int, int]] = []
    lines = _LINE_END.split(data)
    last = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        last = number
        try:
            items.append(read_json(line))
        except NotATranscript:
            faults.append((number, len(line)))
    if not items:
        raise NotATranscript(
            "no line of the text is a JSON value",
            "JSON lines hold one whole value on each; join the lines of a value, or name another format",
        )
    notices: dict[str, Notice] = {}
    for number, size in faults:
        what = HALF_A_LINE if number == last else LINE_NOT_JSON
        known = notices.get(what)
        notices[what] = known.again(size) if known else Notice(what, f"line {number}", 1, size, True)
    return items, list(notices.values())


def read_json_sequence(data: bytes) -> list[object]:
    """Return the values of a text that holds whole values of JSON one behind another; none if it does not.

    They may stretch over lines, and have commas between them.
    """
    text = decode(data)
    items: list[object] = []
    end = 0
    try:
        while (start := _BETWEEN_VALUES.match(text, end).end()) < len(text):  # type: ignore[union-attr]  # nothing matches, too
            item, end = _DECODER.raw_decode(text, start)
            items.append(item)
    except (json.JSONDecodeError, RecursionError):
        return []
    return items


def write_json(value: object) -> str:
    """Return a value as JSON on one line, with its characters as they are.

    A value that is nested almost too deeply to be read may be too deep to be written; a text says so then.
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return '"(nested too deeply to be written)"'


def _read_tolerantly(text: str) -> object:
    try:
        return _DECODER.decode(text.removeprefix(BYTE_ORDER_MARK))
    except json.JSONDecodeError as fault:
        is_cut_off = fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated")
        raise NotATranscript(
            f"the JSON is broken in line {fault.lineno}, column {fault.colno}: {excerpt(fault.msg)}",
            _CUT_OFF if is_cut_off else _NOT_ALONE,
        ) from None
    except RecursionError:
        raise nested_too_deeply() from None


def _read_float(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _read_integer(text: str) -> int | str:
    return int(text) if len(text) <= _MOST_DIGITS else text


_DECODER = json.JSONDecoder(
    parse_float=_read_float, parse_int=_read_integer, parse_constant=str, strict=False
)
