"""V5 hash: decisions 7 and 8."""

from __future__ import annotations

import hashlib
from itertools import product

import pytest

from pairl import compute_hash, hash_ref, parse
from tests.unit.messages import ERROR, HEADERS, STRICT_ERROR, WARNING, place, weights, with_body

THREADING = "@root m1\n@p m1\n@deps m1,m3\n"
BODY = 'upd{s=f,t=plan}\n#fact a="x y" @rid=f1'


def sealed(body: str, digest: str, more_headers: str = "") -> str:
    return with_body(body, f"{more_headers}@hash ref:hash:sha256:{digest}\n")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_decision_7_the_hash_of_the_canonical_text_is_accepted() -> None:
    digest = compute_hash(parse(with_body(BODY, THREADING)))
    assert weights(sealed(BODY, digest, THREADING)) == {}


def test_decision_7_hex_digits_may_be_upper_case() -> None:
    digest = compute_hash(parse(with_body(BODY)))
    assert weights(sealed(BODY, digest.upper())) == {}


WRITTEN, SORTED = "upd{s=f,t=plan}", "upd{t=plan,s=f}"
BLOCKS = {
    "derivable_left_out": "@p m1\n@deps m3\n",
    "root_first": "@root m1\n@p m1\n@deps m1,m3\n",
    "parent_first": "@p m1\n@root m1\n@deps m1,m3\n",
}


@pytest.mark.parametrize(
    ("block", "intent"),
    [
        pytest.param(block, intent, id=f"{name}_{intent}")
        for (name, block), intent in product(BLOCKS.items(), (WRITTEN, SORTED))
    ],
)
def test_decision_7_what_the_published_package_hashes_is_accepted(block: str, intent: str) -> None:
    """It keeps the parameters and the threading fields as written, and writes `@p` before `@root`."""
    digest = sha256(f'{HEADERS}{block}\n{intent}\n#fact a="x y" @rid=f1\n')
    assert weights(sealed(BODY, digest, THREADING)) == {}


def test_decision_7_the_order_of_p_and_root_alone() -> None:
    digest = sha256(f"{HEADERS}@p m2\n@root m1\n\nack{{}}\n")
    assert weights(sealed("ack", digest, "@root m1\n@p m2\n")) == {}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(with_body(BODY.replace("x y", "x z"), THREADING), id="value"),
        pytest.param(with_body(BODY.replace("f1", "F1"), THREADING), id="rid"),
        pytest.param(with_body(BODY, THREADING.replace("m3", "m4")), id="header"),
        pytest.param(with_body(f"{BODY}\n#fact b=1", THREADING), id="record_more"),
        pytest.param("", id="nothing"),
    ],
)
def test_decision_7_any_other_hash_is_an_error(other: str) -> None:
    digest = compute_hash(parse(other)) if other else sha256("")
    text = sealed(BODY, digest, THREADING)
    assert weights(text) == {"V5/mismatch": ERROR}
    assert place(text, "V5/mismatch") == (7, 7, 80)


@pytest.mark.parametrize(
    "value",
    [
        "ref:hash:sha256:",
        "ref:hash:sha256:9c1a",
        f"ref:hash:sha256:{'g' * 64}",
        f"ref:hash:sha256:{'0' * 65}",
        "0" * 64,
    ],
)
def test_decision_7_a_hash_of_another_shape_is_an_error(value: str) -> None:
    assert weights(with_body(BODY, f"@hash {value}\n")) == {"V5/hash-form": ERROR}


@pytest.mark.parametrize("value", [f"ref:hash:sha512:{'0' * 128}", "ref:hash:blake3:af13"])
def test_decision_7_another_algorithm_cannot_be_verified(value: str) -> None:
    assert weights(with_body(BODY, f"@hash {value}\n")) == {"V5/unknown-algorithm": STRICT_ERROR}


@pytest.mark.parametrize(
    "line", ["#fact a=1,000", "free text here", "ack{t=x", "#fact a=1 @rid=f1 @rid=f2", "#fact a=1 a=2"]
)
def test_decision_8_a_malformed_message_is_no_mismatch(line: str) -> None:
    found = weights(sealed(line, "0" * 64))
    assert found.pop("V5/not-verified") == WARNING
    assert {code.partition("/")[0] for code in found} == {"SYN"}


def test_a_message_can_be_sealed_and_opened() -> None:
    text = with_body(BODY, THREADING)
    seal = hash_ref(parse(text))
    assert weights(with_body(BODY, f"{THREADING}@hash {seal}\n")) == {}
    assert weights(with_body(BODY.replace("plan", "plot"), f"{THREADING}@hash {seal}\n")) == {
        "V5/mismatch": ERROR
    }
