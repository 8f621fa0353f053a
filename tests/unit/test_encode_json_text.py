"""JSON as records of conversations hold it: what a strict reader refuses is read, and what is broken is told.

Knows the faults of real files. Refuses to know any format of conversations.
"""

from __future__ import annotations

import json

import pytest

from pairl.encode.history import Notice
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.json_text import read_json, read_json_lines, read_json_sequence, write_json
from pairl.encode.importers.moment import moment
from pairl.encode.importers.text_encoding import decode, read_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'["\\ud83d", "\\ud83d\\ude00"]', ["\ud83d", "\U0001f600"]),
        (b'["half \xed\xa0\xbd"]', ["half \ud83d"]),
        (b'["caf\xe9"]', ["café"]),
        (b'["caf\xe9", "\xc3\xa9"]', ["caf\udce9", "é"]),
        (b"[NaN, -Infinity, 1e999, 1.5]", ["NaN", "-Infinity", "1e999", 1.5]),
        (b'["a\x01b\tc"]', ["a\x01b\tc"]),
        (b'[NaN, "a\nb"]', ["NaN", "a\nb"]),
        ('{"a": "\ud83d"}', {"a": "\ud83d"}),
        ('\ufeff{"a": "é"}', {"a": "é"}),
        ('{"a": 1}'.encode("utf-16"), {"a": 1}),
        ('{"a": 1}'.encode("utf-16-le"), {"a": 1}),
        ('{"a": 1}'.encode("utf-16-be"), {"a": 1}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_what_a_strict_reader_refuses_is_read(text: bytes | str, value: object) -> None:
    assert read_json(text) == value


def test_a_number_that_is_too_long_to_be_one_stays_a_text() -> None:
    digits = "1" * 5_000
    assert read_json(f"[{digits}, NaN]") == [digits, "NaN"]


@pytest.mark.parametrize(
    ("text", "reason", "advice"),
    [
        ('{"a": [1, 2', "line 1, column 12", "cut off"),
        ('{\n "a": "b', "line 2, column 7", "cut off"),
        ("", "line 1, column 1", "cut off"),
        ("{'a': 1}", "line 1, column 2", "keep the JSON alone"),
        ('{"a": 1}\n}', "line 2, column 1", "keep the JSON alone"),
        ("[" * 100_000, "nested too deeply", "something else"),
    ],
)
def test_broken_json_is_refused_with_its_place_and_the_usual_cause(
    text: str, reason: str, advice: str
) -> None:
    with pytest.raises(NotATranscript) as refusal:
        read_json(text)
    assert reason in refusal.value.reason
    assert advice in refusal.value.advice
    assert str(refusal.value) == f"{refusal.value.reason}; {refusal.value.advice}"


def test_json_lines_may_end_in_any_way_and_leave_lines_empty() -> None:
    assert read_json_lines(b'{"a":1}\r\n\n{"a":2}\n   \n{"a":3}') == ([{"a": 1}, {"a": 2}, {"a": 3}], [])


def test_a_separator_of_unicode_ends_no_line() -> None:
    assert read_json_lines('["a\u2028b"]\n["c\u0085d"]\n'.encode()) == ([["a\u2028b"], ["c\u0085d"]], [])


def test_half_a_line_at_the_end_is_left_out_with_a_notice() -> None:
    items, notices = read_json_lines(b'{"a":1}\n{"a":2}\n{"a": "thr')
    assert items == [{"a": 1}, {"a": 2}]
    assert notices == [Notice("half a line at the end", "line 3", 1, 10, is_left_out=True)]


def test_lines_that_are_no_json_are_left_out_with_a_notice() -> None:
    items, notices = read_json_lines(b'noise\n{"a":1}\nmore noise\n{"a":2}\n')
    assert items == [{"a": 1}, {"a": 2}]
    assert notices == [Notice("line that is no JSON", "line 1", 2, 15, is_left_out=True)]


def test_lines_without_any_json_are_refused() -> None:
    with pytest.raises(NotATranscript, match="no line of the text is a JSON value"):
        read_json_lines(b"one\ntwo\n")


def test_what_is_written_is_one_line_and_reads_back() -> None:
    value = {"a": ["\ud83d", "é\u2028\n", 1, None], "b": {}}
    text = write_json(value)
    assert "\n" not in text
    assert text == '{"a":["\ud83d","é\u2028\\n",1,null],"b":{}}'
    assert json.loads(text) == value


@pytest.mark.parametrize("broken", [b"\xc3\xa9 a\xffb\x80", b"a\x81b"])
def test_bytes_that_are_no_text_come_back_as_they_were(broken: bytes) -> None:
    assert decode(broken).encode("utf-8", "surrogateescape") == broken


def test_a_text_that_is_not_in_utf8_is_noticed() -> None:
    read = Notice("text that is not in UTF-8, read as Windows-1252", "line 2")
    assert read_text(b"a\nK\xf6ln") == ("a\nKöln", [read])
    kept = Notice("bytes that are not UTF-8", "line 3", 2, 3)
    assert read_text(b"\xc3\xa9\n\n\xff\xff \xff")[1] == [kept]
    assert read_text("half \ud83d".encode("utf-8", "surrogatepass")) == ("half \ud83d", [])


@pytest.mark.parametrize("between", ["\n", " ", ",\n", ""])
def test_values_one_behind_another_are_read(between: str) -> None:
    text = between.join(['{\n "a": 1\n}', '{\n "a": 2\n}'])
    assert read_json_sequence(text.encode()) == [{"a": 1}, {"a": 2}]
    assert read_json_sequence(text.encode()[:-1]) == []


@pytest.mark.parametrize(
    ("value", "time"),
    [
        (1_767_225_600, "2026-01-01T00:00:00+00:00"),
        (1_767_225_600.25, "2026-01-01T00:00:00.250000+00:00"),
        (1_767_225_600_250, "2026-01-01T00:00:00.250000+00:00"),
        ("1767225600250000000", "2026-01-01T00:00:00.250000+00:00"),
        ("2026-01-01T01:00:00+01:00", "2026-01-01T01:00:00+01:00"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"),
        ("2026-01-01 00:00:00", "2026-01-01T00:00:00+00:00"),
    ],
)
def test_a_time_is_read_in_every_unit(value: object, time: str) -> None:
    assert moment(value) == time


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -1, "", "soon", "9" * 30, 10**40, float("nan"), float("inf"), [], {}, "²", "2026-13-01"],
)
def test_what_is_no_time_is_none(value: object) -> None:
    assert moment(value) is None
