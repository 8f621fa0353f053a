"""The canonical form and the hash: decisions 1 to 6."""

from __future__ import annotations

import hashlib

import pytest

from pairl import Message, Record, canonicalize, compute_hash, hash_ref, parse
from tests.unit.messages import HEADERS, with_body


def canonical(source: str | bytes) -> str:
    return canonicalize(parse(source))


def hashes(source: str | bytes) -> str:
    return compute_hash(parse(source))


def test_decision_1_the_order_of_headers() -> None:
    names = [
        "limit",
        "hash",
        "zeta",
        "budget",
        "deps",
        "parent",
        "Alpha",
        "p",
        "root",
        "ts",
        "sid",
        "mid",
        "id",
        "v",
        "b2",
    ]
    message = Message(headers={name: f"x{position}" for position, name in enumerate(names)})
    ordered = [line.split()[0][1:] for line in canonicalize(message, for_hash=False).splitlines() if line]
    assert ordered == [
        *["v", "id", "mid", "sid", "ts", "root", "p", "parent", "deps", "budget", "limit"],
        *["Alpha", "b2", "zeta", "hash"],
    ]
    assert "@hash" not in canonicalize(message)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ack{fmt=bul,u=hi,a=c,m=0,l=1,s=f,t=x}", "ack{t=x,s=f,l=1,m=0,a=c,u=hi,fmt=bul}"),
        ("ack{zeta=1,beta=2,s=f,t=x}", "ack{t=x,s=f,beta=2,zeta=1}"),
        ("ack{b_2=1,b=2,b2=3}", "ack{b=2,b2=3,b_2=1}"),
    ],
)
def test_decision_2_the_order_of_parameters(line: str, expected: str) -> None:
    assert canonical(with_body(line)) == with_body(expected)


def test_decision_2_the_keys_of_a_record_keep_their_order() -> None:
    assert canonical(with_body("#fact t=1 a=2 s=3")) == with_body("#fact t=1 a=2 s=3")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param("@root m1\n@p m1\n", "@p m1\n", id="root_is_p"),
        pytest.param("@root @m1\n@p m1\n", "@p m1\n", id="root_is_p_with_at_sign"),
        pytest.param("@root m1\n@parent @m1\n", "@parent @m1\n", id="root_is_parent"),
        pytest.param("@root m1\n@p m2\n", "@root m1\n@p m2\n", id="root_is_another"),
        pytest.param("@root m1\n", "@root m1\n", id="root_alone"),
        pytest.param("@p m1\n@deps m1\n", "@p m1\n", id="deps_empty"),
        pytest.param("@p m1\n@deps m1,m2\n", "@p m1\n@deps m2\n", id="deps_say_p"),
        pytest.param("@p m1\n@deps @m2,@m1\n", "@p m1\n@deps @m2\n", id="deps_say_p_with_at_sign"),
        pytest.param("@root m1\n@p m1\n@deps m1\n", "@p m1\n", id="deps_say_root_that_is_dropped"),
        pytest.param("@root m1\n@p m2\n@deps m1,m3,m2\n", "@root m1\n@p m2\n@deps m3\n", id="both"),
        pytest.param("@deps m2, m3 ,m4\n", "@deps m2,m3,m4\n", id="spaces"),
        pytest.param("@p m1\n@deps m1#a1\n", "@p m1\n@deps m1#a1\n", id="a_record_of_p"),
        pytest.param("@p m1\n@deps m3,m2\n", "@p m1\n@deps m3,m2\n", id="order_is_kept"),
    ],
)
def test_decision_3_derivable_threading_fields_are_left_out(headers: str, expected: str) -> None:
    assert canonical(with_body("ack{}", headers)) == with_body("ack{}", expected)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"x"', "x"),
        ('"ref:doc:sha256:9c1a"', "ref:doc:sha256:9c1a"),
        ('"a:b._/@+-Z9"', "a:b._/@+-Z9"),
        ('""', '""'),
        ('"two words"', '"two words"'),
        ("@m1#a1", '"@m1#a1"'),
        ('"@m1#a1"', '"@m1#a1"'),
        ("50%", '"50%"'),
        (r'"a \"b\""', r'"a \"b\""'),
        (r'"a\b"', r'"a\b"'),
        ("é", '"é"'),
    ],
)
def test_decision_4_a_value_is_bare_if_and_only_if_it_is_an_atom(written: str, expected: str) -> None:
    assert canonical(with_body(f"#fact a={written}")) == with_body(f"#fact a={expected}")


def test_decision_4_an_urgent_mood_is_quoted() -> None:
    assert canonical(with_body("wrn{m=!}")) == with_body('wrn{m="!"}')
    assert canonical(with_body("ack{m=+}")) == with_body("ack{m=+}")


def test_decision_5_an_intent_with_and_without_braces() -> None:
    assert canonical(with_body("ack")) == canonical(with_body("ack{}")) == with_body("ack{}")


def test_decision_5_record_ids_are_hashed_as_written() -> None:
    assert hashes(with_body("#fact a=1 @rid=F1")) != hashes(with_body("#fact a=1 @rid=f1"))


def test_decision_5_there_is_no_unicode_normalisation() -> None:
    assert hashes(with_body('#fact a="é"')) != hashes(with_body('#fact a="e\u0301"'))


def test_decision_5_the_text_ends_with_one_line_feed() -> None:
    for text in (HEADERS + "\nack{}", HEADERS + "\nack{}\n\n\n", HEADERS + "\nack{}\n---\n"):
        assert canonical(text) == HEADERS + "\nack{}\n"


def test_decision_5_layout_vanishes() -> None:
    headers = "\n  @v 1\n@id   m7\n\t@ts 2026-04-02T08:15:00.250+02:00 \n"
    assert canonical(headers + " \n\n #fact  a=1   @rid=f1\n\n\tack  @m=u1\n") == with_body(
        "#fact a=1 @rid=f1\nack{} @m=u1"
    )


@pytest.mark.parametrize("payload", ["done", "explore:3/6", "ready:edit", "EXEC:2/4", "a,b"])
def test_decision_5_a_state_is_hashed_as_written(payload: str) -> None:
    assert canonical(with_body(f"#s   {payload}")) == with_body(f"#s {payload}")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#u1", "#u1"),
        ("#u01", "#u01"),
        ("#msg  t1  r=ops_lead   parent=-", "#msg t1 r=ops_lead parent=-"),
        ("#s", "#s"),
        ("#s done @rid=s1", "#s done @rid=s1"),
        ("#fact a=1 @rid=f1 @m=u1", "#fact a=1 @m=u1 @rid=f1"),
    ],
)
def test_records_without_pairs_and_tags(line: str, expected: str) -> None:
    assert canonical(with_body(line)) == with_body(expected)


def test_the_hash_is_the_sha256_of_the_canonical_text_without_hash() -> None:
    text = with_body("ack{}", "@hash ref:hash:sha256:00\n")
    expected = hashlib.sha256(with_body("ack{}").encode()).hexdigest()
    assert hashes(text) == expected
    assert hash_ref(parse(text)) == f"ref:hash:sha256:{expected}"


def test_a_record_that_was_changed_hashes_to_something_else() -> None:
    """`kv` is a dict that anyone can write to: no hash of what it held before may be kept."""
    message = parse(with_body("#fact a=1"))
    before = compute_hash(message)
    message.records[0].kv["a"] = "2"
    assert compute_hash(message) != before
    assert compute_hash(message) == hashes(with_body("#fact a=2"))


def test_a_body_without_headers_is_not_read_as_some() -> None:
    """Even where it has a line that would pass for one."""
    text = "#fact a=1\n\n@id m9\n"
    again = parse(canonical(text))
    assert (again.headers, canonicalize(again)) == ({}, canonical(text))


def test_a_message_made_by_hand_can_be_written() -> None:
    message = Message(
        headers={"v": "1", "id": "m1", "ts": "2026-01-01T00:00:00Z"},
        records=[Record(kind="fact", name="fact", kv={"a": 'x "y"'}, rid="f1")],
    )
    assert canonicalize(message) == '@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n#fact a="x \\"y\\"" @rid=f1\n'
    assert parse(canonicalize(message)).records[0].kv == message.records[0].kv
