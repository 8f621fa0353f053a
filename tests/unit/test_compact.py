"""The compact form: what becomes a block, what may be left out, and where an empty line must stand."""

from __future__ import annotations

import pytest

from pairl import canonicalize, compact, compute_hash, parse, validate
from tests.unit.messages import with_body


def body_of(body: str, more_headers: str = "") -> str:
    """Return the compact form of a body, having checked that it says the same."""
    message = parse(with_body(body, more_headers))
    text = compact(message)
    assert compute_hash(parse(text)) == compute_hash(message)
    assert not [found for found in validate(parse(text)).diagnostics if found.rule in ("SYN", "V12")]
    return text.partition("\n\n")[2]


def test_records_with_the_same_keys_become_a_block() -> None:
    assert body_of(
        "#cost val=0.02 cur=EUR @rid=k1\n"
        '#cost val=0.1 cur=EUR @m=u1\n#cost cur=EUR val=3\n#cost cur=EUR val=4\n#cost val=5 note="two words"'
    ) == (
        "#cost[val,cur]\n0.02 EUR @rid=k1\n0.1 EUR @m=u1\n#cost[cur,val]\nEUR 3\nEUR 4\n"
        '#cost val=5 note="two words"\n'
    )


def test_facts_and_references_are_never_a_block() -> None:
    body = "#fact a=1\n#fact a=2\n#ref b=ref:x:y\n#ref b=ref:x:z\n#memo c=1\n#memo c=2\n"
    assert parse(with_body(body)).blocks == parse(compact(parse(with_body(body)))).blocks == []


def test_a_block_of_the_sender_with_one_row_becomes_a_record() -> None:
    assert body_of("#think[summary]\nenough") == "#think summary=enough\n"


def test_references_and_intents_lose_what_they_need_not_have() -> None:
    assert body_of('#ref a="@m1#f1"\nack{}\nack{} @rid=a1\npln{m="!",t="x=\\"!"}') == (
        '#ref a=@m1#f1\nack\nack @rid=a1\npln{t="x=\\"!",m=!}\n'
    )


def test_decision_33_an_empty_line_stands_before_an_intent_behind_a_block() -> None:
    rows = "#think summary=one\n#think summary=two\n"
    assert body_of(rows + "ack{}\nthx{}") == "#think[summary]\none\ntwo\n\nack\nthx\n"
    assert body_of(rows + "#u1\nack{}") == "#think[summary]\none\ntwo\n#u1\nack\n"


def test_decision_15_a_row_does_not_end_the_message() -> None:
    assert body_of("#think summary=---\n#think summary=---") == '#think[summary]\n"---"\n"---"\n'


def test_decision_3_headers_that_follow_from_others_are_left_out() -> None:
    message = parse(with_body("#fact a=1", "@p m6\n@root m6\n@deps m6,m2\n@zone x\n@hash y\n"))
    assert compact(message).partition("\n\n")[0] == (
        "@v 1\n@id m7\n@ts 2026-04-02T08:15:00.250+02:00\n@p m6\n@deps m2\n@zone x\n@hash y"
    )


@pytest.mark.parametrize("body", ["#think summary=a\n#think summary=b\nfree text", ">>> x\nack{}\n<<<"])
def test_a_message_with_a_malformed_line_keeps_its_canonical_text(body: str) -> None:
    message = parse(with_body(body))
    assert compact(message) == canonicalize(message, for_hash=False)


def test_a_value_that_only_begins_like_a_reference_keeps_its_quotation_marks() -> None:
    assert body_of('#fact a="@rid=x1" b="@m1#a 1" c="ref:a:b,c"') == (
        '#fact a="@rid=x1" b="@m1#a 1" c="ref:a:b,c"\n'
    )
