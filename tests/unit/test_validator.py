"""The report: severities, policy, what was not evaluated, and the substrings of decision 36."""

from __future__ import annotations

from typing import Any

import pytest

import pairl
from pairl import Message, Policy, Record, Severity, parse, validate
from pairl.rules import RULES, Needs, checks, find_rule
from pairl.validator import policy_digest
from tests.unit.messages import DictThread, needing, with_body


def test_a_report_without_findings() -> None:
    report = validate(parse(with_body("ack")))
    assert (report.valid, report.errors, report.warnings, report.diagnostics) == (True, [], [], [])


def test_errors_and_warnings_are_lines_that_begin_with_the_code() -> None:
    report = validate(parse(with_body("#fact a=50%\nnot a record\nupd{t=q4}")), strict=True)
    assert not report.valid
    assert [line.partition(":")[0] for line in report.errors] == ["SYN/free-text"]
    assert [line.partition(":")[0] for line in report.warnings] == ["SYN/unquoted-value", "V1/number"]
    assert report.errors[0].startswith("SYN/free-text: line 6: `not a record` is neither")


def test_a_message_made_by_hand_is_judged_like_any_other() -> None:
    assert [line.partition(":")[0] for line in validate(Message()).errors] == ["HDR/missing-header"] * 3
    headers = {"v": "1", "id": "m1", "ts": "2026-01-01T00:00:00Z"}
    twice = [Record(kind="fact", name="fact", kv={"a": "1"}, rid="f1")] * 2
    assert [line.partition(":")[0] for line in validate(Message(headers, twice)).errors] == [
        "V6/duplicate-rid"
    ]


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({"legend": pairl.make_legend(parse(with_body("ack")))}, "text of a legend, and `Legend` is none"),
        ({"source": "the conversation"}, "list of `SourceTurn`, and `str` is none"),
        ({"source": [("u1", "hello")]}, "list of `SourceTurn`, and `tuple` is none"),
        ({"source": 5}, "list of `SourceTurn`, and `int` is none"),
    ],
)
def test_evidence_of_the_wrong_type_raises_and_says_what_was_expected(
    evidence: dict[str, Any], words: str
) -> None:
    with pytest.raises(TypeError, match=words):
        validate(parse(with_body("ack")), **evidence)


def test_strict_mode_is_off_unless_asked_for() -> None:
    message = parse(with_body("not a record"))
    assert validate(message).valid
    assert not validate(message, True).valid
    assert not validate(message, strict=True).valid


def test_a_policy_decides_in_place_of_the_mode() -> None:
    message = parse(with_body("not a record"))
    assert validate(message, True, policy=Policy(strict=False)).valid
    assert not validate(message, False, policy=Policy(strict=True)).valid


@pytest.mark.parametrize("code", sorted(checks()))
def test_loose_mode_is_never_stricter(code: str) -> None:
    check = checks()[code]
    assert not (check.loose is Severity.ERROR and check.strict is Severity.WARNING)
    assert check.summary[-1] not in ".!"


def test_diagnostics_are_in_the_order_of_the_text() -> None:
    body = "free text\n#fact a=1 @rid=x\n#fact b=1 @rid=x draft\n#ret call=c9 status=no\n#s"
    places = [(found.line, found.column) for found in validate(parse(with_body(body)), True).diagnostics]
    assert places == sorted(places)
    assert len(places) >= 5


def test_one_kind_of_fault_cannot_hide_another() -> None:
    report = validate(parse(with_body("draft\n" * 900 + "#ref a=b\n#ret status=ok")), True)
    assert {found.code for found in report.diagnostics} == {
        "SYN/free-text",
        "V3/malformed-reference",
        "V9/missing-key",
    }


@pytest.mark.parametrize("body", ["draft text\n" * 900, "#ref a=b\n" * 900])
def test_a_report_says_how_many_findings_it_leaves_out(body: str) -> None:
    report = validate(parse(with_body(body)), True)
    assert len(report.diagnostics) == 21
    assert sum("880 more findings of this kind are not listed" in line for line in report.errors) == 1


def test_the_place_of_findings_that_are_left_out_is_not_before_the_others() -> None:
    report = validate(parse(with_body("draft text\n" * 30)), True)
    assert "more findings" in report.diagnostics[-1].message


@pytest.mark.parametrize(
    ("body", "headers", "wanted"),
    [
        ("#evid claim=x src=@m1", "", "missing"),
        ("#cost[val,cur,note]\n1 USD", "", "expected 3"),
        ("#fact[key,val]\na b", "", "not allowed for #fact"),
        ("#ref a=b", "", "V3"),
        ("ack @rid=x\nack @rid=x", "", "V6"),
        ("#cost val=2 cur=USD", "@budget 1USD\n", "V8"),
        ("#ret call=c1 status=maybe", "", "V9"),
        ("#u1\nack @m=a2", "", "V11"),
    ],
)
def test_decision_36_what_others_look_for_in_our_messages(body: str, headers: str, wanted: str) -> None:
    for strict in (True, False):
        assert any(wanted in line for line in validate(parse(with_body(body, headers)), strict).errors)


def test_rules_and_checks_are_named_once() -> None:
    codes = [rule.code for rule in RULES]
    assert len(set(codes)) == len(codes)
    slugs = [(rule.code, check.slug) for rule in RULES for check in rule.checks]
    assert len(set(slugs)) == len(slugs) == len(checks())


@pytest.mark.parametrize("code", ["V9", "v9", "V9/orphan-ret", "v9/anything"])
def test_a_rule_is_found_by_its_code(code: str) -> None:
    rule = find_rule(code)
    assert rule is not None
    assert rule.code == "V9"
    assert rule.explanation.startswith("V9 tool-chain: ")


def test_there_is_no_rule_of_another_code() -> None:
    assert find_rule("V99") is None
    assert find_rule("") is None


def test_the_digest_of_a_policy_tells_policies_apart() -> None:
    digests = {
        policy_digest(policy)
        for policy in (Policy(), Policy(strict=False), Policy(no_new_facts=True), Policy(max_records=5))
    }
    assert len(digests) == 4
    assert policy_digest(Policy()) == policy_digest(Policy(strict=True))


def test_a_thread_rule_is_evaluated_where_there_is_a_thread() -> None:
    report = validate(parse(with_body("ack")), thread=DictThread())
    assert report.not_evaluated == needing(Needs.LEGEND, Needs.SOURCE)


def test_the_public_names_are_those_of_the_published_package() -> None:
    published = {
        *["SPEC_VERSION", "Message", "Record", "ColumnarBlock", "parse", "validate", "canonicalize"],
        *["serialize_record", "compute_hash", "hash_ref"],
    }
    assert published <= set(pairl.__all__)
    assert pairl.SPEC_VERSION == "1.6"
