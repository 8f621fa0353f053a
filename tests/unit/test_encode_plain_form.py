"""Conversations as plain text: the form that bodies are compared with."""

from __future__ import annotations

from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Result, Said, Thought, Turn, Unknown
from pairl.encode.plain_form import plain_text
from pairl.encode.reread import reread

TURNS = (
    Turn("user", (Said("Which pump leaks?"),), speaker="Ola"),
    Turn(
        "assistant",
        (
            Thought("I should look."),
            Call(1, "pumps", {"dock": 3, "tags": ["a", "b"], "note": "all of them"}),
            Result(1, "17 leaks\n18 holds", is_error=False, details={"lines": "2"}),
            Unknown("hint", '{"x":1}'),
        ),
        answers=0,
    ),
    Turn("user", (), answers=1),
)


def test_everything_is_written_once_and_with_as_little_around_it_as_can_be() -> None:
    assert plain_text(TURNS) == (
        "Ola: Which pump leaks?\n"
        "assistant: I should look.\n"
        'pumps(dock=3, tags=["a","b"], note=all of them)\n'
        "17 leaks\n18 holds\n"
        '{"x":1}\n'
        "user:\n"
    )


def test_of_a_result_without_a_text_all_that_is_known_is_written() -> None:
    result = Result(1, "", is_error=True, details={"exit": "2", "err": "valve stuck"})
    assert plain_text([Turn("assistant", (result,))]) == "assistant: error, exit=2, err=valve stuck\n"


def test_what_is_read_back_is_written_in_the_same_form() -> None:
    history = History("chat", (TURNS[0], Turn("assistant", (Said("The second."),), answers=0)))
    body = encode(history, Options(window=0)).body
    assert plain_text(reread(body).turns) == plain_text(history.turns)


def test_nothing_is_nothing() -> None:
    assert plain_text([]) == ""
