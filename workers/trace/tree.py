"""A conversation as a tree for a terminal, a line for each message.

This module knows layout. What is drawn comes from agents, so all of it is made printable here. Whether there
is a terminal, how wide it is and whether it has colours is the caller's to say.

    ● m1     accepted  2026-11-30 09:00:00Z  0.12 EUR  budget 0.50 EUR
    ↓ m2     accepted              +1.204 s
    ├─ m3    accepted              +2.310 s
    └─ m4 ◄  accepted              +2.415 s  + m1

An only answer stands below its message without being moved in (`↓`), so that a long exchange stays a column.
Where branches would take the lines too far to the right, what is below one is drawn further down, behind `…`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec
from rich.cells import cell_len, set_cell_size

from pairl.diagnostics import printable
from pairl.thread import Status
from workers.trace.amounts import amount, amounts, moment, span
from workers.trace.forest import Branch, Forest
from workers.trace.messages import TracedMessage, TracedSession

_MOST_LEVELS = 12
_WIDEST_COLUMN = 48
_ROOT, _MISSING, _ONLY, _CONTINUED = "● ", "○ ", "↓ ", "… "
_INNER, _LAST = ("├─ ", "│  "), ("└─ ", "   ")
_MARK = " ◄"
_STATUS_STYLES = {Status.ACCEPTED: "32", Status.REJECTED: "1;31", Status.WAITING: "33"}
_PLAIN, _DIM, _STRONG = "", "2", "1"
_STATUS_WIDTH = max(map(len, Status))
_TIME_WIDTH = len(moment(0))

_Styled = tuple[str, str]
"""A style (as of an ANSI sequence) and a text without styles."""


class _Row(msgspec.Struct, frozen=True):
    """A line: what stands in the column of ids, and what stands behind it. Details have no column."""

    bars: str
    name: str
    parts: tuple[_Styled, ...]
    is_marked: bool = False
    is_detail: bool = False


class _Step(msgspec.Struct, frozen=True):
    """A branch that is still to be drawn: what stands before it, and before what hangs below it."""

    number: int
    bars: str
    bars_below: str
    level: int
    since: int | None


def draw_tree(
    session: TracedSession, forest: Forest, *, color: bool = False, width: int | None = None
) -> Iterator[str]:
    """Yield the lines of the tree. With `width`, lines that take more columns are cut, which `…` shows."""
    rows = list(_rows(session, forest))
    column = max((_width(row.bars + row.name) for row in rows if not row.is_detail), default=0)
    column = min(column, _WIDEST_COLUMN)
    for row in rows:
        yield _line(row, column, color=color, width=width)


def _rows(session: TracedSession, forest: Forest) -> Iterator[_Row]:
    for root in forest.roots:
        is_missing = forest.branches[root].message is None
        waiting = [_Step(root, _MISSING if is_missing else _ROOT, "", 0, None)]
        continued: deque[_Step] = deque()
        while waiting or continued:
            if not waiting:
                step = continued.popleft()
                yield _Row(_CONTINUED, _name(forest.branches[step.number]), ((_DIM, "continued"),))
                waiting += _steps_below(forest.branches[step.number], step)
                continue
            step = waiting.pop()
            branch = forest.branches[step.number]
            is_too_deep = len(branch.below) > 1 and step.level == _MOST_LEVELS
            yield from _branch_rows(session, branch, step, is_too_deep=is_too_deep)
            since = branch.message.at if step.since is None and branch.message else step.since
            if is_too_deep:
                continued.append(_Step(step.number, "", "", 0, since))
            else:
                waiting += _steps_below(branch, msgspec.structs.replace(step, since=since))


def _steps_below(branch: Branch, step: _Step) -> list[_Step]:
    """Return what hangs below a branch, the last one first."""
    bars = step.bars_below
    if len(branch.below) == 1:
        return [_Step(branch.below[0], bars + _ONLY, bars, step.level, step.since)]
    return [
        _Step(number, bars + connector, bars + bar, step.level + 1, step.since)
        for position, number in enumerate(reversed(branch.below))
        for connector, bar in [_INNER if position else _LAST]
    ]


def _name(branch: Branch) -> str:
    name = branch.missing if branch.message is None else branch.message.id
    return printable(name or "") + (_MARK if branch.is_marked else "")


def _branch_rows(session: TracedSession, branch: Branch, step: _Step, *, is_too_deep: bool) -> Iterator[_Row]:
    message = branch.message
    name = _name(branch)
    if message is None:
        yield _Row(step.bars, name, ((_DIM, "not here"),))
    else:
        yield _Row(
            step.bars, name, tuple(_parts(session, message, branch.further, step.since)), branch.is_marked
        )
        for reason in message.errors:
            yield _Row(f"{step.bars_below}    ", printable(reason), (), is_detail=True)
    if is_too_deep:
        more = f"{len(branch.below):,} answers, further down behind … {name}"
        yield _Row(f"{step.bars_below}    ", more, (), is_detail=True)


def _parts(
    session: TracedSession, message: TracedMessage, further: tuple[str, ...], since: int | None
) -> Iterator[_Styled]:
    yield _STATUS_STYLES[message.status], f"{message.status:<{_STATUS_WIDTH}}"
    time = moment(message.at) if since is None else span(message.at - since)
    yield _DIM, f"{time:>{_TIME_WIDTH}}"
    waits_for = session.waits_for(message)
    if message.due is not None:
        goal = f" for {_listed(waits_for)}" if waits_for else ""
        yield _PLAIN, f"waits{goal} until {moment(message.due)}"
    if message.costs:
        yield _PLAIN, amounts(message.costs)
    if message.budget is not None:
        yield _STRONG, f"budget {amount(message.budget.limit, message.budget.unit)}"
    others = tuple(name for name in further if name not in waits_for)
    if others:
        shown = (name if session.is_known(name) else f"{name} (not here)" for name in others)
        yield _DIM, f"+ {_listed(shown)}"


def _listed(ids: Iterable[str]) -> str:
    return ", ".join(map(printable, ids))


def _width(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


def _line(row: _Row, column: int, *, color: bool, width: int | None) -> str:
    """Return a row as a line, cut to `width` columns."""
    parts: list[_Styled] = [(_DIM, row.bars), (_STRONG if row.is_marked else _PLAIN, row.name)]
    if not row.is_detail:
        parts.append((_PLAIN, " " * (column - _width(row.bars + row.name))))
    parts += [part for text in row.parts for part in ((_PLAIN, "  "), text)]
    if width is not None:
        parts = _cut(parts, width)
    return "".join(
        f"\x1b[{style}m{text}\x1b[0m" if color and style and text else text for style, text in parts
    ).rstrip()


def _cut(parts: list[_Styled], width: int) -> list[_Styled]:
    if sum(_width(text) for _, text in parts) <= width:
        return parts
    kept: list[_Styled] = []
    room = width - 1
    for style, text in parts:
        kept.append((style, set_cell_size(text, min(room, _width(text)))))
        room -= _width(kept[-1][1])
        if room <= 0:
            break
    return [*kept, (_PLAIN, "…")]
