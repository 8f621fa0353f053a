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
    #fact note="please have a look"

Specification: §3, §8, §15.1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from pairl.diagnostics import Finding, excerpt
from pairl.model import Record
from pairl.nearest import did_you_mean, nearest
from pairl.rules.evidence import Evidence, Rule
from pairl.syntax import SYN_CHECKS
from pairl.vocabulary import CARRIED_TURNS, CONDENSED, INTENTS, RECORD_TYPES, RESERVED_TAGS

_MODES = (CONDENSED, "condensed", "condensate")
_LONGEST_FACT_KEY = 32
_find_long_keys = re.compile(r"\n#fact ++([a-z][a-z0-9_]{32,}+)=").finditer
_ROLES = {"user": "u1", "u": "u1", "human": "u1", "assistant": "a1", "a": "a1", "system": "s1"}
_KNOWN_KINDS = RECORD_TYPES.keys() | RESERVED_TAGS | {"s"}


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what can only be seen in the whole message; the parser has found the rest."""
    policy = evidence.policy
    if evidence.message.size > policy.max_bytes or len(evidence.message.body.records) > policy.max_records:
        yield from _configured_limits(evidence)
    if not evidence.by_kind.keys() <= _KNOWN_KINDS:
        yield from _unknown_records(evidence)
    for record in evidence.of_kind("intent"):
        if record.name not in INTENTS:
            yield _unknown_intent(evidence, record)
    for record in evidence.of_kind("fact"):
        for key in record.kv:
            if len(key) > _LONGEST_FACT_KEY:
                yield _long_key(evidence, key, record.line)
    for record in chain.from_iterable(map(evidence.of_kind, CARRIED_TURNS)):
        mode = record.kv.get("mode", CONDENSED)
        if mode != CONDENSED:
            yield evidence.finding(
                "SYN/unknown-mode",
                f"`mode={excerpt(mode, 40)}` says nothing about how the turn is carried",
                record,
                f"mode={mode}",
                "write `mode=cond` for a summary; leave `mode=` out for a quotation",
                instead=f"mode={CONDENSED}" if nearest(mode, _MODES) else None,
            )
    if "rule" in evidence.by_kind:
        yield from _own_limits(evidence)


def _long_keys(evidence: Evidence) -> Iterator[Finding]:
    """Yield the long keys of facts, which are all that can be odd about records that are plain."""
    text, line, counted = evidence.message.source, 1, 0
    for match in _find_long_keys(text):
        line += text.count("\n", counted, match.start(1))
        counted = match.start(1)
        yield _long_key(evidence, match[1], line)


def _long_key(evidence: Evidence, key: str, line: int) -> Finding:
    return evidence.finding("SYN/long-key", f"`{excerpt(key, 40)}` has {len(key)} characters", line, key)


def _unknown_intent(evidence: Evidence, record: Record) -> Finding:
    name = record.name or ""
    guess = nearest(name, INTENTS) if evidence.lists("SYN/unknown-intent") else None
    return evidence.finding(
        "SYN/unknown-intent",
        f"`{excerpt(name, 40)}` is not an intent of the specification; it is passed on as it is",
        record,
        name,
        f"did you mean `{guess}`?" if guess else "known intents are " + " ".join(INTENTS),
        instead=guess,
    )


def _unknown_records(evidence: Evidence) -> Iterator[Finding]:
    for kind, records in evidence.by_kind.items():
        if kind not in _KNOWN_KINDS:
            guess = nearest(kind, RECORD_TYPES) if evidence.lists("SYN/unknown-record") else None
            guess = _ROLES.get(kind, guess)
            tag = guess and f"#{guess}"
            yield evidence.finding(
                "SYN/unknown-record",
                f"`#{excerpt(kind, 40)}` is not a record type of the specification; it is passed on as it is",
                records[0],
                f"#{kind}",
                did_you_mean("known types are " + " ".join(f"#{tag}" for tag in RECORD_TYPES), tag),
                instead=tag,
            )


def _configured_limits(evidence: Evidence) -> Iterator[Finding]:
    """Yield the policy's limits that are exceeded, where the parser did not know or enforce them."""
    message, policy = evidence.message, evidence.policy
    known = {finding.code for finding in message.findings}
    if message.size > policy.max_bytes and "SYN/too-large" not in known:
        yield evidence.finding(
            "SYN/too-large",
            f"the message has {message.size:,} bytes, at most {policy.max_bytes:,} are allowed",
        )
    if len(message.body.records) > policy.max_records and "SYN/too-many-records" not in known:
        yield evidence.finding(
            "SYN/too-many-records",
            f"the message has {len(message.body.records):,} records, "
            f"at most {policy.max_records:,} are allowed",
        )


def _own_limits(evidence: Evidence) -> Iterator[Finding]:
    actual = {
        "max_records": len(evidence.message.body.records),
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


RULE = Rule("SYN", "syntax", "§3, §8, §15.1", SYN_CHECKS, evaluate, evaluate_plain=_long_keys)
