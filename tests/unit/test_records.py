"""Kinds of records and intents, words that nobody knows, tool output: decisions 14, 16 and 34."""

from __future__ import annotations

import pytest

from pairl import canonicalize, compute_hash, parse, serialize_record
from tests.unit.messages import STRICT_ERROR, WARNING, place, read_record, weights, with_body


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
    assert serialize_record(read_record(line)) == canonical


def test_decision_14_an_unknown_header_is_kept_and_hashed() -> None:
    message = parse(with_body("ack", "@trace 00-ab-cd\n"))
    assert "@trace 00-ab-cd\n" in canonicalize(message)


@pytest.mark.parametrize("tag", ["marker", "intent", "unknown"])
def test_decision_14_reserved_tags_are_strict_errors_and_pass_for_nothing(tag: str) -> None:
    line = f"#{tag} name=u1 r=u parent=- t=7"
    assert weights(with_body(line)) == {"SYN/reserved-tag": STRICT_ERROR}
    record = read_record(line)
    assert record.kind == "unknown"
    assert serialize_record(record) == line
    assert "V11/no-markers" in weights(with_body(f"{line}\nack @m=u1"))


@pytest.mark.parametrize("name", ["ref", "req", "rpt"])
def test_decision_14_an_intent_and_a_record_of_one_name_are_two_things(name: str) -> None:
    assert read_record(f"{name}{{}}").kind == "intent"
    record = read_record(f"#{name} content=ref:doc:x")
    assert (record.kind, record.name) == (name, name)


@pytest.mark.parametrize("name", ["ack", "a1", "1a", "0000", "org.acme.x", "a-b.c_d", "3.5"])
def test_an_intent_has_a_core_name_or_a_dotted_one(name: str) -> None:
    for line in (name, f"{name}{{}}", f"{name}{{t=x}}", f"{name} @rid=a1"):
        assert weights(with_body(line)).keys() <= {"SYN/unknown-intent"}
        assert (read_record(line).kind, read_record(line).name) == ("intent", name)


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


def test_a_line_with_one_fault_gets_one_finding() -> None:
    for line in (
        '#fact a="say "hello" to them" b=1',
        "#fact amount=1,000,000",
        "ack{t=x} and more text here",
    ):
        assert len(weights(with_body(line))) == 1
        assert len(parse(with_body(line)).findings) == 1
    assert weights(with_body("#fact a=1")) == {}
