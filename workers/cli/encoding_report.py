"""The report of `pairl encode`: what was measured, in lines for people.

This module knows columns and words. It shows numbers beside those that they have to be compared with, and
draws no conclusion from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pairl.diagnostics import printable
from pairl.encode.kept import ERRORS, EXITS, KINDS, PATHS, Share
from workers.cli.console import counted
from workers.cli.encoding_faults import INSTALL_TOKENS
from workers.cli.measuring import BODY, CHARACTERS, LEGEND, PLAIN, SAME, Measured

_ROWS = (*KINDS, PATHS, EXITS, ERRORS)


def lines_of(name: str, found: Measured) -> list[str]:
    """Return the lines of the report on a file of this name, which is printable."""
    encoded = found.encoded
    units = list(found.sizes[BODY])
    lines = [f"{name}: {counted(found.turns, 'turn')} in the body, {counted(found.messages, 'message')}"]
    sizes = [[text, *(f"{size[unit]:,}" for unit in units)] for text, size in found.sizes.items()]
    if found.sizes.get(LEGEND, {}).get(CHARACTERS) == 0:
        sizes[-1] = [LEGEND, *["full text" for _ in units]]
    sizes += [[f"body, of {text}", *_ratios(found, text)] for text in (PLAIN, SAME)]
    lines += ["", *_table(["", *_headings(units)], sizes)]
    if units == [CHARACTERS]:
        lines.append(f"  tokens are counted where a tokenizer is installed: {INSTALL_TOKENS}")
    rows = [
        [kind, _share(found.kept.said.get(kind)), _share(found.kept.tools.get(kind))]
        for kind in _ROWS
        if kind in found.kept.said or kind in found.kept.tools
    ]
    if rows:
        lines += ["", *_table(["kept", "said", "by tools"], rows)]
    lines += ["", f"quotations that V15 verifies: {_share(Share(found.verified, found.quotations))}"]
    lines.append(f"messages valid in strict mode: {_share(Share(found.valid, found.messages))}")
    lines += _listed(
        "left out or cut", (f"{what}: {count:,}" for what, count in encoded.report.dropped.items())
    )
    lines += _listed("beside the body", _beside(found))
    lines += _listed("noticed by the importer", _noticed(found))
    return lines


def _headings(units: Sequence[str]) -> list[str]:
    return [unit.removesuffix("_base") for unit in units]


def _ratios(found: Measured, text: str) -> Iterator[str]:
    for unit, size in found.sizes[text].items():
        yield f"{100 * found.sizes[BODY][unit] / size:.0f} %" if size else "-"


def _share(share: Share | None) -> str:
    if share is None or not share.of:
        return "-"
    return f"{share.kept:,} of {share.of:,} ({100 * share.kept // share.of} %)"


def _beside(found: Measured) -> Iterator[str]:
    system = sum(map(len, found.encoded.system))
    if system:
        yield f"the system prompt, {counted(system, 'character')}"
    if found.encoded.recent:
        yield f"the last {counted(len(found.encoded.recent), 'item')} of the record"


def _noticed(found: Measured) -> Iterator[str]:
    for notice in found.encoded.report.notices:
        where = f", first at {printable(notice.where)}" if notice.where else ""
        size = f", {counted(notice.size, 'character')}" if notice.size else ""
        yield f"{printable(notice.what)}: {notice.count:,}{where}{size}"


def _listed(title: str, lines: Iterable[str]) -> list[str]:
    listed = [f"  {line}" for line in lines]
    return ["", f"{title}:", *listed] if listed else []


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows as lines: the first column to the left, the others to the right."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
