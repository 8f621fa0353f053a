"""Reads a message: bytes or text in, a `Message` out, whatever the bytes are.

This module knows the layout of a document: headers, an empty line, records, `---`. It does not
judge: what it finds odd goes into `Message.findings`, and `pairl.validator` says what that means.
Nothing here raises on data, and every step is linear in the text; lines that are well-formed are
recognised by one regular expression (`pairl.grammar`), the others go to `pairl.lines`.
"""

from __future__ import annotations

import re

from pairl import grammar
from pairl.columnar import open_block, read_row
from pairl.diagnostics import Finding, Findings, excerpt
from pairl.lines import read_line
from pairl.model import ColumnarBlock, Message, Record
from pairl.text import read_text
from pairl.vocabulary import RECORD_TYPES, RESERVED_TAGS

MAX_BYTES = 1_048_576
"""§15.1: the size above which a message is not read, unless the caller says otherwise."""

MAX_RECORDS = 1_000
"""§15.1: the number of records at which reading stops, unless the caller says otherwise."""

_BLANKS = " \t"
_END = re.compile(rb"(?m)^[ \t]*+---[ \t\r]*+$\n?")
_HEADER_BYTES = 4_096

_KNOWN_TAGS = {f"#{tag}": tag for tag in RECORD_TYPES}
_SPECIAL_TAG = re.compile(rf"s|msg|{'|'.join(sorted(RESERVED_TAGS))}|[uas][0-9]+")

_split_at_pairs = grammar.RECORD_PAIR.split
_match_tag = grammar.RECORD_TAG.fullmatch
_match_tags = grammar.TRAILING_TAGS.fullmatch
_match_intent = grammar.INTENT.fullmatch
_match_marker = grammar.MARKER.fullmatch
_match_long_marker = grammar.LONG_MARKER.fullmatch
_match_state = grammar.STATE.fullmatch
_find_parameters = grammar.PARAMETER.findall


def parse(source: str | bytes, *, max_bytes: int = MAX_BYTES, max_records: int = MAX_RECORDS) -> Message:
    """Return the message that `source` holds, however broken it is.

    Args:
        source: the text, or its UTF-8 bytes.
        max_bytes: above this many bytes only the headers are read (`SYN/too-large`).
        max_records: reading stops after this many records (`SYN/too-many-records`).

    Never raises on data. Sections 1 to 3, 8 and 9.4a of the specification.

    """
    findings = Findings()
    size = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        findings.add(
            Finding("SYN/too-large", f"the message has {size:,} bytes; at most {max_bytes:,} are read")
        )
        text = read_text(source[:_HEADER_BYTES], Findings())
        headers, header_lines, _ = _read_headers(text.split("\n"), Findings())
        return Message(headers=headers, header_lines=header_lines, findings=findings.listing(), size=size)
    text = read_text(source, findings)
    lines = text.split("\n")
    headers, header_lines, body_start = _read_headers(lines, findings)
    records, blocks = _read_body(lines, body_start, findings, max_records)
    if headers and not records:
        findings.add(Finding("HDR/no-body", "there are headers but no record", len(header_lines), 1))
    return Message(headers, records, blocks, findings.listing(), header_lines, text, size)


def split_messages(data: bytes) -> list[bytes]:
    """Return the messages of a file that holds several, separated by lines that are just `---`.

    Each keeps its bytes as they are; pieces of nothing but white space are left out.
    """
    return [piece for piece in _END.split(data) if piece.strip()]


def _read_headers(lines: list[str], findings: Findings) -> tuple[dict[str, str], dict[str, int], int]:
    """Return the headers, the line each stands in, and the index of the body's first line."""
    headers: dict[str, str] = {}
    where: dict[str, int] = {}
    start = 0
    while start < len(lines) and not lines[start].strip(_BLANKS):
        start += 1
    end = start
    while end < len(lines) and lines[end].strip(_BLANKS):
        end += 1
    last = end
    while last > start and not lines[last - 1].lstrip(_BLANKS).startswith("@"):
        last -= 1
    if last == start:
        findings.add(
            Finding(
                "HDR/no-headers",
                "the message does not begin with a header block",
                start + 1 if start < len(lines) else 0,
                1,
                0,
                "begin with `@v 1`, `@id`, `@ts`, then an empty line",
            )
        )
        return headers, where, start
    if last < end:
        findings.add(
            Finding(
                "HDR/no-blank-line",
                "no empty line separates headers and body",
                last + 1,
                1,
                len(lines[last]),
                "put an empty line before the first record",
            )
        )
    for number in range(start, last):
        _read_header(lines[number], number + 1, headers, where, findings)
    return headers, where, last


def _read_header(
    line: str, number: int, headers: dict[str, str], where: dict[str, int], findings: Findings
) -> None:
    """Read one line of the header block into `headers`."""
    match = grammar.HEADER.fullmatch(line.strip(_BLANKS))
    if match is None:
        findings.add(
            Finding(
                "HDR/malformed-header",
                f"`{excerpt(line.strip(_BLANKS), 40)}` is not `@name value`",
                number,
                1,
                len(line),
                "a header is `@`, a name of letters, digits and `_`, a space, and a value",
            )
        )
        return
    name = match[1]
    if name in headers:
        findings.add(
            Finding(
                "HDR/duplicate-header",
                f"`@{excerpt(name, 40)}` is given twice, first in line {where[name]}",
                number,
                1,
                len(line),
                "keep one of them",
            )
        )
        return
    headers[name] = match[2]
    where[name] = number


def _read_body(
    lines: list[str], start: int, findings: Findings, max_records: int
) -> tuple[list[Record], list[ColumnarBlock]]:
    """Return the records and the columnar blocks from line index `start` on."""
    records: list[Record] = []
    blocks: list[ColumnarBlock] = []
    block: ColumnarBlock | None = None
    index = start
    while index < len(lines):
        text = lines[index].strip(_BLANKS)
        index += 1
        if not text:
            block = None
            continue
        if len(records) >= max_records:
            findings.add(_too_many_records(max_records, index))
            break
        if text[0] == "#":
            record = _well_formed_record(text, index) or _special_record(text, index)
            block = None if record else open_block(text, index)
            if record is not None:
                records.append(record)
            elif block is not None:
                blocks.append(block)
            else:
                records.append(read_line(text, index, _indent(lines[index - 1]), findings))
                if findings.latest_is("V12/malformed-block"):
                    index = _keep_until_record(lines, index, records)
        elif text == "---":
            index = _read_after_end(lines, index, records, findings)
        elif text.startswith(">>>"):
            block = None
            index = _read_tool_output(lines, index, records, findings)
        elif block is not None:
            records.append(read_row(block, text, index, _indent(lines[index - 1]), findings))
        else:
            record = _well_formed_intent(text, index)
            records.append(record or read_line(text, index, _indent(lines[index - 1]), findings))
    return records, blocks


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(_BLANKS))


def _well_formed_record(text: str, line: int) -> Record | None:
    """Return the record of a line that is exactly `#tag key=value …` and tags; None of any other."""
    parts = _split_at_pairs(text)
    tag = _KNOWN_TAGS.get(parts[0]) or _unknown_tag(parts[0])
    length = len(parts)
    if tag is None or length < 5:
        return None
    if length == 5:
        kv = {parts[1]: parts[2]}
    else:
        kv = dict(zip(parts[1::4], parts[2::4]))  # noqa: B905  # as many keys as values, by the split
        if len(kv) * 4 + 1 != length or any(parts[3:-2:4]) or any(parts[4:-1:4]):
            return None
    if '"' in text:
        for key, value in kv.items():
            if value[0] == '"':
                kv[key] = value[1:-1].replace('\\"', '"')
    if not parts[-1]:
        return Record(tag, tag, kv, parts[-2], None, text, line)
    tags = None if parts[-2] else _match_tags(parts[-1])
    return Record(tag, tag, kv, tags[2], tags[1], text, line) if tags else None


def _unknown_tag(word: str) -> str | None:
    """Return a record type that is not in the tables, if `word` names one that is free to use."""
    match = _match_tag(word)
    if match is None or _SPECIAL_TAG.fullmatch(match[1]):
        return None
    return match[1]


def _well_formed_intent(text: str, line: int) -> Record | None:
    """Return the intent of a line that the grammar matches; None if it does not, or a key is doubled."""
    match = _match_intent(text)
    if match is None:
        return None
    name, body, m, rid = match.groups()
    pairs = _find_parameters(body) if body else ()
    kv = {key: atom or grammar.unquote(quoted) for key, atom, quoted in pairs}
    if len(kv) != len(pairs):
        return None
    return Record("intent", name, kv, rid, m, text, line)


def _special_record(text: str, line: int) -> Record | None:
    """Return the turn marker or the state token that a line is, else None."""
    match = _match_marker(text)
    if match is not None:
        return Record(kind="marker", name=match[1], role=text[1], raw=text, line=line)
    match = _match_state(text)
    if match is not None:
        return Record(kind="s", name="s", arg=match[1], raw=text, line=line)
    match = _match_long_marker(text)
    if match is not None:
        name, role, parent = match.groups()
        return Record(kind="marker", name=name, role=role, parent=parent, raw=text, line=line)
    return None


def _too_many_records(limit: int, line: int) -> Finding:
    message = f"there are more than {limit:,} records; the rest was not read"
    return Finding("SYN/too-many-records", message, line, 1, 1, "split the message, or raise the limit")


def _keep(lines: list[str], index: int, records: list[Record]) -> None:
    """Keep a line as it is: it is no record, but must not be lost."""
    text = lines[index].strip(_BLANKS)
    if text:
        records.append(Record(kind="unknown", raw=text, line=index + 1, malformed=True))


def _keep_until_record(lines: list[str], index: int, records: list[Record]) -> int:
    """Keep the rows of a block whose header cannot be read; its own finding has said enough."""
    while index < len(lines) and lines[index].strip(_BLANKS)[:1] not in ("", "#"):
        _keep(lines, index, records)
        index += 1
    return index


def _read_after_end(lines: list[str], index: int, records: list[Record], findings: Findings) -> int:
    """Keep what follows the `---` in line `index`, if anything does; return the end."""
    following = next((n for n in range(index, len(lines)) if lines[n].strip(_BLANKS)), None)
    if following is not None:
        findings.add(
            Finding(
                "SYN/content-after-end",
                f"text follows the `---` of line {index}, which ends the message",
                following + 1,
                1,
                len(lines[following]),
                "send one message at a time",
            )
        )
        for number in range(index - 1, len(lines)):
            _keep(lines, number, records)
    return len(lines)


def _read_tool_output(lines: list[str], index: int, records: list[Record], findings: Findings) -> int:
    """Keep a `>>>` block, which began in line `index`, as opaque text; return the index behind it."""
    findings.add(
        Finding(
            "SYN/tool-output",
            "a `>>>` block of tool output has no place in a message body",
            index,
            1,
            3,
            'carry the result as data: `#ret call=… status=ok summary="…"`',
        )
    )
    _keep(lines, index - 1, records)
    while index < len(lines):
        _keep(lines, index, records)
        index += 1
        if lines[index - 1].strip(_BLANKS).startswith("<<<"):
            break
    return index
