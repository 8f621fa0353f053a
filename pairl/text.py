"""Makes text of what arrived: UTF-8, one kind of line end, no byte order mark.

This module knows bytes and characters. It does not know what a message is. Whatever the bytes are,
text comes back, with findings about what was wrong (sections 1 and 9.5 of the specification).
"""

from __future__ import annotations

from pairl import grammar
from pairl.diagnostics import Finding, Findings

_BYTE_ORDER_MARK = "\ufeff"


def read_text(source: str | bytes, findings: Findings) -> str:
    """Return `source` as text whose lines end in LF; what cannot be read becomes U+FFFD."""
    text = _decode(source, findings) if isinstance(source, bytes) else source
    if text.startswith(_BYTE_ORDER_MARK):
        text = text[1:]
        findings.add(
            Finding("SYN/byte-order-mark", "the text begins with a byte order mark, which is left out", 1)
        )
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if grammar.CONTROL.search(text):
        _report_characters(text, findings)
    if isinstance(source, str):
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
        before = data[: fault.start].decode("utf-8").replace("\r\n", "\n")
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
    for number, line in enumerate(text.split("\n"), 1):
        for match in grammar.CONTROL.finditer(line):
            findings.add(
                Finding(
                    "SYN/control-character",
                    f"U+{ord(match[0]):04X} is a control character",
                    number,
                    match.start() + 1,
                    1,
                    "leave it out; only TAB is allowed, inside quotation marks",
                )
            )


def _place(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column, from 1, of the character at `offset`."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1
