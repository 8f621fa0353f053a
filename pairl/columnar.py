"""Reads columnar blocks (§3.4): a header that names the columns, and rows that give their values.

This module knows how a row becomes the record it stands for (§9.4a), and how a row can fail to
fit its columns (V12). It does not know which types may have columns or what their records need:
`pairl.rules.v12_columnar_blocks` and the type's own rule say that.
"""

from __future__ import annotations

from pairl import grammar
from pairl.diagnostics import Findings, excerpt
from pairl.model import ColumnarBlock, Record
from pairl.scanner import TAG_NAMES, Scanner

_match_row = grammar.ROW.fullmatch
_find_fields = grammar.FIELD.findall


def open_block(text: str, line: int) -> ColumnarBlock | None:
    """Return an empty block if `text` is a well-formed block header, else None."""
    match = grammar.BLOCK_HEADER.fullmatch(text)
    if match is None:
        return None
    return ColumnarBlock(match[1], match[2].split(","), [], text, line)


def read_row(block: ColumnarBlock, text: str, line: int, indent: int, findings: Findings) -> Record:
    """Add a row to `block`, and return the record that it stands for.

    `text` is the row without white space around it, `line` its number, and `indent` how many
    characters stood before it.
    """
    match = _match_row(text)
    if match is None:
        return _read_odd_row(block, text, line, indent, findings)
    fields, m, rid = match.groups()
    cells = [
        (atom, False) if atom else (grammar.unquote(quoted), True) for atom, quoted in _find_fields(fields)
    ]
    return _expand(block, cells, m, rid, Scanner(text, line, indent, findings))


def _read_odd_row(block: ColumnarBlock, text: str, line: int, indent: int, findings: Findings) -> Record:
    """Read a row that is not well-formed, field by field."""
    scanner = Scanner(text, line, indent, findings)
    cells = _read_fields(scanner)
    tags = scanner.tags
    return _expand(block, cells, tags.get("@m") or None, tags.get("@rid") or None, scanner)


def _expand(
    block: ColumnarBlock,
    cells: list[tuple[str, bool]],
    m: str | None,
    rid: str | None,
    scanner: Scanner,
) -> Record:
    """Add a row's fields to the block, and return the record they are; a misfit stays mere text."""
    block.rows.append(cells)
    fits = len(cells) == len(block.columns)
    if not fits:
        _report_field_count(block, cells, scanner)
    return Record(
        kind=block.rtype if fits else "unknown",
        name=block.rtype,
        kv={column: cell[0] for column, cell in zip(block.columns, cells, strict=True)} if fits else {},
        rid=rid,
        m=m,
        raw=scanner.text,
        line=scanner.line,
        from_columnar=True,
        malformed=scanner.malformed,
    )


def _read_fields(scanner: Scanner) -> list[tuple[str, bool]]:
    fields: list[tuple[str, bool]] = []
    scanner.skip_spaces()
    while not scanner.at_end:
        if scanner.next_is('"'):
            scanner.after_tag(scanner.position, scanner.position + 1)
            fields.append((scanner.quoted_value(in_braces=False, fault="V12/open-quote"), True))
        else:
            start, word = scanner.word()
            if word.partition("=")[0] in TAG_NAMES and "=" in word:
                scanner.tag(start, word)
            else:
                scanner.after_tag(start, scanner.position)
                _check_atom(scanner, start, word)
                fields.append((word, False))
        scanner.skip_spaces()
    return fields


def _check_atom(scanner: Scanner, start: int, word: str) -> None:
    if grammar.NOT_ATOM.search(word) and not word.startswith(("ref:", "@")):
        scanner.report(
            "V12/unquoted-field",
            f"`{excerpt(word, 40)}` is no atom",
            start,
            start + len(word),
            "put quotation marks around a field with special characters",
        )
    elif word.endswith("\\"):
        scanner.report(
            "SYN/trailing-backslash",
            "a value cannot end in a backslash",
            start,
            start + len(word),
            "leave the backslash out, or add a character after it",
        )


def _report_field_count(block: ColumnarBlock, cells: list[tuple[str, bool]], scanner: Scanner) -> None:
    wanted = len(block.columns)
    names = ", ".join(block.columns)
    scanner.report(
        "V12/field-count",
        f"the row has {len(cells)} field{'' if len(cells) == 1 else 's'}, "
        f"expected {wanted} ({excerpt(names, 80)})",
        0,
        len(scanner.text),
        "a field with spaces needs quotation marks"
        if len(cells) > wanted
        else 'write an empty field as `""`; an intent after a block needs a blank line before it',
    )
