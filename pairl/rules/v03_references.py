"""V3 references: a pointer can be told apart into its parts.

Checks the values of `#ref`, `src` of `#evid`, and the headers that name messages. A reference is
`ref:<namespace>:<id>` with as many more parts as it needs, or `@<id>`, or `@<id>#<rid>`. Headers
also take bare ids, and `src` the name of a `#ref`.

Why: whoever follows a reference must know from its form where to look: in this thread, in another
session, or in a store.

Example:
    #ref report=report.pdf

Instead:
    #ref report=ref:doc:report.pdf

Specification: §5.2, §10, §11 V3
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairl.diagnostics import Finding, error, excerpt
from pairl.rules.evidence import Evidence, Rule
from pairl.text import BLANKS
from pairl.thread import MOST_PARENTS

_REFERENCE = re.compile(
    r"ref:[A-Za-z0-9_\-]++:[^ \t#]++(?:#[^ \t]++)?"  # short-ref, long-ref
    r"|@[^ \t#,@\"]++(?:#[A-Za-z0-9_\-]++)?"  # sloc-ref
)
_DEPENDENCY = re.compile(r"[^ \t#,@\":]++(?:#[A-Za-z0-9_\-]++)?")
_BARE_NAME = re.compile(r"[A-Za-z0-9_\-]++")
_HEADERS = ("p", "root", "parent")
_ADVICE = "a reference is `ref:<namespace>:<id>`, `@<id>` or `@<id>#<rid>`, without spaces"
_ADDRESS_ADVICE = "the reference to a web address is `ref:url:<address>`"

_is_reference = _REFERENCE.fullmatch


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield the references that have no known form."""
    for record in evidence.of_kind("ref"):
        for key, value in record.kv.items():
            if not _is_reference(value):
                yield evidence.finding(
                    "V3/malformed-reference",
                    f"`{excerpt(key, 32)}={excerpt(value, 60)}` is not a reference",
                    record,
                    f"{key}={value}",
                    _ADDRESS_ADVICE if value.startswith(("http://", "https://")) else _ADVICE,
                )
    for record in evidence.of_kind("evid"):
        source = record.kv.get("src")
        if source and not _BARE_NAME.fullmatch(source) and not _is_reference(source):
            yield evidence.finding(
                "V3/malformed-reference",
                f"`src={excerpt(source, 60)}` is not a reference",
                record,
                f"src={source}",
                _ADVICE,
            )
    yield from _references_of_headers(evidence)


def _references_of_headers(evidence: Evidence) -> Iterator[Finding]:
    headers = evidence.headers
    for name in _HEADERS:
        value = headers.get(name, "")
        if " " in value or (value.startswith(("ref:", "@")) and not _is_reference(value)):
            yield evidence.finding(
                "V3/malformed-reference",
                f"`@{name} {excerpt(value, 60)}` is not a reference",
                name,
                value,
                _ADVICE,
            )
    if headers.get("deps", "").count(",") >= MOST_PARENTS:
        yield evidence.finding(
            "V3/too-many-dependencies",
            f"`@deps` names more than {MOST_PARENTS:,} messages",
            "deps",
            advice="name the messages that these build on, or one that sums them up",
        )
    elif "deps" in headers:
        for entry in (part.strip(BLANKS) for part in headers["deps"].split(",")):
            if not _is_reference(entry) and not _DEPENDENCY.fullmatch(entry):
                what = f"`{excerpt(entry, 60)}`" if entry else "an empty entry"
                yield evidence.finding(
                    "V3/malformed-dependency",
                    f"{what} in `@deps` names no message",
                    "deps",
                    entry,
                    "write ids separated by commas: `@deps m2,m4`",
                )


RULE = Rule(
    "V3",
    "references",
    "§5.2, §10, §11 V3",
    (
        error("malformed-reference", "a value that must be a reference has no known form"),
        error("malformed-dependency", "an entry of `@deps` names no message"),
        error("too-many-dependencies", "`@deps` has more than 1,000 entries"),
    ),
    evaluate,
    frozenset({"ref", "evid", "@p", "@parent", "@root", "@deps"}),
    evaluate_plain=_references_of_headers,
)
