"""Generated messages through both packages: they agree, or a decision says why they do not.

The tables are the whole list of differences that are meant, each with the number of the decision that it
follows from (our reading of the specification). A difference that no row explains is a fault of ours.
"""

from __future__ import annotations

import functools
import re
import sys
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import pairl
from pairl.rules import checks
from tests.conformance.generated import damaged, well_formed
from tests.published import answers

SEED = 20260504
WELL_FORMED, DAMAGED = 2_000, 3_000
MODES = ("strict", "loose")

Answer = dict[str, Any]


class Pair(NamedTuple):
    """A text, and what each package says of it."""

    text: str
    ours: Answer
    theirs: Answer


# --- hashes --------------------------------------------------------------------------------------


def _has_root_and_parent(ours: Answer) -> bool:
    return "root" in ours["headers"] and not {"p", "parent"}.isdisjoint(ours["headers"])


def _has_unsorted_parameters(ours: Answer) -> bool:
    order = ("t", "s", "l", "m", "a", "u", "fmt")
    parameters = [list(record[2]) for record in ours["records"] if record[0] == "intent"]
    return any(
        keys != sorted(keys, key=lambda key: (order.index(key) if key in order else 99, key))
        for keys in parameters
    )


def _has_threading_that_follows(ours: Answer) -> bool:
    return not {"root", "deps"}.isdisjoint(ours["headers"])


def _has_tags_in_quotation_marks(ours: Answer) -> bool:
    return any(
        re.search(r"\s@(m|rid)=\S+$", value) for record in ours["records"] for value in record[2].values()
    )


class Difference(NamedTuple):
    """Why hashes of a message differ, when that can be, and whether V5 accepts the published one."""

    decision: int
    why: str
    can_be: Any
    is_accepted: bool


HASHES = (
    Difference(1, "`@root` stands before the parent", _has_root_and_parent, True),
    Difference(2, "parameters of intents are sorted", _has_unsorted_parameters, True),
    Difference(3, "threading that follows from other headers is left out", _has_threading_that_follows, True),
    Difference(
        13, "what looks like a tag at the end of a quotation is content", _has_tags_in_quotation_marks, False
    ),
)
"""A message that both call valid has the published hash, unless one of these applies."""


# --- verdicts ------------------------------------------------------------------------------------

ONLY_OURS = {
    "HDR/duplicate-header": 18,
    "HDR/malformed-header": 1,
    "HDR/malformed-id": 20,
    "HDR/missing-header": 18,
    "HDR/timestamp": 19,
    "HDR/two-ids": 18,
    "HDR/unsupported-version": 18,
    "HDR/version-form": 18,
    "SYN/bad-key": 13,
    "SYN/bare-token": 13,
    "SYN/comma": 12,
    "SYN/comment": 13,
    "SYN/content-after-end": 15,
    "SYN/control-character": 9,
    "SYN/duplicate-key": 13,
    "SYN/duplicate-tag": 13,
    "SYN/empty-record": 13,
    "SYN/empty-tag": 13,
    "SYN/empty-value": 13,
    "SYN/free-text": 13,
    "SYN/glued-tag": 13,
    "SYN/malformed-intent": 13,
    "SYN/malformed-record": 13,
    "SYN/malformed-tag": 13,
    "SYN/reserved-tag": 14,
    "SYN/spaces-around-equals": 13,
    "SYN/state-payload": 13,
    "SYN/tag-not-last": 13,
    "SYN/text-after-intent": 13,
    "SYN/text-after-quote": 13,
    "SYN/tool-output": 16,
    "SYN/trailing-backslash": 11,
    "SYN/unknown-mode": 34,
    "SYN/unterminated-quote": 10,
    "V2/confidence": 24,
    "V2/empty-key": 24,
    "V2/missing-key": 24,
    "V3/malformed-reference": 25,
    "V6/duplicate-rid": 27,
    "V7/self-reference": 28,
    "V8/cost-form": 29,
    "V8/over-budget": 29,
    "V9/changes": 30,
    "V9/missing-key": 30,
    "V9/orphan-ret": 30,
    "V9/status": 30,
    "V10/empty-state": 31,
    "V11/duplicate-turn": 32,
    "V11/malformed-marker": 32,
    "V11/tag-on-marker": 32,
    "V11/undeclared-turn": 32,
    "V12/field-count": 33,
    "V12/malformed-block": 33,
    "V12/not-columnar": 33,
    "V12/open-quote": 33,
    "V12/unquoted-field": 33,
}
"""Errors of ours in messages that the published package calls valid, and their decisions."""

ONLY_THEIRS = (
    (9, r"invalid header line|message must have a header", r"(?m)^[ \t]+$"),
    (13, r'V6: .*"|V11: @m=\S*" ', r'@(?:m|rid)=[^ "]*"'),
    (21, r"V3: invalid @deps entry", r"(?m)^@deps "),
    (25, r"V3: invalid ref format: @", r"#ref"),
    (29, r"V8: total cost [0-9]+\.[0-9]+0{6,}[0-9]+ ", r"#cost"),
    (29, r"V8: total cost", r"(?m)^ *bid\{|^ *ref\{.*budget_exceeded"),
)
"""Errors of theirs in messages that ours calls valid: the decision, their words, and what the text holds.

In loose mode there are also lines that ours does not read, and says so by a code that is an error in strict.
"""


def _explanations(pair: Pair, mode: int) -> list[int | None]:
    """Return for each complaint that only one package has the decision behind it, or None."""
    ours, theirs = pair.ours, pair.theirs
    if theirs["valid"][mode]:
        return [ONLY_OURS.get(line.partition(":")[0]) for line in ours["errors"][mode]]
    unread = [ONLY_OURS.get(line.partition(":")[0]) for line in ours["warnings"][mode]]
    from_unread = next(filter(None, unread), None)
    return [
        next(
            (
                decision
                for decision, words, content in ONLY_THEIRS
                if re.match(words, line) and re.search(content, pair.text)
            ),
            from_unread,
        )
        for line in theirs["errors"][mode]
    ]


# --- tests ---------------------------------------------------------------------------------------


@functools.cache
def _pairs(published: Path) -> list[Pair]:
    chance = Random(SEED)
    texts = [well_formed(chance) for _ in range(WELL_FORMED)] + [damaged(chance) for _ in range(DAMAGED)]
    calls = [{"text": text} for text in texts]
    ours = answers(Path(sys.executable), calls, with_our_package=True)
    theirs = answers(published, calls, with_our_package=False)
    return [Pair(*answered) for answered in zip(texts, ours, theirs, strict=True)]


def _accepts(text: str, hash_ref: str) -> bool:
    """Say whether V5 has nothing against a hash of this text."""
    headers, empty_line, body = text.partition("\n\n")
    sealed = f"{headers}\n@hash {hash_ref}{empty_line}{body}"
    return not any(
        found.rule == "V5" for found in pairl.validate(pairl.parse(sealed), strict=True).diagnostics
    )


def test_well_formed_records_are_read_the_same(published: Path) -> None:
    for pair in _pairs(published)[:WELL_FORMED]:
        for key in ("headers", "records", "blocks", "raw"):
            assert pair.ours[key] == pair.theirs[key], pair.text


def test_decision_7_hashes_agree_or_are_accepted(published: Path) -> None:
    met: set[int] = set()
    same = 0
    for pair in _pairs(published):
        if not (all(pair.ours["valid"]) and all(pair.theirs["valid"])):
            continue
        if pair.ours["hash"] == pair.theirs["hash"]:
            same += 1
            continue
        reasons = [row for row in HASHES if row.can_be(pair.ours)]
        assert reasons, pair.text
        is_accepted = all(row.is_accepted for row in reasons)
        assert _accepts(pair.text, pair.theirs["hash_ref"]) is is_accepted, pair.text
        if len(reasons) == 1 or not is_accepted:
            met |= {row.decision for row in reasons}
    assert met == {row.decision for row in HASHES}
    assert same > 500


@pytest.mark.parametrize("mode", range(len(MODES)), ids=MODES)
def test_verdicts_agree_or_a_decision_says_why(mode: int, published: Path) -> None:
    agreed = 0
    for pair in _pairs(published):
        if pair.ours["valid"][mode] == pair.theirs["valid"][mode]:
            agreed += 1
            continue
        assert None not in _explanations(pair, mode), (pair.text, pair.ours, pair.theirs)
    assert agreed > len(_pairs(published)) / 2


def test_every_row_about_the_published_package_is_met(published: Path) -> None:
    complaints = [
        (line, pair.text)
        for pair in _pairs(published)
        for mode in range(len(MODES))
        if pair.ours["valid"][mode] and not pair.theirs["valid"][mode]
        for line in pair.theirs["errors"][mode]
    ]
    for _, words, content in ONLY_THEIRS:
        assert any(re.match(words, line) and re.search(content, text) for line, text in complaints), words


def test_the_table_names_codes_that_exist() -> None:
    assert ONLY_OURS.keys() - checks().keys() == set()
