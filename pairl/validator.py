"""Judges a message: runs the rules, decides how much each finding weighs, and reports.

This module is the one place where a finding becomes an error or a warning: from the check's row,
the mode, and what the message or the policy demands. It does not know any rule.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache

import msgspec

from pairl.diagnostics import Diagnostic, Finding, Findings, Severity
from pairl.model import Message
from pairl.plain import is_plain
from pairl.quotation import SourceTurn
from pairl.rules import RULES, Evaluate, Evidence, Needs, Policy, checks
from pairl.thread import ThreadView
from pairl.vocabulary import SPEC_VERSION

_STRICT, _LOOSE = Policy(strict=True), Policy(strict=False)


class Report(msgspec.Struct, frozen=True):
    """What validation found, and which rules could not be evaluated for lack of evidence."""

    diagnostics: list[Diagnostic] = []
    not_evaluated: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether no diagnostic is an error."""
        return not any(found.severity is Severity.ERROR for found in self.diagnostics)

    @property
    def errors(self) -> list[str]:
        """The errors, one line each, beginning with the diagnostic code."""
        return [str(found) for found in self.diagnostics if found.severity is Severity.ERROR]

    @property
    def warnings(self) -> list[str]:
        """The warnings, one line each, beginning with the diagnostic code."""
        return [str(found) for found in self.diagnostics if found.severity is Severity.WARNING]


def validate(
    msg: Message,
    strict: bool = False,
    *,
    policy: Policy | None = None,
    thread: ThreadView | None = None,
    legend: str | None = None,
    source: Sequence[SourceTurn] | None = None,
) -> Report:
    """Return what the rules find in a message (§11).

    Args:
        msg: the message, as `pairl.parse` returns it.
        strict: whether strict mode applies; ignored where a `policy` is given.
        policy: the mode together with further demands.
        thread: what is known of the message's thread.
        legend: the legend that was delivered with the body (§12a).
        source: the turns of the conversation that the body quotes (V15).

    Rules whose evidence is absent are listed in `not_evaluated`.

    Raises:
        TypeError: `legend` is no text, or `source` no sequence of turns.

    """
    if legend is not None or source is not None:
        _refuse_misuse(legend, source)
    if policy is None:
        policy = _STRICT if strict else _LOOSE
    evidence = Evidence(msg, policy, thread, legend, source)
    absent = _absent(thread is None, legend is None, source is None)
    plain = is_plain(msg, policy.max_bytes, policy.max_records)
    found: list[Finding] = []
    kinds = None if plain else frozenset(evidence.by_kind)
    for evaluate in _evaluations(tuple(msg.headers), kinds, absent):
        found.extend(evaluate(evidence))
    not_evaluated = _not_evaluated(absent)
    # The parser's findings have been counted already, and no rule finds what it finds.
    findings = [] if plain else list(msg.findings)
    if found:
        findings += Findings(found).listing()
    elif not findings:
        return Report(not_evaluated=not_evaluated)
    diagnostics = [judge(finding, policy) for finding in findings]
    diagnostics.sort(key=lambda diagnostic: (diagnostic.line, diagnostic.column))
    return Report(diagnostics, not_evaluated)


def _refuse_misuse(legend: object, source: object) -> None:
    """Raise here, because a rule that meets the wrong type could not say whose argument it was."""
    if legend is not None and not isinstance(legend, str):
        raise TypeError(f"`legend` is the text of a legend, and `{type(legend).__name__}` is none")
    if source is None:
        return
    turns = source if isinstance(source, Sequence) else [source]
    for turn in turns:
        if not isinstance(turn, SourceTurn):
            raise TypeError(f"`source` is a list of `SourceTurn`, and `{type(turn).__name__}` is none")


@cache
def _absent(thread: bool, legend: bool, source: bool) -> frozenset[Needs]:
    """Return the kinds of evidence that are not there, of those that may not be."""
    kinds = (Needs.THREAD, Needs.LEGEND, Needs.SOURCE)
    return frozenset(
        kind for kind, is_absent in zip(kinds, (thread, legend, source), strict=True) if is_absent
    )


@cache
def _not_evaluated(absent: frozenset[Needs]) -> tuple[str, ...]:
    return tuple(rule.code for rule in RULES if rule.needs in absent)


@lru_cache(maxsize=512)
def _evaluations(
    headers: tuple[str, ...], kinds: frozenset[str] | None, absent: frozenset[Needs]
) -> tuple[Evaluate, ...]:
    """Return what there is to evaluate for a message with these headers and kinds of record.

    Without `kinds` the body is plain: the records are known to be without fault.
    """
    present = {*(kinds or ()), *(f"@{name}" for name in headers)}
    applicable = [
        rule
        for rule in RULES
        if rule.needs not in absent and (not rule.triggers or not rule.triggers.isdisjoint(present))
    ]
    if kinds is None:
        return tuple(rule.evaluate_plain for rule in applicable if rule.evaluate_plain is not None)
    return tuple(rule.evaluate for rule in applicable)


def judge(finding: Finding, policy: Policy) -> Diagnostic:
    """Return the diagnostic that a finding is under a policy."""
    check = checks()[finding.code]
    severity = check.strict if policy.strict else check.loose
    if finding.demanded:
        severity = Severity.ERROR
    return Diagnostic(
        finding.code,
        severity,
        finding.message,
        finding.line,
        finding.column,
        finding.length,
        finding.help,
        finding.edit,
    )


@cache
def policy_digest(policy: Policy) -> str:
    """Return a digest of the policy and the rule set, as 16 hex digits.

    Two verdicts with the same digest were given by the same rules under the same policy.
    """
    rules = [(rule.code, rule.checks, rule.needs) for rule in RULES]
    text = msgspec.json.encode([SPEC_VERSION, rules, policy])
    return hashlib.sha256(text).hexdigest()[:16]
