"""ENC transcript: messages are made of a conversation that was recorded, and that only goes on.

Checks nothing of a message. The encoder on the bus makes messages of transcripts, and refuses those that it
cannot make any of: what is no transcript in a format that it reads, and a transcript that does not begin with
what was encoded of its session before.

Why: what was published of a conversation cannot be taken back. Were it encoded again from a past that is
another one, nobody could tell which of the two was said.

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
    ),
    evaluate,
    # No message has such a header: there is nothing to evaluate.
    triggers=frozenset({"@transcript"}),
)
