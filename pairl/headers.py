"""Reads the header block: the lines before the first empty one, `@name value` each (§2).

This module knows where the headers end and how one is written. It does not know which headers
there are or what they may hold: `pairl.rules.hdr_headers` does.
"""

from __future__ import annotations

import re

from pairl import grammar
from pairl.diagnostics import Edit, Finding, Findings, excerpt
from pairl.text import BLANKS

END_OF_MESSAGE = "---"

_FENCES = ("```", "~~~")
_FENCE_ADVICE = "leave the fence out: a message is its own lines and nothing else"
_BEGIN = "begin with `@v 1`, `@id`, `@ts`, then an empty line"

_find_plain = grammar.PLAIN_HEADERS.findall
_match_other_form = re.compile(r"@[A-Za-z0-9_]++( *+[:=] *+)[^ :=].*+").fullmatch
_match_header = grammar.HEADER.fullmatch


def read_headers(text: str, findings: Findings) -> tuple[dict[str, str], int, int]:
    """Return the headers, and where the body begins: the offset in `text` and the number of its line."""
    end = text.find("\n\n")
    block = text[:end] if end >= 0 else text
    headers: dict[str, str] = dict(_find_plain(block))
    lines = block.count("\n") + 1
    if len(headers) == lines:
        return (headers, end + 2, lines + 2) if end >= 0 else (headers, len(text), lines)
    return _read_odd_block(text, findings)


def unread_headers(text: str) -> list[tuple[int, str]]:
    """Return the lines of the header block of `text` that gave no header, each with its number, from 1.

    They are no header, or give one a second time.
    """
    _, end, _ = read_headers(text, Findings())
    names: set[str] = set()
    unread = []
    for number, line in enumerate(text[:end].split("\n"), 1):
        header = line.strip(BLANKS)
        match = _match_header(header)
        if match is not None and match[1] not in names:
            names.add(match[1])
        elif header:
            unread.append((number, header))
    return unread


def _read_odd_block(text: str, findings: Findings) -> tuple[dict[str, str], int, int]:
    """Read headers among which something is odd, line by line."""
    lines = text.split("\n")
    start = _first(lines, 0, blank=False)
    end = _first(lines, start, blank=True)
    last = end
    while last > start and not lines[last - 1].lstrip(BLANKS).startswith("@"):
        last -= 1
    headers: dict[str, str] = {}
    if start == len(lines):
        findings.add(Finding("HDR/no-headers", "the message is empty", help=_BEGIN))
    elif last == start:
        message = "the message does not begin with a header block"
        findings.add(Finding("HDR/no-headers", message, start + 1, 1, len(lines[start]), _BEGIN))
    elif last < len(lines) and last < end:
        findings.add(
            Finding(
                "HDR/no-blank-line",
                "no empty line separates headers and body",
                last + 1,
                1,
                len(lines[last]),
                "put an empty line before the first record",
                edit=Edit(last + 1, 1, 0, "\n", safe=True),
            )
        )
    where: dict[str, int] = {}
    for number in range(start, last):
        _read_header(lines[number], number + 1, headers, where, findings)
    offset = sum(len(line) + 1 for line in lines[:last])
    return headers, min(offset, len(text)), last + 1


def _with_space(text: str, line: int, column: int) -> Edit | None:
    """Return the change that makes `@name value` of `@name: value` and `@name=value`."""
    match = _match_other_form(text)
    if match is None:
        return None
    return Edit(line, column + match.start(1), match.end(1) - match.start(1), " ")


def _first(lines: list[str], index: int, *, blank: bool) -> int:
    """Return the index, from `index` on, of the first line that is blank or `---`, or of one that is not."""
    while index < len(lines):
        line = lines[index].strip(BLANKS)
        if blank and line in ("", END_OF_MESSAGE):
            break
        if not blank and line:
            break
        index += 1
    return index


def _read_header(
    line: str, number: int, headers: dict[str, str], where: dict[str, int], findings: Findings
) -> None:
    """Read one line of the header block into `headers`, and its number into `where`."""
    text = line.strip(BLANKS)
    match = _match_header(text)
    column = line.find(text) + 1
    if match is None:
        findings.add(
            Finding(
                "HDR/malformed-header",
                f"`{excerpt(text, 40)}` is not `@name value`",
                number,
                column,
                len(text),
                _FENCE_ADVICE
                if text.startswith(_FENCES)
                else "a header is `@`, a name of letters, digits and `_`, a space, and a value",
                edit=_with_space(text, number, column),
            )
        )
        return
    name, value = match.groups()
    if "\t" in value:
        findings.add(
            Finding(
                "SYN/control-character",
                f"a TAB stands in the value of `@{excerpt(name, 40)}`",
                number,
                column + text.index("\t"),
                1,
                "use one space",
            )
        )
    if name in headers:
        findings.add(
            Finding(
                "HDR/duplicate-header",
                f"`@{excerpt(name, 40)}` is given twice",
                number,
                column,
                len(text),
                "keep one of them",
            )
        )
        return
    headers[name] = value
    where[name] = number
