"""V13 legend-completeness: the legend that came with the body explains every construct in it.

Checks for each intent, intent parameter, record type, turn marker, `@m=`, `mode=cond`, columnar block and
the history of tools whether the legend names it, in any words and any order. Free text is explained by no
legend. A legend that names all there is in the language is the full specification, and enough for any
body. Needs the legend; for a maintained session, put its addendum in front of it.

Why: a model that was not told what `wrn` means makes something up.

Example:
    #fact port=8443
    wrn{t=expiry}          (the legend: "#fact key=value — an exact fact" and no word about `wrn`)

Instead, in the legend:
    Intents: wrn warns. Parameters: t topic

Specification: §12a, §11 V13
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.constructs import FREE_TEXT, Category, scan
from pairl.coverage import Coverage
from pairl.diagnostics import Finding, strict_error
from pairl.rules.evidence import Evidence, Needs, Rule


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield the constructs that the legend does not explain, each where it occurs first."""
    if evidence.legend is None:
        return
    coverage = Coverage(evidence.legend)
    missing = {
        construct: line
        for construct, line in scan(evidence.message.body).items()
        if not coverage.explains(construct)
    }
    if not missing or coverage.is_full_specification:
        return
    for construct, line in missing.items():
        if construct == FREE_TEXT:
            yield evidence.finding(
                "V13/free-text",
                "the body holds text that no legend explains",
                line,
                advice='carry text as data, `#rpt content="…"`, or deliver the full specification',
            )
        else:
            # A key may also be the end of another one, and is not searched for.
            word = "" if construct.category is Category.PARAMETER else construct.name
            yield evidence.finding(
                "V13/unexplained",
                f"the legend does not explain the {construct}",
                line,
                word,
                "add a line about it to the legend, or deliver the full specification",
            )


RULE = Rule(
    "V13",
    "legend-completeness",
    "§12a, §11 V13",
    (
        strict_error("unexplained", "the body has a construct that the legend does not explain"),
        strict_error("free-text", "the body holds text that no legend can explain"),
    ),
    evaluate,
    needs=Needs.LEGEND,
    evaluate_plain=evaluate,
)
