"""V6 unique-rids: a record id names one record of the message.

Checks that no `@rid` occurs twice, whatever the kinds of the records, in rows of columnar blocks
too. Upper and lower case are the same.

Why: `@m3#f1` must point to one record.

Example:
    #fact region=eu-west @rid=f1
    #fact region=eu-north @rid=F1

Instead:
    #fact region=eu-west @rid=f1
    #fact region=eu-north @rid=f2

Specification: §3.2, §11 V6
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.diagnostics import Finding, error, excerpt
from pairl.rules.evidence import Evidence, Rule


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield the record ids that were taken already."""
    rids = [record.rid.lower() for record in evidence.message.body.records if record.rid]
    if len(set(rids)) == len(rids):
        return
    first: dict[str, str] = {}
    for record in evidence.message.body.records:
        if not record.rid:
            continue
        rid = record.rid.lower()
        if rid in first:
            yield evidence.finding(
                "V6/duplicate-rid",
                f"`@rid={excerpt(record.rid, 40)}` is taken by `{excerpt(first[rid], 50)}`",
                record,
                f"@rid={record.rid}",
                "give each record an id of its own; case does not count",
            )
        first.setdefault(rid, record.raw)


RULE = Rule(
    "V6",
    "unique-rids",
    "§3.2, §11 V6",
    (error("duplicate-rid", "a record id occurs twice in the message"),),
    evaluate,
)
