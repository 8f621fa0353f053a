"""Bytes and characters: decisions 9, 15 and 17."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pairl import canonicalize, compute_hash, parse, split_messages, validate
from pairl.rules import Policy
from tests.unit.messages import ERROR, HEADERS, STRICT_ERROR, WARNING, Weights, place, weights, with_body

PLAIN = with_body('#fact note="a b" @rid=f1\nack{t=plan}')


def test_decision_9_well_formed_utf8_is_read_alike_from_bytes_and_from_text() -> None:
    text = with_body('#fact city="Zürich 東京 🜚"')
    assert weights(text) == weights(text.encode()) == {}
    assert parse(text) == parse(text.encode())
    assert parse(text).records[0].kv == {"city": "Zürich 東京 🜚"}


@pytest.mark.parametrize("form", [bytearray, memoryview])
def test_whatever_holds_bytes_is_read_like_bytes(form: Callable[[bytes], bytearray | memoryview]) -> None:
    text = with_body('#fact city="Zürich"') + "\xff"
    data = text.encode("latin-1")
    assert parse(form(data)) == parse(data)
    assert parse(form(data)).errors == parse(data).errors != []
    assert parse(form(data), max_bytes=9) == parse(data, max_bytes=9)
    assert split_messages(form(data + b"\n---\n")) == split_messages(data + b"\n---\n")


def test_messages_are_also_split_where_they_are_text() -> None:
    assert split_messages(f"{PLAIN}\n---\n#fact a=é") == [f"{PLAIN}\n".encode(), "#fact a=é".encode()]


@pytest.mark.parametrize("wrong", [5, None, ["@v 1"]])
def test_what_is_neither_text_nor_bytes_raises(wrong: object) -> None:
    for read in (parse, split_messages):
        with pytest.raises(TypeError, match="bytes-like"):
            read(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"\xff", id="no_such_byte"),
        pytest.param(b"\xc3", id="cut_off"),
        pytest.param(b"\xc0\xaf", id="overlong"),
        pytest.param(b"\xed\xa0\x80", id="encoded_surrogate"),
        pytest.param(b"\xf5\x80\x80\x80", id="beyond_unicode"),
    ],
)
def test_decision_9_invalid_utf8_is_an_error_and_the_rest_is_read(bad: bytes) -> None:
    data = with_body("#fact a=1\n").encode() + b'#fact b="' + bad + b'"\n#fact c=3\n'
    assert weights(data) == {"SYN/not-utf8": ERROR}
    assert [record.kv.get("c") for record in parse(data).records][-1] == "3"
    assert place(data, "SYN/not-utf8") == (7, 10, 1)


def test_decision_9_utf16_is_an_error_and_never_a_crash() -> None:
    assert weights(PLAIN.encode("utf-16"))["SYN/not-utf8"] == ERROR


def test_decision_9_a_lone_surrogate_is_an_error_and_can_be_hashed() -> None:
    text = with_body('#fact a="x\ud800y"')
    assert weights(text) == {"SYN/surrogate": ERROR}
    assert place(text, "SYN/surrogate") == (5, 11, 1)
    assert len(compute_hash(parse(text))) == 64


def test_decision_9_a_surrogate_in_a_report_line_can_be_encoded() -> None:
    for line in validate(parse(with_body("#fact a=\ud800 b c")), True).errors:
        line.encode()


def test_decision_9_crlf_becomes_lf_with_the_same_hash() -> None:
    windows = PLAIN.replace("\n", "\r\n")
    assert weights(windows) == {}
    assert compute_hash(parse(windows)) == compute_hash(parse(PLAIN))
    assert parse(windows).source == PLAIN


def test_decision_9_one_byte_order_mark_is_stripped_with_a_warning() -> None:
    marked = "\ufeff" + PLAIN
    assert weights(marked) == weights(marked.encode()) == {"SYN/byte-order-mark": WARNING}
    assert compute_hash(parse(marked)) == compute_hash(parse(PLAIN))


def test_decision_9_a_second_byte_order_mark_is_content() -> None:
    assert weights("\ufeff\ufeff" + PLAIN)["HDR/malformed-header"] == ERROR


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x0b", "\x0c", "\x1b", "\x7f", "\r"])
def test_decision_9_a_control_character_is_a_strict_error(character: str) -> None:
    text = with_body(f'#fact a="x{character}y"')
    assert weights(text) == {"SYN/control-character": STRICT_ERROR}
    assert place(text, "SYN/control-character") == (5, 11, 1)


def test_decision_9_a_tab_is_fine_inside_quotes_and_around_a_line() -> None:
    assert weights(with_body('\t#fact a="x\ty"\t\n \tack\t')) == {}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("#fact a=x\ty", id="in_a_value"),
        pytest.param("#fact a=x @rid=f\t1", id="in_a_tag"),
        pytest.param("#s done\tnow", id="in_a_state"),
    ],
)
def test_decision_9_a_tab_outside_quotes_is_a_strict_error(line: str) -> None:
    assert weights(with_body(line))["SYN/control-character"] == STRICT_ERROR


def test_decision_9_a_tab_in_a_header_is_a_strict_error() -> None:
    assert weights(with_body("ack", "@limit 10\tapi\n"))["SYN/control-character"] == STRICT_ERROR


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029", "\u00a0", "\u3000"])
def test_decision_9_other_white_space_is_ordinary(character: str) -> None:
    """Neither line ends nor separators: what `str.splitlines` and `\\s` would make of them is wrong."""
    text = with_body(f'#fact a="x{character}#fact b=1"')
    assert weights(text) == {}
    (record,) = parse(text).records
    assert record.kv == {"a": f"x{character}#fact b=1"}
    assert weights(with_body(f"#fact a=x{character}b=1")) == {"SYN/unquoted-value": WARNING}
    assert parse(with_body(f"{character}#fact a=1")).records[0].kind == "unknown"


def test_decision_9_white_space_of_unicode_is_not_trimmed_from_dependencies() -> None:
    message = parse(with_body("ack", "@p m1\n@deps m1,\u00a0m1\n"))
    assert weights(with_body("ack", "@p m1\n@deps m1,\u2003m1\n")) == {}
    assert "@deps \u00a0m1" in canonicalize(message)


@pytest.mark.parametrize("ending", ["\r\r\n", "\r \r\n", "\r"])
def test_decision_9_a_lone_cr_at_the_end_of_a_line_is_reported_and_ends_nothing(ending: str) -> None:
    text = f"{HEADERS}\n#fact a=1{ending}"
    assert weights(text) == {"SYN/control-character": STRICT_ERROR}
    assert parse(text).records[0].kv == {"a": "1"}


def test_decision_15_a_terminator_ends_the_message() -> None:
    assert weights(with_body("ack\n---\n\n  \n")) == {}
    assert weights(with_body("ack\n  ---\t")) == {}
    assert compute_hash(parse(with_body("ack\n---"))) == compute_hash(parse(with_body("ack")))


def test_decision_15_content_after_the_terminator_is_a_strict_error_and_kept() -> None:
    text = with_body("ack\n---\n#fact a=1\nthanks")
    assert weights(text) == {"SYN/content-after-end": STRICT_ERROR}
    assert [record.raw for record in parse(text).records] == ["ack", "---", "#fact a=1", "thanks"]
    assert compute_hash(parse(text)) != compute_hash(parse(with_body("ack\n#fact a=1")))


def test_decision_15_a_terminator_ends_the_header_block_too() -> None:
    assert weights(f"{HEADERS}---\n@id m8\n") == {"SYN/content-after-end": STRICT_ERROR}
    assert weights(f"{HEADERS}---\n") == {"HDR/no-body": ERROR}


def test_decision_15_many_messages_are_split_and_keep_their_bytes() -> None:
    first, second = with_body("ack").encode(), with_body('#fact a="---"', "@p m1\n").encode()
    for separator in (b"---\n", b"  ---\t\r\n", b"---\n\n---\n"):
        assert split_messages(first + separator + second) == [first, second]
    assert split_messages(b"\n---\n \n---") == []
    assert split_messages(first + b"---- \n") == [first + b"---- \n"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        pytest.param(with_body("#fact a=1\n" * 1_000), {}, id="a_thousand_records"),
        pytest.param(with_body("#fact a=1\n" * 1_000 + "\n---\n\n"), {}, id="a_thousand_and_an_end"),
        pytest.param(with_body("#fact a=1\n" * 1_001), {"SYN/too-many-records": ERROR}, id="one_record_more"),
        pytest.param(
            with_body("#cost[val,cur]\n" + "1 USD\n" * 1_001), {"SYN/too-many-records": ERROR}, id="rows"
        ),
        pytest.param(
            with_body(f'#fact a="{"x" * 1_100_000}"'), {"SYN/too-large": ERROR}, id="more_than_a_mebibyte"
        ),
    ],
)
def test_decision_17_more_than_the_configured_limits_is_an_error(
    source: str, found: dict[str, Weights]
) -> None:
    assert weights(source) == found


def test_decision_17_the_limit_counts_bytes_of_utf8() -> None:
    text = with_body('#fact a="€€€"')
    size = len(text.encode())
    assert parse(text, max_bytes=size).findings == []
    assert [finding.code for finding in parse(text, max_bytes=size - 1).findings] == ["SYN/too-large"]


def test_decision_17_of_a_message_that_is_too_large_the_headers_are_read() -> None:
    message = parse(with_body("ack\n" * 2_000), max_bytes=5_000)
    assert message.msg_id == "m7"
    assert message.records == []


def test_decision_17_a_header_that_the_limit_cuts_through_is_not_taken_for_a_whole_one() -> None:
    message = parse("@v 1\n@note " + "x" * 9_000 + "\n\nack\n", max_bytes=5_000)
    assert message.headers == {"v": "1"}


def test_decision_17_both_limits_can_be_set_in_the_policy() -> None:
    message = parse(with_body("#fact a=1\n" * 20))
    policy = Policy(max_records=10, max_bytes=100)
    found = {diagnostic.code for diagnostic in validate(message, policy=policy).diagnostics}
    assert found == {"SYN/too-large", "SYN/too-many-records"}
    assert not validate(message, policy=policy).valid


def test_decision_17_a_limit_found_by_the_parser_is_said_once() -> None:
    message = parse(with_body("#fact a=1\n" * 20), max_records=10)
    assert len(message.records) == 10
    report = validate(message, policy=Policy(max_records=10))
    assert [found.code for found in report.diagnostics] == ["SYN/too-many-records"]


def test_decision_17_the_records_kept_as_text_are_limited_too() -> None:
    message = parse(with_body(">>>\n" + "x\n" * 50), max_records=10)
    assert len(message.records) == 10
    assert "SYN/too-many-records" in {finding.code for finding in message.findings}


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("max_records=3", {}),
        ("max_records=2", {"SYN/own-limit": WARNING}),
        ("max_size_bytes=5000", {}),
        ("max_size_bytes=50", {"SYN/own-limit": WARNING}),
        ("max_records=several", {}),
        (f"max_records={'9' * 5_000}", {}),
    ],
)
def test_decision_17_a_limit_of_the_messages_own_is_a_warning(rule: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(f"#rule {rule}\nack\nack")) == found
