"""Conversations of speakers with names, as frameworks for many agents record them.

Knows the fields of each framework. All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.history import History
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.group_chat import FORMAT
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]


def said(source: str, content: object, kind: str = "TextMessage", **more: object) -> Json:
    return {"source": source, "type": kind, "content": content, "models_usage": None, **more}


def speakers(history: History) -> list[tuple[str, str | None]]:
    return [(turn.role, turn.speaker) for turn in history.turns]


NAMED: list[Json] = [
    {"role": "user", "name": "Admin", "content": "Draw a plan."},
    {"role": "user", "name": "planner", "content": "Three steps."},
    {"role": "assistant", "name": "critic", "content": "Two will do."},
]


@pytest.mark.parametrize(
    "record", [NAMED, Lines(list(NAMED)), {"chat_history": NAMED, "cost": {}, "summary": ""}]
)
def test_messages_with_a_role_and_a_name_are_a_chat_of_many(record: object) -> None:
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert speakers(history) == [("user", "Admin"), ("assistant", "planner"), ("assistant", "critic")]
    assert [turn[1] for turn in outline(history)] == ["Draw a plan.", "Three steps.", "Two will do."]
    assert not history.notices


def test_roles_that_are_the_view_of_one_agent_are_told_by_names() -> None:
    """Who starts a chat has its own messages as those of an assistant."""
    history = FORMAT.read(
        {
            "chat_history": [
                {"role": "assistant", "name": "user_proxy", "content": "Draw a plan."},
                {"role": "user", "name": "assistant", "content": "Three steps."},
                {"role": "user", "name": "Critic", "content": "Two will do."},
                {"role": "assistant", "name": "user_proxy", "content": "Thanks."},
            ]
        }
    )
    assert speakers(history) == [
        ("user", "user_proxy"),
        ("assistant", None),
        ("assistant", "Critic"),
        ("user", "user_proxy"),
    ]


def test_several_people_stay_people() -> None:
    history = FORMAT.read(
        [
            {"role": "system", "name": "host", "content": "Be kind."},
            {"role": "user", "name": "anna", "content": "Hi."},
            {"role": "user", "name": "ben", "content": "Ho."},
            {"role": "assistant", "name": "helper", "content": "Hello both."},
        ]
    )
    assert [turn.role for turn in history.turns] == ["system", "user", "user", "assistant"]


def test_calls_and_bundled_results_of_the_older_generation() -> None:
    function = {"name": "look", "arguments": '{"at": "map"}'}
    bundle = [
        {"tool_call_id": "a", "role": "tool", "content": "a lake"},
        {"tool_call_id": "b", "role": "tool", "content": "a hill"},
    ]
    history = FORMAT.read(
        [
            *NAMED,
            {
                "role": "assistant",
                "name": "planner",
                "content": None,
                "tool_calls": [{"id": "a", "function": function}, {"id": "b", "function": function}],
            },
            {"role": "tool", "name": "Admin", "content": "a lake\n\na hill", "tool_responses": bundle},
        ]
    )
    assert outline(history)[3] == ("planner", "1:look", "2:look", "1=a lake", "2=a hill")


def test_the_newer_generation_tells_sources_and_kinds() -> None:
    requested = [{"id": "c1", "name": "weigh", "arguments": '{"what": "boat"}'}]
    executed = [{"call_id": "c1", "name": "weigh", "content": "3 t", "is_error": False}]
    record = {
        "messages": [
            said("user", "How heavy is it?"),
            said("weigher", "I should weigh it.", "ThoughtEvent"),
            said("weigher", requested, "ToolCallRequestEvent"),
            said("weigher", executed, "ToolCallExecutionEvent"),
            said("weigher", "3", "ModelClientStreamingChunkEvent"),
            said("weigher", "3 t", "ToolCallSummaryMessage"),
            said("editor", "Over to you.", "HandoffMessage", target="user"),
            said("user_proxy", "", "UserInputRequestedEvent", request_id="r"),
            said("user_proxy", "Thanks.", "StopMessage"),
        ],
        "stop_reason": "done",
    }
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert outline(history) == [
        ("user", "How heavy is it?"),
        ("weigher", "(I should weigh it.)"),
        ("weigher", "1:weigh", "1=3 t."),
        ("weigher", "3 t"),
        ("editor", "Over to you."),
        ("user_proxy", "Thanks."),
    ]
    assert speakers(history)[0] == ("user", None)
    assert speakers(history)[-1] == ("user", "user_proxy")
    assert calls(history)[0].arguments == {"what": "boat"}
    assert set(notices(history)) == {
        "piece of a text that follows whole",
        "request for a person's input",
        "field that is no part of the conversation",
    }


def test_the_context_of_a_model_has_messages_without_a_source() -> None:
    state = {
        "type": "AssistantAgentState",
        "llm_context": {
            "messages": [
                {"type": "SystemMessage", "content": "Be kind."},
                {"type": "UserMessage", "source": "ada", "content": ["See.", {"data": "AAAA"}]},
                {
                    "type": "AssistantMessage",
                    "source": "helper",
                    "thought": "Hm.",
                    "content": [{"id": "", "name": "look", "arguments": "not json"}],
                },
                {
                    "type": "FunctionExecutionResultMessage",
                    "content": [{"call_id": "", "content": "x", "is_error": True}],
                },
                {"type": "AssistantMessage", "source": "helper", "content": "Seen."},
            ]
        },
    }
    assert FORMAT.recognise(state)
    history = FORMAT.read(state)
    assert outline(history) == [
        ("system", "Be kind."),
        ("ada", "See."),
        ("helper", "(Hm.)", "1:look", "1=x!"),
        ("helper", "Seen."),
    ]
    assert history.turns[1].role == "user"
    assert calls(history)[0].arguments == {"": "not json"}
    assert notices(history)["image"] == (1, 4)


def test_of_the_state_of_a_team_the_thread_is_read() -> None:
    thread = [said("user", "Go."), said("a", "Gone."), said("b", "Back.")]
    inner = [{"type": "UserMessage", "source": "user", "content": "Go."}]
    state = {
        "type": "TeamState",
        "agent_states": {
            "a/1": {"agent_state": {"llm_context": {"messages": inner}}},
            "manager/1": {"type": "RoundRobinManagerState", "message_thread": thread},
        },
    }
    assert outline(FORMAT.read(state)) == [("user", "Go."), ("a", "Gone."), ("b", "Back.")]


@pytest.mark.parametrize(
    ("speaker", "text"),
    [("speaker", "text"), ("sender", "message"), ("from", "value"), ("author", "content")],
)
def test_other_lists_name_their_fields_otherwise(speaker: str, text: str) -> None:
    record = [
        {speaker: "Anna K.", text: "Hi."},
        {speaker: "ben", text: "Ho."},
        {speaker: "Anna K.", text: "Bye."},
    ]
    assert FORMAT.recognise(record)
    history = FORMAT.read({"conversation": record})
    assert outline(history) == [("Anna K.", "Hi."), ("ben", "Ho."), ("Anna K.", "Bye.")]
    assert answers(history) == [None, 0, 1]


def test_names_that_are_roles_are_roles() -> None:
    record = {
        "conversations": [
            {"from": "system", "value": "Be kind."},
            {"from": "human", "value": "Weather?"},
            {"from": "function_call", "value": '{"name": "look", "arguments": {"up": true}}'},
            {"from": "observation", "value": "blue"},
            {"from": "gpt", "value": "Fine."},
        ]
    }
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert speakers(history) == [("system", None), ("user", None), ("assistant", None), ("assistant", None)]
    assert outline(history)[2:] == [("assistant", "1:look", "1=blue"), ("assistant", "Fine.")]


def test_the_outputs_of_tasks_are_asked_and_answered() -> None:
    record = {
        "raw": "Done.",
        "tasks_output": [
            {"description": "Find boats.", "agent": "Scout", "raw": "Four boats.", "summary": "Find …"},
            {"description": "Count them.", "agent": "Clerk", "raw": "Four.", "summary": "Count …"},
        ],
    }
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert outline(history) == [
        ("user", "Find boats."),
        ("Scout", "Four boats."),
        ("user", "Count them."),
        ("Clerk", "Four."),
    ]
    assert notices(history)["field that is no part of the conversation"][0] == 3


@pytest.mark.parametrize(
    "record",
    [
        [],
        {},
        "Anna: Hi.",
        None,
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}],
        [{"role": "user", "content": "x"}, {"role": "tool", "name": "look", "content": "y"}],
        [{"name": "a.txt", "content": "x"}, {"name": "b.txt", "content": "y"}],
        {"messages": [{"name": "a"}]},
        Lines([1, 2]),
    ],
)
def test_what_names_nobody_is_not_recognised(record: object) -> None:
    assert not FORMAT.recognise(record)


def test_things_with_names_are_read_where_the_format_is_asked_for() -> None:
    assert outline(FORMAT.read([{"name": "anna", "text": "Hi."}])) == [("anna", "Hi.")]


@pytest.mark.parametrize("record", [[], {}, "x", None, {"messages": []}])
def test_what_names_nobody_is_refused(record: object) -> None:
    with pytest.raises(NotATranscript, match="no list of messages in it that name who speaks"):
        FORMAT.read(record)


def test_strange_items_are_told() -> None:
    history = FORMAT.read([said("a", "x"), said("b", {"deep": [1]}), said("a", "y"), 7, {"note": 1}])
    assert outline(history)[:3] == [("a", "x"), ("b", "?part of a message"), ("a", "y")]
    assert notices(history)["message that is no object"] == (1, 1)
    assert notices(history)["field that is no part of the conversation"] == (1, 1)
