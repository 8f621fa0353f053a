"""Increments: what a message of a session adds to the session's maintained body, and to its legend (§12b).

This module knows how a message is written below others: under a turn marker that says which message it is
and which one it answers, with turns and record ids that are new in the body, and with every value as it
came. It remembers of a body only what appending needs, never its text. It does not know how parts travel,
or where what is remembered is kept; `pairl.session` judges increments that others have written.

    >>> import pairl
    >>> head = "@v 1\\n@ts 2026-01-01T00:00:00Z\\n"
    >>> first = append(pairl.parse(head + "@id m1\\n\\n#fact port=8443 @rid=f1\\n"), None)
    >>> answer = pairl.parse(head + "@id m2\\n@p m1\\n\\nwrn{t=expiry}\\n#ref about=@m1#f1 @rid=r1\\n")
    >>> second = append(answer, first.grown)
    >>> print(first.body + second.body, end="")
    #msg m1 r=unknown parent=-
    #fact port=8443 @rid=m1f1
    #msg m2 r=unknown parent=m1
    wrn{t=expiry}
    #ref about=@m1#f1 @rid=m2r1
    >>> print(second.addendum)
    Intent wrn warns
    Intent parameter t topic
    #ref key=reference — a pointer to what is kept elsewhere; do not alter it
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from pairl.body import TOOL_OUTPUT_END, read_body
from pairl.body_names import Names
from pairl.canonical import serialize_record
from pairl.compact_form import compact_lines
from pairl.constructs import STATE, Construct, Uses, in_legend_order, scan, split_tool_output
from pairl.diagnostics import Findings
from pairl.headers import END_OF_MESSAGE
from pairl.legend import FullSpecification, Legend, explain, explain_more
from pairl.model import Body, Message, Record
from pairl.thread import message_id, parent_ids

UNKNOWN_SPEAKER = "unknown"
"""The speaker of a message of which nobody said whose it is: a message's headers do not (§3.3)."""

MOST_TURNS = 32
"""Of so many messages, those that spoke or were answered last, the turn is remembered."""

_LONGEST_REMEMBERED_ID = 64
_SPEAKER = re.compile(r"[a-z0-9_\-]{1,64}+")
_NO_TURN = "-"

_NAMING = {"ret": "call", "evid": "src"}
"""The records that name another one of their message, and the keys with which they do (§5.3, §7.2)."""


class MaintainedBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is remembered of a maintained body so that more can be appended. Its size is bounded.

    `explained` are the constructs that the legend and its addenda explain; None says that the full
    specification takes their place. `numbers` is how many names were numbers, or began with one. `turns`
    are turns that may be answered, by the id of their message, the latest last.
    """

    explained: tuple[Construct, ...] | None
    numbers: int = 0
    turns: dict[str, str] = {}


class Increment(msgspec.Struct, frozen=True):
    """What a message adds, to be delivered in this order: legend, body, addendum, state.

    Only the first message of a session has a `legend`. `body` is whole lines. `addendum` explains what
    nothing before it does, or says why the full specification must follow the body. `state` is the line
    of the last state token, which takes the place of all before it. `grown` is the body with this in it.
    """

    legend: Legend | FullSpecification | None
    body: str
    addendum: str | FullSpecification | None
    state: str | None
    grown: MaintainedBody


def append(message: Message, body: MaintainedBody | None, speaker: str = UNKNOWN_SPEAKER) -> Increment:
    """Return what a message adds to a body; None begins one (§12a.4, §12b).

    The same message and the same body give the same increment. Of a valid message it keeps the body valid:
    turns and record ids get new names (`pairl.body_names`), and `call=` of a `#ret`, `src=` of an `#evid`
    and `@m=` follow them where they name something of the message. `@m2#f1` stays as it is: it names record
    `f1` of the turn `m2`. An `@m=` that names no turn that is known is left out. So are state tokens, and
    what stands behind `---`. Lines that could not be read stand as they came.

    A body is one message to the rules: a `#rule no_new_facts=true` of one message holds for the intents of
    all. The message must not have been appended before. A `speaker` that is no `ident` (§8.3) of at most 64
    characters is an unknown one. Linear in the message; never raises for one that was parsed.
    """
    numbers, turns = (0, {}) if body is None else (body.numbers, body.turns)
    own_id = message_id(message)
    names = Names(own_id, numbers)
    answered = next((each for each in parent_ids(message) if each in turns), None)
    marker = Record(
        "marker",
        names.turn,
        role=speaker if _SPEAKER.fullmatch(speaker) else UNKNOWN_SPEAKER,
        parent=_NO_TURN if answered is None else turns[answered],
    )
    said, ending = _said(message.body.records)
    states = [record for record in said if record.kind == "s"]
    records = _renamed([record for record in said if record.kind != "s"], names, turns)
    lines = [serialize_record(marker), *compact_lines(records), *ending, ""]
    text = "\n".join(lines)
    uses = scan(Body(*read_body(text, 0, 1, Findings(), len(lines))))

    legend: Legend | FullSpecification | None = None
    if body is None:
        legend = explain(uses)
        explained = tuple(in_legend_order(uses)) if isinstance(legend, Legend) else None
    else:
        explained = body.explained
    addendum, explained = _added(uses | {STATE: len(lines)} if states else uses, explained)
    return Increment(
        legend,
        text,
        addendum,
        serialize_record(replace(states[-1], rid=None, m=None)) if states else None,
        MaintainedBody(explained, names.numbers, _latest(turns, answered, own_id, names.turn)),
    )


def _said(records: Sequence[Record]) -> tuple[Sequence[Record], list[str]]:
    """Return the records up to a `---` with text behind it, and the line that closes what is left open."""
    outside, is_open = split_tool_output(records)
    end = next((each.line for each in outside if each.kind == "unknown" and each.raw == END_OF_MESSAGE), None)
    if end is None:
        return records, [TOOL_OUTPUT_END] if is_open else []
    return [record for record in records if record.line < end], []


def _renamed(records: Sequence[Record], names: Names, others: dict[str, str]) -> list[Record]:
    """Return the records with names that are new in the body. `others` are the turns of other messages."""
    readable = [record for record in records if not record.malformed]
    rids = {each.rid.lower(): names.for_record(each.rid) for each in readable if each.rid}
    declared = {key for record in records if record.kind == "ref" for key in record.kv}
    turns = dict(others)
    for record in readable:
        if record.kind == "marker" and record.name:
            turns[record.name] = names.for_turn(record.name)
    renamed: list[Record] = []
    above = names.turn
    for record in records:
        if record.malformed:
            renamed.append(record)
        elif record.kind == "marker":
            parent = above if record.parent is None else turns.get(record.parent, names.turn)
            above = turns.get(record.name or "", names.turn)
            renamed.append(replace(record, name=above, parent=parent))
        elif record.rid or record.m or record.kind in _NAMING:
            rid = rids[record.rid.lower()] if record.rid else None
            turn = turns.get(record.m) if record.m else None
            renamed.append(replace(record, kv=_pairs(record, rids, declared), rid=rid, m=turn))
        else:
            renamed.append(record)
    return renamed


def _pairs(record: Record, rids: dict[str, str], declared: set[str]) -> dict[str, str]:
    """Return the pairs of a record, with the new id of a record that it names."""
    key = _NAMING.get(record.kind, "")
    named = record.kv.get(key, "")
    # A source may also bear the name that a `#ref` gives it, and then that is what is meant (§5.3).
    if named.lower() not in rids or (record.kind == "evid" and named in declared):
        return record.kv
    return record.kv | {key: rids[named.lower()]}


def _added(
    uses: Uses, explained: tuple[Construct, ...] | None
) -> tuple[str | FullSpecification | None, tuple[Construct, ...] | None]:
    """Return the addendum for what is not explained yet, and all that is explained then."""
    if explained is None:
        return None, None
    known = frozenset(explained)
    new = {construct: line for construct, line in uses.items() if construct not in known}
    addendum = explain_more(new)
    if isinstance(addendum, FullSpecification):
        return addendum, None
    return addendum or None, (*explained, *new)


def _latest(turns: dict[str, str], answered: str | None, own_id: str | None, own_turn: str) -> dict[str, str]:
    """Return the turns that are remembered once a message has answered another."""
    latest = [pair for pair in turns.items() if pair[0] != answered]
    if answered is not None:
        latest.append((answered, turns[answered]))
    if own_id is not None and len(own_id) <= _LONGEST_REMEMBERED_ID:
        latest.append((own_id, own_turn))
    return dict(latest[-MOST_TURNS:])
