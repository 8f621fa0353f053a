"""V4 thread-integrity: a message answers one that is there, and points at what is there.

Checks that the messages named in `@p`, `@parent` and `@deps` are known in the session and were
accepted, and that `@root`, beside `@p` or `@parent`, is met on the way from parent to parent. Where that
way leaves what is known of the thread, or its first message has only dependencies, nothing is said about
`@root`. Needs the thread: without one the rule is listed as not evaluated. In loose mode what is found is
a warning, unless the answer carries `#rule strict_refs=true`.

A `#ref`, or the `src` of an `#evid`, that names a message which is not there, or a record that its message
does not have, is a warning in both modes, and so is a message of another session, unless it is known there.

Why: an answer to a message nobody has seen cannot be understood, and one that builds on a message
that was refused builds on what nobody vouches for. A claim is worth no more than the record it points at.

Example:
    @id m8
    @p m7

Instead, if `m7` was sent under another id or into another session:
    @id m8
    @p m6

Specification: §2.2, §10, §11 V4
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.contents import located_references, references_of, rids_of
from pairl.diagnostics import Finding, excerpt, strict_error, warning
from pairl.model import Message
from pairl.nearest import did_you_mean, nearest
from pairl.rules.evidence import Evidence, Needs, Rule
from pairl.thread import (
    Status,
    ThreadNode,
    ThreadView,
    foreign_id,
    header_references,
    local_id,
    message_id,
    parent_id,
    session_id,
)

_UNRESOLVED = {
    "p": "V4/unresolved-parent",
    "parent": "V4/unresolved-parent",
    "deps": "V4/unresolved-dependency",
}
_SEND_FIRST = "send it, then this one again; if it was sent, check its id and the session it went to"
_ANSWER_ANOTHER = "answer one that was accepted; if it is sent again under this id, send this one again, too"
_SEND_MISSING = "send the message that it waits for"

_Fault = tuple[str, str, str | None]
"""What is wrong with a reference: code, words, and advice."""


class _Surroundings:
    """What is known around a message: itself, its thread, other sessions."""

    def __init__(self, message: Message, thread: ThreadView) -> None:
        self._message = message
        self._thread = thread
        self._session = session_id(message)
        self._id = message_id(message)

    def target(self, reference: str) -> str | None:
        return local_id(reference, self._session)

    def node(self, target: str) -> ThreadNode | None:
        return self._thread.node(target)

    def has(self, target: str, node: ThreadNode | None) -> bool:
        """Say whether a message was accepted, or is the one that is judged."""
        return target == self._id or (node is not None and node.status is Status.ACCEPTED)

    def missing_record(self, reference: str, target: str, node: ThreadNode | None) -> _Fault | None:
        """Return what is wrong with a reference to a record of a message that is there."""
        rid = reference.partition("#")[2]
        if not rid:
            return None
        is_own = target == self._id
        rids = rids_of(self._message) if is_own else None if node is None else node.rids
        if rids is None or f" {rid.lower()} " in f" {rids} ":
            return None
        words = f"`{excerpt(target, 40)}` has no record `{excerpt(rid, 40)}`"
        guess = nearest(rid, rids.split(" "))
        return (
            "V4/unknown-record",
            words,
            did_you_mean("name one of its record ids, or the message", guess and f"#{guess}"),
        )

    def missing_elsewhere(self, reference: str) -> _Fault | None:
        """Return what is to be said of a reference to another session."""
        place = foreign_id(reference, self._session)
        if place is None:
            return None
        there = self._thread.is_elsewhere(*place)
        if there:
            return None
        if there is None:
            words = f"`{excerpt(reference, 60)}` is in another session and was not looked up"
            return "V4/other-session", words, None
        session, name = place
        words = f"no message `{excerpt(name, 40)}` is known in session `{excerpt(session, 40)}`"
        return "V4/other-session", words, "send it there first, or check its id and that of the session"

    def fault(self, reference: str) -> _Fault | None:
        """Return what is wrong with a reference in the body."""
        target = self.target(reference)
        if target is None:
            return self.missing_elsewhere(reference)
        # Most often a claim points at the message's own records.
        node = None if target == self._id else self.node(target)
        if self.has(target, node):
            return self.missing_record(reference, target, node)
        what = _absence(node)
        return "V4/unknown-message", f"`{excerpt(target, 40)}` {what}", _SEND_FIRST if node is None else None


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what a message refers to and the thread does not have, and a root that is none."""
    thread = evidence.thread
    if thread is None:
        return
    around = _Surroundings(evidence.message, thread)
    told: set[str | None] = set()
    for header, reference in header_references(evidence.message):
        target = around.target(reference)
        if target is None:
            fault = around.missing_elsewhere(reference)
        else:
            node = around.node(target)
            if not around.has(target, node):
                told.add(target)
                yield _unresolved(evidence, header, reference, target, node)
                continue
            # A message that names itself is told so by V7.
            looks_further = "#" in reference and node is not None
            fault = around.missing_record(reference, target, node) if looks_further else None
        if fault is not None:
            yield evidence.finding(fault[0], fault[1], header, reference, fault[2])
    if "root" in evidence.headers:
        yield from _root(evidence, thread)
    yield from _references(evidence, around, told)


def _unresolved(
    evidence: Evidence, header: str, reference: str, target: str, node: ThreadNode | None
) -> Finding:
    """Return that a parent or dependency is not there."""
    if node is None:
        code, advice = _UNRESOLVED[header], _SEND_FIRST
    elif node.status is Status.WAITING:
        code, advice = _UNRESOLVED[header], _SEND_MISSING
    else:
        code, advice = (
            "V4/rejected-parent",
            "answer one that was accepted; if it is sent again under this id, send this one again, too",
        )
    words = f"`{excerpt(target, 40)}`, named in `@{header}`, {_absence(node)}"
    demanded = evidence.demands("strict_refs")
    return evidence.finding(code, words, header, reference, advice, demanded=demanded)


def _absence(node: ThreadNode | None) -> str:
    """Return why a message is not there."""
    if node is None:
        return "is not known in this session"
    if node.status is Status.WAITING:
        return "waits itself for a message that has not come"
    return "was rejected"


def _references(evidence: Evidence, around: _Surroundings, told: set[str | None]) -> Iterator[Finding]:
    """Yield the references of the body that lead nowhere, but for messages of which that was `told`."""
    faults: dict[str, _Fault] = {}
    for reference in references_of(evidence.message):
        fault = around.fault(reference)
        if fault is not None and around.target(reference) not in told:
            faults[reference] = fault
    if not faults:
        return
    for record, reference in located_references(evidence.message.body.records):
        if reference in faults:
            code, words, advice = faults[reference]
            yield evidence.finding(code, words, record, reference, advice)


def _root(evidence: Evidence, thread: ThreadView) -> Iterator[Finding]:
    """Yield whether the root is none of the ancestors."""
    parent = parent_id(evidence.message)
    root = local_id(evidence.headers["root"], session_id(evidence.message))
    if parent and root and _is_off_the_spine(root, parent, thread):
        yield evidence.finding(
            "V4/root-not-ancestor",
            f"`{excerpt(root, 40)}`, named in `@root`, is no ancestor of `{excerpt(parent, 40)}`",
            "root",
            evidence.headers["root"],
            "leave `@root` out: it follows from the parent",
            demanded=evidence.demands("strict_refs"),
        )


def _is_off_the_spine(root: str, parent: str, thread: ThreadView) -> bool:
    """Say whether the way from parent to parent is known to its end and does not lead over `root`."""
    known = thread.node(root)
    if known is not None:
        root = known.id
    seen: set[str] = set()
    current = parent
    while current not in seen:
        seen.add(current)
        node = thread.node(current)
        if node is None or node.status is not Status.ACCEPTED or root in (node.id, node.root):
            return False
        if node.parent is None:
            return False
        if not node.parent:
            return not node.parents
        current = node.parent
    return False


RULE = Rule(
    "V4",
    "thread-integrity",
    "§2.2, §10, §11 V4",
    (
        strict_error("unresolved-parent", "the parent is not known in the session"),
        strict_error("unresolved-dependency", "a dependency is not known in the session"),
        strict_error("rejected-parent", "the parent or a dependency was rejected"),
        strict_error("root-not-ancestor", "`@root` is not on the way from parent to parent"),
        warning("unknown-message", "a reference names a message that the session does not have"),
        warning("unknown-record", "a reference names a record that its message does not have"),
        warning("other-session", "a message of another session is not known there, or was not looked up"),
    ),
    evaluate,
    needs=Needs.THREAD,
    evaluate_plain=evaluate,
)
