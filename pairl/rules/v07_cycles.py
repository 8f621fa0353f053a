"""V7 cycles: no message comes before itself.

Checks that a message does not name itself in `@p`, `@parent` or `@deps`, and, where the thread is
known, that none of its ancestors names it. Ancestors are also messages that wait for others to come;
those that were rejected lead nowhere.

Why: a thread is read from its root. In a circle there is nothing to begin with.

Example:
    @id m4
    @p m4

Instead:
    @id m4
    @p m3

Specification: §0.3, §11 V7
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Finding, excerpt, strict_error
from pairl.rules.evidence import Evidence, Rule
from pairl.thread import Status, ThreadView, message_id, parent_ids

_HEADERS = ("p", "parent", "deps")


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield whether the message is among its own ancestors."""
    own_id = message_id(evidence.message)
    if own_id is None:
        return
    headers = evidence.headers
    naming = [name for name in _HEADERS if name in headers and own_id in headers[name]]
    if not naming and (evidence.thread is None or not evidence.thread.is_awaited(own_id)):
        return
    parents = parent_ids(evidence.message)
    header = naming[0] if naming else None
    if own_id in parents:
        yield evidence.finding(
            "V7/self-reference",
            f"message `{excerpt(own_id, 40)}` names itself as a parent or dependency",
            header,
            own_id,
            "name the message that this one answers",
        )
    elif evidence.thread is not None and evidence.thread.is_awaited(own_id):
        through = _descendant_among_ancestors(own_id, parents, evidence.thread)
        if through is not None:
            yield evidence.finding(
                "V7/cycle",
                f"`{excerpt(through, 40)}`, an ancestor of this message, names it as its parent",
                next(name for name in _HEADERS if name in headers),
                advice="one of the two must name another parent",
            )


def _descendant_among_ancestors(own_id: str, parents: tuple[str, ...], thread: ThreadView) -> str | None:
    """Return an ancestor that names `own_id`, or None; each message is looked at once."""
    seen: set[str] = set()
    waiting = list(parents)
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        node = thread.node(current)
        # A circle leads over a message that was there before one that it names.
        if node is None or node.is_whole or node.status is Status.REJECTED:
            continue
        if own_id in node.parents:
            return current
        waiting.extend(node.parents)
    return None


RULE = Rule(
    "V7",
    "cycles",
    "§0.3, §11 V7",
    (
        strict_error("self-reference", "a message names itself as a parent or dependency"),
        strict_error("cycle", "an ancestor of the message names it as its parent"),
    ),
    evaluate,
    frozenset({"@p", "@parent", "@deps"}),
    evaluate_plain=evaluate,
)
