"""A conversation as a graph for other programs: Graphviz's dot, and Mermaid.

This module knows the two languages and their escapes. Messages come from agents, so none of what they hold
may end a label, begin a command or become markup. Unlike the tree, a graph shows every parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from pairl.diagnostics import excerpt
from pairl.thread import Status
from workers.trace.amounts import amount, amounts
from workers.trace.forest import Forest, by_id
from workers.trace.messages import TracedMessage, TracedSession

_MISSING = "missing"
_DOT_STYLES: dict[str, str] = {
    Status.ACCEPTED: 'color="#1a7f37"',
    Status.REJECTED: 'color="#cf222e", style="bold"',
    Status.WAITING: 'color="#9a6700", style="dashed"',
    _MISSING: 'color="#6e7781", style="dotted"',
}
_MERMAID_STYLES: dict[str, str] = {
    Status.ACCEPTED: "stroke:#1a7f37",
    Status.REJECTED: "stroke:#cf222e,stroke-width:3px",
    Status.WAITING: "stroke:#9a6700,stroke-dasharray:6 3",
    _MISSING: "stroke:#6e7781,stroke-dasharray:2 3",
}
# What is not a letter or a digit can mean something to Mermaid, or to the Markdown and HTML in its labels.
_MEANS_SOMETHING_IN_MERMAID = re.compile(r"[^\w ]|_")


class _Point(msgspec.Struct, frozen=True):
    """A message, or an id that nobody has: its state, and the lines of its label."""

    state: str
    label: tuple[str, ...]
    is_marked: bool = False


class _Arrow(msgspec.Struct, frozen=True):
    """From a parent to a message that names it, by number; an answer is one by `@p`."""

    start: int
    end: int
    is_answer: bool


def write_dot(session: TracedSession, forest: Forest) -> str:
    """Return the graph in Graphviz's language."""
    points, arrows = _graph(session, forest)
    lines = [
        "digraph conversation {",
        f'  label="session {_in_dot(excerpt(session.name))}";',
        '  node [shape="box"];',
    ]
    for number, point in enumerate(points):
        label = r"\n".join(map(_in_dot, point.label))
        mark = ', penwidth="4"' if point.is_marked else ""
        lines.append(f'  n{number} [label="{label}", {_DOT_STYLES[point.state]}{mark}];')
    for arrow in arrows:
        style = "" if arrow.is_answer else ' [style="dashed"]'
        lines.append(f"  n{arrow.start} -> n{arrow.end}{style};")
    return "\n".join([*lines, "}"])


def write_mermaid(session: TracedSession, forest: Forest) -> str:
    """Return the graph in Mermaid's language, as a flowchart."""
    points, arrows = _graph(session, forest)
    lines = ["flowchart TD"]
    for number, point in enumerate(points):
        label = "<br/>".join(map(_in_mermaid, point.label))
        lines.append(f'  n{number}["{label}"]:::{point.state}')
        if point.is_marked:
            lines.append(f"  style n{number} stroke-width:6px")
    lines += [f"  n{arrow.start} {'-->' if arrow.is_answer else '-.->'} n{arrow.end}" for arrow in arrows]
    lines += [f"  classDef {state} {style}" for state, style in _MERMAID_STYLES.items()]
    return "\n".join(lines)


def _graph(session: TracedSession, forest: Forest) -> tuple[list[_Point], list[_Arrow]]:
    messages = [branch.message for branch in forest.branches if branch.message is not None]
    points = [
        _Point(branch.message.status, tuple(_label(branch.message)), branch.is_marked)
        for branch in forest.branches
        if branch.message is not None
    ]
    places = by_id(messages)
    arrows: list[_Arrow] = []
    for number, message in enumerate(messages):
        for name in message.parents:
            if name not in places and not session.is_known(name):
                places[name] = len(points)
                points.append(_Point(_MISSING, (excerpt(name), "not here")))
            if name in places:
                arrows.append(_Arrow(places[name], number, name == message.parent))
    return points, arrows


def _label(message: TracedMessage) -> Iterator[str]:
    yield excerpt(message.id)
    yield message.status
    if message.costs:
        yield excerpt(amounts(message.costs))
    if message.budget is not None:
        yield f"budget {amount(message.budget.limit, message.budget.unit)}"
    yield from (excerpt(reason) for reason in message.errors[:1])


def _in_dot(text: str) -> str:
    """Return text for a label between quotation marks, in which Graphviz reads `\\N` and `&lt;`."""
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def _in_mermaid(text: str) -> str:
    return _MEANS_SOMETHING_IN_MERMAID.sub(lambda match: f"#{ord(match[0])};", text)
