"""Sessions of Codex: which lines are the conversation, and what becomes of the others.

All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.codex import ENDS, FORMAT
from pairl.encode.importers.format import Lines, NotATranscript
from tests.unit.outlines import notices, outline

Json = dict[str, object]


def line(kind: str, **payload: object) -> Json:
    return {"timestamp": "2026-05-04T10:00:00.000Z", "type": kind, "payload": payload}


def message(role: str, text: str) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return line("response_item", type="message", role=role, content=[{"type": kind, "text": text}])


def returned(output: object) -> Json:
    return line("response_item", type="function_call_output", call_id="c1", output=output)


CALLED = line(
    "response_item", type="function_call", call_id="c1", name="shell", arguments='{"command":["ls"]}'
)
SESSION: list[object] = [
    line("session_meta", id="s", cwd="/quay"),
    line("event_msg", type="user_message", message="List it."),
    message("user", "List it."),
    line("response_item", type="reasoning", summary=[{"type": "summary_text", "text": "Hm."}]),
    CALLED,
    returned("tide.txt"),
    message("assistant", "One file."),
    line("event_msg", type="token_count", info=None),
]


def test_items_are_the_conversation_and_other_lines_are_noticed() -> None:
    assert FORMAT.recognise(Lines(SESSION))
    history = FORMAT.read(Lines(SESSION))
    assert outline(history) == [
        ("user", "List it."),
        ("assistant", "(Hm.)", "1:shell", "1=tide.txt"),
        ("assistant", "One file."),
    ]
    assert history.began_at == "2026-05-04T10:00:00+00:00"
    assert {what: count for what, (count, _) in notices(history).items()} == {
        "line of type `session_meta`": 1,
        "line of type `event_msg`": 2,
    }


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            '{"output":"no such pier","metadata":{"exit_code":2,"duration_seconds":0.1}}',
            "1=no such pier[exit=2]",
        ),
        ('{"output":"x"}', '1={"output":"x"}'),
        ('{"metadata":{"exit_code":2}}', '1={"metadata":{"exit_code":2}}'),
        ([{"type": "input_text", "text": "x"}], "1=x"),
    ],
)
def test_what_a_command_printed_is_told_apart_from_its_exit_code(output: object, expected: str) -> None:
    assert outline(FORMAT.read(Lines([CALLED, returned(output)]))) == [("assistant", "1:shell", expected)]


@pytest.mark.parametrize("lines", [[], [line("event_msg")], [{"type": "response_item", "payload": None}]])
def test_lines_without_an_item_are_refused(lines: list[object]) -> None:
    assert not FORMAT.recognise(Lines(lines))
    with pytest.raises(NotATranscript, match="no line of the text holds an item"):
        FORMAT.read(Lines(lines))


@pytest.mark.parametrize("kind", sorted(ENDS))
def test_an_event_that_ends_a_turn_finishes_it_and_what_follows_is_another(kind: str) -> None:
    said, done = message("assistant", "I look."), line("event_msg", type=kind)
    assert [turn.is_unfinished for turn in FORMAT.read(Lines([said])).turns] == [True]
    assert [turn.is_unfinished for turn in FORMAT.read(Lines([said, done])).turns] == [False]
    assert outline(FORMAT.read(Lines([said, CALLED, done, said]))) == [
        ("assistant", "I look.", "1:shell"),
        ("assistant", "I look."),
    ]
