"""A conversation as a body: turns, speakers, tools, and what is remembered."""

from __future__ import annotations

import msgspec
import pytest

from pairl import Session, validate
from pairl.encode.encoding import BodyState, Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Turn, Unknown
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.messages import as_messages
from pairl.encode.reread import reread
from tests.skeletons import skeleton
from tests.unit.conversations import NOW, WHOLE, answer, body, chat


def test_prose_is_carried_whole() -> None:
    history = chat(("user", "Which  pier?\nAnd when?"), ("assistant", 'Pier "4".'), ("system", "Be brief."))
    assert body(history) == (
        '#u1\n#req content="Which pier? And when?"\n'
        '#a2\n#rpt content="Pier \\"4\\"."\n'
        '#s3\n#rpt content="Be brief."\n'
    )


def test_the_system_prompt_at_the_head_stands_beside_the_body() -> None:
    encoded = encode(chat(("system", "Be kind."), ("system", "Be brief."), ("user", "Hello.")), WHOLE)
    assert encoded.system == ("Be kind.", "Be brief.")
    assert encoded.body == "#u1\n#req content=Hello.\n"
    assert encode(chat(("system", "Be kind.")), WHOLE).body == ""


def test_a_turn_without_a_text_has_a_marker() -> None:
    assert body(chat(("user", ""), ("assistant", " \n"))) == "#u1\n#a2\n"


def test_three_speakers_have_names() -> None:
    builder = HistoryBuilder("x")
    for role, name in (("user", "Anna K."), ("assistant", "critic"), ("assistant", "Anna K."), ("user", "u")):
        builder.turn(role, speaker=name)  # type: ignore[arg-type]
    builder.turn("assistant", answers=0)
    assert body(builder.history()).splitlines() == [
        "#msg t1 r=anna_k parent=-",
        '#fact speaker_anna_k="Anna K." role_anna_k=user',
        "#msg t2 r=critic parent=t1",
        "#msg t3 r=anna_k_2 parent=t2",
        '#fact speaker_anna_k_2="Anna K."',
        "#msg t4 r=u_2 parent=t3",
        "#fact speaker_u_2=u role_u_2=user",
        "#msg t5 r=assistant parent=t1",
    ]


def test_two_speakers_have_letters_and_keep_their_names() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user", speaker="Anna")
    builder.turn("assistant", speaker="assistant")
    builder.turn("user", speaker="Anna")
    assert body(builder.history()) == "#u1\n#fact speaker_u=Anna\n#a2\n#u3\n"


def test_a_third_speaker_who_comes_later_changes_nothing_before() -> None:
    options = Options(window=0, is_open=True)
    builder = HistoryBuilder("x")
    builder.turn("user", speaker="Anna")
    builder.turn("assistant")
    first = encode(builder.history(), options)
    builder.turn("user", speaker="Bo")
    builder.turn("assistant")
    second = encode(builder.history(), before=first.state)
    assert first.body + second.body == encode(builder.history(), options).body
    assert second.body.splitlines() == [
        "#msg t3 r=bo parent=a2",
        "#fact speaker_bo=Bo role_bo=user",
        "#msg t4 r=assistant parent=t3",
    ]
    assert skeleton(reread(first.body + second.body)) == skeleton(builder.history())
    builder.turn("user", answers=1)
    third = encode(builder.history(), before=second.state)
    assert third.body == "#msg t5 r=user parent=a2\n"
    messages = [*as_messages(first, id="m1", ts=NOW), *as_messages(second, id="m2", ts=NOW)]
    messages += as_messages(third, id="m3", ts=NOW)
    assert [marker.name for marker in messages[-1].records if marker.kind == "marker"] == ["a2", "t5"]
    assert skeleton(reread(messages)) == skeleton(builder.history())
    for message in messages:
        assert validate(message, strict=True, source=()).diagnostics == []


def test_decision_34_a_summary_is_marked_as_one_and_its_values_are_facts() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    builder.say("They agreed on 2026-07-02, 48.50 EUR.", is_summary=True)
    lines = body(builder.history()).splitlines()
    assert lines[1] == '#req content="They agreed on 2026-07-02, 48.50 EUR." mode=cond'
    assert lines[2].startswith("#fact value1=2026-07-02 value2=")
    assert reread(encode(builder.history(), WHOLE).body).turns[0].parts[0] == Said(
        "They agreed on 2026-07-02, 48.50 EUR.", is_summary=True
    )


def test_decision_30_a_result_without_a_call_is_a_fact() -> None:
    history = answer(Result(None, "error: too late"), Call(1, "Bash", {}), Result(7, "x"))
    assert body(history).splitlines() == [
        "#a1",
        '#fact orphan_result=err err="error: too late"',
        "#call tool=Bash @rid=c1",
        "#fact orphan_result=ok",
    ]


def test_an_item_of_an_unknown_kind_is_told() -> None:
    assert body(answer(Unknown("telepathy", "{}"))) == "#a1\n#fact unknown_item=telepathy\n"


def test_decision_32_calls_are_numbered_through_whatever_the_history_says() -> None:
    calls = (Call(5, "A", {}), Result(5, ""), Call(5, "", {}), Result(5, ""))
    history = History("x", (Turn("assistant", calls), Turn("assistant", calls, None, 0)))
    rids = [line.rpartition("@rid=")[2] for line in body(history).splitlines() if "@rid=" in line]
    assert rids == ["c1", "c2", "c3", "c4"]


def test_decision_39_what_is_remembered_fits_in_json_and_is_enough() -> None:
    history = chat(("user", "Which pier?"), ("assistant", "Pier 4."), ("user", "And when?"))
    first = encode(History("x", history.turns[:1]), WHOLE)
    state = msgspec.json.decode(msgspec.json.encode(first.state), type=BodyState)
    second = encode(history, before=state)
    session = Session.begin(first.body)
    assert isinstance(session, Session)
    assert isinstance(session.append(second.body), Session)
    assert encode(history, before=second.state).body == ""


def test_a_conversation_that_changed_is_no_continuation() -> None:
    state = encode(chat(("user", "Which pier?"), ("assistant", "Pier 4.")), WHOLE).state
    with pytest.raises(HistoryChanged):
        encode(chat(("user", "Which pier?"), ("assistant", "Pier 5.")), before=state)
    with pytest.raises(HistoryChanged):
        encode(chat(("user", "Which pier?")), before=state)


def test_progress_is_told_for_each_turn() -> None:
    told: list[int] = []
    encode(chat(("system", "x"), ("user", "a"), ("assistant", "b")), WHOLE, progress=told.append)
    assert told == [2, 3]


def test_what_is_no_conversation_is_passed_over_when_it_is_read_again() -> None:
    assert reread("").turns == ()
    back = reread("wrn{t=x}\n#call tool=A @rid=x9\n#u1\n#req content=a @m=z\n#nothing\n#s done\n---\n")
    assert [turn.role for turn in back.turns] == ["assistant", "user"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Call(1, "moor", {"berth": 4}), Call(1, "moor", {"berth": 5})),
        (Call(1, "moor", {"berth": True}), Call(1, "moor", {"berth": 1})),
        (Call(1, "moor", {"berth": None}), Call(1, "moor", {"berth": False})),
        (Call(1, "moor", {"berth": ["a"]}), Call(1, "moor", {"berth": "a"})),
        (Call(1, "moor", {"berth": "a\0b"}), Call(1, "moor", {"berth": "a", "b": ""})),
        (Said("Moor at 4."), Said("Moor at 4.", is_summary=True)),
    ],
)
def test_every_change_of_what_was_said_or_called_is_refused(one: Part, other: Part) -> None:
    state = encode(answer(one), WHOLE).state
    assert encode(answer(one), before=state).body == ""
    with pytest.raises(HistoryChanged):
        encode(answer(other), before=state)
