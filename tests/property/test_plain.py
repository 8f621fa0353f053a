"""The fast case against the rules and the serialiser: a message must not be judged by its looks.

`pairl.plain` may only recognise what it is sure of. Each message is read twice; of the second the records
are taken, which makes every rule look at every record. Both must come to the same report and hash.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pairl
from pairl.plain import is_plain
from pairl.tidy import canonical_body

_SAMPLE = Path(__file__).resolve().parents[2] / "workers" / "sample"
_LINES = sorted(
    {
        line
        for path in _SAMPLE.glob("*.pairl")
        for message in pairl.split_messages(path.read_bytes())
        for line in message.decode().partition("\n\n")[2].split("\n")
        if line
    }
)
_BLOCKS = (
    '#evid[claim,src,conf]\n"a b" s1 0.5\n"c #d"  ref:x:y 1 @rid=e1',
    "#evid[claim,src,conf]\nword s1 0.5\nword @m1#a1 0",
    '#cost[val,cur,model,note]\n0.10 EUR m-1 "two words"\n0.30 EUR m-2 ""',
    "#cost[val,cur]\n1 EUR\n2 USD",
    '#quota[type,total,used,rem]\ntokens 100 5 95\ncalls "7" 1 "6"',
    "#quota[type,total,used]\ntokens 100 5",
    "#ref s1=ref:doc:a",
    "ack",
    "#fact a_key_that_is_longer_than_thirty_two_characters=1",
)
_LINES += [*_BLOCKS, *_BLOCKS]
_SPLINTERS = (
    *(" ", "  ", '"', "\\", '\\"', "=", ",", "!", "{", "}", "#", "\n", "\t", "9" * 5, '""', '"a"', "é"),
    *("@rid=f1", "@m=u1", "@m1#a1", "ref:x:y#z", "m=!", "a=1", "0.5", "call=c1", "abcdefabcdef"),
    *("#u1", "#s done", "---", ">>>", "#cost val=0.30 cur=USD", "#rule max_records=1", "bid{t=x}"),
)
_HEADERS = (
    "",
    "@budget 0.50EUR\n",
    "@p m0\n@deps m2,m0\n",
    "@root m0\n@p m0\n",
    f"@hash ref:hash:sha256:{'0' * 64}\n",
)


@st.composite
def _messages(draw: st.DrawFn) -> bytes:
    """A body of lines as agents write them, some with a splinter in them or a piece torn out."""
    lines = draw(st.lists(st.sampled_from(_LINES), min_size=1, max_size=5))
    for number in draw(st.sets(st.integers(0, len(lines) - 1), max_size=2)):
        line = lines[number]
        start = draw(st.integers(0, len(line)))
        end = start + draw(st.integers(0, 2))
        lines[number] = line[:start] + draw(st.sampled_from(("", *_SPLINTERS))) + line[end:]
    end_of_text = draw(st.sampled_from(("", "\n", "\n---\n", "\n\n")))
    head = f"@v 1\n@id m1\n@ts 2026-04-07T08:00:00Z\n{draw(st.sampled_from(_HEADERS))}"
    body = "\n".join(lines)
    return f"{head}\n{body}{end_of_text}".encode()


_HEAD = b"@v 1\n@id m1\n@ts 2026-04-07T08:00:00Z\n\n"


@given(_messages())
@example(_HEAD + b'#evid claim="a b" src=ref:m=!store:a conf=0.9')
@settings(max_examples=1_500, deadline=None)
def test_what_is_recognised_is_what_the_rules_and_the_serialiser_say(data: bytes) -> None:
    recognised, taken_apart = pairl.parse(data), pairl.parse(data)
    _ = taken_apart.records  # Handing them out is what makes the rules look at each.
    for strict in (True, False):
        assert pairl.validate(recognised, strict) == pairl.validate(taken_apart, strict)
    assert pairl.canonicalize(recognised) == pairl.canonicalize(taken_apart)
    assert recognised == taken_apart


def test_most_of_the_sample_is_recognised() -> None:
    messages = [
        pairl.parse(message)
        for path in _SAMPLE.glob("*.pairl")
        for message in pairl.split_messages(path.read_bytes())
    ]
    assert sum(is_plain(message, 2**20, 1_000) for message in messages) > len(messages) / 2
    assert sum(canonical_body(message) is not None for message in messages) > len(messages) / 2


def test_a_message_whose_records_were_handed_out_is_never_recognised() -> None:
    message = pairl.parse(b"@v 1\n@id m1\n@ts 2026-04-07T08:00:00Z\n\n#fact a=1\n")
    before = pairl.compute_hash(message)
    message.records[0].kv["a"] = "2"
    assert pairl.compute_hash(message) != before
    assert not is_plain(message, 2**20, 1_000)


def test_a_message_refuses_to_be_changed() -> None:
    message = pairl.parse(b"@v 1\n@id m1\n@ts 2026-04-07T08:00:00Z\n\n#fact a=1\n")
    with pytest.raises(AttributeError, match="make another one"):
        message.headers = {}


@pytest.mark.parametrize("line", ["#fact a=1  a=2", "#fact a=1 a=2", '#fact a="b"  a=1'])
def test_a_line_with_a_key_twice_hashes_alike_before_and_after_its_record_is_read(line: str) -> None:
    message = pairl.parse(f"@v 1\n@id m1\n@ts 2026-04-07T08:00:00Z\n\n{line}\n")
    before = pairl.compute_hash(message)
    assert message.records
    assert pairl.compute_hash(message) == before
