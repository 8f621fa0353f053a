"""V10 state-token: `#s` says where the agent stands, once.

Checks that `#s` carries a phase, and that a message has one at most: of several only the last means
anything.

Why: a model that resumes from the wrong state repeats what is done.

Example:
    #s
    #s exec:2/4

Instead:
    #s exec:2/4

Specification: §7.5, §11 V10
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Finding, excerpt, strict_error, warning
from pairl.rules.evidence import Evidence, Rule


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield empty and superseded state tokens."""
    tokens = evidence.of_kind("s")
    for record in tokens:
        if not record.arg:
            yield evidence.finding(
                "V10/empty-state",
                "`#s` carries no state",
                record,
                advice="write `#s explore`, `#s exec:2/4`, …",
            )
    for record in tokens[:-1]:
        yield evidence.finding(
            "V10/superseded-state",
            f"this state is superseded by `#s {excerpt(tokens[-1].arg or '', 40)}` below",
            record,
            advice="keep only the last `#s`",
        )


RULE = Rule(
    "V10",
    "state-token",
    "§7.5, §11 V10",
    (
        strict_error("empty-state", "`#s` carries no state"),
        warning("superseded-state", "the message has a later `#s`"),
    ),
    evaluate,
    frozenset({"s"}),
)
