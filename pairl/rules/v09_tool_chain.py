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

import re
from collections.abc import Iterator
from itertools import islice

from pairl.diagnostics import Finding, error, excerpt, strict_error, warning
from pairl.model import Record
from pairl.nearest import did_you_mean, nearest
from pairl.rules.evidence import Evidence, Rule

_REQUIRED = {
    "call": ("tool",),
    "ret": ("call", "status"),
    "think": ("summary",),
    "edit": ("file", "changes"),
}
_COMPLETE = {
    "call": "write `#call tool=Bash @rid=c1`",
    "ret": "write `#ret call=c1 status=ok`, or `status=err`",
    "think": 'write `#think summary="…"`',
    "edit": "write `#edit file=… changes=1`",
}
_STATUSES = ("ok", "err")
_OTHER_STATUSES = {
    "success": "ok",
    "succeeded": "ok",
    "done": "ok",
    "error": "err",
    "failed": "err",
    "failure": "err",
}
_CHANGES = re.compile(r"0*+[1-9][0-9]*+")
_MOST_DIGITS = 18
_NAMED_CALLS = 6


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with calls, results, thoughts and edits."""
    for kind, keys in _REQUIRED.items():
        yield from _missing_keys(evidence, kind, keys)
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


def _missing_keys(evidence: Evidence, kind: str, keys: tuple[str, ...]) -> Iterator[Finding]:
    """Yield the records without all of these keys; a block without a column is named once."""
    lacking: set[int] = set()
    for record in evidence.of_kind(kind):
        kv = record.kv
        if all(map(kv.get, keys)):
            continue
        missing = [key for key in keys if not kv.get(key)]
        line = record.line if any(key in kv for key in missing) else evidence.line_of_keys(record)
        if line not in lacking:
            lacking.add(line)
            names = ", ".join(f"`{key}`" for key in missing)
            yield evidence.finding(
                "V9/missing-key", f"`#{kind}` is missing {names}", line, advice=_COMPLETE[kind]
            )


def _results(evidence: Evidence) -> Iterator[Finding]:
    calls: dict[str, Record] = {}
    for record in evidence.of_kind("call"):
        if record.rid:
            calls.setdefault(record.rid.lower(), record)
    for record in evidence.of_kind("ret"):
        status = record.kv.get("status", "")
        if status and status not in _STATUSES:
            meant = _as_status(status) if evidence.lists("V9/status") else None
            yield evidence.finding(
                "V9/status",
                f"`status={excerpt(status, 40)}` is neither `ok` nor `err`",
                record,
                f"status={status}",
                did_you_mean("write `status=ok`, or `status=err` and what went wrong in `err=`", meant),
                instead=meant,
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
            answer = _nearest_call(name, calls) if evidence.lists("V9/orphan-ret") else None
            yield evidence.finding(
                "V9/orphan-ret",
                f"`#ret` answers call `{excerpt(name, 40)}`, which no `#call` in this message declares",
                record,
                f"call={name}",
                did_you_mean(_declared(calls), answer),
                instead=answer,
            )


def _declared(calls: dict[str, Record]) -> str:
    """Return which calls there are to answer."""
    if not calls:
        return "no `#call` of this message has an `@rid`; put the call and its result in one message"
    rids = [excerpt(record.rid or "", 12) for record in islice(calls.values(), _NAMED_CALLS + 1)]
    if len(rids) == 1:
        return f"the declared call is {rids[0]}"
    return f"declared calls are {', '.join(rids[:_NAMED_CALLS])}{', …' if len(rids) > _NAMED_CALLS else ''}"


def _nearest_call(name: str, calls: dict[str, Record]) -> str | None:
    """Return the pair that names the call which a result was most likely meant to answer."""
    near = nearest(name, calls)
    return None if near is None else f"call={calls[near].rid}"


def _as_status(word: str) -> str | None:
    """Return the pair that says what another word for a status means, if it is one of the usual."""
    status = _OTHER_STATUSES.get(word.lower()) or nearest(word, _STATUSES)
    return None if status is None else f"status={status}"


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
