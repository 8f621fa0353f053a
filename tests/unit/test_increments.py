"""What a message adds to a maintained body: names, turns, what is left out, legend and addenda."""

from __future__ import annotations

import pytest

from pairl import parse
from pairl.increment import MOST_TURNS, Increment, append
from pairl.legend import FIDELITY, FullSpecification, Legend


def message_text(name: str, body: str, parents: str = "") -> str:
    """Return a message with this id and body, and further headers."""
    return f"@v 1\n@id {name}\n@ts 2026-04-02T08:15:00Z\n{parents}\n{body}\n"


def added(*messages: str, speaker: str = "unknown") -> list[Increment]:
    """Return what messages add, one after the other."""
    increments: list[Increment] = []
    for text in messages:
        before = increments[-1].grown if increments else None
        increments.append(append(parse(text), before, speaker))
    return increments


def bodies(*messages: str) -> str:
    """Return the body that messages grow."""
    return "".join(each.body for each in added(*messages))


def body_of(name: str, body: str) -> str:
    """Return what a first message adds, without its turn marker."""
    return bodies(message_text(name, body)).partition("\n")[2]


def test_a_turn_says_which_message_it_is_and_which_one_it_answers() -> None:
    body = bodies(
        message_text("m1", "#fact a=1"),
        message_text("m2", "#fact a=2", "@p m1\n"),
        message_text("m3", "#fact a=3", "@deps m9,m2\n"),
        message_text("m4", "#fact a=4", "@p m9\n"),
    )
    assert body == (
        "#msg m1 r=unknown parent=-\n#fact a=1\n"
        "#msg m2 r=unknown parent=m1\n#fact a=2\n"
        "#msg m3 r=unknown parent=m2\n#fact a=3\n"
        "#msg m4 r=unknown parent=-\n#fact a=4\n"
    )


@pytest.mark.parametrize(
    ("speaker", "said"),
    [("planner", "planner"), ("Ada Lovelace", "unknown"), ("", "unknown"), ("x" * 65, "unknown")],
)
def test_a_speaker_who_was_named_is_named(speaker: str, said: str) -> None:
    (increment,) = added(message_text("m1", "#fact a=1"), speaker=speaker)
    assert increment.body.startswith(f"#msg m1 r={said} parent=-\n")


def test_the_last_turns_that_spoke_or_were_answered_can_be_answered() -> None:
    root = message_text("m0", "ack")
    fan_out = [message_text(f"m{number}", "ack", "@p m0\n") for number in range(1, MOST_TURNS + 9)]
    last = message_text("z1", "ack", "@p m0\n"), message_text("z2", "ack", "@p m1\n")
    *_, answer, too_late = added(root, *fan_out, *last)
    assert answer.body.startswith("#msg z1 r=unknown parent=m0\n")
    assert too_late.body.startswith("#msg z2 r=unknown parent=-\n")
    assert len(too_late.grown.turns) == MOST_TURNS


@pytest.mark.parametrize(
    ("name", "rid", "turn", "new"),
    [
        ("m3", "f1", "m3", "m3f1"),
        ("m3", "F1", "m3", "m3f1"),
        ("step12", "fact1", "step12", "1fact1"),
        ("plan", "f1", "plan", "1f1"),
        ("M3", "f1", "M3", "1f1"),
        ("m3", "1f", "m3", "1"),
        ("m3", "abcdefgh", "m3", "2"),
        ("3m", "f1", "1", "1f1"),
        ("order-1", "f1", "1", "1f1"),
        ("m3", "f-1", "m3", "1"),
    ],
)
def test_decision_38_record_ids_are_new_in_the_whole_body(name: str, rid: str, turn: str, new: str) -> None:
    assert bodies(message_text(name, f"#fact a=1 @rid={rid}")) == (
        f"#msg {turn} r=unknown parent=-\n#fact a=1 @rid={new}\n"
    )


def test_numbers_are_counted_through_the_session() -> None:
    one, two = (message_text(name, "#fact a=1 @rid=f1\n#fact b=2 @rid=2") for name in ("plan", "review"))
    assert bodies(one, two) == (
        "#msg plan r=unknown parent=-\n#fact a=1 @rid=1f1\n#fact b=2 @rid=2\n"
        "#msg review r=unknown parent=-\n#fact a=1 @rid=3f1\n#fact b=2 @rid=4\n"
    )


def test_turns_of_a_message_follow_its_own_and_bind_the_same_records() -> None:
    inner = "#u1\n#fact a=1\n#a2\n#fact b=2 @m=u1\n#fact c=3"
    assert body_of("m1", inner) == (
        "#msg 1u1 r=u parent=m1\n#fact a=1\n#msg 1a2 r=a parent=1u1\n#fact b=2 @m=1u1\n#fact c=3\n"
    )
    named = "#msg t1 r=ana parent=-\n#fact a=1\n#msg t2 r=ben parent=t1\n#fact b=2 @m=t1"
    assert body_of("m1", named) == (
        "#msg 1t1 r=ana parent=m1\n#fact a=1\n#msg 1t2 r=ben parent=1t1\n#fact b=2 @m=1t1\n"
    )


def test_a_binding_to_a_turn_that_is_not_there_is_left_out_and_one_to_a_message_stays() -> None:
    first, second = message_text("m1", "ack"), message_text("m2", "#fact a=1 @m=m1\n#fact b=2 @m=u7")
    assert bodies(first, second).endswith("parent=-\n#fact a=1 @m=m1\n#fact b=2\n")


def test_what_names_a_record_of_the_message_follows_it() -> None:
    calls = '#call tool=x @rid=c1\n#ret call=C1 status=ok @rid=r1\n#evid claim="c" src=r1 conf=1'
    assert body_of("m1", calls) == (
        "#call tool=x @rid=m1c1\n#ret call=m1c1 status=ok @rid=m1r1\n#evid claim=c src=m1r1 conf=1\n"
    )
    source = '#ref r1=ref:doc:x @rid=r1\n#evid claim="c" src=r1 conf=1'
    assert body_of("m1", source) == "#ref r1=ref:doc:x @rid=m1r1\n#evid claim=c src=r1 conf=1\n"
    assert body_of("m1", "#ret call=c9 status=ok") == "#ret call=c9 status=ok\n"


def test_references_and_quoted_text_stay_as_they_came() -> None:
    body = '#ref up=@m2#f1 @rid=f1\n#fact said="@m2#f1 @rid=f1 call=f1"\n'
    assert body_of("m1", body) == body.replace("1 @rid=f1\n", "1 @rid=m1f1\n", 1)


def test_blocks_stay_blocks_and_what_follows_them_is_no_row() -> None:
    block = "#cost[val,cur]\n1 EUR\n2 USD @rid=k1"
    body = bodies(message_text("m1", block), message_text("m2", "ack"))
    assert body.endswith(f"{block.replace('k1', 'm1k1')}\n#msg m2 r=unknown parent=-\nack\n")


def test_decision_39_the_state_rides_behind_the_body_and_is_explained_there() -> None:
    first, second = added(
        message_text("m1", "#fact a=1\n#s plan:1/2"), message_text("m2", "#s exec:1/3\n#s done\n#fact b=2")
    )
    assert "#s" not in first.body + second.body
    assert (first.state, second.state) == ("#s plan:1/2", "#s done")
    assert isinstance(first.addendum, str)
    assert first.addendum.startswith("#s phase:progress — ")
    assert second.addendum is None
    assert isinstance(first.legend, Legend)
    assert "#s phase" not in first.legend.text


def test_decision_38_the_first_message_makes_the_legend_and_later_ones_addenda() -> None:
    first, second, third = added(
        message_text("m1", "req{t=move}"), message_text("m2", "wrn{t=x,m=!}"), message_text("m3", "wrn{m=!}")
    )
    assert isinstance(first.legend, Legend)
    assert first.legend.text.endswith(f"\n{FIDELITY}")
    assert second.legend is third.legend is None
    assert isinstance(second.addendum, str)
    assert [line.split(" ")[1:3] for line in second.addendum.split("\n")] == [
        ["wrn", "warns"],
        ["parameter", "m"],
    ]
    assert third.addendum is None


def test_decision_38_what_nothing_explains_takes_the_full_specification_for_good() -> None:
    first, second, third = added(
        message_text("m1", "ack"),
        message_text("m2", "#memo a=1\nwrn{}"),
        message_text("m3", "thx\n#memo b=2"),
    )
    assert isinstance(first.legend, Legend)
    assert isinstance(second.addendum, FullSpecification)
    assert list(map(str, second.addendum.unexplained)) == ["record type `#memo`"]
    assert third.addendum is None
    begun, later = added(message_text("m1", "#memo a=1"), message_text("m2", "thx"))
    assert isinstance(begun.legend, FullSpecification)
    assert begun.addendum is later.legend is later.addendum is None


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        pytest.param(">>>\n#u1 x", ">>>\n#u1 x\n<<<\n", id="open_tool_output_is_closed"),
        pytest.param("ack\n---\n#u1\n#fact a=1", "ack\n", id="what_follows_the_end_is_no_part_of_it"),
        pytest.param(">>>\n---\n<<<\nack", ">>>\n---\n<<<\nack{}\n", id="an_end_inside_tool_output_is_none"),
        pytest.param("hello there @rid=f1", "hello there @rid=f1\n", id="free_text_stands_as_it_came"),
        pytest.param("#s done", "", id="a_state_by_itself"),
    ],
)
def test_what_loose_readers_accept_leaves_the_body_readable(body: str, lines: str) -> None:
    assert body_of("m1", body) == lines
