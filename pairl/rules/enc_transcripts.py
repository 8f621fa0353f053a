"""ENC transcript: messages are made of a conversation that was recorded, and that only goes on.

Checks nothing of a message. The encoder on the bus makes messages of transcripts, and refuses those that it
cannot make any of: what is no transcript in a format that it reads, and a transcript that does not begin with
what was encoded of its session before. What has to be the same is who spoke, what was said, and what was
called with which arguments. A system prompt at the head, thoughts, white space, ids of calls and what tools
returned may be other ones than before.

Why: what was published of a conversation cannot be taken back. Were it encoded again from a past that is
another one, nobody could tell which of the two was said.

`history-changed` names the first turn that differs. If that is turn 1, most often the program has compacted
its context, and the conversation begins with a summary now, or two conversations are sent under one session.
If it is a later one, turns were edited, taken back or summarised. If turns are missing at the end, most often
an earlier copy has come late: it adds nothing, and there is nothing to do. All others go on under another
session, such as `night-shift-2` after `night-shift`, and begin anew there. What was sent before stays, and
the session goes on if a transcript comes that continues it. `pairl encode --state` refuses the same; there a
new body is begun with a new state file.

`state-unreadable`: another version of the encoder has written what is remembered of the session. Send the
conversation under another session, or wait until this one is forgotten.

Example:
    [{"role": "user", "content": "Two boxes."}]      (after `Three boxes.` was encoded in the session)

Instead:
    [{"role": "user", "content": "Three boxes."}, {"role": "user", "content": "No, two."}]

Specification: §12b
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Finding, error
from pairl.rules.evidence import Evidence, Rule


def evaluate(evidence: Evidence) -> Iterator[Finding]:  # noqa: ARG001  # what all rules are given
    """Yield nothing: that there is a message says that its transcript was not refused."""
    yield from ()


RULE = Rule(
    "ENC",
    "transcript",
    "§12b",
    (
        error("not-a-transcript", "what came is no recorded conversation that can be read"),
        error("history-changed", "a transcript does not begin with what was encoded of its session before"),
        error("state-unreadable", "it cannot be read what was encoded of a transcript's session before"),
    ),
    evaluate,
    # No message has such a header: there is nothing to evaluate.
    triggers=frozenset({"@transcript"}),
)
