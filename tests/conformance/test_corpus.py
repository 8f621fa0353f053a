"""Our own corpus against the hashes that the published package gave for it.

`goldens.tsv` was written by `pairl` 1.6.2; to add a case, put it into `corpus.txt` and let that package
hash it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pairl import canonicalize, compute_hash, parse, validate

HERE = Path(__file__).parent
_CASE = re.compile(r"(?m)^=== (.+)\n")


def read_cases() -> dict[str, str]:
    """Return the text of each case by its name."""
    parts = _CASE.split((HERE / "corpus.txt").read_text("utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def read_goldens() -> dict[str, str]:
    """Return the published package's hash of each case by its name."""
    lines = (HERE / "goldens.tsv").read_text("utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if not line.startswith("#")]
    return {name: digest for digest, name in pairs}


CASES = read_cases()
GOLDENS = read_goldens()
AS_WRITTEN = [name for name in CASES if name.endswith("(as written)")]


def test_every_case_has_a_golden_hash() -> None:
    assert CASES.keys() == GOLDENS.keys()
    assert len(AS_WRITTEN) >= 5


@pytest.mark.parametrize("name", CASES)
def test_every_case_is_valid(name: str) -> None:
    assert validate(parse(CASES[name]), strict=True).errors == []


@pytest.mark.parametrize("name", [name for name in CASES if name not in AS_WRITTEN])
def test_our_hash_is_the_published_one(name: str) -> None:
    assert compute_hash(parse(CASES[name])) == GOLDENS[name]


@pytest.mark.parametrize("name", AS_WRITTEN)
def test_decision_7_where_the_hashes_differ_the_published_one_is_accepted(name: str) -> None:
    assert compute_hash(parse(CASES[name])) != GOLDENS[name]
    headers, _, body = CASES[name].partition("\n\n")
    sealed = f"{headers}\n@hash ref:hash:sha256:{GOLDENS[name]}\n\n{body}"
    assert validate(parse(sealed), strict=True).errors == []
    forged = sealed.replace("ack", "agr").replace("pln", "nxt")
    assert [line[:11] for line in validate(parse(forged), strict=True).errors] == ["V5/mismatch"]


def test_decision_6_columns_hash_like_pairs() -> None:
    assert GOLDENS["columns"] == GOLDENS["the same without columns"]


@pytest.mark.parametrize("name", CASES)
def test_decision_6_the_canonical_text_is_its_own(name: str) -> None:
    canonical = canonicalize(parse(CASES[name]))
    assert canonicalize(parse(canonical)) == canonical
