"""The report of `pairl encode`: what was measured, and what is missing, in lines for people.

This module knows columns and words. It shows numbers beside those that they have to be compared with, and
draws no conclusion from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pairl.diagnostics import printable
from pairl.encode.budget import write_budget
from pairl.encode.encoding import Encoded
from pairl.encode.history import Notice, Turn
from pairl.encode.kept import ERRORS, EXITS, KINDS, PATHS, Share
from pairl.encode.past import CHANGED_RESULTS, CHANGED_THOUGHTS
from pairl.encode.window import end_of_body
from workers.cli.console import counted
from workers.cli.encoding_refusals import INSTALL_TOKENS
from workers.cli.measuring import BODY, CHARACTERS, LEGEND, PLAIN, SAME, Measured

_NAMED = 3
"""Kinds of notices that are told without being asked for."""

ALWAYS_KEPT = "markers, calls, statuses, error lines, paths and a sentence of each text"
"""What stands in a body whatever its budget is."""

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
    lines += ["", *aligned(["", *_headings(units)], sizes)]
    if units == [CHARACTERS]:
        lines.append(f"  tokens are counted where a tokenizer is installed: {INSTALL_TOKENS}")
    rows = [
        [kind, _share(found.kept.said.get(kind)), _share(found.kept.tools.get(kind))]
        for kind in _ROWS
        if kind in found.kept.said or kind in found.kept.tools
    ]
    if rows:
        lines += ["", *aligned(["kept", "said", "by tools"], rows)]
    lines += ["", f"quotations that V15 verifies: {_share(Share(found.verified, found.quotations))}"]
    lines.append(f"messages valid in strict mode: {_share(Share(found.valid, found.messages))}")
    if encoded.report.over:
        lines.append(over_budget(encoded))
    dropped = (f"{what}: {count:,}" for what, count in encoded.report.dropped.items())
    lines += _listed("left out or cut", [*dropped, *map(_noticed, _notices(encoded, is_left_out=True))])
    lines += _listed("beside the body", [*_system_prompt(encoded), *_last_items(encoded)])
    lines += _listed("noticed in the record", map(_noticed, _notices(encoded, is_left_out=False)))
    return lines


def lines_of_missing(
    encoded: Encoded,
    *,
    is_first: bool = True,
    is_recent_kept: bool = False,
    turns: Sequence[Turn] | None = None,
) -> list[str]:
    """Return what of a record is in no output, in a few lines.

    The last items may be kept in a file. Of a body that goes on, `turns` are those of the conversation: what
    stays beside it is told in each run, what stood at the head only in the first.
    """
    report = encoded.report
    lines: list[str] = []
    them = "it" if len(encoded.recent) == 1 else "them"
    for items in _last_items(encoded):
        if turns is not None:
            why = _why_beside(encoded, turns)
            lines.append(f"{items}, {why}: a later run prints {them}, --end puts {them} into the body")
        elif not is_recent_kept:
            lines.append(f"{items}: --recent FILE keeps {them}, --window 0 puts {them} into the body")
    if is_first:
        lines += [*_system_prompt(encoded), *_first_of(_notices(encoded, is_left_out=True))]
    if report.dropped:
        counts = ", ".join(_quantity(count, what) for what, count in report.dropped.items())
        # Nobody has asked for less than everything.
        is_all_wanted = encoded.state.allowance.share is None
        lines.append(f"{counts}: no message can carry all of it" if is_all_wanted else counts)
    return lines


def lines_of_notices(encoded: Encoded, *, is_first: bool = True) -> list[str]:
    """Return what was noticed in a record beside what is left out of it, the first few kinds by name.

    Where this is no first run of several, it is what was changed since the one before.
    """
    notices = _notices(encoded, is_left_out=False)
    if not is_first:
        notices = [one for one in notices if one.what in (CHANGED_RESULTS, CHANGED_THOUGHTS)]
    return _first_of(notices)


def _notices(encoded: Encoded, *, is_left_out: bool) -> list[Notice]:
    return [notice for notice in encoded.report.notices if notice.is_left_out is is_left_out]


def _first_of(notices: Sequence[Notice]) -> list[str]:
    """Return the first few notices as lines, and how much the others tell of."""
    more = sum(notice.count for notice in notices[_NAMED:])
    return [
        *map(_noticed, notices[:_NAMED]),
        *([f"{counted(more, 'thing')} more: --report names them"] if more else []),
    ]


def over_budget(encoded: Encoded) -> str:
    """Return how much more a body takes than its budget of characters or tokens, and why."""
    budget = encoded.state.options.budget
    unit = "character" if budget is None or budget.tokens is None else "token"
    asked = write_budget(budget) if budget is not None else "none"
    taken = counted(encoded.report.taken, unit)
    over = f"{encoded.report.over:,} more than --budget {asked}"
    return f"the body takes {taken}, {over}: {ALWAYS_KEPT} are kept in any case"


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
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


def _quantity(count: int, what: str) -> str:
    """Return a number with what it counts, which begins with a plural: `1 text left out`."""
    things, _, how = what.partition(" ")
    return f"{count:,} {things.removesuffix('s') if count == 1 else things} {how}"


def _headings(units: Sequence[str]) -> list[str]:
    return [unit.removesuffix("_base") for unit in units]


def _ratios(found: Measured, text: str) -> Iterator[str]:
    for unit, size in found.sizes[text].items():
        yield f"{100 * found.sizes[BODY][unit] / size:.0f} %" if size else "-"


def _share(share: Share | None) -> str:
    if share is None or not share.of:
        return "-"
    return f"{share.kept:,} of {share.of:,} ({100 * share.kept // share.of} %)"


def _system_prompt(encoded: Encoded) -> list[str]:
    size = sum(map(len, encoded.system))
    return [f"the system prompt, {counted(size, 'character')}"] if size else []


def _last_items(encoded: Encoded) -> list[str]:
    if not encoded.recent:
        return []
    count = len(encoded.recent)
    return [f"the last {counted(count, 'item') if count > 1 else 'item'} of the record"]


def _why_beside(encoded: Encoded, turns: Sequence[Turn]) -> str:
    """Return why the last items of a conversation are not yet in its body."""
    window = encoded.state.options.window
    if end_of_body(turns, window, is_open=True) < end_of_body(turns, window, is_open=False):
        return "which may still be answered, or go on"
    return f"within the last {counted(window, 'call') if window > 1 else 'call'} and what follows"


def _noticed(notice: Notice) -> str:
    if notice.count == 1 and not notice.where and not notice.size:
        return printable(notice.what)
    where = f", first at {printable(notice.where)}" if notice.where else ""
    size = f", {counted(notice.size, 'character')}" if notice.size else ""
    return f"{printable(notice.what)}: {notice.count:,}{where}{size}"


def _listed(title: str, lines: Iterable[str]) -> list[str]:
    listed = [f"  {line}" for line in lines]
    return ["", f"{title}:", *listed] if listed else []
