"""Records and intents: decisions 10 to 14 and 16."""

from __future__ import annotations

import pytest

from pairl import Record, canonicalize, compute_hash, parse, serialize_record
from tests.unit.messages import ERROR, STRICT_ERROR, WARNING, Weights, place, weights, with_body


def read(line: str) -> Record:
    (record,) = parse(with_body(line)).records
    return record


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
    assert read(line).kv == kv
    assert not read(line).malformed


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('#fact a="open', id="to_the_end"),
        pytest.param('#fact a="open @rid=f1', id="over_a_tag"),
        pytest.param('#fact a="open b=2', id="over_a_pair"),
        pytest.param('#fact a=1 b="', id="nothing_behind_it"),
        pytest.param('ack{t="open} @rid=a1', id="in_an_intent"),
    ],
)
def test_decision_10_an_open_quote_is_a_strict_error_and_nothing_after_it_is_data(line: str) -> None:
    found = weights(with_body(line))
    assert found["SYN/unterminated-quote"] == STRICT_ERROR
    record = read(line)
    assert (record.rid, record.m, record.malformed) == (None, None, True)
    assert record.kv.keys() <= {"a", "b", "t"}
    assert record.raw == line


def test_decision_10_an_open_quote_does_not_reach_into_the_next_line() -> None:
    first, second = parse(with_body('#fact a="open\n#fact b=2"')).records
    assert first.kv == {"a": "open"}
    assert second.kv == {"b": '2"'}


@pytest.mark.parametrize("value", ["two\nlines", "carriage\rreturn", "\n", 'x"\n#fact b="2'])
def test_decision_10_a_writer_refuses_line_ends_in_values(value: str) -> None:
    record = Record(kind="fact", name="fact", kv={"a": value})
    with pytest.raises(ValueError, match="cannot hold LF or CR"):
        serialize_record(record)


def test_decision_10_a_writer_refuses_line_ends_anywhere() -> None:
    from pairl import Message

    for record in (
        Record(kind="fact", name="fact", kv={"a": "1"}, rid="f1\n#fact b=2"),
        Record(kind="fact", name="fact", kv={"a\n#fact b": "1"}),
        Record(kind="marker", name="u1\n#u2"),
    ):
        with pytest.raises(ValueError, match="line feed"):
            canonicalize(Message(records=[record]))
    with pytest.raises(ValueError, match="line feed"):
        canonicalize(Message(headers={"id": "m1\n@p m2"}))


def test_decision_11_a_backslash_is_literal() -> None:
    assert read(r'#fact a="\n\t\\x"').kv == {"a": r"\n\t\\x"}
    assert weights(with_body(r"#fact a=C:\temp")) == {"SYN/unquoted-value": WARNING}
    assert read(r"#fact a=C:\temp").kv == {"a": r"C:\temp"}


@pytest.mark.parametrize("line", ['#fact a="x\\"', '#fact a="\\"', '#fact a="x\\" b=1'])
def test_decision_11_reading_a_quoted_value_that_ends_in_a_backslash(line: str) -> None:
    assert weights(with_body(line)) == {"SYN/unterminated-quote": STRICT_ERROR}


@pytest.mark.parametrize("value", ["x\\", "\\", "two words\\"])
def test_decision_11_writing_a_value_that_ends_in_a_backslash(value: str) -> None:
    with pytest.raises(ValueError, match="backslash"):
        serialize_record(Record(kind="fact", name="fact", kv={"a": value}))


def test_decision_11_a_bare_value_cannot_end_in_a_backslash_either() -> None:
    assert weights(with_body("#fact a=x\\")) == {"SYN/trailing-backslash": STRICT_ERROR}
    assert serialize_record(read("#fact a=x\\")) == "#fact a=x\\"


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
    assert read(line).kv == kv
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
    assert serialize_record(read(line)) == line


def test_decision_12_a_number_with_a_comma_is_not_read_as_its_first_digits() -> None:
    """In loose mode the record passes: a budget must not take one thousand for one."""
    assert read("#fact amount=1,000").kv == {"amount": "1,000"}
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
    assert read(line).kv == {"a": value}
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
    record = read(line)
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
    assert read(line).m is None
    assert read(line).rid == (line.split("@rid=")[-1] if line.endswith("q1") else None)


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
    assert read(f"#fact a=1 @rid={rid}").rid == rid


@pytest.mark.parametrize("line", ["ack{ t=x }", "ack{t=x, s=f}", "ack{ }", "ack{t=x s=f}"])
def test_decision_14_spaces_in_braces_are_tolerated_with_a_warning(line: str) -> None:
    assert weights(with_body(line)) == {"SYN/spaces-in-braces": WARNING}
    plain = line.replace("x s", "x,s").replace(" ", "")
    assert compute_hash(parse(with_body(line))) == compute_hash(parse(with_body(plain)))


@pytest.mark.parametrize(
    ("line", "code", "canonical"),
    [
        ("#memo topic=x", "SYN/unknown-record", "#memo topic=x"),
        ('#memo  topic="x" @rid=n1', "SYN/unknown-record", "#memo topic=x @rid=n1"),
        ("nod{t=x}", "SYN/unknown-intent", "nod{t=x}"),
        ("org.example.vote{for=x} @rid=a1", "SYN/unknown-intent", "org.example.vote{for=x} @rid=a1"),
    ],
)
def test_decision_14_unknown_words_are_kept_hashed_and_warned_about(
    line: str, code: str, canonical: str
) -> None:
    assert weights(with_body(line)) == {code: WARNING}
    assert serialize_record(read(line)) == canonical


def test_decision_14_an_unknown_header_is_kept_and_hashed() -> None:
    message = parse(with_body("ack", "@trace 00-ab-cd\n"))
    assert "@trace 00-ab-cd\n" in canonicalize(message)


@pytest.mark.parametrize("tag", ["marker", "intent", "unknown"])
def test_decision_14_reserved_tags_are_strict_errors_and_pass_for_nothing(tag: str) -> None:
    line = f"#{tag} name=u1 r=u parent=- t=7"
    assert weights(with_body(line)) == {"SYN/reserved-tag": STRICT_ERROR}
    record = read(line)
    assert record.kind == "unknown"
    assert serialize_record(record) == line
    assert "V11/no-markers" in weights(with_body(f"{line}\nack @m=u1"))


@pytest.mark.parametrize("name", ["ref", "req", "rpt"])
def test_decision_14_an_intent_and_a_record_of_one_name_are_two_things(name: str) -> None:
    assert read(f"{name}{{}}").kind == "intent"
    record = read(f"#{name} content=ref:doc:x")
    assert (record.kind, record.name) == (name, name)


@pytest.mark.parametrize("name", ["ack", "a1", "1a", "0000", "org.acme.x", "a-b.c_d", "3.5"])
def test_an_intent_has_a_core_name_or_a_dotted_one(name: str) -> None:
    for line in (name, f"{name}{{}}", f"{name}{{t=x}}", f"{name} @rid=a1"):
        assert weights(with_body(line)).keys() <= {"SYN/unknown-intent"}
        assert (read(line).kind, read(line).name) == ("intent", name)


def test_decision_16_tool_output_is_opaque_and_a_strict_error() -> None:
    body = 'ack\n>>> ls\n#fact a="open\n---\n#u1 @rid=x\n<<<\n#fact b=2'
    assert weights(with_body(body)) == {"SYN/tool-output": STRICT_ERROR}
    kinds = [record.kind for record in parse(with_body(body)).records]
    assert kinds == ["intent", "unknown", "unknown", "unknown", "unknown", "unknown", "fact"]


def test_decision_16_tool_output_that_is_never_closed_goes_to_the_end() -> None:
    body = ">>> ls\n\n#fact a=1\n---\n#fact b=2"
    assert weights(with_body(body)) == {"SYN/tool-output": STRICT_ERROR}
    assert {record.kind for record in parse(with_body(body)).records} == {"unknown"}


def test_decision_34_a_mode_other_than_cond_is_a_strict_error() -> None:
    assert weights(with_body('#req content="x" mode=cond\n#rpt content="y"')) == {}
    for line in ('#req content="x" mode=verbatim', '#rpt content="x" mode=""', "#req content=x mode=COND"):
        assert weights(with_body(line)) == {"SYN/unknown-mode": STRICT_ERROR}
    assert weights(with_body("#fact mode=dark")) == {}


def test_a_fact_with_a_long_key_is_a_warning() -> None:
    assert weights(with_body(f"#fact {'k' * 32}=1")) == {}
    assert weights(with_body(f"#fact {'k' * 33}=1")) == {"SYN/long-key": WARNING}


@pytest.mark.parametrize(
    ("body", "code", "at"),
    [
        ("#fact a=1 draft", "SYN/bare-token", (5, 11, 5)),
        ("  #fact a=1 draft", "SYN/bare-token", (5, 13, 5)),
        ("\t#fact a=1 draft\t", "SYN/bare-token", (5, 12, 5)),
        ("\n\nack\n #fact a=1,000", "SYN/comma", (8, 11, 4)),
        ('#fact a="é" é', "SYN/bare-token", (5, 13, 1)),
        ("ack{t=x} @rid=", "SYN/empty-tag", (5, 10, 5)),
    ],
)
def test_places_count_characters_of_the_line_as_it_came(
    body: str, code: str, at: tuple[int, int, int]
) -> None:
    assert place(with_body(body), code) == at
    assert place(with_body(body).replace("\n", "\r\n").encode(), code) == at
    assert place(b"\xef\xbb\xbf" + with_body(body).encode(), code) == at


NOTHING_ODD: dict[str, Weights] = {}


def test_a_line_with_one_fault_gets_one_finding() -> None:
    for line in (
        '#fact a="say "hello" to them" b=1',
        "#fact amount=1,000,000",
        "ack{t=x} and more text here",
    ):
        assert len(weights(with_body(line))) == 1
        assert len(parse(with_body(line)).findings) == 1
    assert weights(with_body("#fact a=1")) == NOTHING_ODD
