"""Quotation marks and backslashes in records: decisions 10 and 11."""

from __future__ import annotations

import pytest

from pairl import Record, canonicalize, parse, serialize_record
from tests.unit.messages import STRICT_ERROR, WARNING, read_record, weights, with_body


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
    record = read_record(line)
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
    assert read_record(r'#fact a="\n\t\\x"').kv == {"a": r"\n\t\\x"}
    assert weights(with_body(r"#fact a=C:\temp")) == {"SYN/unquoted-value": WARNING}
    assert read_record(r"#fact a=C:\temp").kv == {"a": r"C:\temp"}


@pytest.mark.parametrize("line", ['#fact a="x\\"', '#fact a="\\"', '#fact a="x\\" b=1'])
def test_decision_11_reading_a_quoted_value_that_ends_in_a_backslash(line: str) -> None:
    assert weights(with_body(line)) == {"SYN/unterminated-quote": STRICT_ERROR}


@pytest.mark.parametrize("value", ["x\\", "\\", "two words\\"])
def test_decision_11_writing_a_value_that_ends_in_a_backslash(value: str) -> None:
    with pytest.raises(ValueError, match="backslash"):
        serialize_record(Record(kind="fact", name="fact", kv={"a": value}))


def test_decision_11_a_bare_value_cannot_end_in_a_backslash_either() -> None:
    assert weights(with_body("#fact a=x\\")) == {"SYN/trailing-backslash": STRICT_ERROR}
    assert serialize_record(read_record("#fact a=x\\")) == "#fact a=x\\"
