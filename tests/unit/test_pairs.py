"""Pairs, commas and tags of records: decisions 12 and 13."""

from __future__ import annotations

import pytest

from pairl import compute_hash, parse, serialize_record
from tests.unit.messages import ERROR, STRICT_ERROR, WARNING, read_record, weights, with_body


@pytest.mark.parametrize(
    ("line", "kv"),
    [
        pytest.param("#fact a=1", {"a": "1"}, id="one_pair"),
        pytest.param("#fact  a=1   b=2", {"a": "1", "b": "2"}, id="repeated_spaces"),
        pytest.param('#fact a=""', {"a": ""}, id="empty_quotes"),
        pytest.param('#fact a="x y" b=z', {"a": "x y", "b": "z"}, id="quoted"),
        pytest.param(r'#fact a="say \"no\" twice"', {"a": 'say "no" twice'}, id="escaped_quotes"),
        pytest.param(r'#fact a="\""', {"a": '"'}, id="a_quotation_mark"),
        pytest.param(r'#fact a="C:\temp\new" b=2', {"a": r"C:\temp\new", "b": "2"}, id="backslashes"),
        pytest.param(r'#fact a="x\\" b=\""', {"a": 'x\\" b="'}, id="backslash_before_an_escape"),
        pytest.param('#fact a="# {x=1} <>"', {"a": "# {x=1} <>"}, id="special_characters"),
        pytest.param("#ref a=@m1#f2", {"a": "@m1#f2"}, id="reference"),
        pytest.param(
            "#ref a=ref:url:https://x.example/?q=1&r=%20", {"a": "ref:url:https://x.example/?q=1&r=%20"}
        ),
        pytest.param('#ref a="ref:doc:x"', {"a": "ref:doc:x"}, id="quoted_reference"),
    ],
)
def test_a_well_formed_record_is_read_without_complaint(line: str, kv: dict[str, str]) -> None:
    assert weights(with_body(line)).keys() <= {"SYN/unknown-record"}
    assert read_record(line).kv == kv
    assert not read_record(line).malformed


@pytest.mark.parametrize(
    ("line", "kv"),
    [
        ("#fact a=1,b=2", {"a": "1", "b": "2"}),
        ('#fact a="1",b="2"', {"a": "1", "b": "2"}),
        ("#fact a=1,b=2 c=3", {"a": "1", "b": "2", "c": "3"}),
    ],
)
def test_decision_12_a_comma_separates_two_pairs(line: str, kv: dict[str, str]) -> None:
    assert weights(with_body(line)) == {}
    assert read_record(line).kv == kv
    assert compute_hash(parse(with_body(line))) == compute_hash(parse(with_body(line.replace(",", " "))))


@pytest.mark.parametrize(
    "line",
    [
        "#fact amount=1,000",
        "#fact amount=1,",
        "#fact amount=1, unit=EUR",
        "#fact amount=1,,unit=EUR",
        "#fact amount=1,=2",
        '#fact amount="1",000',
        "#fact amount=1,@rid=f1",
        "ack{t=plan,}",
        "ack{t=plan,,s=f}",
        "ack{t=plan,s}",
        "ack{t=plan, }",
    ],
)
def test_decision_12_comma_after_value_is_a_strict_error(line: str) -> None:
    assert weights(with_body(line))["SYN/comma"] == STRICT_ERROR
    assert serialize_record(read_record(line)) == line


def test_decision_12_a_number_with_a_comma_is_not_read_as_its_first_digits() -> None:
    """In loose mode the record passes: a budget must not take one thousand for one."""
    assert read_record("#fact amount=1,000").kv == {"amount": "1,000"}
    assert weights(with_body("#cost val=1,000 cur=USD", "@budget 5.00USD\n"))["V8/cost-form"] == ERROR


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("#fact a=50%", "50%"),
        ("#fact a=x=y", "x=y"),
        ("#fact a=it's", "it's"),
        ('#fact a=x"y', 'x"y'),
        ("#fact a=Zürich", "Zürich"),
        ("#fact a={x}", "{x}"),
        ("#fact a=b@rid=f1", "b@rid=f1"),
        ("#fact a=x#y", "x#y"),
    ],
)
def test_decision_12_values_outside_the_atoms_are_accepted_with_a_warning(line: str, value: str) -> None:
    assert weights(with_body(line)) == {"SYN/unquoted-value": WARNING}
    assert read_record(line).kv == {"a": value}
    quoted = with_body('#fact a="' + value.replace('"', '\\"') + '"')
    assert compute_hash(parse(with_body(line))) == compute_hash(parse(quoted))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param("#fact draft a=1", "SYN/bare-token", id="bare_token"),
        pytest.param("#fact a=1 draft", "SYN/bare-token", id="bare_token_last"),
        pytest.param('#fact a=1 "draft"', "SYN/bare-token", id="quoted_bare_token"),
        pytest.param("ack{plan}", "SYN/bare-token", id="bare_token_in_braces"),
        pytest.param("#fact a =1", "SYN/spaces-around-equals", id="space_before_equals"),
        pytest.param("#fact a= 1", "SYN/spaces-around-equals", id="space_after_equals"),
        pytest.param("#fact a = 1", "SYN/spaces-around-equals", id="spaces_around_equals"),
        pytest.param("ack{t = plan}", "SYN/spaces-around-equals", id="spaces_around_equals_in_braces"),
        pytest.param("#fact a=1 a=2", "SYN/duplicate-key", id="duplicate_key"),
        pytest.param("#fact a=1 a=1", "SYN/duplicate-key", id="duplicate_key_same_value"),
        pytest.param("ack{t=x,t=y}", "SYN/duplicate-key", id="duplicate_parameter"),
        pytest.param("#fact A=1", "SYN/bad-key", id="upper_case_key"),
        pytest.param("#fact 1a=1", "SYN/bad-key", id="key_begins_with_a_digit"),
        pytest.param("#fact a-b=1", "SYN/bad-key", id="key_with_a_hyphen"),
        pytest.param("#fact =1", "SYN/bad-key", id="no_key"),
        pytest.param("#fact ä=1", "SYN/bad-key", id="key_not_ascii"),
        pytest.param("ack{T=x}", "SYN/bad-key", id="bad_parameter"),
        pytest.param("#fact a=", "SYN/empty-value", id="empty_value"),
        pytest.param("#fact a= b=1", "SYN/empty-value", id="empty_value_before_a_pair"),
        pytest.param("ack{t=}", "SYN/empty-value", id="empty_parameter"),
        pytest.param('#fact a="x"y', "SYN/text-after-quote", id="text_after_quote"),
        pytest.param('#fact a="x"@rid=f1', "SYN/text-after-quote", id="tag_after_quote"),
        pytest.param('#fact a="a "b" c"', "SYN/text-after-quote", id="quotes_inside_quotes"),
        pytest.param('ack{t="x"y}', "SYN/text-after-quote", id="text_after_quote_in_braces"),
        pytest.param("#fact @rid=f1 a=1", "SYN/tag-not-last", id="tag_first"),
        pytest.param("#fact a=1 @rid=f1 b=2", "SYN/tag-not-last", id="tag_between"),
        pytest.param("#fact a=1 @rid=f1 @rid=f2", "SYN/duplicate-tag", id="two_rids"),
        pytest.param("#fact a=1 @rid=f1 @rid=f1", "SYN/duplicate-tag", id="two_equal_rids"),
        pytest.param("#fact a=1 @rid=", "SYN/empty-tag", id="empty_rid"),
        pytest.param("#fact a=1 @m=", "SYN/empty-tag", id="empty_m"),
        pytest.param("ack{} @rid=", "SYN/empty-tag", id="empty_rid_on_an_intent"),
        pytest.param("#fact a=1 @rid=f1,b=2", "SYN/malformed-tag", id="pair_behind_a_tag"),
        pytest.param('#fact a=1 @rid="f1"', "SYN/malformed-tag", id="quoted_rid"),
        pytest.param("ack{t=x}@rid=a1", "SYN/glued-tag", id="tag_glued_to_braces"),
        pytest.param("ack@rid=a1", "SYN/glued-tag", id="tag_glued_to_a_name"),
        pytest.param("please have a look", "SYN/free-text", id="free_text"),
        pytest.param("ok then", "SYN/free-text", id="free_text_like_an_intent"),
        pytest.param("<<<", "SYN/free-text", id="end_of_tool_output"),
        pytest.param("@m1 hello", "SYN/free-text", id="header_in_the_body"),
        pytest.param("ack{t=x", "SYN/malformed-intent", id="open_braces"),
        pytest.param("Ack{t=x}", "SYN/malformed-intent", id="upper_case_intent"),
        pytest.param("a{t=x}", "SYN/malformed-intent", id="short_intent"),
        pytest.param("acknowledge{t=x}", "SYN/malformed-intent", id="long_intent"),
        pytest.param("ack{} #cost val=1 cur=USD", "SYN/text-after-intent", id="one_line"),
        pytest.param("ack{t=x}{s=f}", "SYN/text-after-intent", id="two_braces"),
        pytest.param("ack @rid=a1 thanks", "SYN/text-after-intent", id="text_after_a_tag"),
        pytest.param("# a comment", "SYN/comment", id="comment"),
        pytest.param("#", "SYN/comment", id="bare_hash"),
        pytest.param("#Fact a=1", "SYN/malformed-record", id="upper_case_type"),
        pytest.param("#fact:a=1", "SYN/malformed-record", id="glued_type"),
        pytest.param("##fact a=1", "SYN/malformed-record", id="two_hashes"),
        pytest.param("#fact", "SYN/empty-record", id="no_pairs"),
        pytest.param("#fact @rid=f1", "SYN/empty-record", id="nothing_but_a_tag"),
    ],
)
def test_decision_13_what_would_be_dropped_is_a_strict_error(line: str, code: str) -> None:
    assert weights(with_body(line))[code] == STRICT_ERROR
    record = read_record(line)
    assert record.malformed
    assert record.raw == serialize_record(record) == line


@pytest.mark.parametrize(
    "line",
    [
        '#req content="see @rid=x1"',
        '#req content="see @rid=x1" @rid=q1',
        '#fact a="x @m=u1 y"',
        '#fact a=" @rid=f1"',
        'ack{t="x @rid=a9"}',
        r'#fact a="\" @rid=x1"',
    ],
)
def test_decision_13_tag_like_text_inside_quotes_is_content(line: str) -> None:
    assert weights(with_body(line)).keys() <= {"V1/number"}
    assert read_record(line).m is None
    assert read_record(line).rid == (line.split("@rid=")[-1] if line.endswith("q1") else None)


@pytest.mark.parametrize(
    ("line", "m", "rid"),
    [
        ("#fact a=1 @m=u1 @rid=f1", "u1", "f1"),
        ("#fact a=1 @rid=f1 @m=u1", "u1", "f1"),
        ("ack @m=u1", "u1", None),
        ("ack{} @m=u1 @rid=a1", "u1", "a1"),
        ("#s done @rid=s1", None, "s1"),
    ],
)
def test_tags_end_a_line(line: str, m: str | None, rid: str | None) -> None:
    text = with_body(f"#u1\n{line}")
    assert weights(text) == {}
    record = parse(text).records[1]
    assert (record.m, record.rid) == (m, rid)


@pytest.mark.parametrize("rid", ["f123456789", "f-1", "f_1", "é1"])
def test_a_tag_of_another_form_is_kept_with_a_warning(rid: str) -> None:
    assert weights(with_body(f"#fact a=1 @rid={rid}")) == {"SYN/tag-form": WARNING}
    assert read_record(f"#fact a=1 @rid={rid}").rid == rid


def test_a_fact_with_a_long_key_is_a_warning() -> None:
    assert weights(with_body(f"#fact {'k' * 32}=1")) == {}
    assert weights(with_body(f"#fact {'k' * 33}=1")) == {"SYN/long-key": WARNING}
