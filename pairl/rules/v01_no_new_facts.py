"""V1 no-new-facts: an intent says how something is meant, not what is so.

Checks the parameters of intents, except length and mood, for URLs, for runs of 12 or more hex
digits, and for digits. These are warnings; they are errors in strict mode when the message carries
`#rule no_new_facts=true`, or the policy asks for it.

Why: intents are the lossy channel. A renderer may shorten or rephrase them, so a number that
stands only there can get lost or change.

Example:
    upd{t=latency_fell_to_115ms}

Instead:
    upd{t=latency}
    #fact latency_p99=115ms

Specification: §4, §11 V1
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairl.diagnostics import Finding, excerpt, warning
from pairl.rules.evidence import Evidence, Rule

_FACTS = (
    ("V1/url", "a URL", "#ref name=ref:url:…", re.compile(r"https?://")),
    ("V1/hash", "a long hex number", "#ref name=ref:hash:sha256:…", re.compile(r"[A-Fa-f0-9]{12}")),
    ("V1/number", "a number", "#fact name=value", re.compile(r"[0-9]")),
)
_EXEMPT = ("l", "m")


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield the parameters that look like facts."""
    demanded: bool | None = None
    for record in evidence.of_kind("intent"):
        for key, value in record.kv.items():
            row = next((row for row in _FACTS if row[3].search(value)), None)
            if key in _EXEMPT or row is None:
                continue
            code, what, instead, _ = row
            if demanded is None:
                policy = evidence.policy
                demanded = policy.strict and (policy.no_new_facts or evidence.demands("no_new_facts"))
            yield evidence.finding(
                code,
                f"intent parameter `{excerpt(key, 32)}={excerpt(value, 40)}` holds {what}",
                record,
                value,
                f"carry it in a record of its own: `{instead}`",
                demanded=demanded,
            )


RULE = Rule(
    "V1",
    "no-new-facts",
    "§4, §11 V1",
    (
        warning("url", "an intent parameter holds a URL"),
        warning("hash", "an intent parameter holds a run of 12 or more hex digits"),
        warning("number", "an intent parameter holds a digit"),
    ),
    evaluate,
    frozenset({"intent"}),
)
