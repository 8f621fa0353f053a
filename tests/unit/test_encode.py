"""A conversation as a body: turns, speakers, what is quoted, and what is remembered."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from pairl import CannotWrite, Session, validate
from pairl.encode.addition import NOTHING_LEFT
from pairl.encode.budget import Budget
from pairl.encode.encoding import BodyState, Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Thought, Turn, Unknown
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.messages import as_messages, judged
from pairl.encode.quoting.heuristics import Heuristic
from pairl.encode.quoting.quote import Quoting
from pairl.encode.reread import reread
from pairl.quotation import SourceTurn, normalise
from tests.skeletons import skeleton

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
WHOLE = Options(window=0)
LONG = (
    "The ferry leaves pier 4 at 09:15 on 2026-07-02. It is a fine ship and everybody likes it. Some people"
    " think that ships are better than trains, and others do not. Anna Berg has the tickets. We had coffee"
    " before we talked about it, and then we had more coffee. The crossing costs 48.50 EUR for each of us."
)


def chat(*turns: tuple[str, str]) -> History:
    builder = HistoryBuilder("x")
    for role, text in turns:
        builder.turn(role)  # type: ignore[arg-type]  # the tests name roles only
        builder.say(text)
    return builder.history()


def answer(*parts: Part) -> History:
    return History("x", (Turn("assistant", parts),))


def body(history: History, options: Options = WHOLE) -> str:
    encoded = encode(history, options)
    for message in as_messages(encoded, id="m1", ts=NOW):
        report = validate(message, strict=True, source=encoded.source)
        assert [str(found) for found in report.diagnostics] == []
    assert skeleton(reread(encoded.body)) == skeleton(history)
    return encoded.body


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


def test_a_turn_of_which_nothing_is_left_is_told() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user", speaker="Anna")
    builder.say("\0")
    builder.turn("assistant")
    builder.think("\0")
    builder.turn("user", speaker="Anna")
    builder.say(" ")
    encoded = encode(builder.history(), WHOLE)
    assert encoded.body == "#u1\n#fact speaker_u=Anna\n#a2\n#u3\n"
    assert encoded.report.dropped == {"texts left out": 1, "thoughts left out": 1, NOTHING_LEFT: 2}


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


@pytest.mark.parametrize(
    ("answered", "markers"),
    [([2, 0], ["u1", "a2", "u3", "a4", "t5", "t6"]), ([4, 1], ["a2", "a4", "t5", "t6"])],
)
def test_a_turn_that_is_answered_again_is_declared_in_the_order_of_turns(
    answered: list[int], markers: list[str]
) -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    builder.turn("assistant")
    builder.call("look", {}, "k1")
    builder.turn("user")
    first = encode(builder.history(), Options(window=0))
    builder.result("k1", "17")
    builder.turn("assistant")
    for place in answered:
        builder.turn("assistant", speaker="clerk", answers=place)
    second = encode(builder.history(), before=first.state)
    (message,) = as_messages(second, id="m2", ts=NOW)
    assert [record.name for record in message.records if record.kind == "marker"] == markers
    assert validate(message, strict=True, source=()).diagnostics == []
    messages = [*as_messages(first, id="m1", ts=NOW), message]
    assert skeleton(reread(messages)) == skeleton(builder.history())


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


def test_where_tools_are_called_requests_stay_and_the_rest_makes_room() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    builder.say("Please make the tables again for all of 2025.")
    builder.turn("assistant")
    builder.think(LONG)
    builder.say(LONG)
    builder.call("Bash", {"command": "make tables"}, "a")
    builder.result("a", "wrote /out/t.csv\n" * 40)
    text = body(builder.history())
    assert '#req content="Please make the tables again for all of 2025."' in text
    assert '#call tool=Bash command="make tables" @rid=c1' in text
    assert "#ret call=c1 status=ok lines=40 paths=/out/t.csv" in text
    assert LONG not in text
    whole = body(builder.history(), Options(Budget(share=1.0), 0))
    assert whole.count(LONG) == 2


def test_where_tools_are_called_each_path_stands_in_the_body_once() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    builder.say("Look at /a/b.py. " + LONG + LONG + "\nAnd then there is src/c.py, too.")
    builder.turn("assistant")
    builder.say(LONG + " It is in /a/b.py or ~/d.")
    builder.call("Bash", {"command": "cat src/c.py /a/b.py"}, "a")
    builder.result("a", "see /a/b.py and /e/f")
    text = body(builder.history())
    assert all(path in text for path in ("/a/b.py", "src/c.py"))
    assert text.count("~/d") == 1
    assert "#ret call=c1 status=ok paths=/e/f" in text
    assert [text.count(path) for path in ("~/d", "/e/f")] == [1, 1]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_share_is_one_of_each_text(share: float) -> None:
    encoded = encode(chat(("user", LONG), ("assistant", "No.")), Options(Budget(share=share), 0))
    first, second = (message for message in reread(encoded.body).turns)
    assert isinstance(first.parts[0], Said)
    assert 0 < len(first.parts[0].text) <= share * len(LONG)
    assert second.parts == (Said("No."),)
    assert encoded.report.dropped == {"texts quoted in part": 1}


def test_an_amount_is_one_of_the_whole_body() -> None:
    history = chat(*[("user", LONG), ("assistant", LONG)] * 5)
    assert 600 < len(encode(history, Options(Budget(characters=1_000), 0)).body) <= 1_000
    counted = encode(history, Options(Budget(tokens=200), 0), quoting=Quoting(lambda text: len(text.split())))
    assert 140 < len(counted.body.split()) <= 200


def test_the_share_of_an_amount_stays_where_a_conversation_goes_on() -> None:
    history = chat(*[("user", LONG), ("assistant", LONG)] * 2)
    first = encode(History("x", history.turns[:2]), Options(Budget(characters=400), 0))
    second = encode(history, before=first.state)
    assert second.state.allowance == first.state.allowance
    assert abs(len(second.body) - len(first.body)) < 40


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


def test_what_a_model_proposes_is_quoted() -> None:
    options = Options(Budget(share=0.3), 0)
    encoded = encode(
        chat(("user", LONG)), options, quoting=Quoting(propose=lambda *_: ["Anna Berg has the tickets."])
    )
    assert encoded.body == '#u1\n#req content="Anna Berg has the tickets."\n'


def test_decision_17_a_long_body_is_cut_between_turns() -> None:
    history = chat(*[("user", "Which pier?"), ("assistant", "Pier 4.")] * 600)
    messages = as_messages(encode(history, WHOLE), id="m1", ts=NOW, p="m0")
    assert [len(message.records) for message in messages] == [998, 998, 404]
    assert [message.headers["p"] for message in messages] == ["m0", "m1", "m1n2"]
    assert skeleton(reread(messages)) == skeleton(history)


def test_a_long_turn_is_cut_between_calls() -> None:
    parts: list[Part] = [Said("I look at all of them.")]
    parts += [Call(number, "Read", {"file_path": f"/f{number}"}) for number in range(1, 1_201)]
    parts += [Result(number, "fine") for number in range(1, 1_201)]
    history = History("x", (Turn("user", (), "Anna"), Turn("user", tuple(parts), "Bo", 0)))
    encoded = encode(history, WHOLE)
    messages = as_messages(encoded, id="m1", ts=NOW)
    assert len(messages) == 3
    for message in messages:
        assert validate(message, strict=True, source=encoded.source).diagnostics == []
    assert skeleton(reread(messages)) == skeleton(history)


def test_a_long_text_without_a_blank_is_quoted_as_far_as_a_message_holds_it() -> None:
    history = chat(("user", "\u4e00\u4e8c\u3002" * 120_000), ("assistant", '"' * 300_000))
    encoded = encode(history, WHOLE)
    assert encoded.report.dropped == {NOTHING_LEFT: 1, "texts left out": 1, "texts quoted in part": 1}
    (message,) = as_messages(encoded, id="m1", ts=NOW)
    assert validate(message, strict=True).valid


def test_a_longer_text_becomes_several_quotations_of_its_turn() -> None:
    text = "".join(f'Line {number} of a long list, with \u4e00 and "quotes".\n' for number in range(30_000))
    encoded = encode(chat(("user", text), ("assistant", "Thanks.")), WHOLE)
    assert encoded.report.dropped == {}
    messages = as_messages(encoded, id="m1", ts=NOW)
    assert len(messages) > 1
    for message, report in judged(messages, [SourceTurn("u1", text), SourceTurn("a2", "Thanks.")]):
        assert report.diagnostics == [], message.msg_id
    back = reread(messages)
    assert [turn.role for turn in back.turns] == ["user", "assistant"]
    assert (
        " ".join(part.text for part in back.turns[0].parts if isinstance(part, Said))
        == normalise(text).strip()
    )


def test_headers_are_refused_as_a_writer_does() -> None:
    with pytest.raises(CannotWrite):
        as_messages(encode(chat(("user", "x")), WHOLE), id="m 1", ts=NOW)
    assert as_messages(encode(chat(), WHOLE), id="m1", ts=NOW) == []


def test_a_thought_is_quoted_too() -> None:
    assert body(answer(Thought("The pier is 4.")), Options(Budget(share=1.0), 0)) == (
        '#a1\n#think summary="The pier is 4."\n'
    )


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


def test_the_answer_that_all_before_it_was_for_is_quoted() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    builder.say("Why does pump 3 stand still?")
    for _ in range(20):
        builder.turn("assistant")
        builder.call("run", {"command": "tail pump.log"}, "a")
        builder.result("a", "21:40 stopped by hand")
    builder.turn("assistant")
    builder.say("Somebody stopped pump 3 by hand at 21:40. " + LONG)
    assert "hand at 21:40." in body(builder.history()).rpartition("#rpt")[2]


def test_a_sentence_that_must_not_be_cut_is_quoted_where_nothing_fits() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    rule = "You must not touch the 3 servers in rack 7 before 15 June, whatever Maria or the night shift say."
    builder.say(rule)
    assert f'#req content="{rule}"' in encode(builder.history(), Options(Budget(share=0.3), window=0)).body


def test_each_message_is_judged_with_the_turns_that_it_quotes() -> None:
    encoded = encode(chat(*[("user", f"Is pier {number} lit?") for number in range(3)]), WHOLE)
    messages = as_messages(encoded, id="m1", ts=NOW)
    assert [report.valid for _, report in judged(messages, encoded.source)] == [True]
    forged = [SourceTurn(turn.id, turn.text.replace("pier 1", "pier 9")) for turn in encoded.source]
    (found,) = [report for _, report in judged(messages, forged)]
    assert [diagnostic.code for diagnostic in found.diagnostics] == ["V15/not-in-source"]


def test_another_table_says_what_is_worth_quoting() -> None:
    coffee = (Heuristic("coffee", "this is about the kitchen", "coffee", 9, is_value=True),)
    encoded = encode(chat(("user", LONG)), Options(Budget(share=0.4), 0), quoting=Quoting(heuristics=coffee))
    assert "we had more coffee" in encoded.body
    assert "48.50" not in encoded.body
