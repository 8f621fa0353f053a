"""Random sessions: all that a trace shows against a model that is too slow to be wrong.

The model looks at all messages for each question. It knows nothing of how the forest is grown, or of how
sums are handed on.
"""

from __future__ import annotations

import re
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from pairl.thread import Status
from schemas.session_state import SessionNode
from tests.unit.traced import judged, session
from workers.trace.forest import grow
from workers.trace.ledger import add_up
from workers.trace.tree import draw_tree

NAMES = [f"m{number}" for number in range(8)]

ENTRY = st.builds(
    lambda name, parent, deps, errors, cost, budget: judged(
        name,
        parent,
        *dict.fromkeys(deps),
        errors=errors,
        costs={"EUR": str(cost)} if cost and not errors else None,
        budget=budget if not errors else None,
    ),
    st.sampled_from(NAMES),
    st.none() | st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), max_size=2),
    st.sampled_from([(), (), (), ("V6: no",)]),
    st.integers(0, 9),
    st.none() | st.sampled_from(["5 EUR", "5 USD"]),
)
SESSIONS = st.lists(ENTRY, max_size=8, unique_by=lambda entry: entry.node.id)


def above(entries: list[SessionNode], name: str) -> set[str]:
    """Return what a message goes back to through messages of the session, itself included."""
    by_name = {entry.node.id: entry.node for entry in entries}
    found = {name}
    while True:
        more = {parent for one in found if one in by_name for parent in by_name[one].parents}
        if more & by_name.keys() <= found:
            return found
        found |= more & by_name.keys()


@given(SESSIONS)
@settings(max_examples=400, deadline=None)
def test_sums_are_those_of_the_model(entries: list[SessionNode]) -> None:
    ledger = add_up(session(*entries).messages)
    accepted = [entry for entry in entries if entry.node.status is Status.ACCEPTED]
    ways = {entry.node.id: above(accepted, entry.node.id) for entry in accepted}

    def spent(names: set[str], unit: str) -> Decimal:
        return sum(
            (entry.node.costs.get(unit, Decimal(0)) for entry in accepted if entry.node.id in names),
            Decimal(0),
        )

    assert {line.id: line.spent for line in ledger.budgets} == {
        entry.node.id: spent({name for name in ways if entry.node.id in ways[name]}, entry.node.budget.unit)
        for entry in accepted
        if entry.node.budget is not None
    }
    watchers = {entry.node.id for entry in accepted if entry.node.budget and entry.node.budget.unit == "EUR"}
    outside = spent({name for name in ways if not ways[name] & watchers}, "EUR")
    assert ledger.outside == ({"EUR": outside} if outside else {})


@given(SESSIONS, st.none() | st.sampled_from(NAMES))
@settings(max_examples=400, deadline=None)
def test_every_message_is_drawn_once_and_its_parents_are_all_named(
    entries: list[SessionNode], marked: str | None
) -> None:
    traced = session(*entries)
    names = [entry.node.id for entry in entries]
    if marked is not None:
        ways = {name: above(entries, name) for name in names}
        names = [name for name in names if marked in names and (marked in ways[name] or name in ways[marked])]
    forest = grow(traced, marked)
    lines = list(draw_tree(traced, forest))
    told = [match[1] for line in lines if (match := re.match(r"^\W*(m[0-9])( ◄)? +(acc|rej)", line))]
    assert sorted(told) == sorted(names)
    below = [number for branch in forest.branches for number in branch.below]
    assert sorted([*below, *forest.roots]) == list(range(len(forest.branches)))
    for branch in forest.branches:
        for number in branch.below:
            message = forest.branches[number].message
            assert message is not None
            name = branch.missing if branch.message is None else branch.message.id
            assert {name, *forest.branches[number].further} == set(message.parents)
