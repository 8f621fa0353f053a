"""Messages of LangChain in their three forms, and the states that hold them, read into histories.

Knows the forms and what repeats a call. All samples are made up.
"""

from __future__ import annotations

import json

import pytest

from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.langchain import FORMAT
from tests.unit.outlines import calls, notices, outline

Json = dict[str, object]

CALL = {"name": "gauge", "args": {"site": "mole"}, "id": "k1", "type": "tool_call"}
PLAIN: list[Json] = [
    {"type": "system", "content": "Be brief."},
    {"type": "human", "content": "Water level?", "name": None, "additional_kwargs": {}},
    {"type": "ai", "content": "", "tool_calls": [CALL], "invalid_tool_calls": []},
    {"type": "tool", "content": "2.1 m", "tool_call_id": "k1", "name": "gauge", "status": "success"},
    {"type": "ai", "content": [{"type": "text", "text": "2.1 m.", "index": 0}], "tool_calls": []},
]
TOLD = [
    ("system", "Be brief."),
    ("user", "Water level?"),
    ("assistant", "1:gauge", "1=2.1 m."),
    ("assistant", "2.1 m."),
]
CLASSES = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


def with_data(message: Json) -> Json:
    return {"type": message["type"], "data": message}


def dumped(message: Json) -> Json:
    path = ["langchain", "schema", "messages", CLASSES[str(message["type"])]]
    fields = {key: value for key, value in message.items() if key != "type"}
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": fields}


def streamed(message: Json) -> Json:
    suffix = "Chunk" if message["type"] == "ai" else ""
    return {**message, "type": f"{CLASSES[str(message['type'])]}{suffix}" if suffix else message["type"]}


@pytest.mark.parametrize("form", [dict, with_data, dumped, streamed])
def test_each_form_says_the_same(form: object) -> None:
    messages = [form(message) for message in PLAIN]  # type: ignore[operator]
    for value in (messages, {"messages": messages}, {"values": {"messages": messages}}, Lines(messages)):
        assert FORMAT.recognise(value)
        history = FORMAT.read(value)
        assert outline(history) == TOLD
        assert history.items == tuple(messages)
        assert calls(history)[0].arguments == {"site": "mole"}
        assert not history.notices


def test_a_streamed_call_is_not_read_twice() -> None:
    content = [
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "k1", "name": "gauge", "input": {}, "partial_json": '{"site": "mole"}'},
        {"type": "input_json_delta", "partial_json": "{}"},
    ]
    history = FORMAT.read([{"type": "ai", "content": content, "tool_calls": [CALL]}])
    assert outline(history) == [("assistant", "Looking.", "1:gauge")]
    assert calls(history)[0].arguments == {"site": "mole"}


def test_a_call_that_stands_only_in_the_content() -> None:
    content = [{"type": "tool_use", "id": "k1", "name": "gauge", "input": {"site": "pier"}}]
    history = FORMAT.read([{"type": "ai", "content": content}])
    assert calls(history)[0].arguments == {"site": "pier"}


def test_calls_where_the_provider_put_them() -> None:
    raw = {"id": "k1", "type": "function", "function": {"name": "gauge", "arguments": '{"site": "lock"}'}}
    old = {"name": "wind", "arguments": "{not json"}
    history = FORMAT.read(
        [
            {"type": "ai", "content": "", "additional_kwargs": {"tool_calls": [raw]}},
            {"type": "tool", "content": "1 m", "tool_call_id": "k1"},
            {"type": "ai", "content": "", "additional_kwargs": {"function_call": old}},
            {"type": "function", "name": "wind", "content": "calm"},
        ]
    )
    assert outline(history) == [("assistant", "1:gauge", "1=1 m"), ("assistant", "2:wind", "2=calm")]
    assert [call.arguments for call in calls(history)] == [{"site": "lock"}, {"": "{not json"}]


def test_a_call_that_could_not_be_read() -> None:
    failed = {"name": "gauge", "args": '{"site": ', "id": "k9", "error": "cut off"}
    content = [{"type": "tool_use", "id": "k9", "name": "gauge", "input": {}}]
    history = FORMAT.read(
        [{"type": "ai", "content": content, "tool_calls": [], "invalid_tool_calls": [failed]}]
    )
    assert outline(history) == [("assistant", "1:gauge")]
    assert calls(history)[0].arguments == {"": '{"site": '}
    assert notices(history) == {"call whose arguments cannot be read": (1, 0)}


def test_a_result_that_failed_and_one_with_an_artifact() -> None:
    twice = [CALL, {**CALL, "id": "k2"}]
    history = FORMAT.read(
        [
            {"type": "ai", "content": "", "tool_calls": twice},
            {"type": "tool", "content": "no such site", "tool_call_id": "k2", "status": "error"},
            {"type": "tool", "content": [{"type": "text", "text": "a"}, "b", {"x": 1}], "tool_call_id": "k1"}
            | {"artifact": {"raw": "abc"}},
        ]
    )
    assert outline(history)[0][3:] == ("2=no such site!", '1=a\nb\n{"x":1}')
    assert notices(history) == {"artifact of a result": (1, 13)}


def test_pictures_are_told_of() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    shown = {"type": "tool", "content": [{"type": "image", "base64": "AAAA"}], "tool_call_id": ""}
    history = FORMAT.read([{"type": "human", "content": ["See", picture]}, shown])
    assert outline(history) == [("user", "See", "=")]
    assert notices(history)["attached image"][0] == 2


def test_thoughts_of_several_providers() -> None:
    history = FORMAT.read(
        [
            {"type": "ai", "content": "a", "additional_kwargs": {"reasoning_content": "first"}},
            {"type": "ai", "content": [{"type": "thinking", "thinking": "second", "signature": "s"}]},
            {
                "type": "ai",
                "content": [{"type": "reasoning", "summary": [{"text": "third"}, {"text": "too"}]}],
            },
            {"type": "ai", "content": [{"type": "reasoning", "reasoning": "fourth"}]},
            {"type": "ai", "content": "", "additional_kwargs": {"refusal": "I will not."}},
        ]
    )
    assert [turn[1:] for turn in outline(history)] == [
        ("(first)", "a"),
        ("(second)",),
        ("(third\ntoo)",),
        ("(fourth)",),
        ("I will not.",),
    ]


def test_agents_with_names_are_speakers() -> None:
    history = FORMAT.read(
        [
            {"type": "human", "content": "Plan it.", "name": "Ilse M."},
            {"type": "ai", "content": "Planned.", "name": "planner"},
            {"type": "chat", "role": "Critic", "content": "Too long."},
            {"type": "chat", "role": "user", "content": "Shorter."},
        ]
    )
    assert [turn[0] for turn in outline(history)] == ["Ilse M.", "planner", "Critic", "user"]
    assert [turn.role for turn in history.turns] == ["user", "assistant", "assistant", "user"]


def test_what_is_no_turn() -> None:
    history = FORMAT.read(
        [
            {"type": "human", "content": "a"},
            {"type": "remove", "content": "", "id": "m1"},
            {"lc": 1, "type": "not_implemented", "id": ["x"], "repr": "X()"},
            5,
        ]
    )
    assert outline(history) == [("user", "a", "?message of unknown type", "?message of unknown type")]
    assert notices(history)["removal of a message"] == (1, 0)


def test_the_last_state_in_a_text_of_another_kind() -> None:
    def block(value: object) -> str:
        return "\n".join(f"    {line}" for line in json.dumps(value, indent=4).splitlines())

    earlier = block({"values": {"messages": [{"type": "human", "content": "old"}]}})
    broken = "    {\n        'thread_id': None\n    }"
    blocks = [earlier, broken, block({"messages": PLAIN}), broken, block({"a": 1})]
    text = "\n\n".join(["# How to", *blocks, ""])
    for ends in ("\n", "\r\n"):
        assert FORMAT.recognise(text.replace("\n", ends))
        assert outline(FORMAT.read(text.replace("\n", ends))) == TOLD


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "user: hello\n{\n",
        "{\n}\n",
        {"messages": [{"role": "user", "content": "a"}]},
        [{"role": "user", "content": "a"}],
        [{"type": "user", "message": {"role": "user", "content": "a"}, "uuid": "x"}],
        [{"type": "system", "content": "a", "uuid": "x"}],
        [{"type": "message", "role": "user", "content": "a"}],
        [{"type": "TextMessage", "source": "user", "content": "a"}],
        {"values": 3},
    ],
)
def test_what_is_not_recognised(value: object) -> None:
    assert not FORMAT.recognise(value)
    with pytest.raises(NotATranscript, match="no messages of LangChain"):
        FORMAT.read(value)
