"""V9 tool-chain: every result answers a call of the same message.

Checks that `#ret` names the `@rid` of a `#call` above it and has a `status` of `ok` or `err`, and
that `#call`, `#think` and `#edit` have their keys, and that `changes` of `#edit` is a whole number of
at least 1. A call without a result is fine.

Why: what a tool returned means nothing without what it was asked.

Example:
    #call tool=Bash cmd="make test" @rid=c1
    #ret call=c7 status=ok

Instead:
    #call tool=Bash cmd="make test" @rid=c1
    #ret call=c1 status=ok

Specification: §7, §11 V9
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from pairl.diagnostics import Finding, error, excerpt, strict_error, warning
from pairl.model import Record
from pairl.rules.evidence import Evidence, Rule

_REQUIRED = {
    "call": ("tool",),
    "ret": ("call", "status"),
    "think": ("summary",),
    "edit": ("file", "changes"),
}
_STATUSES = ("ok", "err")
_CHANGES = re.compile(r"0*+[1-9][0-9]*+")
_MOST_DIGITS = 18
_NAMED_CALLS = 6


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with calls, results, thoughts and edits."""
    for kind, keys in _REQUIRED.items():
        for record in evidence.of_kind(kind):
            kv = record.kv
            if not all(map(kv.get, keys)):
                names = ", ".join(f"`{key}`" for key in keys if not kv.get(key))
                yield evidence.finding("V9/missing-key", f"`#{kind}` is missing {names}", record)
    for record in evidence.of_kind("edit"):
        changes = record.kv.get("changes", "")
        if changes and (len(changes) > _MOST_DIGITS or not _CHANGES.fullmatch(changes)):
            yield evidence.finding(
                "V9/changes",
                f"`changes={excerpt(changes, 40)}` is not a whole number of at least 1",
                record,
                f"changes={changes}",
            )
    if "ret" in evidence.by_kind:
        yield from _results(evidence)


def _results(evidence: Evidence) -> Iterator[Finding]:
    calls: dict[str, Record] = {}
    for record in evidence.of_kind("call"):
        if record.rid:
            calls.setdefault(record.rid.lower(), record)
    for record in evidence.of_kind("ret"):
        status = record.kv.get("status", "")
        if status and status not in _STATUSES:
            yield evidence.finding(
                "V9/status",
                f"`status={excerpt(status, 40)}` is neither `ok` nor `err`",
                record,
                f"status={status}",
                "write `status=ok`, or `status=err` and what went wrong in `err=`",
            )
        name = record.kv.get("call", "")
        call = calls.get(name.lower())
        if call is not None and call.line > record.line:
            yield evidence.finding(
                "V9/ret-before-call",
                f"`#ret` stands before the call `{excerpt(name, 40)}` that it answers",
                record,
                f"call={name}",
            )
        elif name and call is None:
            yield evidence.finding(
                "V9/orphan-ret",
                f"`#ret` answers call `{excerpt(name, 40)}`, which no `#call` in this message declares",
                record,
                f"call={name}",
                _declared(name, calls) if evidence.lists("V9/orphan-ret") else None,
            )


def _declared(name: str, calls: dict[str, Record]) -> str:
    if not calls:
        return "no `#call` of this message has an `@rid`; put the call and its result in one message"
    rids = [record.rid or "" for record in calls.values()]
    listed = ", ".join(rids[:_NAMED_CALLS]) + (", …" if len(rids) > _NAMED_CALLS else "")
    declared = f"declared calls are {listed}" if len(rids) > 1 else f"the declared call is {listed}"
    near = difflib.get_close_matches(name[:40].lower(), list(calls)[:100], 1, 0.5)
    return f"{declared}; did you mean `call={calls[near[0]].rid}`?" if near else declared


RULE = Rule(
    "V9",
    "tool-chain",
    "§7, §11 V9",
    (
        strict_error("orphan-ret", "a result answers no call of the message"),
        warning("ret-before-call", "a result stands before its call"),
        error("status", "`status` is neither `ok` nor `err`"),
        error("missing-key", "a tool record lacks a key it needs"),
        error("changes", "`changes` of `#edit` is not a whole number of at least 1"),
    ),
    evaluate,
    frozenset(_REQUIRED),
)
