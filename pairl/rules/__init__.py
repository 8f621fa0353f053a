"""The rules, in the order in which they are evaluated and documented.

This package knows what makes a message valid: one module a rule, and this list. It does not decide
what an error means for anybody; `pairl.validator` turns findings into a report.
"""

from __future__ import annotations

from functools import cache

from pairl.diagnostics import Check
from pairl.rules import (
    enc_transcripts,
    hdr_headers,
    ses_session,
    syn_syntax,
    v01_no_new_facts,
    v02_evidence,
    v03_references,
    v04_thread_integrity,
    v05_hash,
    v06_unique_rids,
    v07_cycles,
    v08_budget,
    v09_tool_chain,
    v10_state_token,
    v11_turn_markers,
    v12_columnar_blocks,
    v13_legend_completeness,
    v14_legend_fidelity,
    v15_quotation_integrity,
)
from pairl.rules.evidence import Evaluate, Evidence, Needs, Policy, Rule

RULES: tuple[Rule, ...] = (
    hdr_headers.RULE,
    syn_syntax.RULE,
    v01_no_new_facts.RULE,
    v02_evidence.RULE,
    v03_references.RULE,
    v04_thread_integrity.RULE,
    v05_hash.RULE,
    v06_unique_rids.RULE,
    v07_cycles.RULE,
    v08_budget.RULE,
    v09_tool_chain.RULE,
    v10_state_token.RULE,
    v11_turn_markers.RULE,
    v12_columnar_blocks.RULE,
    v13_legend_completeness.RULE,
    v14_legend_fidelity.RULE,
    v15_quotation_integrity.RULE,
    ses_session.RULE,
    enc_transcripts.RULE,
)

__all__ = ["RULES", "Check", "Evaluate", "Evidence", "Needs", "Policy", "Rule", "checks", "find_rule"]


@cache
def checks() -> dict[str, Check]:
    """Return every check by its diagnostic code, such as `V9/orphan-ret`."""
    return {f"{rule.code}/{check.slug}": check for rule in RULES for check in rule.checks}


def find_rule(code: str) -> Rule | None:
    """Return the rule that a rule's or a diagnostic's code belongs to; case does not count."""
    wanted = code.partition("/")[0].upper()
    return next((rule for rule in RULES if rule.code == wanted), None)
