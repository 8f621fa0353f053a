"""The header block: decisions 18 to 22, and where the body begins."""

from __future__ import annotations

import pytest

from pairl import parse
from tests.unit.messages import (
    ERROR,
    HEADERS,
    STRICT_ERROR,
    WARNING,
    Weights,
    place,
    weights,
    with_body,
    with_headers,
)

ID = "@id m7\n"
TIME = "@ts 2026-04-02T08:15:00.250+02:00\n"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        pytest.param(f"@v 1\n{ID}{TIME}", {}, id="all_three"),
        pytest.param(f"{TIME}{ID}@v 1\n", {}, id="any_order"),
        pytest.param(f"@v 1\n@mid ref:msg:01JQ3V8ZK4M7N2P5R9S1T6W0XY\n{TIME}", {}, id="mid_in_place_of_id"),
        pytest.param(f"{ID}{TIME}", {"HDR/missing-header": ERROR}, id="no_version"),
        pytest.param(f"@v 1\n{TIME}", {"HDR/missing-header": ERROR}, id="no_id"),
        pytest.param(f"@v 1\n{ID}", {"HDR/missing-header": ERROR}, id="no_time"),
        pytest.param(f"@v 1\n{ID}@mid ref:msg:01JQ3V8ZK4M7N2P5R9S1T6W0XY\n{TIME}", {"HDR/two-ids": ERROR}),
        pytest.param(f"@v 1\n{ID}{TIME}@v 1\n", {"HDR/duplicate-header": ERROR}, id="twice_alike"),
        pytest.param(f"@v 1\n{ID}{TIME}@p m1\n@p m2\n", {"HDR/duplicate-header": ERROR}, id="twice"),
        pytest.param(
            f"@v 1\n{ID}{TIME}@x 1\n@x 2\n", {"HDR/duplicate-header": ERROR, "HDR/unknown-header": WARNING}
        ),
    ],
)
def test_decision_18_required_headers_are_given_once(headers: str, found: dict[str, Weights]) -> None:
    assert weights(with_headers(headers)) == found


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("1", {}),
        ("1.6", {"HDR/version-form": STRICT_ERROR}),
        ("1.6.1", {"HDR/version-form": STRICT_ERROR}),
        ("01", {"HDR/version-form": STRICT_ERROR}),
        ("2", {"HDR/unsupported-version": ERROR}),
        ("0", {"HDR/unsupported-version": ERROR}),
        ("11", {"HDR/unsupported-version": ERROR}),
        ("1.x", {"HDR/unsupported-version": ERROR}),
        ("v1", {"HDR/unsupported-version": ERROR}),
        ("-1", {"HDR/unsupported-version": ERROR}),
        ("1" * 5_000, {"HDR/unsupported-version": ERROR}),
        ("\u0661", {"HDR/unsupported-version": ERROR}),
    ],
)
def test_decision_18_another_major_version_is_an_error(version: str, found: dict[str, Weights]) -> None:
    assert weights(with_headers(f"@v {version}\n{ID}{TIME}")) == found


@pytest.mark.parametrize(
    "time",
    [
        "2026-04-02T08:15:00.250+02:00",
        "2026-04-02T08:15:00Z",
        "2026-04-02T08:15:00.123456789-11:30",
        "2024-02-29T00:00:00Z",
        "2016-12-31T23:59:60Z",
        "0001-01-01T00:00:00Z",
    ],
)
def test_decision_19_a_time_with_an_offset_is_accepted(time: str) -> None:
    assert weights(with_headers(f"@v 1\n{ID}@ts {time}\n")) == {}


@pytest.mark.parametrize(
    "time",
    [
        "2026-04-02T08:15:00",
        "2026-04-02 08:15:00Z",
        "2026-04-02T08:15Z",
        "2026-04-02T08:15:00.Z",
        "2026-04-02T08:15:00,5Z",
        "2026-04-02t08:15:00z",
        "2026-04-02T08:15:00+0200",
        "2026-04-02T08:15:00+24:00",
        "2026-04-02T24:00:00Z",
        "2026-04-02T08:60:00Z",
        "2026-04-02T08:15:61Z",
        "2026-13-02T08:15:00Z",
        "2026-04-31T08:15:00Z",
        "2026-02-29T08:15:00Z",
        "2100-02-29T08:15:00Z",
        "2026-04-00T08:15:00Z",
        "0000-04-02T08:15:00Z",
        "26-04-02T08:15:00Z",
        "٢٠٢٦-04-02T08:15:00Z",
        "today",
    ],
)
def test_decision_19_any_other_time_is_a_strict_error(time: str) -> None:
    assert weights(with_headers(f"@v 1\n{ID}@ts {time}\n")) == {"HDR/timestamp": STRICT_ERROR}


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("@sid ref:sess:01JQ3V8ZK4M7N2P5R9S1T6W0XY", {}),
        ("@sid 01JQ3V8ZK4M7N2P5R9S1T6W0XY", {}),
        ("@sid ref:sess:01jq3v8zk4m7n2p5r9s1t6w0xy", {}),
        ("@sid ref:sess:01JQ3V8ZK4M7N2P5R9S1T6W0XYZ", {"HDR/sid-form": WARNING}),
        ("@sid ref:sess:01IQ3V8ZK4M7N2P5R9S1T6W0XY", {"HDR/sid-form": WARNING}),
        ("@sid team-blue", {"HDR/sid-form": WARNING}),
        ("@sid ref:sess:", {"HDR/sid-form": WARNING}),
        ("@limit 5000t", {}),
        ("@limit 10api", {}),
        ("@limit 60s", {}),
        ("@limit 60 s", {"HDR/limit-form": STRICT_ERROR}),
        ("@limit 1.5h", {"HDR/limit-form": STRICT_ERROR}),
        ("@limit 60", {"HDR/limit-form": STRICT_ERROR}),
        ("@limit -5t", {"HDR/limit-form": STRICT_ERROR}),
        ("@priority high", {"HDR/unknown-header": WARNING}),
        ("@ID m8", {"HDR/unknown-header": WARNING}),
    ],
)
def test_decision_20_the_form_of_optional_headers(header: str, found: dict[str, Weights]) -> None:
    assert weights(with_body("ack", f"{header}\n")) == found


@pytest.mark.parametrize(
    ("identifier", "found"),
    [
        ("m1", {}),
        ("M1", {}),
        ("12345678", {}),
        ("123456789", {"HDR/id-form": WARNING}),
        ("plan-2", {"HDR/id-form": WARNING}),
        ("m 1", {"HDR/malformed-id": ERROR}),
    ],
)
def test_decision_20_the_form_of_the_id(identifier: str, found: dict[str, Weights]) -> None:
    assert weights(with_headers(f"@v 1\n@id {identifier}\n{TIME}")) == found


def test_decision_20_the_session_is_looked_at_without_an_id_too() -> None:
    assert "HDR/sid-form" in weights(with_headers(f"@v 1\n@sid x\n{TIME}"))


@pytest.mark.parametrize(
    "dependencies",
    ["m2", "@m2", "@m2#a1", "m2,@m3,@m4#f1", "m2, m3", "ref:msg:01JQ3V8ZK4M7N2P5R9S1T6W0XY:m1", "ref:doc:x"],
)
def test_decision_21_these_dependencies_are_accepted(dependencies: str) -> None:
    assert weights(with_body("ack", f"@deps {dependencies}\n")) == {}


@pytest.mark.parametrize("dependencies", ["m2 m3", "m2,,m3", "m2,", "ref:x", "@", "@m2#", 'm"2', "@@m2"])
def test_decision_21_other_dependencies_are_errors(dependencies: str) -> None:
    assert weights(with_body("ack", f"@deps {dependencies}\n")) == {"V3/malformed-dependency": ERROR}


@pytest.mark.parametrize("rest", ["", "\n", "\n\n\n", "\n---\n", "\n#cost[val,cur]\n"])
def test_decision_22_headers_without_a_body_are_an_error(rest: str) -> None:
    assert weights(HEADERS + rest)["HDR/no-body"] == ERROR


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param("#fact a=1\n", "HDR/no-headers", 1, id="no_headers"),
        pytest.param("", "HDR/no-headers", 0, id="nothing"),
        pytest.param(" \n\t\n", "HDR/no-headers", 0, id="white_space"),
        pytest.param(f"{HEADERS}#fact a=1\n", "HDR/no-blank-line", 4, id="no_blank_line"),
        pytest.param(f"# note\n{HEADERS}\nack", "HDR/malformed-header", 1, id="comment"),
        pytest.param(f"@v1\n{HEADERS}\nack", "HDR/malformed-header", 1, id="no_space"),
        pytest.param(f"@re-ply m1\n{HEADERS}\nack", "HDR/malformed-header", 1, id="name"),
        pytest.param(f"@p\n{HEADERS}\nack", "HDR/malformed-header", 1, id="no_value"),
        pytest.param(f"@p \t \n{HEADERS}\nack", "HDR/malformed-header", 1, id="blank_value"),
        pytest.param(f"@p\tm1\n{HEADERS}\nack", "HDR/malformed-header", 1, id="tab"),
        pytest.param(f"@{HEADERS}\nack", "HDR/malformed-header", 1, id="at_sign"),
    ],
)
def test_a_broken_header_block_is_an_error(text: str, code: str, line: int) -> None:
    assert weights(text)[code] == ERROR
    assert {finding.line for finding in parse(text).findings if finding.code == code} == {line}


def test_a_header_block_without_a_blank_line_keeps_its_body() -> None:
    message = parse(f"{HEADERS}#fact a=1\nack\n")
    assert [record.raw for record in message.records] == ["#fact a=1", "ack"]


def test_headers_may_be_indented_and_follow_blank_lines() -> None:
    text = "\n \n  @v 1\n\t@id   m7 \n@ts 2026-04-02T08:15:00Z\t\n \t\nack"
    assert weights(text) == {}
    assert parse(text).headers == {"v": "1", "id": "m7", "ts": "2026-04-02T08:15:00Z"}


def test_a_value_is_the_rest_of_the_line() -> None:
    message = parse(with_body("ack", "@note two  words = @x #y\n"))
    assert message.headers["note"] == "two  words = @x #y"


def test_of_a_header_given_twice_the_first_counts() -> None:
    assert parse(with_body("ack", "@p m1\n@p m2\n")).headers["p"] == "m1"


def test_the_place_of_a_header_is_its_value() -> None:
    """Not the same letters in its name."""
    assert place(with_headers("@v 1\n@id m7\n  @ts t\n"), "HDR/timestamp") == (3, 7, 1)
    assert place(with_headers(f"@v v\n{ID}{TIME}"), "HDR/unsupported-version") == (1, 4, 1)


def test_the_id_of_a_message_is_that_of_either_header() -> None:
    assert parse(with_body("ack")).msg_id == "m7"
    assert parse("@mid ref:msg:X\n\nack").msg_id == "ref:msg:X"
    assert parse("ack").msg_id is None
