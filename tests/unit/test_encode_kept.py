"""What a body keeps of a conversation, counted: bodies here are written by hand."""

from __future__ import annotations

from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Result, Said, Thought, Turn
from pairl.encode.kept import ERRORS, EXITS, PATHS, Share, kept

ASKED = Turn("user", (Said("On 4 March we paid Ola Brandt 300 EUR for two pumps. Ola Brandt called."),))
ANSWERED = Turn("assistant", (Said("300 EUR is right."),), answers=0)
PUMPS = Turn(
    "assistant",
    (
        Call(1, "Bash", {"command": "make -C /srv/pumps test"}),
        Result(1, "pump 17 ok\nError: valve stuck\nError: valve stuck\nExit code 2\n./pumps/log.txt"),
    ),
)


def test_a_value_counts_once_in_a_turn_and_is_kept_where_it_is_written() -> None:
    found = kept([ASKED], '#u1\n#req content="On 4 March we paid Ola Brandt"\n')
    assert found.said == {"dates": Share(1, 1), "names": Share(1, 1), "numbers": Share(0, 1)}
    assert found.tools == {}


def test_a_value_is_not_kept_by_another_turn() -> None:
    body = '#u1\n#req content="On 4 March"\n#a2\n#rpt content="300 EUR is right."\n'
    assert kept([ASKED, ANSWERED], body).said["numbers"] == Share(1, 2)


def test_a_part_of_a_value_is_not_the_value() -> None:
    found = kept([ASKED], '#u1\n#req content="14 March [...] Ola [...] 1300 EUR [...] 300"\n')
    assert {share.kept for share in found.said.values()} == {0}


def test_a_name_is_kept_at_the_beginning_of_a_sentence_and_in_quotation_marks() -> None:
    turn = Turn("user", (Said("I asked Mara. The ship is called Petrel."),))
    found = kept([turn], '#u1\n#req content="Mara\'s \\"Petrel\\""\n')
    assert found.said["names"] == Share(2, 2)


def test_what_tools_told_is_kept_anywhere_in_the_body_and_counts_once() -> None:
    body = (
        "#a1\n#call tool=Bash @rid=c1\n"
        '#ret call=c1 status=err exit=2 err="Error: valve stuck" paths="./pumps/log.txt"\n'
        "#u2\n#fact place=/srv/pumps\n"
    )
    found = kept([PUMPS, Turn("user", ())], body)
    assert found.tools[PATHS] == Share(2, 2)
    assert found.tools[ERRORS] == Share(1, 1)
    assert found.tools[EXITS] == Share(1, 1)
    assert found.tools["numbers"] == Share(1, 2)  # `2` stands there, `17` does not
    assert found.said == {}


def test_half_of_an_error_line_is_lost() -> None:
    body = '#a1\n#call tool=Bash @rid=c1\n#ret call=c1 status=err exit=3 err="Error: valve"\n'
    found = kept([PUMPS], body)
    assert (found.tools[ERRORS], found.tools[EXITS]) == (Share(0, 1), Share(0, 1))


def test_what_an_earlier_body_told_does_not_count() -> None:
    again = Turn("assistant", (Call(2, "Read", {"path": "/srv/pumps"}), Result(2, "see /srv/new")))
    body = '#a2\n#call tool=Read @rid=c2\n#ret call=c2 status=ok paths="/srv/new"\n'
    assert kept([again], body).tools[PATHS] == Share(1, 2)
    assert kept([again], body, earlier=[PUMPS]).tools[PATHS] == Share(1, 1)


def test_thoughts_are_nobodys_words() -> None:
    assert kept([Turn("assistant", (Thought("They paid 300 EUR."),))], "#a1\n").said == {}


def test_a_turn_that_the_body_does_not_have_is_lost() -> None:
    assert kept([ASKED, ANSWERED], "").said["numbers"] == Share(0, 2)


def test_all_is_kept_of_what_is_quoted_whole() -> None:
    history = History("chat", (ASKED, ANSWERED))
    found = kept(history.turns, encode(history, Options(window=0)).body)
    assert found.said == {"dates": Share(1, 1), "names": Share(1, 1), "numbers": Share(2, 2)}
