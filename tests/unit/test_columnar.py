"""Columnar blocks: decision 33."""

from __future__ import annotations

import pytest

from pairl import compute_hash, parse, serialize_record, validate
from tests.unit.messages import ERROR, STRICT_ERROR, WARNING, Weights, place, weights, with_body

BLOCK = "#think[summary,mood]\n"


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        pytest.param(
            '#evid[claim,src,conf]\n"fell by half" @m2#r1 0.90\n"rose" ref:doc:x 1',
            ['#evid claim="fell by half" src="@m2#r1" conf=0.90', "#evid claim=rose src=ref:doc:x conf=1"],
            id="evid",
        ),
        pytest.param(
            "#cost[val,cur]\n0.02 USD @m=u1 @rid=k1", ["#cost val=0.02 cur=USD @m=u1 @rid=k1"], id="cost"
        ),
        pytest.param("#quota[type,total]\ntokens 500", ["#quota type=tokens total=500"], id="quota"),
        pytest.param("#rule[strict_refs]\nfalse", ["#rule strict_refs=false"], id="rule"),
        pytest.param('#req[content]\n""', ['#req content=""'], id="req"),
        pytest.param('#rpt[content]\n"a \\"b\\" c"', [r'#rpt content="a \"b\" c"'], id="rpt"),
        pytest.param("#think[summary]\nx\n  y  ", ["#think summary=x", "#think summary=y"], id="think"),
        pytest.param("#edit[file,changes]\n/a.py 3", ["#edit file=/a.py changes=3"], id="edit"),
        pytest.param(
            "#call[tool,path]\nRead /a @rid=c1\nRead /b @rid=c2\n#ret[call,status]\nc1 ok\nc2 err",
            [
                "#call tool=Read path=/a @rid=c1",
                "#call tool=Read path=/b @rid=c2",
                "#ret call=c1 status=ok",
                "#ret call=c2 status=err",
            ],
            id="call_and_ret",
        ),
    ],
)
def test_decision_33_a_block_is_the_records_it_stands_for(block: str, lines: list[str]) -> None:
    message = parse(with_body(f"#u1\n{block}"))
    assert weights(with_body(f"#u1\n{block}")) == {}
    assert [serialize_record(record) for record in message.records[1:]] == lines
    written_out = parse(with_body("\n".join(["#u1", *lines])))
    assert compute_hash(message) == compute_hash(written_out)
    assert all(record.from_columnar for record in message.records[1:])


def test_the_block_keeps_what_was_quoted() -> None:
    (block,) = parse(with_body('#cost[val,cur]\n0.02 "USD"')).blocks
    assert (block.rtype, block.columns, block.raw_header, block.line) == (
        "cost",
        ["val", "cur"],
        "#cost[val,cur]",
        5,
    )
    assert block.rows == [[("0.02", False), ("USD", True)]]


@pytest.mark.parametrize("tag", ["fact", "ref", "memo"])
def test_decision_33_other_types_have_no_columns(tag: str) -> None:
    assert weights(with_body(f"#{tag}[key,val]\na b"))["V12/not-columnar"] == ERROR


@pytest.mark.parametrize(
    "tag",
    ["s", "intent", "marker", "unknown", "msg", "u1"],
)
def test_decision_33_rows_do_not_pass_themselves_off_as_another_kind_of_line(tag: str) -> None:
    text = with_body(f"#{tag}[key,val]\na b\n\nack @m=u1")
    assert weights(text) == {"V12/not-columnar": ERROR, "V11/no-markers": WARNING}
    row = parse(text).records[0]
    assert (row.kind, row.name, row.raw, row.malformed) == ("unknown", tag, "a b", True)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        pytest.param("one", {"V12/field-count": ERROR}, id="too_few"),
        pytest.param("one two three", {"V12/field-count": ERROR}, id="too_many"),
        pytest.param("ack{t=x}", {"V12/field-count": ERROR, "V12/unquoted-field": STRICT_ERROR}, id="intent"),
        pytest.param('one "two', {"V12/open-quote": ERROR}, id="open_quote"),
        pytest.param("one tw,o", {"V12/unquoted-field": STRICT_ERROR}, id="comma"),
        pytest.param('one tw"o', {"V12/unquoted-field": STRICT_ERROR}, id="quotation_mark"),
        pytest.param("one zwölf", {"V12/unquoted-field": STRICT_ERROR}, id="umlaut"),
        pytest.param("one a\tb", {"V12/unquoted-field": STRICT_ERROR}, id="tab"),
        pytest.param("one two\\", {"SYN/trailing-backslash": STRICT_ERROR}, id="backslash"),
        pytest.param('one "two"x', {"SYN/text-after-quote": STRICT_ERROR}, id="text_after_quote"),
        pytest.param(
            '"one","two"', {"SYN/text-after-quote": STRICT_ERROR, "V12/field-count": ERROR}, id="commas"
        ),
        pytest.param("one @rid=t1 two", {"SYN/tag-not-last": STRICT_ERROR}, id="tag_between"),
        pytest.param("one two @rid=t1 @rid=t2", {"SYN/duplicate-tag": STRICT_ERROR}, id="two_rids"),
        pytest.param("one two @rid=", {"SYN/empty-tag": STRICT_ERROR}, id="empty_rid"),
        pytest.param("one two @rid=t-1", {"SYN/tag-form": WARNING}, id="form_of_a_tag"),
    ],
)
def test_decision_33_a_row_that_does_not_fit(rows: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(BLOCK + rows)) == found


def test_decision_33_a_field_that_is_no_atom_is_read_whole() -> None:
    """In loose mode the row passes, and must mean the same as the record that it stands for."""
    message = parse(with_body("#think[summary]\nack{t=x}"))
    assert message.records[0].kv == {"summary": "ack{t=x}"}
    assert serialize_record(message.records[0]) == '#think summary="ack{t=x}"'


def test_decision_33_a_row_that_does_not_fit_is_not_hashed_like_an_intent() -> None:
    row, intent = parse(with_body(BLOCK + "ack{}")), parse(with_body("ack{}"))
    assert compute_hash(row) != compute_hash(intent)
    assert row.records[0].kind == "unknown"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("#cost[val,val]", "V12/duplicate-column"),
        ("#cost[val,cur,note,cur]", "V12/duplicate-column"),
        ("#cost[]", "V12/malformed-block"),
        ("#cost[val,]", "V12/malformed-block"),
        ("#cost[val, cur]", "V12/malformed-block"),
        ("#cost[Val,cur]", "V12/malformed-block"),
        ("#cost[val cur]", "V12/malformed-block"),
        ("#cost[val,cur", "V12/malformed-block"),
        ("#cost[val,cur] 1 USD", "V12/malformed-block"),
    ],
)
def test_decision_33_a_broken_header_is_an_error(header: str, code: str) -> None:
    assert weights(with_body(f"{header}\n"))[code] == ERROR


def test_rows_below_a_broken_header_are_kept_without_further_complaint() -> None:
    body = '#cost[val, cur]\n1 USD\n"x\nack\n#fact a=1\nack'
    assert weights(with_body(body)) == {"V12/malformed-block": ERROR}
    kinds = [record.kind for record in parse(with_body(body)).records]
    assert kinds == ["unknown", "unknown", "unknown", "unknown", "fact", "intent"]


def test_rows_below_many_broken_headers_are_no_free_text() -> None:
    """More of them than a report lists."""
    body = "#cost[val, cur]\n1 USD please\n" * 30
    assert weights(with_body(body)) == {"V12/malformed-block": ERROR}


@pytest.mark.parametrize("end", ["", "#fact a=1", "---", ">>> x", "#cost[val,cur]"])
def test_a_block_ends(end: str) -> None:
    message = parse(with_body(f"#think[summary]\nx\n{end}\nack"))
    assert [record.from_columnar for record in message.records][:1] == [True]
    assert len(message.blocks[0].rows) == 1


def test_decision_33_a_line_after_a_block_that_does_not_begin_with_a_hash_is_a_row() -> None:
    assert [record.kind for record in parse(with_body("#think[summary]\nx\nack")).records] == [
        "think",
        "think",
    ]
    assert [record.kind for record in parse(with_body("#think[summary]\nx\n\nack")).records] == [
        "think",
        "intent",
    ]


def test_an_empty_block_is_a_warning() -> None:
    assert weights(with_body("ack\n#cost[val,cur]\n#fact a=1")) == {"V12/empty-block": WARNING}


def test_the_place_of_a_row_and_of_a_field() -> None:
    assert place(with_body(f"{BLOCK}one two\n  one two three"), "V12/field-count") == (7, 3, 13)
    assert place(with_body(f"{BLOCK} one tw,o"), "V12/unquoted-field") == (6, 6, 4)
    assert place(with_body("ack\n  #fact[a]"), "V12/not-columnar") == (6, 3, 8)


def test_rows_obey_the_rules_of_their_type() -> None:
    assert weights(with_body("#evid[claim,src]\nx @m1"))["V2/missing-key"] == ERROR
    assert weights(with_body("#think[summary]\nx @rid=t1\ny @rid=T1"))["V6/duplicate-rid"] == ERROR
    assert weights(with_body("#u1\n#think[summary]\nx @m=a9"))["V11/undeclared-turn"] == ERROR


def test_a_column_whose_name_is_long_is_refused_because_each_row_would_repeat_it() -> None:
    message = parse(with_body(f"#call[tool,{'k' * 65}]\nx 1"))
    assert [line.partition(":")[0] for line in validate(message).errors] == ["V12/malformed-block"]
