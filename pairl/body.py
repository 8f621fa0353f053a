"""Reads the body of a message, line by line: records, columnar blocks, and what is neither.

This module knows what one line makes of the next: a row belongs to the block above it, `>>>` opens
tool output, `---` ends the message. How a line itself is read is known to `pairl.well_formed`, and
to `pairl.lines` and `pairl.columnar` where it is odd. Nothing is lost: lines that are no record
stand among the records as they came.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from pairl.columnar import open_block, read_row
from pairl.diagnostics import Finding, Findings
from pairl.headers import END_OF_MESSAGE
from pairl.lines import read_line
from pairl.model import ColumnarBlock, Record
from pairl.text import BLANKS
from pairl.well_formed import Parts, find_lines, read_special, read_well_formed

_PIECE = 65_536
TOOL_OUTPUT = ">>>"
TOOL_OUTPUT_END = "<<<"
_BLOCK_LIKE = re.compile(r"#[a-z][a-z0-9_]*+\[")


class _Passage(Enum):
    """Lines that are kept as they are, because of what was read above them."""

    TOOL_OUTPUT = "up to the line that begins with <<<"
    LOST_ROWS = "the rows of a block whose header cannot be read"
    ENDED = "nothing is expected after ---"
    AFTER_END = "something was found after ---, up to the end"


# Where a `---` is a line like any other, and becomes a record.
_KEEPS_ENDS = (_Passage.TOOL_OUTPUT, _Passage.ENDED, _Passage.AFTER_END)


def read_body(
    text: str, start: int, line: int, findings: Findings, max_records: int
) -> tuple[list[Record], list[ColumnarBlock]]:
    """Return the records and the columnar blocks of `text` from offset `start`, which is in line `line`."""
    reader = _BodyReader(findings, line, max_records)
    for piece in _pieces(text, start):
        if not reader.read(piece):
            break
    return reader.records, reader.blocks


def read_records(body: str) -> list[Record]:
    """Return the records of a body without a message around it; what is wrong in it is not told."""
    return read_body(body, 0, 1, Findings(), body.count("\n") + 1)[0]


def _pieces(text: str, start: int) -> Iterator[str]:
    """Yield `text` in runs of whole lines, so that not all lines are taken apart before one is read."""
    end = text.find("\n", start + _PIECE)
    while end >= 0:
        yield text[start:end]
        start = end + 1
        end = text.find("\n", start + _PIECE)
    yield text[start:]


class _BodyReader:
    """What was read so far, the number of the next line, and what is open above it."""

    def __init__(self, findings: Findings, line: int, max_records: int) -> None:
        self.records: list[Record] = []
        self.blocks: list[ColumnarBlock] = []
        self.findings = findings
        self.line = line
        self.open: ColumnarBlock | _Passage | None = None
        self.end_line = 0
        self.max_records = max_records

    def read(self, text: str) -> bool:
        """Read `text`, some whole lines; return whether there is room for more."""
        records = self.records
        line = self.line
        first_at_risk = line + self.max_records - self._count()
        for line, parts in enumerate(find_lines(text), self.line):
            if line >= first_at_risk and self._count() >= self.max_records and self._is_content(parts):
                self.findings.add(_too_many_records(self.max_records, line))
                return False
            if self.open is None:
                if parts[0]:
                    record = read_well_formed(parts, line)
                    if record is not None:
                        records.append(record)
                        continue
                elif not parts[-1]:
                    continue
            self._read_other(parts, line)
        self.line = line + 1
        return True

    def _count(self) -> int:
        """Return how many records there are, with a `---` that becomes one if anything follows it."""
        return len(self.records) + (self.open is _Passage.ENDED)

    def _is_content(self, parts: Parts) -> bool:
        line = parts[0] or parts[-1].strip(BLANKS)
        return line != "" and (line != END_OF_MESSAGE or self.open in _KEEPS_ENDS)

    def _read_other(self, parts: Parts, line: int) -> None:
        """Read a line that is not well-formed, or not where a well-formed record stands for itself."""
        whole = parts[0] or parts[-1]
        text = whole.strip(BLANKS)
        if isinstance(self.open, _Passage) and self._keep_in_passage(self.open, text, line):
            return
        if not text:
            self.open = None
            return
        indent = 0
        if len(text) < len(whole):
            indent = len(whole) - len(whole.lstrip(BLANKS))
            parts = find_lines(text)[0]
        if text[0] == "#":
            self._read_hash_line(parts, text, line, indent)
        elif text == END_OF_MESSAGE:
            self.open = _Passage.ENDED
            self.end_line = line
        elif text.startswith(TOOL_OUTPUT):
            self.open = _Passage.TOOL_OUTPUT
            self.findings.add(_tool_output(line, indent))
            self._keep(text, line)
        elif isinstance(self.open, ColumnarBlock):
            self.records.append(read_row(self.open, text, line, indent, self.findings))
        else:
            record = read_well_formed(parts, line) or read_line(text, line, indent, self.findings)
            self.records.append(record)

    def _read_hash_line(self, parts: Parts, text: str, line: int, indent: int) -> None:
        """Read a line that begins with `#` and closes what block was open."""
        self.open = None
        record = read_well_formed(parts, line) or read_special(text, line)
        if record is None:
            self.open = open_block(text, line)
            if self.open is not None:
                self.blocks.append(self.open)
                return
            record = read_line(text, line, indent, self.findings)
            if _BLOCK_LIKE.match(text):
                self.open = _Passage.LOST_ROWS
        self.records.append(record)

    def _keep(self, text: str, line: int) -> None:
        """Keep a line that is no record."""
        self.records.append(Record(kind="unknown", raw=text, line=line, malformed=True))

    def _keep_in_passage(self, passage: _Passage, text: str, line: int) -> bool:
        """Keep a line of a passage; return False if the line ends it and is to be read as any other."""
        if passage is _Passage.LOST_ROWS and (
            not text or text[0] == "#" or text == END_OF_MESSAGE or text.startswith(TOOL_OUTPUT)
        ):
            self.open = None
            return False
        if not text:
            return True
        if passage is _Passage.ENDED:
            self.open = _Passage.AFTER_END
            self.findings.add(_content_after_end(line, len(text)))
            self._keep(END_OF_MESSAGE, self.end_line)
        elif passage is _Passage.TOOL_OUTPUT and text.startswith(TOOL_OUTPUT_END):
            self.open = None
        self._keep(text, line)
        return True


def _too_many_records(limit: int, line: int) -> Finding:
    message = f"there are more than {limit:,} records; the rest was not read"
    return Finding("SYN/too-many-records", message, line, 1, 1, "split the message, or raise the limit")


def _tool_output(line: int, indent: int) -> Finding:
    return Finding(
        "SYN/tool-output",
        "a `>>>` block of tool output has no place in a message body",
        line,
        indent + 1,
        len(TOOL_OUTPUT),
        'carry the result as data: `#ret call=… status=ok summary="…"`',
    )


def _content_after_end(line: int, length: int) -> Finding:
    return Finding(
        "SYN/content-after-end",
        "text follows a `---`, which ends the message",
        line,
        1,
        length,
        "send one message at a time",
    )
