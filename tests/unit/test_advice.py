"""Advice: what to write instead of text that is not PAIRL."""

from __future__ import annotations

import pytest

from pairl import parse, validate
from tests.unit.messages import with_body


@pytest.mark.parametrize(
    ("line", "helps"),
    [
        ("#fact rows=1@rid=f1", ["put a space before `@rid=`"]),
        ('#fact rows="1"@m=u1', ["put a space before `@m=`"]),
        ("#fact name=\u2018x\u2019", ['strings take `"`: `name="…"`']),
        ("#fact share=50%", ['write `share="50%"`']),
        ("#fact desc=orders of yesterday", ['write `desc="orders of yesterday"`']),
        ("#fact desc=a b c = d", ['write `desc="a b"`', "write `key=value` without spaces"]),
        ("#fact table=raw.orders, rows=12", ["one space separates two pairs: leave the comma out"]),
        ("#fact amount=1,000", ["put quotation marks around a value that has a comma in it"]),
        ("upd {t=x}", ["put no space before `{`: `upd{t=x}`"]),
        ("upd(t=x)", ["parameters stand between braces: `upd{t=x}`"]),
        ("// later", ['PAIRL has no comments: leave the line out, or write `#fact note="…"`']),
        ("@id m1", ["the headers ended at the first empty line: put a header above it"]),
        ("please look", ['carry text as data: `#fact note="…"`']),
    ],
)
def test_what_is_advised(line: str, helps: list[str]) -> None:
    assert [found.help for found in parse(with_body(line)).findings] == helps


def test_words_behind_a_value_are_one_finding_and_read_once() -> None:
    [found] = parse(with_body("#fact a=b" + " word" * 50_000)).findings
    assert found.code == "SYN/bare-token"


@pytest.mark.parametrize(
    ("line", "code", "advice"),
    [
        ("#call @rid=c1", "V9/missing-key", "write `#call tool=Bash @rid=c1`"),
        ("#cost val=1", "V8/incomplete-cost", "write `#cost val=0.42 cur=USD`"),
        ("#quota type=api", "V8/incomplete-quota", "write `#quota type=api total=100`"),
        ("#fact a=1 @rid=abcdefghi", "SYN/tag-form", "shorten it, in every place that names it: `@rid=f1`"),
        (
            '#evid claim="" src=@m1 conf=1',
            "V2/empty-key",
            "say what is claimed, and who says so; or leave the record out",
        ),
        (
            "#fact a=b @m=u1",
            "V11/no-markers",
            "put a line such as `#u1` above the turn's records, or leave `@m=` out",
        ),
        (
            "#ref doc=https://example.org/a",
            "V3/malformed-reference",
            "the reference to a web address is `ref:url:<address>`",
        ),
    ],
)
def test_a_rule_says_what_to_write(line: str, code: str, advice: str) -> None:
    found = validate(parse(with_body(line)), strict=True).diagnostics
    assert [each.help for each in found if each.code == code] == [advice]


@pytest.mark.parametrize(("role", "turn"), [("user", "u1"), ("assistant", "a1"), ("u", "u1")])
def test_a_role_is_no_record_but_a_turn(role: str, turn: str) -> None:
    found = validate(parse(with_body(f"#{role}")), strict=True).diagnostics
    [advice] = [each.help or "" for each in found if each.code == "SYN/unknown-record"]
    assert advice.endswith(f"did you mean `#{turn}`?")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("0.50 EUR", "0.50EUR"),
        ("EUR 0.50", "0.50EUR"),
        ("\u20ac0.50", "0.50EUR"),
        ("0.50", "0.50<unit>"),
        ("0,50 CHF", "0.50CHF"),
    ],
)
def test_the_advice_on_a_budget_keeps_its_amount_and_its_unit(value: str, written: str) -> None:
    text = with_body("#fact a=b").replace("\n\n", f"\n@budget {value}\n\n", 1)
    found = validate(parse(text), strict=True).diagnostics
    [advice] = [each.help or "" for each in found if each.code == "V8/budget-form"]
    assert advice.endswith(f"`@budget {written}`")


def test_a_cost_in_the_unit_of_the_budget_but_for_its_case() -> None:
    text = with_body("#cost val=1 cur=eur").replace("\n\n", "\n@budget 5EUR\n\n", 1)
    found = validate(parse(text), strict=True).diagnostics
    [advice] = [each.help or "" for each in found if each.code == "V8/other-unit"]
    assert advice.endswith("did you mean `cur=EUR`?")


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ('#call tool=x @rid=c1\n#ret call="c1" status="OK"', "V9/status", 'status="OK"'),
        ('#evid claim=x src=@m1 conf="0,5"', "V2/confidence", 'conf="0,5"'),
        ('#evid claim=x src="m2" conf=1', "V2/undeclared-source", 'src="m2"'),
    ],
)
def test_a_value_between_quotation_marks_is_pointed_at(line: str, code: str, word: str) -> None:
    text = with_body(line)
    [found] = [each for each in validate(parse(text), strict=True).diagnostics if each.code == code]
    assert text.split("\n")[found.line - 1][found.column - 1 :][: found.length] == word


def test_a_fence_around_the_message_is_recognised() -> None:
    text = "```pairl\n" + with_body("#fact a=b")
    assert "leave the fence out" in (parse(text).findings[0].help or "")


def test_another_name_for_a_header() -> None:
    text = with_body("#fact a=b").replace("\n\n", "\n@session x\n\n", 1)
    found = validate(parse(text), strict=True).diagnostics
    [advice] = [each.help for each in found if each.code == "HDR/unknown-header"]
    assert advice == "did you mean `@sid`?"
