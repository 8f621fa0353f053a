"""SYN syntax: every line is a record, an intent, or a row of a block, and nothing else.

Checks the text itself: bytes, control characters, quotation marks, `key=value` pairs, tags, words
that are not in the specification, and the size of the whole.

Why: a reader that passes over what it does not understand loses data without a word, and two
different messages come to have one hash. This reader says what it could not take in.

Example:
    #fact amount=1,000
    #fact title="Weekly "sync" notes"
    please have a look

Instead:
    #fact amount="1,000"
    #fact title="Weekly \\"sync\\" notes"
    #rpt content="please have a look"

Specification: §3, §8, §15.1
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Check, Finding, excerpt, strict_error
from pairl.rules.evidence import Evidence, Rule
from pairl.syntax import SYN_CHECKS
from pairl.vocabulary import INTENTS, RECORD_TYPES, RESERVED_TAGS

_CONDENSATE = "cond"
_LONGEST_FACT_KEY = 32
_NOT_TAGS = RESERVED_TAGS | {"s"}
_CHECKS: tuple[Check, ...] = (
    *SYN_CHECKS,
    strict_error("unknown-mode", "`mode=` of a `#req` or `#rpt` is not `cond`"),
)


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what can only be seen in the whole message; the parser has found the rest."""
    for kind, records in evidence.by_kind.items():
        if kind not in RECORD_TYPES and kind not in _NOT_TAGS:
            yield evidence.finding(
                "SYN/unknown-record",
                f"`#{excerpt(kind, 40)}` is kept, but nobody need know it",
                records[0],
                f"#{kind}",
            )
    for record in evidence.of_kind("intent"):
        if record.name not in INTENTS:
            name = record.name or ""
            yield evidence.finding(
                "SYN/unknown-intent", f"`{excerpt(name, 40)}` is kept, but nobody need know it", record, name
            )
    for record in evidence.of_kind("fact"):
        for key in record.kv:
            if len(key) > _LONGEST_FACT_KEY:
                yield evidence.finding(
                    "SYN/long-key", f"`{excerpt(key, 40)}` has {len(key)} characters", record, key
                )
    for kind in ("req", "rpt"):
        for record in evidence.of_kind(kind):
            if record.kv.get("mode", _CONDENSATE) != _CONDENSATE:
                yield evidence.finding(
                    "SYN/unknown-mode",
                    f"`mode={excerpt(record.kv['mode'], 40)}` says nothing about how the turn is carried",
                    record,
                    f"mode={record.kv['mode']}",
                    "write `mode=cond` for a summary; leave `mode=` out for a quotation",
                )
    if "rule" in evidence.by_kind:
        yield from _own_limits(evidence)


def _own_limits(evidence: Evidence) -> Iterator[Finding]:
    actual = {
        "max_records": len(evidence.message.records),
        "max_size_bytes": evidence.message.size,
    }
    for record in evidence.of_kind("rule"):
        for name, count in actual.items():
            limit = record.kv.get(name, "")
            if (
                limit.isascii()
                and limit.isdigit()
                and len(limit) < len(str(count)) + 20
                and count > int(limit)
            ):
                yield evidence.finding(
                    "SYN/own-limit", f"the message has {count:,}; its own `{name}` is {limit}", record, name
                )


RULE = Rule("SYN", "syntax", "§3, §8, §15.1", _CHECKS, evaluate)
