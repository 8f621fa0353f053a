"""V2 evidence: a claim names its source and how sure it is.

Checks that every `#evid` has `claim`, `src` and `conf`, none of them empty, and that `conf` is a
plain decimal from 0 to 1. A `src` that is a bare name should be the name of a `#ref` of the message.

Why: a claim without a source cannot be checked, and one without a confidence cannot be weighed.

Example:
    #evid claim="the pool was exhausted" conf=90%

Instead:
    #evid claim="the pool was exhausted" src=@m3#r2 conf=0.90

Specification: §5.3, §11 V2
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.nearest import did_you_mean, nearest
from pairl.rules.evidence import Evidence, Rule

_CONFIDENCE = re.compile(r"0++(?:\.[0-9]++)?|0*+1(?:\.0++)?")
_BARE_NAME = re.compile(r"[A-Za-z0-9_\-]++")


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with the claims."""
    lacking: set[int] = set()
    declared: dict[str, None] | None = None
    for record in evidence.of_kind("evid"):
        kv = record.kv
        if not ("claim" in kv and "src" in kv and "conf" in kv):
            names = ", ".join(f"`{key}`" for key in ("claim", "src", "conf") if key not in kv)
            line = evidence.line_of_keys(record)
            if line not in lacking:
                lacking.add(line)
                yield evidence.finding(
                    "V2/missing-key",
                    f"`#evid` is missing {names}",
                    line,
                    advice='write `#evid claim="…" src=ref:… conf=0.90`',
                )
            continue
        for key in ("claim", "src"):
            if not kv[key]:
                yield evidence.finding(
                    "V2/empty-key",
                    f"`{key}` of `#evid` is empty",
                    record,
                    f"{key}=",
                    "say what is claimed, and who says so; or leave the record out",
                )
        conf = kv["conf"]
        if not _CONFIDENCE.fullmatch(conf):
            yield evidence.finding(
                "V2/confidence",
                f"`conf={excerpt(conf, 40)}` is not a plain decimal from 0 to 1",
                record,
                f"conf={conf}",
                "write a share of one with a dot: `conf=0.90`",
            )
        source = kv["src"]
        if _BARE_NAME.fullmatch(source):
            if declared is None:
                declared = {key: None for ref in evidence.of_kind("ref") for key in ref.kv}
            if source not in declared:
                guess = nearest(source, declared) if evidence.lists("V2/undeclared-source") else None
                pair = guess and f"src={guess}"
                yield evidence.finding(
                    "V2/undeclared-source",
                    f"no `#ref` of this message is called `{excerpt(source, 40)}`",
                    record,
                    f"src={source}",
                    did_you_mean(f"declare it: `#ref {excerpt(source, 40)}=ref:…`", pair),
                    instead=pair,
                )


RULE = Rule(
    "V2",
    "evidence",
    "§5.3, §11 V2",
    (
        error("missing-key", "`claim`, `src` or `conf` is missing"),
        error("empty-key", "`claim` or `src` is empty"),
        error("confidence", "`conf` is not a plain decimal from 0 to 1"),
        warning("undeclared-source", "`src` is a bare name that no `#ref` of the message declares"),
    ),
    evaluate,
    frozenset({"evid"}),
)
