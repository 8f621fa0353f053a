"""Sessions of Claude Code, read into histories: what their lines say, and what is told beside results.

Knows the lines of messages and what the twin of a result tells. All samples are made up. Which lines are the
conversation is tested in `test_encode_claude_code_tree`.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.claude_code import FORMAT
from pairl.encode.importers.claude_code_details import details_of
from pairl.encode.importers.format import Lines, NotATranscript
from tests.unit.outlines import answers, calls, notices, outline
from tests.unit.session_lines import Json, SessionLines, call, returned, text


def test_the_lines_of_one_message_are_one_turn() -> None:
    session = SessionLines()
    session.user("Why does it leak?")
    session.assistant("m1", {"type": "thinking", "thinking": "The seal.", "signature": "S" * 9})
    session.assistant("m1", text("Looking."))
    session.assistant("m1", call("Read", "t1", file_path="/b/seal.c"))
    session.assistant("m1", call("Bash", "t2", command="make"))
    session.results(returned("t2", "done", is_error=False))
    session.results(returned("t1", [text("     1→int seal;")]))
    session.assistant("m2", text("It is open."))
    history = session.read()
    assert outline(history) == [
        ("user", "Why does it leak?"),
        ("assistant", "(The seal.)", "Looking.", "1:Read", "2:Bash", "2=done.", "1=     1→int seal;"),
        ("assistant", "It is open."),
    ]
    assert [turn.item for turn in history.turns] == [0, 1, 7]
    assert history.items == tuple(session.lines)
    assert history.began_at == "2026-03-01T08:00:01+00:00"
    assert answers(history) == [None, 0, 1]


def test_the_rest_of_a_message_is_another_turn_once_its_conversation_has_gone_on() -> None:
    session = SessionLines()
    session.user("Why does it leak?")
    session.assistant("m1", text("Looking."))
    session.user("Hurry.")
    session.assistant("m1", text("It is open."))
    assert [turn.is_unfinished for turn in session.read().turns] == [False, False, False, True]
    assert outline(session.read())[1::2] == [("assistant", "Looking."), ("assistant", "It is open.")]


def test_an_assistant_line_without_an_id_is_a_turn() -> None:
    session = SessionLines()
    session.assistant("", text("One."))
    session.assistant("", text("Two."))
    assert outline(session.read()) == [("assistant", "One."), ("assistant", "Two.")]


@pytest.mark.parametrize("said", ["Is it tight?", ["Is it tight?"], [text("Is it tight?")]])
def test_a_message_that_is_no_object_is_what_was_said(said: object) -> None:
    lines: list[object] = [
        {"type": role, "sessionId": "s", "messageId": number, "message": said}
        for number, role in enumerate(("user", "assistant"))
    ]
    assert FORMAT.recognise(lines)
    history = FORMAT.read(lines)
    assert outline(history) == [("user", "Is it tight?"), ("assistant", "Is it tight?")]
    assert not history.notices


def test_a_message_of_no_readable_type_is_kept() -> None:
    history = FORMAT.read([{"type": "user", "sessionId": "s", "message": 7}])
    assert notices(history) == {"item of unknown kind `block without a type`": (1, 21)}


def test_a_command_and_what_it_expands_to_are_two_turns() -> None:
    session = SessionLines()
    session.user("<command-name>/dock</command-name>")
    session.user([text("Dock the boat as follows.")], isMeta=True)
    assert outline(session.read()) == [
        ("user", "<command-name>/dock</command-name>"),
        ("user", "Dock the boat as follows."),
    ]


def test_reminders_and_errors_of_tools_stay_in_the_text() -> None:
    session = SessionLines()
    session.assistant("m1", call("Read", "t1"), call("Edit", "t2"))
    session.results(returned("t1", "x\n<system-reminder>Careful.</system-reminder>"))
    session.results(returned("t2", "<tool_use_error>Not read yet.</tool_use_error>", is_error=True))
    session.results(returned("t9", "from before"), text("And go on."))
    history = session.read()
    assert outline(history) == [
        (
            "assistant",
            "1:Read",
            "2:Edit",
            "1=x\n<system-reminder>Careful.</system-reminder>",
            "2=<tool_use_error>Not read yet.</tool_use_error>!",
            "=from before",
        ),
        ("user", "And go on."),
    ]
    assert notices(history) == {"result without a call": (1, 0)}


def test_an_error_of_the_api_is_not_said_by_the_assistant() -> None:
    session = SessionLines()
    session.user("Go.")
    session.assistant("m1", text("API Error: 529"), isApiErrorMessage=True)
    session.assistant("m2", text("Gone."))
    assert outline(session.read())[1:] == [("system", "API Error: 529"), ("assistant", "Gone.")]


def test_lines_that_are_no_messages_are_counted() -> None:
    session = SessionLines()
    session.add({"type": "summary", "summary": "Leak found", "leafUuid": "u9"})
    session.add({"type": "file-history-snapshot", "messageId": "m1", "snapshot": {}})
    session.user("Go.")
    session.add({"type": "queue-operation", "operation": "enqueue", "content": "later"})
    session.add({"type": "queue-operation", "operation": "dequeue"})
    session.add({"type": "brand\nnew"})
    session.lines.append(5)
    history = session.read()
    assert outline(history) == [("user", "Go.")]
    assert notices(history) == {
        "line of type `summary`": (1, 10),
        "line of type `file-history-snapshot`": (1, 0),
        "line of type `queue-operation`": (2, 5),
        "line of type `brand\\nnew`": (1, 0),
        "line of type `none`": (1, 0),
    }
    assert history.items == (session.lines[2],)


def test_a_line_that_stands_twice_is_read_once() -> None:
    session = SessionLines()
    session.user("Go.")
    session.assistant("m1", text("Gone."))
    session.lines.extend(session.lines[:2])
    history = session.read()
    assert outline(history) == [("user", "Go."), ("assistant", "Gone.")]
    assert notices(history) == {"line that stands a second time": (2, 0)}


@pytest.mark.parametrize(
    ("twin", "said", "expected"),
    [
        ({"type": "text", "file": {"filePath": "/a", "numLines": 29, "totalLines": 70}}, "", {"lines": "29"}),
        ({"filenames": ["/a"], "numFiles": 1, "durationMs": 5}, "/a", {"files": "1"}),
        ({"mode": "content", "numFiles": 0, "numLines": 4, "content": "x"}, "x", {"lines": "4"}),
        ({"mode": "count", "numFiles": 2, "numMatches": 9}, "", {"files": "2", "matches": "9"}),
        ({"filePath": "/a", "edits": [{}, {}, {}], "structuredPatch": [{}]}, "", {"changes": "3"}),
        ({"filePath": "/a", "oldString": "b", "structuredPatch": [{}, {}]}, "", {"changes": "2"}),
        ({"filePath": "/a", "structuredPatch": []}, "", {}),
        ({"stdout": "", "stderr": "", "interrupted": False}, "", {}),
        ({"numLines": True, "numFiles": "4", "numMatches": None, "file": 3}, "", {}),
        ("Error: Exit code 2", "Exit code 2\nno rule", {"exit": "2"}),
        (None, "Error: Exit code 127 not found", {"exit": "127"}),
    ],
)
def test_what_the_twin_of_a_result_tells(twin: object, said: str, expected: dict[str, str]) -> None:
    assert details_of(twin, said, is_error=True) == expected


def test_an_exit_code_is_only_read_from_what_failed() -> None:
    assert details_of(None, "Exit code 2 means that the file is missing", is_error=None) == {}


def test_the_twin_belongs_to_a_result_that_stands_alone() -> None:
    session = SessionLines()
    session.assistant("m1", call("Glob", "t1"), call("Glob", "t2"), call("Read", "t3"))
    session.results(returned("t1", "a"), returned("t2", "b"), toolUseResult={"numFiles": 2})
    session.results(returned("t3", "c"), toolUseResult={"file": {"numLines": 7}})
    assert outline(session.read())[0][4:] == ("1=a", "2=b", "3=c[lines=7]")


def test_an_agent_that_is_asked_is_a_speaker_of_its_own() -> None:
    session = SessionLines()
    session.user("Check both locks.")
    session.assistant(
        "m1", text("Asking."), call("Task", "t1", prompt="Check lock A.", subagent_type="diver")
    )
    session.assistant("m1", call("Task", "t2", prompt="Check lock B."))
    first = session.aside("user", None, "Check lock B.\n")
    second = session.aside("user", None, [text("Check lock A.")])
    session.aside("assistant", first, [call("Look", "s1")], "n1")
    session.aside("assistant", second, [text("A is shut.")], "n2")
    fourth = session.aside("user", f"u{len(session.lines) - 1}", [returned("s1", "wet")])
    session.aside("assistant", fourth, [text("B is wet.")], "n3")
    session.results(returned("t1", "A is shut."))
    session.results(returned("t2", "B is wet."))
    session.assistant("m3", text("B leaks."))
    history = session.read()
    assert outline(history) == [
        ("user", "Check both locks."),
        ("assistant", "Asking.", "1:Task", "2:Task", "1=A is shut.", "2=B is wet."),
        ("assistant", "Check lock B."[:13] + "\n"),
        ("assistant", "Check lock A."),
        ("subagent", "3:Look", "3=wet"),
        ("diver", "A is shut."),
        ("subagent", "B is wet."),
        ("assistant", "B leaks."),
    ]
    assert [(turn.role, turn.speaker) for turn in history.turns[1:5]] == [
        ("assistant", None),
        ("assistant", "assistant"),
        ("assistant", "assistant"),
        ("assistant", "subagent"),
    ]
    assert answers(history) == [None, 0, 1, 1, 2, 3, 4, 1]
    assert not history.notices
    assert calls(history)[0].arguments["subagent_type"] == "diver"


def test_an_agent_that_no_call_has_asked_for() -> None:
    session = SessionLines()
    session.user("Go.")
    session.aside("user", None, "Warm up.", agentId="a1")
    session.aside("assistant", "unknown", [text("Warm.")], "n1", agentId="a1")
    history = session.read()
    assert outline(history) == [("user", "Go."), ("assistant", "Warm up."), ("subagent", "Warm.")]
    assert answers(history) == [None, 0, 1]
    assert notices(history) == {"agent that no call has asked for": (1, 0)}


def test_the_file_of_an_agent_alone_is_a_conversation() -> None:
    session = SessionLines()
    first = session.aside("user", None, "Check lock A.")
    session.aside("assistant", first, [text("Shut.")], "n1")
    assert outline(session.read()) == [("user", "Check lock A."), ("assistant", "Shut.")]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "user: a",
        {},
        {"messages": [{"role": "user", "content": "a"}]},
        Lines([]),
        Lines([{"type": "summary", "summary": "a", "leafUuid": "b"}]),
        Lines([{"type": "user", "message": {"role": "user", "content": "a"}}]),
        Lines([{"role": "user", "content": "a"}]),
    ],
)
def test_what_is_not_recognised(value: object) -> None:
    assert not FORMAT.recognise(value)


@pytest.mark.parametrize("value", [None, [], "a", {}, Lines([5]), Lines([{"type": "user"}])])
def test_what_holds_no_messages_is_refused(value: object) -> None:
    with pytest.raises(NotATranscript, match="no line of the text holds a message"):
        FORMAT.read(value)


def test_one_line_and_a_list_of_lines_are_sessions_too() -> None:
    session = SessionLines()
    session.user("Go.")
    line: Json = session.read().items[0]  # type: ignore[assignment]
    for value in (line, [line], Lines([line])):
        assert FORMAT.recognise(value)
        assert outline(FORMAT.read(value)) == [("user", "Go.")]


def test_a_message_of_which_no_part_says_that_it_is_the_last_is_not_finished() -> None:
    session = SessionLines()
    session.user("Where is the key?")
    session.assistant("m1", text("I am going to look."))
    assert [turn.is_unfinished for turn in session.read().turns] == [False, True]
    session.assistant("m1", call("look", "k"))
    session.results(returned("k", "on the shelf"))
    assert [turn.is_unfinished for turn in session.read().turns] == [False, True]
    session.user("And the lamp?")
    assert [turn.is_unfinished for turn in session.read().turns] == [False, False, False]


def test_a_message_that_says_why_it_ended_is_finished() -> None:
    session = SessionLines()
    session.user("Where is the key?")
    session.add(
        {
            "type": "assistant",
            "uuid": "u2",
            "parentUuid": "u1",
            "message": {
                "id": "m1",
                "role": "assistant",
                "stop_reason": "end_turn",
                "content": [text("On the shelf.")],
            },
        }
    )
    assert [turn.is_unfinished for turn in session.read().turns] == [False, False]
