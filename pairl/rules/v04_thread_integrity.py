"""V4 thread-integrity: a message answers one that is there.

Checks that the messages named in `@p`, `@parent` and `@deps` are known in the session and were
accepted, and that `@root`, beside `@p` or `@parent`, is met on the way from parent to parent. Where that
way leaves what is known of the thread, or its first message has only dependencies, nothing is said about
`@root`. Needs the thread: without one the rule is listed as not evaluated. In loose mode what is found is
a warning, unless the answer carries `#rule strict_refs=true`.

Why: an answer to a message nobody has seen cannot be understood, and one that builds on a message
that was refused builds on what nobody vouches for.

Example:
    @id m8
    @p m7

Instead, if `m7` was sent under another id or into another session:
    @id m8
    @p m6

Specification: §2.2, §11 V4
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Finding, excerpt, strict_error, warning
from pairl.rules.evidence import Evidence, Needs, Rule
from pairl.text import BLANKS
from pairl.thread import (
    MESSAGE_PREFIX,
    Status,
    ThreadView,
    local_id,
    message_id,
    parent_id,
    session_id,
)


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield the parents and dependencies that the thread does not have, and a root that is none."""
    thread = evidence.thread
    if thread is None:
        return
    session = session_id(evidence.message)
    own_id = message_id(evidence.message)
    demanded: bool | None = None
    for header, code, reference in _references(evidence.headers):
        target = local_id(reference, session)
        if target is None:
            if reference.startswith(MESSAGE_PREFIX):
                yield evidence.finding(
                    "V4/other-session",
                    f"`{excerpt(reference, 60)}` is in another session and was not looked up",
                    header,
                    reference,
                )
            continue
        node = thread.node(target)
        if target == own_id or (node is not None and node.status is Status.ACCEPTED):
            continue
        if demanded is None:
            demanded = evidence.demands("strict_refs")
        if node is not None:
            yield evidence.finding(
                "V4/rejected-parent",
                f"`{excerpt(target, 40)}`, named in `@{header}`, was rejected",
                header,
                reference,
                "answer the corrected message, or the last one that was accepted",
                demanded=demanded,
            )
        else:
            yield evidence.finding(
                code,
                f"`{excerpt(target, 40)}`, named in `@{header}`, is not known in this session",
                header,
                reference,
                "send it first; if it was sent, check its id and the session it went to",
                demanded=demanded,
            )
    parent, root = parent_id(evidence.message), local_id(evidence.headers.get("root", ""), session)
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
    seen: set[str] = set()
    current = parent
    while current != root and current not in seen:
        seen.add(current)
        node = thread.node(current)
        if node is None or node.status is not Status.ACCEPTED or node.parent is None:
            return False
        if not node.parent:
            return not node.parents
        current = node.parent
    return False


def _references(headers: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in ("p", "parent"):
        if name in headers:
            yield name, "V4/unresolved-parent", headers[name]
    for entry in headers.get("deps", "").split(","):
        reference = entry.strip(BLANKS)
        if reference:
            yield "deps", "V4/unresolved-dependency", reference


RULE = Rule(
    "V4",
    "thread-integrity",
    "§2.2, §11 V4",
    (
        strict_error("unresolved-parent", "the parent is not known in the session"),
        strict_error("unresolved-dependency", "a dependency is not known in the session"),
        strict_error("rejected-parent", "the parent or a dependency was rejected"),
        strict_error("root-not-ancestor", "`@root` is not on the way from parent to parent"),
        warning("other-session", "a parent or dependency is in another session"),
    ),
    evaluate,
    frozenset({"@p", "@parent", "@deps"}),
    needs=Needs.THREAD,
    evaluate_plain=evaluate,
)
