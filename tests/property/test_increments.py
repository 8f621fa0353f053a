"""Bodies that messages of a session grow: valid as a whole, explained as a whole, and nothing changes.

Knows what must hold for whatever messages a strict reader accepts, and that nothing raises for the others.
Refuses to know how turns and record ids are named.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairl import Message, Session, Status, Thread, parse, validate
from pairl.increment import Increment, MaintainedBody, append
from pairl.legend import FullSpecification, Legend
from tests.property.texts import RECORDS, TEXTS, WELL_FORMED_LINES
from tests.unit.messages import with_body

IDS = ("m1", "m2", "m11", "m1f", "plan", "Plan", "u1", "1", "7u1", "orders77", "01JH0Q6Z7F8K9M2N4P6R8S0T2V")
RIDS = ("f1", "F2", "1f1", "1r", "r", "c1", "u1", "abcdefgh", "long-one-2", "7", "12")
TURNS = (
    "#u1",
    "#a2",
    "#s3",
    "#u11",
    "#msg t1 r=ana parent=-",
    "#msg 1t r=u parent=t1",
    "#msg longturn r=a parent=-",
)
LINES = (
    *("#fact a=1", '#fact b="@m1#f1 @rid=f1"', "#ref doc=ref:doc:x", "#ref up=@m1#f1", "#rule keep=true"),
    *('#evid claim="c" src={rid} conf=0.5', '#evid claim="c" src=doc conf=1', "#cost val=1 cur=EUR"),
    *(
        '#rpt content="#u1 said" mode=cond',
        '#req content=">>> \\"x\\""',
        '#think summary="---"',
        "\nwrn{{t=x,m=!}}",
    ),
    *(
        "#call tool=x",
        "#ret call={call} status=ok",
        "#ret call={call} status=err",
        "\nack",
        "#s plan:1/2",
        "#s done",
    ),
    *("#cost[val,cur]\n1 EUR\n2 USD", '#evid[claim,src,conf]\n"a b" {rid} 0.5\n"c" doc 1', "\nthx"),
)
UNEXPLAINED = ("#memo k=v", "\norg.acme.ask{{}}")


@st.composite
def bodies(draw: st.DrawFn, more: tuple[str, ...] = ()) -> str:
    """Return a body that a strict reader accepts: its names are unique, and what it names is there."""
    rids = iter(draw(st.permutations(RIDS)))
    turns = iter(draw(st.permutations(TURNS)))
    call, turn = next(rids), ""
    lines = [f"#call tool=first @rid={call}"]
    for line in draw(st.lists(st.sampled_from((*LINES, *more, "turn", "turn")), max_size=7)):
        if line == "turn":
            marker = next(turns, "")
            if "parent=t1" not in marker or "#msg t1 r=ana parent=-" in lines:
                lines.append(marker)
                turn = marker.removeprefix("#msg ").removeprefix("#").partition(" ")[0] or turn
            continue
        rid = next(rids, "")
        tags = "" if line.startswith("#s ") else draw(st.sampled_from(["", f" @m={turn}" if turn else ""]))
        tags += f" @rid={rid}" if rid and not line.startswith("#s ") else ""
        lines.append(line.format(call=draw(st.sampled_from([call.upper(), call])), rid=rid or call) + tags)
    return "\n".join(lines)


def conversations(more: tuple[str, ...] = ()) -> st.SearchStrategy[list[tuple[str, int, str]]]:
    """Return strategies for messages as (id, number of the one that it answers, body)."""
    answered = st.integers(-1, len(IDS))
    return st.lists(
        st.tuples(st.sampled_from(IDS), answered, bodies(more)), max_size=8, unique_by=lambda each: each[0]
    )


CONVERSATIONS = conversations()
PASSAGES = st.sampled_from([">>>", "<<<", "---", "#fact[", "#cost[val,cur]", "hello", "#u1 @rid=f1"])
ODD_BODIES = st.lists(st.one_of(PASSAGES, WELL_FORMED_LINES, RECORDS), max_size=6).map("\n".join)
SPEAKERS = st.sampled_from(["unknown", "planner", "a", "No Speaker", ""])


def accepted(conversation: Sequence[tuple[str, int, str]]) -> list[Message]:
    """Return the messages, each of which answers one before it: all are accepted by a strict reader."""
    thread = Thread()
    messages: list[Message] = []
    for place, (name, answered, body) in enumerate(conversation):
        own = f"@id {name}\n" if len(name) <= 8 else f"@mid ref:msg:{name}\n"
        parents = f"@p {conversation[answered][0]}\n" if 0 <= answered < place else ""
        message = parse(f"@v 1\n{own}@ts 2026-04-02T08:15:00Z\n{parents}\n{body}\n")
        report = validate(message, strict=True, thread=thread)
        assert report.valid, report.errors
        thread.add(message, Status.ACCEPTED)
        messages.append(message)
    return messages


def grown(messages: Sequence[Message], speaker: str = "unknown") -> list[Increment]:
    """Return what the messages add, one after the other, with what is remembered going through its JSON."""
    increments: list[Increment] = []
    body: MaintainedBody | None = None
    for message in messages:
        increments.append(append(message, body, speaker))
        assert increments[-1] == append(message, body, speaker)
        stored = msgspec.json.encode(increments[-1].grown)
        assert len(stored) < 10_000
        body = msgspec.json.decode(stored, type=MaintainedBody)
        assert body == increments[-1].grown
    return increments


@settings(max_examples=150, deadline=None)
@given(st.one_of(CONVERSATIONS, conversations(UNEXPLAINED)), SPEAKERS)
def test_the_body_of_valid_messages_is_valid_and_explained(
    conversation: list[tuple[str, int, str]], speaker: str
) -> None:
    increments = grown(accepted(conversation), speaker)
    if not increments:
        return
    whole = parse(with_body("".join(each.body for each in increments).removesuffix("\n")))
    report = validate(whole, strict=True)
    assert report.valid, report.errors
    assert not any(found.rule == "V11" for found in report.diagnostics)
    legend = increments[0].legend
    assert all(each.legend is None for each in increments[1:])
    addenda = [each.addendum for each in increments if each.addendum is not None]
    if isinstance(legend, Legend) and not any(isinstance(each, FullSpecification) for each in addenda):
        explained = "\n".join([*map(str, addenda), legend.text])
        assert validate(whole, strict=True, legend=explained).valid
    else:
        # The specification explains it all: behind it no addendum comes.
        assert isinstance(legend, FullSpecification) or isinstance(addenda[-1], FullSpecification)
        assert not addenda or isinstance(legend, Legend)
        assert not any(isinstance(each, FullSpecification) for each in addenda[:-1])


@settings(max_examples=100, deadline=None)
@given(CONVERSATIONS)
def test_whoever_maintains_a_session_from_text_takes_every_increment_as_it_is(
    conversation: list[tuple[str, int, str]],
) -> None:
    increments = grown(accepted(conversation))
    if not increments:
        return
    session = Session.begin(increments[0].body)
    assert isinstance(session, Session)
    for increment in increments[1:]:
        longer = session.append(increment.body)
        assert isinstance(longer, Session)
        assert longer.body == session.body + increment.body
        session = longer
    assert session.legend == increments[0].legend
    addenda = [
        line for each in increments if isinstance(each.addendum, str) for line in each.addendum.split("\n")
    ]
    if isinstance(session.addendum, str) and not any(each.state for each in increments):
        assert addenda == session.addendum.split("\n")


@settings(max_examples=150, deadline=None)
@given(CONVERSATIONS)
def test_records_say_what_they_said_and_name_what_they_named(
    conversation: list[tuple[str, int, str]],
) -> None:
    messages = accepted(conversation)
    for message, increment in zip(messages, grown(messages), strict=True):
        before = [record for record in message.records if record.kind != "s"]
        marker, *after = parse(with_body(increment.body)).records
        assert marker.kind == "marker"
        both = list(zip(before, after, strict=True))
        rids = {old.rid.lower(): new.rid or "" for old, new in both if old.rid}
        turns = {old.name: new.name for old, new in both if old.kind == "marker"}
        sources = {key for old in before if old.kind == "ref" for key in old.kv}
        for old, new in both:
            assert (new.kind, new.role) == (old.kind, old.role)
            assert new.rid == (rids[old.rid.lower()] if old.rid else None)
            assert new.m == (turns[old.m] if old.m else None)
            assert new.name == turns.get(old.name, old.name)
            expected = dict(old.kv)
            if old.kind == "ret":
                expected["call"] = rids[old.kv["call"].lower()]
            if old.kind == "evid" and old.kv["src"] not in sources:
                expected["src"] = rids.get(old.kv["src"].lower(), old.kv["src"])
            assert new.kv == expected


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(TEXTS, bodies(), ODD_BODIES), max_size=4))
def test_nothing_raises_and_nothing_swallows_what_comes_behind_it(bodies: list[str]) -> None:
    body: MaintainedBody | None = None
    text = ""
    for source in bodies:
        for message in (parse(source), parse(with_body(source))):
            increment = append(message, body)
            text += increment.body
            body = increment.grown
            last = parse(with_body(f"{text}#msg zz r=u parent=-")).records[-1]
            assert (last.kind, last.name) == ("marker", "zz")
            assert not any(record.kind == "s" for record in parse(with_body(increment.body)).records)


SHAPES = {
    "record_ids": "ack @rid=a{}\n",
    "turns": "#a{}\n",
    "unknown_intents": "x.y{}\n",
    "rows": '#evid[claim,src,conf]\n"{}" f1 0.5\n',
    "results": "#call tool=x @rid=c{0}\n#ret call=c{0} status=ok\n",
}


def seconds(line: str, count: int) -> float:
    """Return the processor time that appending such a message takes, at best of two."""
    message = parse(with_body("".join(line.format(number) for number in range(count))), max_records=10**6)
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        append(message, append(message, None).grown)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_message_and_no_faster(shape: str) -> None:
    assert seconds(SHAPES[shape], 8_000) < max(0.03, 9 * seconds(SHAPES[shape], 2_000))
