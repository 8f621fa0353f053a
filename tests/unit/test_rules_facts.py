"""V1 no-new-facts, V2 evidence and V3 references: decisions 23 to 25."""

from __future__ import annotations

import pytest

from pairl import parse, validate
from pairl.rules import Policy
from pairl.thread import parent_ids
from tests.unit.messages import ERROR, WARNING, Weights, place, weights, with_body

CLAIM = '#evid claim="it fell"'


@pytest.mark.parametrize(
    ("intent", "found"),
    [
        ("upd{t=latency,s=f,u=hi}", {}),
        ("upd{t=q4}", {"V1/number": WARNING}),
        ("upd{l=2,m=0}", {}),
        ("upd{l=20260131,m=115}", {}),
        ("upd{s=2}", {"V1/number": WARNING}),
        ("upd{t=http://x.example}", {"V1/url": WARNING}),
        ('upd{t="see https://x.example/7"}', {"V1/url": WARNING}),
        ("upd{t=deadbeefcafe}", {"V1/hash": WARNING}),
        ("upd{t=DEADBEEFCAFEF}", {"V1/hash": WARNING}),
        ("upd{t=deadbeefcaf}", {}),
        ("upd{t=9c1a0f2b3e4d}", {"V1/hash": WARNING}),
        ('upd{t="\u0663"}', {}),
    ],
)
def test_decision_23_facts_in_an_intent_are_warnings(intent: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(intent)) == found


@pytest.mark.parametrize(
    ("strict", "rule", "policy_asks", "valid"),
    [
        (True, "", False, True),
        (True, "#rule no_new_facts=true", False, False),
        (True, "#rule no_new_facts=false", False, True),
        (True, "", True, False),
        (False, "#rule no_new_facts=true", False, True),
        (False, "", True, True),
    ],
)
def test_decision_23_they_are_errors_only_in_strict_mode_and_on_demand(
    strict: bool, rule: str, policy_asks: bool, valid: bool
) -> None:
    message = parse(with_body(f"upd{{t=q4}}\n{rule}"))
    report = validate(message, policy=Policy(strict=strict, no_new_facts=policy_asks))
    assert report.valid is valid
    assert {found.code for found in report.diagnostics} == {"V1/number"}


@pytest.mark.parametrize("confidence", ["0", "1", "0.0", "1.0", "0.55", "1.000", "00.5", f"0.{'3' * 5_000}"])
def test_decision_24_a_confidence_is_a_plain_decimal_from_0_to_1(confidence: str) -> None:
    assert weights(with_body(f"{CLAIM} src=@m1 conf={confidence}")) == {}


@pytest.mark.parametrize(
    "confidence",
    [
        "1.1",
        "1.0001",
        "2",
        "-0.5",
        "90%",
        ".5",
        "1.",
        "5e-1",
        "0,5",
        "nan",
        "inf",
        "high",
        "+0.5",
        "\u0660.\u0665",
        '""',
    ],
)
def test_decision_24_any_other_confidence_is_an_error(confidence: str) -> None:
    assert weights(with_body(f"{CLAIM} src=@m1 conf={confidence}"))["V2/confidence"] == ERROR


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("#evid src=@m1 conf=0.5", {"V2/missing-key": ERROR}),
        (f"{CLAIM} conf=0.5", {"V2/missing-key": ERROR}),
        (f"{CLAIM} src=@m1", {"V2/missing-key": ERROR}),
        ('#evid claim="" src=@m1 conf=0.5', {"V2/empty-key": ERROR}),
        (f'{CLAIM} src="" conf=0.5', {"V2/empty-key": ERROR}),
        ("#evid claim=bare src=@m1 conf=0.5 note=more", {}),
        (f"{CLAIM} src=s1 conf=0.5", {"V2/undeclared-source": WARNING}),
        (f"{CLAIM} src=s1 conf=0.5\n#ref s1=ref:doc:x", {}),
        (f'{CLAIM} src="not a ref" conf=0.5', {"V3/malformed-reference": ERROR}),
        (f"{CLAIM} src=ref:doc conf=0.5", {"V3/malformed-reference": ERROR}),
    ],
)
def test_decision_24_a_claim_names_its_source(line: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(line)) == found


def test_decision_36_the_word_missing_occurs() -> None:
    (line,) = validate(parse(with_body("#evid claim=x src=@m1"))).errors
    assert "missing" in line
    assert "`conf`" in line


@pytest.mark.parametrize(
    "reference",
    [
        "@m1",
        "@m1#a2",
        "ref:doc:x",
        "ref:doc:sha256:9c1a",
        "ref:msg:01JQ3V8ZK4M7N2P5R9S1T6W0XY:m1#a2",
        "ref:url:https://x.example/a?b=c",
        "ref:store:bucket:Reports/2026.pdf",
        '"ref:doc:x"',
    ],
)
def test_decision_25_a_reference_has_three_parts_or_names_a_message(reference: str) -> None:
    assert weights(with_body(f"#ref a={reference}")) == {}


@pytest.mark.parametrize(
    "reference",
    ["report.pdf", "ref:doc", "ref:doc:", "ref::x", "ref:", "m1", "@", "@#a1", "@m1#", '"ref:doc:a b"', '""'],
)
def test_decision_25_anything_else_is_an_error(reference: str) -> None:
    assert weights(with_body(f"#ref a={reference}"))["V3/malformed-reference"] == ERROR


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("@p m1", {}),
        ("@p @m1", {}),
        ("@parent ref:msg:01JQ3V8ZK4M7N2P5R9S1T6W0XY", {}),
        ("@root ref:msg:01JQ3V8ZK4M7N2P5R9S1T6W0XY", {}),
        ("@p ref:msg", {"V3/malformed-reference": ERROR}),
        ("@p m1 m2", {"V3/malformed-reference": ERROR}),
        ("@root @", {"V3/malformed-reference": ERROR}),
    ],
)
def test_decision_25_headers_that_name_messages(header: str, found: dict[str, Weights]) -> None:
    assert weights(with_body("ack", f"{header}\n")) == found


def test_the_place_of_a_parameter_and_of_a_reference() -> None:
    assert place(with_body("  upd{t=q4}"), "V1/number") == (5, 9, 2)
    assert place(with_body("#ref a=@m1 b=x.pdf"), "V3/malformed-reference") == (5, 12, 7)
    assert place(with_body("ack", "@deps m2,ref:x\n"), "V3/malformed-dependency") == (4, 10, 5)


def test_more_than_a_thousand_dependencies_are_refused_and_not_looked_up() -> None:
    named = ",".join(f"d{number}" for number in range(1_001))
    message = parse(f"@v 1\n@id m1\n@ts 2026-04-07T08:00:00Z\n@deps {named}\n\n#fact a=1\n")
    assert [line.partition(":")[0] for line in validate(message).errors] == ["V3/too-many-dependencies"]
    assert len(parent_ids(message)) == 1_000
