"""Which call a result belongs to, where ids are missing, are given twice, or a call was stopped."""

from __future__ import annotations

import pytest

from pairl.encode.history import Result
from pairl.encode.importers.history_builder import HistoryBuilder


def answered(script: str) -> list[int | None]:
    """Return the calls of the results; `u` is a user's turn, `c` a call and `r` a result, with their ids."""
    builder = HistoryBuilder("x")
    for step in script.split():
        if step[0] == "u":
            builder.turn("user")
        elif step[0] == "c":
            builder.turn("assistant")
            builder.call("look", {}, step[1:])
        else:
            builder.result(step[1:], step)
    parts = [part for turn in builder.history().turns for part in turn.parts if isinstance(part, Result)]
    return [part.call for part in sorted(parts, key=lambda part: script.split().index(part.text))]


@pytest.mark.parametrize(
    ("script", "calls"),
    [
        ("u c1 c2 r2 r1", [2, 1]),
        # Without ids they come in the order of the calls.
        ("u c c r", [1]),
        ("u c r u c", [1]),
        # What was called before a user spoke, and has no result, was stopped.
        ("u c u c r", [2]),
        ("u c1 u c1 r1", [2]),
        ("u c1 u c2 r", [2]),
        # A result may still come late.
        ("u c1 u c2 r1 r2", [1, 2]),
        ("u c1 u r1", [1]),
        ("u c u r", [1]),
        # There is no such call.
        ("u c1 r2", [None]),
        ("r1", [None]),
    ],
)
def test_a_result_belongs_to_the_first_call_behind_the_latest_request(
    script: str, calls: list[int | None]
) -> None:
    assert answered(script) == calls


def test_of_many_calls_with_one_id_each_has_its_result() -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    for _ in range(3):
        builder.call("look", {}, "same")
    for number in range(3):
        builder.result("same", f"text {number}")
    results = [part for part in builder.history().turns[0].parts if isinstance(part, Result)]
    assert [(one.call, one.text) for one in results] == [(1, "text 0"), (2, "text 1"), (3, "text 2")]


def test_another_conversation_answers_no_call() -> None:
    builder = HistoryBuilder("x")
    builder.turn("assistant")
    builder.call("look", {}, "a")
    builder.restart()
    builder.turn("assistant")
    builder.result("a", "found")
    assert [part.call for part in builder.history().turns[1].parts if isinstance(part, Result)] == [None]
