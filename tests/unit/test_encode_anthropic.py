"""Records of the Anthropic Messages API, read into histories.

Knows each kind of block and of record. All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.anthropic import FORMAT
from pairl.encode.importers.format import Lines, NotATranscript
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]


def text(words: str, **more: object) -> Json:
    return {"type": "text", "text": words, **more}


def use(tool: str, call_id: str, kind: str = "tool_use", **given: object) -> Json:
    return {"type": kind, "id": call_id, "name": tool, "input": given}


def result(call_id: str, kind: str = "tool_result", **more: object) -> Json:
    return {"type": kind, "tool_use_id": call_id, **more}


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def response(*blocks: Json) -> Json:
    return {"type": "message", "id": "msg_1", "stop_reason": "end_turn", **assistant(*blocks)}


def test_an_exchange_is_the_request_and_the_response() -> None:
    request = {"system": "Be short.", "messages": [{"role": "user", "content": "How deep is the lake?"}]}
    history = FORMAT.read({"exchanges": [{"request": request, "response": response(text("71 m."))}]})
    assert outline(history) == [
        ("system", "Be short."),
        ("user", "How deep is the lake?"),
        ("assistant", "71 m."),
    ]
    assert history.items == (*request["messages"], response(text("71 m.")))
    assert [turn.item for turn in history.turns] == [0, 0, 1]


def test_an_exchange_that_is_repeated_is_read_once() -> None:
    first: Json = {"messages": [user(text("One?", cache_control={"type": "ephemeral"}))]}
    second = {"messages": [user(text("One?")), assistant(text("1")), user(text("Two?"))]}
    record = {
        "exchanges": [
            {"request": first, "response": response(text("1"))},
            {"request": second, "response": response(text("2"))},
        ]
    }
    history = FORMAT.read(record)
    assert outline(history) == [("user", "One?"), ("assistant", "1"), ("user", "Two?"), ("assistant", "2")]
    assert notices(history) == {"exchange that another one repeats": (1, 0)}


def test_another_conversation_in_the_same_record_is_not_lost() -> None:
    lines = [
        {"request": {"messages": [user(text(f"Boat {name}?"))]}, "response": response(text(f"{name} is in."))}
        for name in ("Ada", "Bea")
    ]
    history = FORMAT.read(Lines([*lines]))
    assert FORMAT.recognise(Lines([*lines]))
    assert [turn[1] for turn in outline(history)] == ["Boat Ada?", "Ada is in.", "Boat Bea?", "Bea is in."]
    assert answers(history) == [None, 0, None, 2]


def test_a_request_without_a_response() -> None:
    record: Json = {
        "exchanges": [{"request": {"system": [text("A"), text("B")], "messages": [user(text("Go"))]}}]
    }
    assert FORMAT.recognise(record)
    assert outline(FORMAT.read(record)) == [("system", "A", "B"), ("user", "Go")]


def test_messages_alone_and_a_list_alone() -> None:
    messages = [user(text("Sum?")), assistant(use("add", "t1", a=1)), user(result("t1", content="3"))]
    expected = [("user", "Sum?"), ("assistant", "1:add", "1=3")]
    for value in ({"messages": messages}, messages, {"model": "x", "system": "", "messages": messages}):
        assert FORMAT.recognise(value)
        assert outline(FORMAT.read(value))[-2:] == expected


def test_results_are_bound_by_id_and_are_no_turn() -> None:
    history = FORMAT.read(
        [
            user(text("Both?")),
            assistant(text("Asking."), use("tide", "t1", at="north"), use("wind", "t2")),
            user(
                result("t2", content="SW 5", is_error=False), result("t1", content="no gauge", is_error=True)
            ),
            assistant(text("No tide.")),
        ]
    )
    assert outline(history)[1:] == [
        ("assistant", "Asking.", "1:tide", "2:wind", "2=SW 5.", "1=no gauge!"),
        ("assistant", "No tide."),
    ]
    assert calls(history)[0].arguments == {"at": "north"}


def test_a_user_message_with_results_and_text_is_both() -> None:
    history = FORMAT.read(
        [
            assistant(use("list", "t1")),
            user(text("Stop there."), result("t1", content="3 rows"), text("Thanks.")),
        ]
    )
    assert outline(history) == [("assistant", "1:list", "1=3 rows"), ("user", "Stop there.", "Thanks.")]


def test_the_content_of_a_result() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 400}}
    history = FORMAT.read(
        [
            assistant(*[use("look", f"t{number}") for number in range(5)]),
            user(
                result("t0"),
                result("t1", content=""),
                result("t2", content=[text("a"), text("b")]),
                result("t3", content=[text("seen"), image]),
                result("t4", content=[{"type": "hologram", "x": 1}]),
            ),
        ]
    )
    assert outline(history)[0][6:] == ("1=", "2=", "3=a\nb", "4=seen", '5={"type":"hologram","x":1}')
    assert notices(history) == {
        "attached image": (1, 400),
        "part of a result of unknown kind `hologram`, kept as JSON": (1, 25),
    }


def test_thoughts_are_kept_and_their_signatures_are_not() -> None:
    history = FORMAT.read(
        [
            user(text("Why?")),
            assistant(
                {"type": "thinking", "thinking": "Because of ice.", "signature": "S" * 90},
                {"type": "thinking", "thinking": "", "signature": "S" * 10},
                {"type": "redacted_thinking", "data": "R" * 70},
                text("Ice."),
            ),
        ]
    )
    assert outline(history)[1] == ("assistant", "(Because of ice.)", "Ice.")
    assert notices(history) == {"signature of a thought": (2, 100), "thought that is encrypted": (1, 70)}


def test_calls_that_the_service_makes_itself() -> None:
    found = [
        {
            "type": "web_search_result",
            "title": "Tides",
            "url": "https://t.example/1",
            "encrypted_content": "X",
        },
        {"type": "web_search_result", "title": "Moon", "url": "https://t.example/2", "page_age": "May 2"},
    ]
    failed = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    ran = {
        "type": "code_execution_result",
        "stdout": "7",
        "stderr": "warned",
        "return_code": 3,
        "content": [],
    }
    page = {"type": "document", "title": "Log", "source": {"type": "text", "data": "Calm."}}
    fetched = {"type": "web_fetch_result", "url": "https://t.example/3", "content": page}
    history = FORMAT.read(
        [
            assistant(
                use("web_search", "s1", "server_tool_use", query="tides"),
                result("s1", "web_search_tool_result", content=found),
                use("web_search", "s2", "server_tool_use", query="moons"),
                result("s2", "web_search_tool_result", content=failed),
                use("code_execution", "s3", "server_tool_use", code="print(7)"),
                result("s3", "code_execution_tool_result", content=ran),
                use("web_fetch", "s4", "server_tool_use"),
                result("s4", "web_fetch_tool_result", content=fetched),
                use("ask", "m1", "mcp_tool_use", repoName="x") | {"server_name": "library"},
                result("m1", "mcp_tool_result", content=[text("Open.")], is_error=False),
                text("Done."),
            )
        ]
    )
    assert outline(history) == [
        (
            "assistant",
            "1:web_search",
            "1=Tides\nhttps://t.example/1\nMoon\nhttps://t.example/2\nMay 2",
            "2:web_search",
            "2=max_uses_exceeded!",
            "3:code_execution",
            "3=7\nwarned[exit=3]",
            "4:web_fetch",
            "4=https://t.example/3\nCalm.",
            "5:ask",
            "5=Open..",
            "Done.",
        )
    ]
    assert notices(history) == {"server of a tool, `library`": (1, 0)}


def test_what_a_user_attaches() -> None:
    history = FORMAT.read(
        [
            user(
                {"type": "image", "source": {"type": "url", "url": "https://t.example/a.png"}},
                {"type": "document", "source": {"type": "base64", "data": "JVBE" * 50}},
                {"type": "document", "source": {"type": "text", "data": "The log."}},
                text("Compare.", citations=[{"cited_text": "x"}]),
            )
        ]
    )
    assert outline(history) == [("user", "?document", "Compare.")]
    assert notices(history) == {
        "attached image": (1, 23),
        "attached document": (1, 200),
        "item of unknown kind `document`": (1, 62),
        "citations of a text": (1, 20),
    }


def test_what_is_not_known_is_kept() -> None:
    history = FORMAT.read(
        [user(text("a")), {"role": "pilot", "content": "b"}, assistant({"type": "aura", "v": 1}, {"v": 2}), 7]
    )
    assert outline(history) == [
        ("user", "a", "?message without a known role"),
        ("assistant", "?aura", "?block without a type", "?message without a known role"),
    ]
    assert len(history.items) == 4


def test_empty_messages_are_turns() -> None:
    history = FORMAT.read(
        [{"role": "user"}, {"role": "assistant", "content": []}, {"role": "user", "content": ""}]
    )
    assert outline(history) == [("user",), ("assistant",), ("user",)]


def test_calls_with_odd_names_ids_and_inputs() -> None:
    history = FORMAT.read(
        [
            assistant(
                {"type": "tool_use", "id": ["x"], "input": "half {"},
                {"type": "tool_use", "id": None, "name": "b", "input": None},
            ),
            user(result("nobody", content="lost"), {"type": "tool_result", "content": "first"}),
        ]
    )
    assert outline(history)[0][1:] == ("1:unnamed", "2:b", "=lost", "1=first")
    assert [call.arguments for call in calls(history)] == [{"": "half {"}, {}]
    assert set(notices(history)) == {"call without the name of a tool", "result without a call"}


def test_texts_stay_as_they_came() -> None:
    words = '\n  a\r\nb\u2028"c"\\ [...] #u1\x1b[31m \ud83d \u202eRTL\n'
    assert outline(FORMAT.read([user(text(words)), assistant(text(words))])) == [
        ("user", words),
        ("assistant", words),
    ]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "user: hello",
        {"messages": "none"},
        {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
        [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
        [{"type": "human", "content": "a"}],
        [{"type": "tool_use", "id": "a"}],
        {"exchanges": []},
    ],
)
def test_what_is_not_recognised(value: object) -> None:
    assert not FORMAT.recognise(value)


@pytest.mark.parametrize(
    "value", [None, [], 3, "text", {}, {"messages": []}, {"exchanges": [{"request": {}}]}]
)
def test_what_holds_no_messages_is_refused(value: object) -> None:
    with pytest.raises(NotATranscript, match="there are no messages in the record; a conversation"):
        FORMAT.read(value)
