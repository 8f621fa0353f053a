"""Edits in a row, results that came before, and the window that is left alone."""

from __future__ import annotations

from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Thought, Turn
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.tools.chain import Edits, aggregated, edit_of, end_of_body
from pairl.encode.tools.results import read_result

LONG = "The file was read, and here is what it says about the tides: nothing."


def edit(number: int, file: str = "/a.py", text: str = "done") -> list[Part]:
    return [Call(number, "Edit", {"file_path": file, "old_string": "x"}), Result(number, text)]


def replaced(*parts: Part) -> dict[int, Edits | None]:
    return aggregated(
        parts, {place: read_result(part) for place, part in enumerate(parts) if isinstance(part, Result)}
    )


def body(*turns: tuple[Part, ...]) -> list[str]:
    history = History(
        "x",
        tuple(
            Turn("assistant", parts, None, index - 1 if index else None) for index, parts in enumerate(turns)
        ),
    )
    return encode(history, Options(window=0)).body.splitlines()


def test_which_calls_edit_what() -> None:
    assert edit_of(Call(1, "Write", {"file_path": "/a"})) == ("/a", 1)
    assert edit_of(Call(1, "MultiEdit", {"file_path": "/a", "edits": [{}, {}, {}]})) == ("/a", 3)
    assert edit_of(Call(1, "str_replace_editor", {"command": "insert", "path": "/a"})) == ("/a", 1)
    assert edit_of(Call(1, "str_replace_editor", {"command": "view", "path": "/a"})) is None
    assert edit_of(Call(1, "Read", {"file_path": "/a"})) is None
    assert edit_of(Call(1, "Edit", {"file_path": ["/a"]})) is None
    assert edit_of(Call(1, "Edit", {})) is None


def test_edits_of_a_file_in_a_row_are_told_as_one() -> None:
    assert body((*edit(1), *edit(2), *edit(3), *edit(4, "/b.py"))) == [
        "#a1",
        "#edit file=/a.py changes=3",
        "#call tool=Edit file_path=/b.py old_string=x @rid=c4",
        "#ret call=c4 status=ok",
    ]


def test_edits_that_are_answered_together_are_told_behind_the_last_answer() -> None:
    one, two = edit(1), edit(2)
    assert replaced(one[0], two[0], two[1], one[1]) == {
        0: None,
        1: None,
        2: None,
        3: Edits("/a.py", 2, (0, 1, 2, 3)),
    }


def test_whatever_stands_between_edits_keeps_them_apart() -> None:
    assert replaced(*edit(1)) == {}
    assert replaced(*edit(1), Said("Next."), *edit(2)) == {}
    assert replaced(*edit(1), Thought("Hm."), *edit(2)) == {}
    assert replaced(*edit(1), Call(2, "Bash", {}), *edit(3)) == {}
    assert replaced(*edit(1), *edit(2, "/b.py")) == {}
    assert replaced(*edit(1), *edit(2, text="Error: not found")) == {}
    assert replaced(*edit(1), *edit(2)[:1]) == {}


def test_edits_are_not_told_as_one_across_turns() -> None:
    assert len([line for line in body(tuple(edit(1)), tuple(edit(2))) if line.startswith("#call")]) == 2


def test_a_result_that_came_before_is_named_only() -> None:
    first = (Call(1, "Read", {"file_path": "/a.py"}), Result(1, f"{LONG} /b.py\nerror: x"))
    again = (Call(2, "Read", {"file_path": "/a.py"}), Result(2, f"{LONG} /b.py\nerror: x"))
    other = (Call(3, "Read", {"file_path": "/c.py"}), Result(3, f"{LONG} /b.py\nerror: x"))
    lines = body(first, again, other)
    assert '#ret call=c1 status=err lines=2 err="error: x" paths=/b.py' in lines
    assert "#ret call=c2 status=err same_as=c1" in lines
    assert '#ret call=c3 status=err lines=2 err="error: x"' in lines


def conversation(*, answered: int) -> History:
    builder = HistoryBuilder("x")
    for number in range(1, 6):
        builder.item({"n": number})
        builder.turn("user" if number == 1 else "assistant")
        builder.say(f"Step {number}.")
        builder.call("Bash", {"command": f"make {number}"}, f"id{number}")
        if number <= answered:
            builder.result(f"id{number}", "done")
    return builder.history()


def test_the_window_counts_calls_with_results() -> None:
    turns = conversation(answered=4).turns
    assert [end_of_body(turns, window, is_open=False) for window in (0, 1, 3, 9)] == [5, 3, 1, 0]


def test_without_calls_everything_is_in_the_body() -> None:
    assert end_of_body((Turn("user", (Said("Hello."),)),), 3, is_open=False) == 1


def test_the_items_from_the_window_on_are_returned() -> None:
    encoded = encode(conversation(answered=5), Options(window=2))
    assert encoded.recent == ({"n": 4}, {"n": 5})
    assert "Step 3." in encoded.body
    assert "Step 4." not in encoded.body


def test_what_may_still_be_answered_waits() -> None:
    turns = conversation(answered=4).turns
    assert end_of_body(turns, 0, is_open=True) == 4
    assert end_of_body(turns, 0, is_open=False) == 5
    asked = (*turns, Turn("user", (Said("Well?"),), None, 4))
    assert end_of_body(asked, 0, is_open=True) == 4
    gone_on = (*asked, Turn("assistant", (Said("I gave it up."),), None, 5))
    assert end_of_body(gone_on, 0, is_open=True) == 7


def test_of_a_conversation_that_goes_on_a_turn_that_is_not_finished_waits() -> None:
    asked = Turn("user", (Said("Is it raining?"),))
    begun = Turn("assistant", (Said("I am going to look."),), answers=0, is_unfinished=True)
    assert end_of_body((asked, begun), 0, is_open=True) == 1
    assert end_of_body((asked, begun), 0, is_open=False) == 2
