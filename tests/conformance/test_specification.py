"""The corpus and the examples that come with the specification, where a checkout of it is at hand.

They are not ours to copy: `PAIRL_SPEC_DIR` names a directory with `conformance-cases.txt` and `examples/`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pairl import canonicalize, compute_hash, parse, validate

# The SHA-256 that `pairl` 1.6.2 computes for each published example, by its number.
PUBLISHED = {
    "01": "ce900952edf74095513210c13ec83f337fc3535e2bf3484a9afd201f6ef9a295",
    "02": "15e53c1ead49531a7666518d02472e1cb3d51e8e3faed23f7848cc15e39a867c",
    "03": "fdd94bb1691b6061086ce1c8c28e61fd5d2c2990ec76effbc5a27dd4b99b8251",
    "04": "5838e04651ff3385ae33c3642c4c29aed3cabf4d80de200cdc58a31b744b600d",
    "05": "112a5ca24b1d423e2c504b83259dd031d97d379451e39ef90ec441d9d7871efa",
    "06": "302627a39f99c81e19fb3268b5087dcc0cff9153ae7fdfa583f73f7980a2f7d2",
    "07": "379e085f006b413585387dbb006b10e81089d03137bd0f118dd17153cfe22e4d",
    "08": "16d66b81046da9913f1f8c66fc8d07fee0b57f3f6c8aaf6a3edbb2a5d912e8ca",
    "09": "93f09340fb31202f8d843ce1825b6169611362b873c08dfc36bf36ab944e292b",
}
SEALED_WITH_THE_HASH_OF_NOTHING = "05"
_CASE = re.compile(r"(?m)^@@@CASE (.+)\n")


@pytest.fixture(scope="module")
def specification() -> Path:
    """Return the directory of the specification."""
    directory = os.environ.get("PAIRL_SPEC_DIR")
    if not directory:
        pytest.skip("set PAIRL_SPEC_DIR to a checkout of the PAIRL specification to run its own cases")
    return Path(directory)


def test_the_published_corpus(specification: Path) -> None:
    parts = _CASE.split((specification / "conformance-cases.txt").read_text("utf-8"))
    assert len(parts) > 30
    for directive, text in zip(parts[1::2], parts[2::2], strict=True):
        name, strict, valid, digest, wanted = directive.split("|")
        message = parse(text)
        report = validate(message, strict=strict == "1")
        assert report.valid is (valid == "1"), (name, report.errors)
        assert digest in ("-", compute_hash(message)), name
        assert wanted == "-" or any(wanted in line for line in report.errors), (name, report.errors)


@pytest.mark.parametrize("number", PUBLISHED)
def test_a_published_example(specification: Path, number: str) -> None:
    (path,) = (specification / "examples").glob(f"{number}-*.pairl")
    message = parse(path.read_bytes())
    assert compute_hash(message) == PUBLISHED[number]
    assert canonicalize(parse(canonicalize(message))) == canonicalize(message)
    expected = ["V5/mismatch"] if number == SEALED_WITH_THE_HASH_OF_NOTHING else []
    assert [line.partition(":")[0] for line in validate(message, strict=True).errors] == expected
