"""What of a conversation is quoted in the room that there is for it."""

from __future__ import annotations

import pytest

from pairl.encode.addition import NOTHING_LEFT
from pairl.encode.budget import Budget
from pairl.encode.encoding import Options, encode
from pairl.encode.history import History, Said, Thought
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.quoting.heuristics import Heuristic
from pairl.encode.quoting.quote import Quoting
from pairl.encode.reread import reread
from tests.unit.conversations import LONG, WHOLE, answer, body, chat


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


def test_what_a_model_proposes_is_quoted() -> None:
    options = Options(Budget(share=0.3), 0)
    encoded = encode(
        chat(("user", LONG)), options, quoting=Quoting(propose=lambda *_: ["Anna Berg has the tickets."])
    )
    assert encoded.body == '#u1\n#req content="Anna Berg has the tickets."\n'


def test_a_thought_is_quoted_too() -> None:
    assert body(answer(Thought("The pier is 4.")), Options(Budget(share=1.0), 0)) == (
        '#a1\n#think summary="The pier is 4."\n'
    )


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


def test_another_table_says_what_is_worth_quoting() -> None:
    coffee = (Heuristic("coffee", "this is about the kitchen", "coffee", 9, is_value=True),)
    encoded = encode(chat(("user", LONG)), Options(Budget(share=0.4), 0), quoting=Quoting(heuristics=coffee))
    assert "we had more coffee" in encoded.body
    assert "48.50" not in encoded.body
