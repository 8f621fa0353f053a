"""Items of OpenAI's Responses interface, read into histories.

Knows each kind of item, and what replays of them leave out. All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.history import History
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.openai_responses import FORMAT
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]
ASKED: Json = {"role": "user", "content": "Which trees grow there?"}
SAID: Json = {
    "type": "message",
    "role": "assistant",
    "id": "msg_1",
    "content": [{"type": "output_text", "text": "Alders.", "annotations": []}],
}
CALL: Json = {
    "type": "function_call",
    "call_id": "c1",
    "id": "fc_1",
    "name": "survey",
    "arguments": '{"plot": 4}',
}
OUTPUT: Json = {"type": "function_call_output", "call_id": "c1", "output": "alder, ash"}
OUTLINE = [("user", "Which trees grow there?"), ("assistant", "Alders.")]


def read(*items: Json) -> History:
    return FORMAT.read(list(items))


def summary(*texts: str, encrypted: str | None = None) -> Json:
    parts = [{"type": "summary_text", "text": text} for text in texts]
    return {"type": "reasoning", "id": "rs_1", "summary": parts, "encrypted_content": encrypted}


@pytest.mark.parametrize(
    "record",
    [
        [ASKED, SAID],
        Lines([ASKED, SAID]),
        {"input": [ASKED], "output": [SAID], "model": "m"},
        {"input": "Which trees grow there?", "output": [SAID]},
        {"request": {"input": "Which trees grow there?", "model": "m"}, "response": {"output": [SAID]}},
        {
            "exchanges": [
                {"request": {"input": [ASKED]}, "response": {"output": [SAID], "object": "response"}}
            ]
        },
        {"request": {"input": [ASKED, SAID]}, "response": {"output": [], "status": "in_progress"}},
    ],
)
def test_every_container_holds_the_same_conversation(record: object) -> None:
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert outline(history) == OUTLINE
    assert len(history.items) == 2
    assert not history.notices


def test_a_response_alone_is_what_the_model_said() -> None:
    response = {
        "object": "response",
        "instructions": "Be brief.",
        "output": [SAID],
        "created_at": 1_767_225_600,
    }
    history = FORMAT.read(response)
    assert outline(history) == [("system", "Be brief."), OUTLINE[1]]
    assert history.began_at == "2026-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    "instructions",
    ["Be brief.", [{"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}]],
)
def test_instructions_are_the_systems(instructions: object) -> None:
    record = {"request": {"input": [ASKED], "instructions": instructions}, "response": {"output": [SAID]}}
    assert outline(FORMAT.read(record)) == [("system", "Be brief."), *OUTLINE]


def test_items_of_the_model_that_follow_one_another_are_one_turn() -> None:
    history = read(ASKED, summary("Think.", "Look."), CALL, OUTPUT, SAID, ASKED, SAID)
    assert outline(history) == [
        OUTLINE[0],
        ("assistant", "(Think.)", "(Look.)", "1:survey", "1=alder, ash"),
        OUTLINE[1],
        *OUTLINE,
    ]
    assert calls(history)[0].arguments == {"plot": 4}
    assert [turn.item for turn in history.turns] == [0, 1, 4, 5, 6]


def test_parallel_calls_are_answered_by_their_ids() -> None:
    other = {**CALL, "call_id": "c2", "name": "count"}
    history = read(ASKED, CALL, other, {**OUTPUT, "call_id": "c2"}, OUTPUT)
    assert outline(history)[1] == ("assistant", "1:survey", "2:count", "2=alder, ash", "1=alder, ash")


def test_reasoning_without_a_summary_is_no_thought() -> None:
    history = read(ASKED, summary(encrypted="g" * 700), SAID)
    assert outline(history) == OUTLINE
    assert notices(history) == {"reasoning that is encrypted": (1, 700)}


def test_reasoning_may_be_told_in_full() -> None:
    item: Json = {
        "type": "reasoning",
        "summary": [],
        "content": [{"type": "reasoning_text", "text": "Wet soil."}],
    }
    assert outline(read(ASKED, item, SAID))[1] == ("assistant", "(Wet soil.)", "Alders.")


def test_a_call_of_a_server_holds_its_own_result() -> None:
    item: Json = {
        "type": "mcp_call",
        "id": "m1",
        "name": "ask",
        "server_label": "wiki",
        "arguments": '{"q": "ash"}',
    }
    listed: Json = {"type": "mcp_list_tools", "id": "l1", "tools": [{"name": "ask"}]}
    history = read(ASKED, listed, {**item, "output": "A tree.", "error": None}, SAID)
    assert outline(history)[1] == ("assistant", "1:ask", "1=A tree.", "Alders.")
    assert notices(history)["list of tools"][0] == 1
    failed = read(ASKED, {**item, "output": None, "error": "timeout"}, SAID)
    assert outline(failed)[1] == ("assistant", "1:ask", "1=timeout!", "Alders.")
    waiting = read(ASKED, {**item, "output": None, "error": None})
    assert outline(waiting)[1] == ("assistant", "1:ask")


def test_a_result_that_a_replay_leaves_out_is_taken_from_where_it_was_told() -> None:
    item: Json = {"type": "mcp_call", "id": "m1", "name": "ask", "arguments": "{}", "error": None}
    told, replayed = {**item, "output": "A tree."}, {**item, "output": None}
    first = {"request": {"input": [ASKED]}, "response": {"output": [told, SAID]}}
    second = {"request": {"input": [ASKED, replayed, SAID, ASKED]}, "response": {"output": [SAID]}}
    history = FORMAT.read({"exchanges": [first, second]})
    assert outline(history)[1] == ("assistant", "1:ask", "1=A tree.", "Alders.")
    assert len(history.turns) == 4


def test_exchanges_that_the_model_remembers_follow_one_another() -> None:
    first = {
        "request": {"input": "Which trees grow there?", "instructions": "Be brief.", "model": "m"},
        "response": {"id": "r1", "output": [SAID]},
    }
    second = {
        "request": {
            "input": "None else?",
            "instructions": "Be brief.",
            "previous_response_id": "r1",
            "model": "m",
        },
        "response": {"id": "r2", "output": [SAID], "previous_response_id": "r1"},
    }
    history = FORMAT.read({"exchanges": [first, second]})
    assert outline(history) == [("system", "Be brief."), *OUTLINE, ("user", "None else?"), OUTLINE[1]]
    assert answers(history) == [None, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("item", "parts", "arguments"),
    [
        (
            {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "+x"},
            ("1:patch",),
            {"": "+x"},
        ),
        (
            {"type": "web_search_call", "id": "w", "action": {"query": "ash"}},
            ("1:web_search",),
            {"query": "ash"},
        ),
        (
            {"type": "file_search_call", "id": "f", "queries": ["ash"], "results": [{"text": "tree"}]},
            ("1:file_search", "1=tree"),
            {"queries": ["ash"]},
        ),
        (
            {"type": "file_search_call", "id": "f", "queries": ["ash"]},
            ("1:file_search",),
            {"queries": ["ash"]},
        ),
        (
            {
                "type": "code_interpreter_call",
                "id": "k",
                "code": "1+1",
                "outputs": [{"type": "logs", "logs": "2"}],
            },
            ("1:code_interpreter", "1=2"),
            {"code": "1+1"},
        ),
        (
            {"type": "local_shell_call", "call_id": "s", "action": {"command": ["ls"]}},
            ("1:local_shell",),
            {"command": ["ls"]},
        ),
        ({"type": "image_generation_call", "id": "i", "result": "AAAA"}, ("1:image_generation",), {}),
        ({"type": "function_call", "call_id": "c", "arguments": "{"}, ("1:unnamed",), {"": "{"}),
    ],
)
def test_every_kind_of_call_is_a_call(item: Json, parts: tuple[str, ...], arguments: Json) -> None:
    assert FORMAT.recognise([ASKED, item])
    history = read(ASKED, item)
    assert outline(history)[1] == ("assistant", *parts)
    assert calls(history)[0].arguments == arguments


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("plain", "1=plain"),
        ("", "1="),
        (None, "1="),
        ([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}], "1=a\nb"),
        ({"type": "computer_screenshot", "image_url": "data:,x"}, "1="),
        ({"temperature": 3}, '1={"temperature":3}'),
        (
            [{"stdout": "out", "stderr": "err", "outcome": {"type": "exit", "exit_code": 2}}],
            "1=out\nerr[exit=2]",
        ),
        ([{"stdout": "x", "stderr": "", "outcome": {"type": "timeout"}}], "1=x"),
    ],
)
def test_outputs_have_many_shapes(output: object, result: str) -> None:
    assert outline(read(ASKED, CALL, {**OUTPUT, "output": output}))[1] == ("assistant", "1:survey", result)


def test_an_output_that_failed_is_an_error() -> None:
    history = read(ASKED, CALL, {**OUTPUT, "status": "failed"})
    assert outline(history)[1][2] == "1=alder, ash!"


def test_an_item_of_unknown_kind_is_kept_and_told() -> None:
    history = read(ASKED, {"type": "mcp_approval_request", "id": "x"}, SAID)
    assert outline(history)[1] == ("assistant", "?mcp_approval_request", "Alders.")
    assert "item of unknown kind `mcp_approval_request`" in notices(history)


def test_images_are_told_and_left_out() -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}
    history = read({"role": "user", "content": [picture, {"type": "input_text", "text": "See."}]}, SAID)
    assert outline(history)[0] == ("user", "See.")
    assert notices(history)["image"][0] == 1


@pytest.mark.parametrize(
    "record",
    [
        [ASKED],
        {"input": "x", "output": "y"},
        {"messages": [ASKED]},
        [],
        {},
        "x",
        None,
        Lines([]),
        {"output": [1]},
    ],
)
def test_what_is_of_another_interface_is_not_recognised(record: object) -> None:
    assert not FORMAT.recognise(record)


@pytest.mark.parametrize("record", [[], {}, "x", None, {"input": "x", "output": "y"}])
def test_what_holds_no_items_is_refused(record: object) -> None:
    with pytest.raises(NotATranscript, match="there are no items of the Responses interface in it"):
        FORMAT.read(record)


@pytest.mark.parametrize(
    ("items", "is_unfinished"),
    [
        ([SAID], True),
        ([summary("Hm.")], True),
        ([SAID, CALL], True),
        ([SAID, CALL, OUTPUT], False),
        ([SAID, ASKED], False),
        ([{**SAID, "phase": "commentary"}], True),
        ([{**SAID, "phase": "final_answer"}], False),
        ([{**SAID, "end_turn": True}], False),
    ],
)
def test_the_turn_of_the_model_is_finished_once_something_ends_it(
    items: list[Json], is_unfinished: bool
) -> None:
    asked = {"request": {"model": "m", "input": [ASKED]}, "response": {"output": items}}
    for record in ([ASKED, *items], {"exchanges": [asked]}):
        assert FORMAT.read(record).turns[-1].is_unfinished is is_unfinished
    assert outline(read(*items, SAID))[:-1] == ([] if is_unfinished else outline(read(*items)))
