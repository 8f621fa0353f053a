"""Reads columnar blocks (§3.4): a header that names the columns, and rows that give their values.

This module knows how a row becomes the record it stands for (§9.4a), and how a row can fail to
fit its columns (V12). It does not know which types may have columns or what their records need:
`pairl.rules.v12_columnar_blocks` and the type's own rule say that.
"""

from __future__ import annotations

from pairl import grammar
from pairl.diagnostics import Findings, excerpt
from pairl.model import ColumnarBlock, Record
from pairl.scanner import Scanner, is_tag
from pairl.well_formed import is_record_tag

_NAMED_COLUMNS = 12

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
    if match is not None:
        fields, m, rid = match.groups()
        cells = [
            (atom, False) if atom else (grammar.unquote(quoted), True)
            for atom, quoted in _find_fields(fields)
        ]
        if len(cells) == len(block.columns) and is_record_tag(block.rtype):
            block.rows.append(cells)
            kv = dict(zip(block.columns, [value for value, _ in cells], strict=True))
            return Record(block.rtype, block.rtype, kv, rid, m, text, line, True)
    return _read_odd_row(block, Scanner(text, line, indent, findings))


def _read_odd_row(block: ColumnarBlock, scanner: Scanner) -> Record:
    """Read a row that is not well-formed, field by field.

    It stays mere text if it does not fit the columns, or would pass itself off as another kind of
    line: `#marker[who]` has no rows that are turn markers.
    """
    cells = _read_fields(scanner, len(block.columns))
    block.rows.append(cells)
    fits = len(cells) == len(block.columns)
    if not fits:
        _report_field_count(block, cells, scanner)
    elif not is_record_tag(block.rtype):
        fits, scanner.malformed = False, True
    return Record(
        kind=block.rtype if fits else "unknown",
        name=block.rtype,
        kv={column: cell[0] for column, cell in zip(block.columns, cells, strict=True)} if fits else {},
        rid=scanner.tags.get("@rid") or None,
        m=scanner.tags.get("@m") or None,
        raw=scanner.text,
        line=scanner.line,
        from_columnar=True,
        malformed=scanner.malformed,
    )


def _read_fields(scanner: Scanner, columns: int) -> list[tuple[str, bool]]:
    fields: list[tuple[str, bool]] = []
    scanner.skip_spaces()
    while not scanner.at_end:
        start = scanner.position
        if scanner.next_is('"'):
            scanner.after_tag(start, start + 1)
            fields.append((scanner.quotation("V12/open-quote"), True))
            after, word = scanner.word()
            if word:
                scanner.report_after_quotation(after)
        else:
            start, word = scanner.word()
            if is_tag(word):
                scanner.tag(start, word)
            else:
                scanner.after_tag(start, scanner.position)
                if len(fields) < columns:
                    _check_atom(scanner, start, word)
                fields.append((word, False))
        scanner.skip_spaces()
    return fields


def _check_atom(scanner: Scanner, start: int, word: str) -> None:
    if word.endswith("\\"):
        scanner.report(
            "SYN/trailing-backslash",
            "a value cannot end in a backslash",
            start,
            start + len(word),
            "leave the backslash out, or add a character after it",
        )
    elif grammar.NOT_ATOM.search(word) and not grammar.REFERENCE.fullmatch(word):
        # An intent below a block is taken for a row: quotation marks would not make it what was meant.
        quoted = f'"{grammar.quote(word)}"'
        is_intent = "{" in word or "}" in word
        scanner.report(
            "V12/unquoted-field",
            f"`{excerpt(word, 40)}` is no atom",
            start,
            start + len(word),
            "put quotation marks around a field with special characters"
            + ("; an intent after a block needs a blank line before it" if is_intent else ""),
            scanner.edit(0, 0, "\n")
            if is_intent
            else scanner.edit(start, start + len(word), quoted, safe=True),
        )


def _report_field_count(block: ColumnarBlock, cells: list[tuple[str, bool]], scanner: Scanner) -> None:
    wanted = len(block.columns)
    names = ", ".join(block.columns[:_NAMED_COLUMNS])
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
