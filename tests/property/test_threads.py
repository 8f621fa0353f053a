"""Random threads against a model that is too slow to be wrong: V4's root, V7's circles, V8's sums.

The model keeps messages in a list and looks at all of them for each question, with recursion and fractions.
It knows nothing of how the rules or the thread in memory go about it. A thread that was built again from its
nodes must answer as the first one does.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pairl import compute_hash, parse, validate
from pairl.thread import Status, ThreadNode
from pairl.thread_memory import Thread

NAMES = [f"m{number}" for number in range(7)]


class Sent:
    """A message as it was drawn: what it names, and what it may spend and has spent, in hundredths."""

    def __init__(
        self, name: str, parent: str | None, deps: list[str], root: str | None, budget: int | None, cost: int
    ) -> None:
        self.name, self.parent, self.deps, self.root = name, parent, deps, root
        self.budget, self.cost = budget, cost
        self.is_bid = cost < 0
        self.is_accepted = False

    @property
    def named(self) -> set[str]:
        return {*self.deps, *([self.parent] if self.parent else [])}

    @property
    def text(self) -> str:
        headers = [f"@v 1\n@id {self.name}\n@ts 2026-05-01T10:00:00Z\n"]
        headers += [f"@root {self.root}\n"] if self.root else []
        headers += [f"@p {self.parent}\n"] if self.parent else []
        headers += [f"@deps {','.join(self.deps)}\n"] if self.deps else []
        headers += [f"@budget {self.budget / 100:.2f}USD\n"] if self.budget is not None else []
        bid = "bid{t=plan}\n" if self.is_bid else ""
        return "".join(headers) + f"\n{bid}#cost val={abs(self.cost) / 100:.2f} cur=USD\n"


SENT = st.builds(
    Sent,
    st.sampled_from(NAMES),
    st.none() | st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
    st.none() | st.sampled_from(NAMES),
    st.none() | st.integers(0, 30),
    st.integers(-10, 20),
)


def reaches(messages: list[Sent], start: str, goal: str) -> bool:
    """Say whether the accepted message `start` names `goal`, itself or through others."""
    by_name = {sent.name: sent for sent in messages}

    def look(name: str, seen: frozenset[str]) -> bool:
        if name not in by_name or name in seen:
            return False
        named = by_name[name].named
        return goal in named or any(look(other, seen | {name}) for other in named)

    return look(start, frozenset())


def spent(messages: list[Sent], name: str) -> Fraction:
    """Return what the accepted message and those that go back to it have spent."""
    return sum(
        (
            Fraction(sent.cost, 100)
            for sent in messages
            if not sent.is_bid and (sent.name == name or reaches(messages, sent.name, name))
        ),
        Fraction(0),
    )


def exceeded(messages: list[Sent], new: Sent) -> bool:
    """Say whether `new` takes the sum of a budget that it comes under above it."""
    later = [*messages, new]
    for sent in later:
        if sent.budget is None:
            continue
        before = spent(messages, sent.name) if sent is not new else Fraction(0)
        after = spent(later, sent.name)
        if after > Fraction(sent.budget, 100) and after > before:
            return True
    return False


def is_off_the_spine(messages: list[Sent], new: Sent) -> bool:
    by_name = {sent.name: sent for sent in messages}

    def look(name: str, seen: frozenset[str]) -> bool:
        if name == new.root or name in seen or name not in by_name:
            return False
        sent = by_name[name]
        if sent.parent is None:
            return not sent.deps
        return look(sent.parent, seen | {name})

    return new.root is not None and new.parent is not None and look(new.parent, frozenset())


def rebuilt(thread: Thread) -> Thread:
    """Return a thread made of the nodes of another one, as they are kept on a topic."""
    again = Thread()
    for node in thread.nodes():
        assert again.add_node(msgspec.json.decode(msgspec.json.encode(node), type=ThreadNode))
    return again


@given(st.lists(SENT, min_size=1, max_size=9), st.booleans())
@settings(max_examples=800, deadline=None)
def test_what_the_rules_find_in_a_thread_is_what_the_model_finds(drawn: list[Sent], strict: bool) -> None:
    thread = Thread()
    accepted: list[Sent] = []
    for sent in drawn:
        message = parse(sent.text)
        report = validate(message, strict, thread=thread)
        again = rebuilt(thread)
        assert validate(message, strict, thread=again) == report
        assert set(again.budgets_over(message)) == set(thread.budgets_over(message))
        assert all(again.is_awaited(name) == thread.is_awaited(name) for name in NAMES)
        found = {diagnostic.code for diagnostic in report.diagnostics}
        if sent.name not in {other.name for other in accepted}:
            others = accepted
            is_own = sent.name in sent.named
            is_circle = not is_own and any(reaches(others, other, sent.name) for other in sent.named)
            assert ("V7/self-reference" in found) == is_own
            assert ("V7/cycle" in found) == is_circle
            assert ("V4/root-not-ancestor" in found) == is_off_the_spine(others, sent)
            assert bool({"V8/over-budget", "V8/over-thread-budget"} & found) == exceeded(others, sent)
            if report.valid:
                accepted.append(sent)
        placed = again.node_for(message, Status.ACCEPTED, compute_hash(message))
        assert placed == thread.node_for(message, Status.ACCEPTED, compute_hash(message))
        thread.add(message, Status.ACCEPTED if report.valid else Status.REJECTED)
    check_places(thread, accepted)


def check_places(thread: Thread, accepted: list[Sent]) -> None:
    """Hold root and depth of accepted messages against those before them."""
    before: dict[str, Sent] = {}
    roots: dict[str, str | None] = {}
    depths: dict[str, int] = {}
    for sent in accepted:
        roots[sent.name] = sent.name if sent.parent is None else roots.get(sent.parent)
        depths[sent.name] = max((depths[name] + 1 for name in sent.named if name in before), default=0)
        before[sent.name] = sent
        node = thread.node(sent.name)
        assert node is not None
        assert (node.root, node.depth) == (roots[sent.name], depths[sent.name])
