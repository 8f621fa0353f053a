"""Makes text of what arrived: UTF-8, one kind of line end, no byte order mark.

This module knows bytes and characters. It does not know what a message is. Whatever the bytes are,
text comes back, with findings about what was wrong (sections 1 and 9.5 of the specification).
"""

from __future__ import annotations

from pairl import grammar
from pairl.diagnostics import Edit, Finding, Findings

BLANKS = " \t"
"""What may surround a line, a header's value and an entry of a list without being part of it."""

_BYTE_ORDER_MARK = "\ufeff"
_CONTROLS = bytes([*range(9), *range(11, 13), *range(14, 32), 127])


def encode(source: str) -> bytes:
    """Return the bytes of `source`; halves of surrogate pairs, which UTF-8 does not have, are kept."""
    return source.encode("utf-8", "surrogatepass")


def read_text(source: str | bytes, data: bytes, findings: Findings) -> str:
    """Return `source` as text whose lines end in LF; what cannot be read becomes U+FFFD.

    `data` is the bytes of `source`.
    """
    text = _decode(source, findings) if isinstance(source, bytes) else source
    if text.startswith(_BYTE_ORDER_MARK):
        text = text[1:]
        findings.add(
            Finding(
                "SYN/byte-order-mark",
                "the text begins with a byte order mark, which is left out",
                1,
                help="save the file as UTF-8 without a byte order mark",
                edit=Edit(1, 0, 1, "", safe=True),
            )
        )
    lone_return = False
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        lone_return = "\r" in text
    if lone_return or len(data.translate(None, _CONTROLS)) < len(data):
        _report_characters(text, findings)
    if lone_return:
        # The canonical text ends lines in LF: a CR left there would make another line end of it.
        text = "\n".join([line.rstrip(BLANKS + "\r") for line in text.split("\n")])
    if isinstance(source, str) and not source.isascii():
        _report_surrogate(text, findings)
    return text


def _report_surrogate(text: str, findings: Findings) -> None:
    match = grammar.SURROGATE.search(text)
    if match is not None:
        line, column = _place(text, match.start())
        findings.add(
            Finding(
                "SYN/surrogate",
                f"U+{ord(match[0]):04X} is half of a surrogate pair and no character",
                line,
                column,
                1,
                "encode the text as UTF-8 and send the bytes",
            )
        )


def _decode(data: bytes, findings: Findings) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = data[: fault.start].decode("utf-8").removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")
        line, column = _place(before, len(before))
        findings.add(
            Finding(
                "SYN/not-utf8",
                f"byte 0x{data[fault.start]:02x} at offset {fault.start:,} is not UTF-8 ({fault.reason})",
                line,
                column,
                1,
                "encode the text as UTF-8; a file saved as Latin-1 or UTF-16 must be converted",
            )
        )
        return data.decode("utf-8", "replace")


def _report_characters(text: str, findings: Findings) -> None:
    count = 0
    finding = None
    for number, line in enumerate(text.split("\n"), 1):
        # What stands at the end is left out of the text that is kept: its place is where that line ends.
        end = len(line.rstrip(BLANKS + "\r"))
        for match in grammar.CONTROL.finditer(line):
            count += 1
            if finding is None or count <= Findings.LISTED:
                finding = Finding(
                    "SYN/control-character",
                    f"U+{ord(match[0]):04X} is a control character",
                    number,
                    min(match.start(), end) + 1,
                    1,
                    "leave it out; only TAB is allowed, inside quotation marks",
                )
            findings.add(finding)


def _place(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column, from 1, of the character at `offset`."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1
