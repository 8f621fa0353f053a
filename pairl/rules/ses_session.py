"""SES session: an id names one message of the session, and a session has one place.

Checks, where the thread is known, whether the id of a message was taken by one that was accepted.
The same message again is a repeated delivery: it is accepted, and noted. Another message under the
same id is refused.

The bus adds what only it can know: that a message waited in vain for one that it names, and that it stands
in a partition to which its session does not belong, and cannot be moved.

Why: what was said under `m4` must not change after others have answered it. And whoever judges a message
must know all of its session.

Example:
    @id m4     (after another `m4` was accepted in the session)

Instead:
    @id m9

Specification: §0.3, §2.4
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.canonical import compute_hash
from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.rules.evidence import Evidence, Needs, Rule
from pairl.thread import Status, message_id


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield whether the message's id was taken before."""
    own_id = message_id(evidence.message)
    if evidence.thread is None or own_id is None:
        return
    node = evidence.thread.node(own_id)
    if node is None or node.status is not Status.ACCEPTED:
        return
    header = "id" if "id" in evidence.headers else "mid"
    if node.hash == compute_hash(evidence.message):
        yield evidence.finding(
            "SES/duplicate",
            f"message `{excerpt(own_id, 40)}` was accepted before; this is the same again",
            header,
        )
    else:
        yield evidence.finding(
            "SES/id-conflict",
            f"another message was accepted as `{excerpt(own_id, 40)}` before",
            header,
            own_id,
            "messages are immutable: send the new one under an id of its own",
        )


RULE = Rule(
    "SES",
    "session",
    "§0.3, §2.4",
    (
        error("id-conflict", "another message of the session has the same id"),
        warning("duplicate", "the same message was accepted before"),
        warning("gave-up-waiting", "the message waited for one that it names, which did not come"),
        error("wrong-partition", "the message stands in a partition that is not its session's"),
    ),
    evaluate,
    needs=Needs.THREAD,
    evaluate_plain=evaluate,
)
