"""V11 turn-markers: every record can be put under the turn it belongs to.

Checks that turn ids are unique; that `parent=` of `#msg` and `@m=` name turns of the body; that
parents form no circle; and that markers have their form and carry no tags.

Why: a marker says who spoke. A record under the wrong turn puts words into somebody's mouth.

Example:
    #u1
    #fact deadline=friday @m=a9

Instead:
    #u1
    #fact deadline=friday
    #a2

Specification: §3.3, §11 V11
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.model import Record
from pairl.rules.evidence import Evidence, Rule

_FIRST_TURN = "-"


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with markers and with the records bound to them."""
    markers = evidence.of_kind("marker")
    turns: dict[str, Record] = {}
    for record in markers:
        name = record.name or ""
        if name in turns:
            yield evidence.finding(
                "V11/duplicate-turn",
                f"turn `{excerpt(name, 40)}` was begun in line {turns[name].line} already",
                record,
                name,
                "number the turns through",
            )
        turns.setdefault(name, record)
    for record in markers:
        if record.parent not in (None, _FIRST_TURN) and record.parent not in turns:
            yield evidence.finding(
                "V11/undeclared-parent",
                f"`parent={excerpt(record.parent or '', 40)}` names no turn of this body",
                record,
                f"parent={record.parent}",
                "name an earlier turn, or write `parent=-` for the first",
            )
    yield from _circles(evidence, turns)
    yield from _order(evidence, markers)
    for record in evidence.message.records:
        if record.m and record.m not in turns:
            yield evidence.finding(
                "V11/undeclared-turn" if turns else "V11/no-markers",
                f"`@m={excerpt(record.m, 40)}` names no turn of this body"
                if turns
                else f"`@m={excerpt(record.m, 40)}` binds to a turn, but the body has no turn markers",
                record,
                f"@m={record.m}",
                f"declared turns are {excerpt(', '.join(list(turns)[:8]), 80)}" if turns else None,
            )


def _circles(evidence: Evidence, turns: dict[str, Record]) -> Iterator[Finding]:
    """Yield each circle of parents once, at the turn where it was entered."""
    cleared: set[str] = set()
    for name in turns:
        path: set[str] = set()
        current: str | None = name
        while current in turns and current not in cleared and current not in path:
            path.add(current)
            current = turns[current].parent
        if current in path:
            yield evidence.finding(
                "V11/parent-circle",
                f"the parents of turn `{excerpt(current or '', 40)}` lead back to it",
                turns[current or ""],
                "parent=",
                "a turn's parent is an earlier turn",
            )
        cleared |= path


def _order(evidence: Evidence, markers: list[Record]) -> Iterator[Finding]:
    last = 0
    for record in markers:
        digits = (record.name or "")[1:]
        if record.parent is None and digits.isdigit() and digits.isascii():
            number = int(digits[:9])
            if number < last:
                yield evidence.finding(
                    "V11/marker-order", f"turn `{record.name}` stands after turn number {last}", record
                )
            last = max(last, number)


RULE = Rule(
    "V11",
    "turn-markers",
    "§3.3, §11 V11",
    (
        error("malformed-marker", "a line begins like a turn marker but is none"),
        error("tag-on-marker", "a turn marker carries a tag"),
        error("duplicate-turn", "a turn id occurs twice"),
        error("undeclared-parent", "`parent=` of `#msg` names no turn of the body"),
        error("parent-circle", "the parents of turns form a circle"),
        error("undeclared-turn", "`@m=` names no turn of the body"),
        warning("no-markers", "`@m=` is used in a body without turn markers"),
        warning("marker-order", "turn numbers do not ascend"),
    ),
    evaluate,
)
