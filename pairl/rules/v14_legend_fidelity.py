"""V14 legend-fidelity: a legend ends by forbidding to alter what the body says.

Checks that the last thing in the legend is the canonical fidelity line, word for word; only white space
may differ. The full specification, delivered instead of a legend, needs no such line. Needs the legend.

Why: the legend stands for the specification. A model that is told that values are exact, but not that it
must not round or invent any, rounds and invents.

Example:
    #fact key=value — an exact fact
    Values are exact

Instead, as the last line:
    `#fact`/`#ref`/`#evid` values are EXACT — repeat them verbatim; do NOT paraphrase, round, or invent
    facts, names, or numbers not present above; if a record contradicts what you believe, trust the
    record; never ask the user to repeat anything encoded here.

Specification: §12a.2, §11 V14
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.coverage import Coverage, one_spaced
from pairl.diagnostics import Finding, strict_error
from pairl.legend import FIDELITY
from pairl.rules.evidence import Evidence, Needs, Rule


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield whether the fidelity line is missing, or not the end."""
    if evidence.legend is None:
        return
    text = one_spaced(evidence.legend)
    if text.endswith(FIDELITY) or Coverage(text).is_full_specification:
        return
    if FIDELITY in text:
        yield evidence.finding(
            "V14/fidelity-not-last",
            "the legend goes on behind the fidelity line",
            advice="put the line at the end of the legend; an addendum follows the body",
        )
    else:
        yield evidence.finding(
            "V14/no-fidelity-line",
            "the legend does not have the canonical fidelity line of §12a.2(7)",
            advice="a paraphrase is not enough: copy the line from `pairl explain V14`",
        )


RULE = Rule(
    "V14",
    "legend-fidelity",
    "§12a.2, §11 V14",
    (
        strict_error("no-fidelity-line", "the legend has no canonical fidelity line"),
        strict_error("fidelity-not-last", "the fidelity line is not the end of the legend"),
    ),
    evaluate,
    needs=Needs.LEGEND,
    evaluate_plain=evaluate,
)
