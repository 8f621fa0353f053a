"""The words of PAIRL 1.6: headers, record types, intents, their parameters, and roles.

This module is tables. It knows which words exist and what they mean; how they are written is in
`pairl.grammar`, what may be done with them in `pairl.rules`. Parser, canonical form, rules,
renderer and documentation all read the same rows.
"""

from __future__ import annotations

import msgspec

SPEC_VERSION = "1.6"

CANONICAL_HEADERS = (
    "v",
    "id",
    "mid",
    "sid",
    "ts",
    "root",
    "p",
    "parent",
    "deps",
    "budget",
    "limit",
)
"""§9.1: the order of headers in the canonical form. Unknown ones follow, sorted; `hash` is last."""

KNOWN_HEADERS = frozenset(CANONICAL_HEADERS) | {"hash"}


class RecordType(msgspec.Struct, frozen=True):
    """A row of the record table: a tag, and whether a columnar block may carry it (§3.4)."""

    tag: str
    columnar: bool


RECORD_TYPES = {
    row.tag: row
    for row in (
        RecordType("fact", columnar=False),
        RecordType("ref", columnar=False),
        RecordType("evid", columnar=True),
        RecordType("rule", columnar=True),
        RecordType("cost", columnar=True),
        RecordType("quota", columnar=True),
        RecordType("call", columnar=True),
        RecordType("ret", columnar=True),
        RecordType("think", columnar=True),
        RecordType("edit", columnar=True),
        RecordType("req", columnar=True),
        RecordType("rpt", columnar=True),
    )
}
"""The `#tag key=value` records. Markers and the state token have productions of their own."""

RESERVED_TAGS = frozenset({"marker", "intent", "unknown"})
"""Names that `Record.kind` uses for lines without a tag; a record may not pass itself off as one."""

INTENT_PARAMETERS = {
    "t": "topic",
    "s": "style",
    "l": "length",
    "m": "mood",
    "a": "audience",
    "u": "uncertainty",
    "fmt": "format",
}
"""§4.1, in the canonical order of §9.3."""

INTENTS = {
    "ack": "acknowledges",
    "req": "asks for something",
    "qst": "asks a question",
    "pln": "proposes a plan",
    "nxt": "names the next action",
    "sum": "summarises",
    "upd": "reports status",
    "fin": "reports completion",
    "hld": "pauses",
    "blk": "is blocked",
    "ctx": "gives context",
    "fnd": "presents findings",
    "evl": "assesses",
    "cmp": "compares",
    "lst": "lists",
    "def": "defines",
    "jbl": "celebrates",
    "wrn": "warns",
    "cal": "calms",
    "cnt": "contrasts",
    "emf": "emphasises",
    "agr": "agrees",
    "dis": "disagrees",
    "alt": "offers an alternative",
    "rpt": "reports (unconfirmed)",
    "off": "states officially",
    "inc": "reports an incident",
    "fog": "says that information is unclear",
    "apx": "apologises",
    "thx": "thanks",
    "grt": "greets",
    "cls": "closes",
    "bid": "proposes the resources it would need",
    "ref": "declines",
}
"""§4.2: the intents that the specification registers, as a verb phrase for the sender."""

ROLES = {"u": "User", "a": "Assistant", "s": "System"}
"""§3.3: the speakers that a compact turn marker can name."""
