"""What the builder writes, what it refuses, and that a refusal says where, what and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from pairl import CannotWrite, MessageBuilder, canonicalize, compute_hash, parse, validate
from pairl.parser import MAX_BYTES, MAX_RECORDS
from pairl.values import write_value

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def begun() -> MessageBuilder:
    return MessageBuilder(id="m1", ts=NOW)


def test_a_message_with_a_record_of_each_kind_is_valid_and_canonical() -> None:
    builder = (
        MessageBuilder(
            id="m4",
            ts=NOW,
            sid="ref:sess:01KQ3V9F8JN5T2W7XRB4D6HM0C",
            root="m1",
            p="m3",
            deps=["m2", "@m2#a1"],
            budget=(Decimal("0.50"), "EUR"),
            limit=(5000, "t"),
        )
        .turn("u")
        .req("Please look at the harbour lights", rid="q1")
        .turn("a")
        .intent("pln", t="lights", s="t", m="!", rid="a1")
        .think("two lamps are out")
        .call("lamps.list", quay="north", broken=True, rid="c1")
        .ret("c1", ok=True, found=2, rid="r1")
        .call("lamps.mend", number=7, rid="c2")
        .ret("c2", ok=False, err='no "spare" lamp')
        .fact(due=date(2026, 3, 9), seen=NOW, share=0.25, turn="u1", rid="f1")
        .ref(report="ref:doc:lamps", first="@m1#a1")
        .evid("the fuse is old", "@m4#r1", Decimal("0.80"))
        .rule(preserve_source_lang=True)
        .cost(Decimal("0.02"), "EUR", model="wren-1")
        .quota("tokens", 5000, used=120)
        .edit("quay/north.txt", 2, "lamps 7 and 9")
        .rpt("Two lamps will be mended", condensed=True)
        .record("lamp", {"rid": "x", "turn": "y"})
        .state("exec", "2/4")
    )
    text = builder.text(with_hash=True)
    lines = text.splitlines()
    assert lines[:10] == [
        "@v 1",
        "@id m4",
        "@sid ref:sess:01KQ3V9F8JN5T2W7XRB4D6HM0C",
        "@ts 2026-03-04T05:06:07Z",
        "@root m1",
        "@p m3",
        "@deps m2,@m2#a1",
        "@budget 0.50EUR",
        "@limit 5000t",
        f"@hash ref:hash:sha256:{compute_hash(builder.message())}",
    ]
    assert lines[11:] == [
        "#u1",
        '#req content="Please look at the harbour lights" @rid=q1',
        "#a2",
        'pln{t=lights,s=t,m="!"} @rid=a1',
        '#think summary="two lamps are out"',
        "#call tool=lamps.list quay=north broken=true @rid=c1",
        "#ret call=c1 status=ok found=2 @rid=r1",
        "#call tool=lamps.mend number=7 @rid=c2",
        '#ret call=c2 status=err err="no \\"spare\\" lamp"',
        "#fact due=2026-03-09 seen=2026-03-04T05:06:07Z share=0.25 @m=u1 @rid=f1",
        '#ref report=ref:doc:lamps first="@m1#a1"',
        '#evid claim="the fuse is old" src="@m4#r1" conf=0.80',
        "#rule preserve_source_lang=true",
        "#cost val=0.02 cur=EUR model=wren-1",
        "#quota type=tokens total=5000 used=120",
        '#edit file=quay/north.txt changes=2 summary="lamps 7 and 9"',
        '#rpt content="Two lamps will be mended" mode=cond',
        "#lamp rid=x turn=y",
        "#s exec:2/4",
    ]
    report = validate(parse(text), strict=True)
    assert report.valid, report.diagnostics
    assert {found.code for found in report.diagnostics} == {"SYN/unknown-record"}
    assert canonicalize(parse(text), for_hash=False) == text


def test_turns_of_named_speakers_follow_the_turn_above_them() -> None:
    text = begun().msg("t1", "harbour_master").msg("t2", "pilot").msg("t3", "cook", "t1").fact(a=1).text()
    assert [record.parent for record in parse(text).records] == ["-", "t1", "t1", None]


def test_turns_are_numbered_through_from_where_one_begins() -> None:
    text = begun().turn("u", 7).fact(a=1).turn("a", 8).fact(b=2).turn("s").fact(c=3).text()
    assert [record.name for record in parse(text).records if record.kind == "marker"] == ["u7", "a8", "s3"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (10**30, "1" + "0" * 30),
        (1e-7, "0.0000001"),
        (1e22, "10000000000000000000000"),
        (0.1 + 0.2, "0.30000000000000004"),
        (5e-324, f"{Decimal('5E-324'):f}"),
        (Decimal("1E+3"), "1000"),
        (Decimal("0.50"), "0.50"),
        (date(2026, 2, 5), "2026-02-05"),
        (datetime(2026, 2, 5, 1, 2, 3, 4000, tzinfo=UTC), "2026-02-05T01:02:03.004000Z"),
        (datetime(2026, 2, 5, tzinfo=timezone(timedelta(hours=-3))), "2026-02-05T00:00:00-03:00"),
    ],
)
def test_typed_values_have_one_text(value: int | float | Decimal | date, text: str) -> None:
    assert write_value(value, "#fact", "a") == text


REFUSED: dict[str, Callable[[MessageBuilder], object]] = {
    "line end": lambda builder: builder.fact(a="one\ntwo"),
    "control character": lambda builder: builder.fact(a="bell\x07"),
    "surrogate": lambda builder: builder.fact(a="\ud800"),
    "backslash": lambda builder: builder.fact(a="C:\\"),
    "finite": lambda builder: builder.fact(a=float("nan")),
    "no finite number": lambda builder: builder.cost(Decimal("Infinity"), "EUR"),
    "at most 400 digits": lambda builder: builder.fact(a=Decimal("1E+1000000")),
    "has at most 400": lambda builder: builder.fact(a=10**400),
    "offset": lambda builder: builder.fact(a=datetime(2026, 1, 1)),  # noqa: DTZ001  # that is what is refused
    "no text in a message": lambda builder: builder.fact(a=None),  # type: ignore[arg-type]
    "no key": lambda builder: builder.fact(Upper=1),
    "32 in a `#fact`": lambda builder: builder.fact(**{"k" * 33: "v"}),
    "at most 64 characters": lambda builder: builder.record("memo", {"k" * 65: "v"}),
    "needs a field": lambda builder: builder.fact(),
    "no record type": lambda builder: builder.record("intent", {"a": 1}),
    "is no record type": lambda builder: builder.record("u1", {"a": 1}),
    "use `turn`": lambda builder: builder.record("s", {"a": 1}),
    "no form of a turn": lambda builder: builder.record("req", {"content": "hi", "mode": "sum"}),
    "no record id": lambda builder: builder.fact(a=1, rid="much_too_long"),
    "no turn's id": lambda builder: builder.fact(a=1, turn="u 1"),
    "another record": lambda builder: builder.fact(a=1, rid="f1").fact(b=1, rid="F1"),
    "no intent's name": lambda builder: builder.intent("Acknowledge"),
    "no single word": lambda builder: builder.state("in progress"),
    "no speaker": lambda builder: builder.turn("bob"),
    "no number": lambda builder: builder.turn("u", -1),
    "no speaker's name": lambda builder: builder.msg("t1", "Bob B"),
    "such a turn": lambda builder: builder.turn("u", 1).turn("u", 1),
    "no `datetime`": lambda _: MessageBuilder(id="m1", ts="2026-01-01"),  # type: ignore[arg-type]
    "not one word": lambda _: MessageBuilder(id="m 1", ts=NOW),
    "spaces and commas": lambda _: MessageBuilder(id="m1", ts=NOW, deps=["m2,m3"]),
    "such as `0.50USD`": lambda _: MessageBuilder(id="m1", ts=NOW, budget=(-1, "USD")),
    "a whole number": lambda _: MessageBuilder(id="m1", ts=NOW, limit=(5, "%")),
    "has no record": lambda builder: builder.text(),
    "are read": lambda builder: builder.fact(a="x" * MAX_BYTES).text(),
    "@deps `m2`: it is no list": lambda _: MessageBuilder(id="m1", ts=NOW, deps="m2"),
    "@deps `7`: it is no list": lambda _: MessageBuilder(id="m1", ts=NOW, deps=7),  # type: ignore[arg-type]
    "@budget `0.50EUR`: it is no pair": lambda _: MessageBuilder(
        id="m1",
        ts=NOW,
        budget="0.50EUR",  # type: ignore[arg-type]
    ),
    "@budget `0.5`: it is no pair": lambda _: MessageBuilder(
        id="m1",
        ts=NOW,
        budget=0.5,  # type: ignore[arg-type]
    ),
    "@limit `5000t`: it is no pair": lambda _: MessageBuilder(
        id="m1",
        ts=NOW,
        limit="5000t",  # type: ignore[arg-type]
    ),
    "#ret ok=`no`: it is neither": lambda builder: builder.ret("c1", ok="no"),  # type: ignore[arg-type]
    "#req condensed=`no`: it is neither": lambda builder: builder.req(
        "hi",
        condensed="no",  # type: ignore[arg-type]
    ),
    "#call tool=`sort`: the key is given twice": lambda builder: builder.call("list", tool="sort"),
    "#ret status=`err`: the key is given twice": lambda builder: builder.ret("c1", ok=True, status="err"),
    "#ret call=`c2`: the key is given twice": lambda builder: builder.ret("c1", ok=True, call="c2"),
    "#cost val: a `NoneType` has": lambda builder: builder.cost(None, "EUR"),  # type: ignore[arg-type]
    "#quota total: a `NoneType` has": lambda builder: builder.quota("tokens", None),  # type: ignore[arg-type]
    "#edit file: a `NoneType` has": lambda builder: builder.edit(None, 1),  # type: ignore[arg-type]
    "#fact a: a `list` has": lambda builder: builder.fact(a=[1]),  # type: ignore[arg-type]
    "#fact @rid=`5`: it is no record id": lambda builder: builder.fact(a=1, rid=5),  # type: ignore[arg-type]
    "#fact `A b`: it is no key": lambda builder: builder.record("fact", {"A b": 1}),
    "message m1: it has no record": lambda builder: builder.text(),
}


@pytest.mark.parametrize("words", REFUSED)
def test_decision_10_and_11_what_cannot_be_carried_is_refused(words: str) -> None:
    with pytest.raises(CannotWrite) as refusal:
        REFUSED[words](begun())
    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert refusal.value.where
    assert refusal.value.advice


def test_a_refusal_names_record_key_and_value() -> None:
    with pytest.raises(CannotWrite) as refusal:
        begun().call("shell", rid="c1", command="ls\n" + "x" * 200)
    fault = refusal.value
    assert (fault.where, fault.key) == ("#call", "command")
    assert fault.value.startswith("ls\\nxxx")
    assert len(fault.value) < 80
    assert str(fault).startswith("#call command=`ls\\nxxx")


def test_a_refused_record_leaves_the_message_as_it_was() -> None:
    builder = begun().fact(a=1, rid="f1")
    before = builder.text()
    with pytest.raises(CannotWrite):
        builder.fact(b="\n", rid="f2")
    with pytest.raises(CannotWrite):
        builder.fact(b=1, rid="f1")
    assert builder.text() == before
    assert "@rid=f2" in builder.fact(b=1, rid="f2").text()


def test_decision_17_a_message_has_at_most_so_many_records() -> None:
    builder = begun()
    for number in range(MAX_RECORDS):
        builder.fact(a=number)
    assert validate(builder.message(), strict=True).valid
    with pytest.raises(CannotWrite, match="1,000 records"):
        builder.fact(a=1)
