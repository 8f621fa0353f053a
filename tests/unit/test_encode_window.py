"""Where a body ends: the window that is left alone, and turns that wait."""

from __future__ import annotations

from pairl.encode.encoding import Options, encode
from pairl.encode.history import History, Said, Turn
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.window import end_of_body


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
