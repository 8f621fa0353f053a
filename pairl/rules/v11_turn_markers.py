"""V11 turn-markers: every record can be put under the turn it belongs to.

Checks that turn ids are unique; that `parent=` of `#msg` and `@m=` name turns of the body; that
parents form no circle; that markers have their form, carry no tags and ascend; and that there are
markers where `@m=` is used.

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

from collections.abc import Iterator, Sequence
from itertools import islice

from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.model import Record
from pairl.nearest import did_you_mean, nearest
from pairl.rules.evidence import Evidence, Rule

_FIRST_TURN = "-"
_NAMED_TURNS = 8


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with markers and with the records bound to them."""
    turns: dict[str, Record] = {}
    if "marker" in evidence.by_kind:
        markers = evidence.of_kind("marker")
        for record in markers:
            turns.setdefault(record.name or "", record)
        yield from _names(evidence, markers, turns)
        yield from _circles(evidence, turns)
        yield from _order(evidence, markers)
    for record in evidence.message.body.records:
        if record.m and record.m not in turns:
            yield _unbound(evidence, record, turns)


def _names(evidence: Evidence, markers: Sequence[Record], turns: dict[str, Record]) -> Iterator[Finding]:
    """Yield the markers whose name is taken, and those whose parent is no turn."""
    for record in markers:
        name = record.name or ""
        if turns[name] is not record:
            yield evidence.finding(
                "V11/duplicate-turn",
                f"turn `{excerpt(name, 40)}` was begun before",
                record,
                name,
                "number the turns through",
            )
        if record.parent not in (None, _FIRST_TURN) and record.parent not in turns:
            yield evidence.finding(
                "V11/undeclared-parent",
                f"`parent={excerpt(record.parent or '', 40)}` names no turn of this body",
                record,
                f"parent={record.parent}",
                "name an earlier turn, or write `parent=-` for the first",
            )


def _unbound(evidence: Evidence, record: Record, turns: dict[str, Record]) -> Finding:
    """Return the finding about a record whose `@m=` names no turn."""
    name = record.m or ""
    if turns:
        listed = ", ".join(islice(turns, _NAMED_TURNS))
        guess = nearest(name, turns) if evidence.lists("V11/undeclared-turn") else None
        tag = guess and f"@m={guess}"
        return evidence.finding(
            "V11/undeclared-turn",
            f"`@m={excerpt(name, 40)}` names no turn of this body",
            record,
            f"@m={name}",
            did_you_mean(f"declared turns are {excerpt(listed, 80)}", tag),
            instead=tag,
        )
    return evidence.finding(
        "V11/no-markers",
        f"`@m={excerpt(name, 40)}` binds to a turn, but the body has no turn markers",
        record,
        f"@m={name}",
        "put a line such as `#u1` above the turn's records, or leave `@m=` out",
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


def _order(evidence: Evidence, markers: Sequence[Record]) -> Iterator[Finding]:
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
