"""V15 quotation-integrity: what a record quotes was said, in these words and in this order.

Checks each `#req` and `#rpt` without `mode=cond` against the turn it is bound to: the fragments of its
content, between elision markers ` [...] `, stand in the turn one after the other, apart from white
space. A record without a turn, or with one that the source does not know, may quote any turn of the
source. A fragment that cuts a word in two is a warning. Needs the source turns: without them the rule is
listed as not evaluated.

Why: a reader may rely on a quotation word for word. Words that nobody said are put into somebody's mouth.

Example:
    #u1
    #req content="Please ship on Friday"     (the turn: "Could you ship by Friday?")

Instead:
    #req content="ship by Friday?"

Or say that it is a summary:
    #req content="asks for a delivery by Friday" mode=cond

Specification: §3.1, §11 V15
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate

from pairl.diagnostics import Finding, error, excerpt, warning
from pairl.grammar import quote
from pairl.model import Record
from pairl.quotation import Fault, Flaw, SourceText, SourceTurn, flaws_in, flaws_of_form, fragments
from pairl.rules.evidence import Evidence, Needs, Rule
from pairl.vocabulary import CARRIED_TURNS, CONDENSED

_OWN_WORDS = "quote the turn's own words, or mark the record as a summary with `mode=cond`"
_SAID: dict[Fault, tuple[str, str, str]] = {
    Fault.EMPTY_CONTENT: ("V15/empty-content", "`#{kind}` quotes nothing", _OWN_WORDS),
    Fault.EMPTY_FRAGMENT: (
        "V15/empty-fragment",
        "between two elision markers nothing is quoted",
        "write one elision marker",
    ),
    Fault.STRAY_ELISION: (
        "V15/stray-elision",
        "the content begins or ends with an elision marker",
        "an elision marker stands between two fragments",
    ),
    Fault.NOT_IN_SOURCE: ("V15/not-in-source", "`{fragment}` does not stand in {turn}", _OWN_WORDS),
    Fault.OUT_OF_ORDER: (
        "V15/out-of-order",
        "`{fragment}` does not stand in {turn} behind the fragment before it",
        "quote in the order of the turn, without overlap",
    ),
    Fault.CUT_WORD: ("V15/cut-word", "`{fragment}` cuts a word of {turn} in two", "quote whole words"),
}
"""For each fault the diagnostic code, what is said and what is advised."""


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with the quotations of the message."""
    if evidence.source is None or not any(map(evidence.of_kind, CARRIED_TURNS)):
        return
    turns = _Turns(evidence.source)
    marker: str | None = None
    for record in evidence.message.body.records:
        if record.kind == "marker":
            marker = record.name
        elif record.kind in CARRIED_TURNS and record.kv.get("mode") != CONDENSED:
            name = record.m or marker
            for flaw in turns.flaws(record.kv.get("content", ""), name):
                yield _finding(evidence, record, flaw, turns.describe(name))


class _Turns:
    """The turns of the source, by id; a text is made ready when it is first needed."""

    def __init__(self, source: Sequence[SourceTurn]) -> None:
        self._texts = [turn.text for turn in source] or [""]
        self._named: dict[str | None, list[str]] = {}
        for turn in source:
            if turn.id is not None:
                self._named.setdefault(turn.id, []).append(turn.text)
        self._ready = cache(SourceText)

    def flaws(self, content: str, name: str | None) -> list[Flaw]:
        """Return what is wrong with `content` as a quotation of the nearest turn that it may quote."""
        parts = fragments(content)
        return [*flaws_of_form(parts), *self._flaws_in(parts, name)]

    def _flaws_in(self, parts: Sequence[str], name: str | None) -> Sequence[Flaw]:
        if name not in self._named:
            everything, _ = self._joined
            for number, part in enumerate(parts, 1):
                if part not in everything:
                    return [Flaw(Fault.NOT_IN_SOURCE, number, part)]
        least: list[Flaw] | None = None
        for text in self._named[name] if name in self._named else self._holding(parts):
            flaws = list(flaws_in(self._ready(text), parts))
            if least is None or _distance(flaws) < _distance(least):
                least = flaws
            if not least:
                break
        return least or ()

    def describe(self, name: str | None) -> str:
        """Return the words for what a record with this turn may quote."""
        return f"turn `{excerpt(name or '', 40)}`" if name in self._named else "any turn of the source"

    def _holding(self, parts: Sequence[str]) -> Iterator[str]:
        """Yield the turns that have the rarest of the fragments, which all stand in some turn."""
        everything, starts = self._joined
        rarest = min(filter(None, parts), key=everything.count, default="")
        place = everything.find(rarest)
        while place >= 0:
            number = bisect_right(starts, place)
            yield self._texts[number - 1]
            place = everything.find(rarest, starts[number]) if number < len(starts) else -1

    @cached_property
    def _joined(self) -> tuple[str, list[int]]:
        """All texts, with a line feed between them, which no fragment has; and where each begins."""
        texts = [self._ready(text).normalised for text in self._texts]
        starts = [0, *accumulate(len(text) + 1 for text in texts[:-1])]
        return "\n".join(texts), starts


def _distance(flaws: Sequence[Flaw]) -> tuple[bool, int, int]:
    """Return how far from a quotation it is: a fragment lost late is nearer than one lost early."""
    lost = [flaw.number for flaw in flaws if flaw.fault is not Fault.CUT_WORD]
    return bool(lost), -max(lost, default=0), len(flaws)


def _finding(evidence: Evidence, record: Record, flaw: Flaw, turn: str) -> Finding:
    code, words, advice = _SAID[flaw.fault]
    return evidence.finding(
        code,
        words.format(kind=record.kind, fragment=excerpt(flaw.fragment, 60), turn=turn),
        record,
        quote(flaw.fragment),
        advice,
    )


RULE = Rule(
    "V15",
    "quotation-integrity",
    "§3.1, §11 V15",
    (
        error("empty-content", "a quotation has no content"),
        error("empty-fragment", "there is nothing between two elision markers"),
        error("stray-elision", "a content begins or ends with an elision marker"),
        error("not-in-source", "a fragment does not stand in the turn"),
        error("out-of-order", "a fragment stands before, or in, the fragment before it"),
        warning("cut-word", "a fragment cuts a run of letters or digits in two"),
    ),
    evaluate,
    needs=Needs.SOURCE,
    evaluate_plain=evaluate,
)
