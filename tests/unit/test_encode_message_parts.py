"""Chats whose messages hold calls and results as parts: Vercel's AI SDK, Bedrock's Converse, Gemini.

Knows what becomes of each kind of part. All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.history import Unknown
from pairl.encode.importers.content_parts import KINDS_BY_FIELD
from pairl.encode.importers.formats import import_history
from pairl.encode.importers.tool_parts import TOOL_PARTS
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]
ASKED: Json = {"role": "user", "content": "How deep is the harbour?"}
SOUNDED = [
    ("user", "How deep is the harbour?"),
    ("assistant", "I sound it.", "1:sound", "1=4 m"),
    ("assistant", "4 m."),
]


def vercel_call(**more: object) -> Json:
    return {"type": "tool-call", "toolCallId": "c1", "toolName": "sound", **more}


def vercel_result(**more: object) -> Json:
    return {"type": "tool-result", "toolCallId": "c1", "toolName": "sound", **more}


def said(text: str) -> Json:
    return {"type": "text", "text": text}


VERCEL = [
    ASKED,
    {"role": "assistant", "content": [said("I sound it."), vercel_call(input={"pier": 3})]},
    {"role": "tool", "content": [vercel_result(output={"type": "text", "value": "4 m"})]},
    {"role": "assistant", "content": [said("4 m.")]},
]
VERCEL_EARLIER = [
    ASKED,
    {"role": "assistant", "content": [said("I sound it."), vercel_call(args={"pier": 3})]},
    {"role": "tool", "content": [vercel_result(result="4 m")]},
    {"role": "assistant", "content": "4 m."},
]
BEDROCK: Json = {
    "system": [{"text": "Be short."}],
    "messages": [
        {"role": "user", "content": [{"text": "How deep is the harbour?"}]},
        {
            "role": "assistant",
            "content": [
                {"text": "I sound it."},
                {"toolUse": {"toolUseId": "c1", "name": "sound", "input": {"pier": 3}}},
            ],
        },
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "4 m"}]}}]},
    ],
    "output": {"message": {"role": "assistant", "content": [{"text": "4 m."}]}},
}
GEMINI: Json = {
    "systemInstruction": {"parts": [{"text": "Be short."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "How deep is the harbour?"}]},
        {
            "role": "model",
            "parts": [
                {"text": "I sound it."},
                {"functionCall": {"name": "sound", "args": {"pier": 3}}, "thoughtSignature": "AAAA"},
            ],
        },
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "sound", "response": {"output": "4 m"}}}],
        },
    ],
    "candidates": [{"content": {"parts": [{"text": "4 m."}]}}],
}


@pytest.mark.parametrize(
    ("record", "is_instructed"),
    [
        (VERCEL, False),
        (VERCEL_EARLIER, False),
        ({"messages": VERCEL, "system": "Be short."}, True),
        (BEDROCK, True),
        (GEMINI, True),
    ],
    ids=["vercel", "vercel 4", "vercel request", "bedrock", "gemini"],
)
def test_calls_and_results_are_read_wherever_they_stand(record: object, is_instructed: bool) -> None:
    history = import_history(record)
    assert history.format == "openai_chat"
    assert outline(history) == [("system", "Be short.")] * is_instructed + SOUNDED
    assert [one.arguments for one in calls(history)] == [{"pier": 3}]
    assert not any(isinstance(part, Unknown) for turn in history.turns for part in turn.parts)


DONE: Json = {"toolCallId": "c", "state": "output-available"}


def shown(*parts: Json, **more: object) -> list[Json]:
    return [{"id": "m1", **ASKED}, {"id": "m2", "role": "assistant", "parts": list(parts), **more}]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            {
                "type": "tool-sound",
                "toolCallId": "c",
                "state": "output-available",
                "input": {},
                "output": "4 m",
            },
            ("1:sound", "1=4 m"),
        ),
        (
            {"type": "tool-sound", "toolCallId": "c", "state": "output-error", "errorText": "no lead"},
            ("1:sound", "1=no lead!"),
        ),
        ({"type": "tool-sound", "toolCallId": "c", "state": "input-available", "input": {}}, ("1:sound",)),
        (
            {
                "type": "dynamic-tool",
                "toolName": "dig",
                "toolCallId": "c",
                "state": "output-available",
                "output": {"m": 4},
            },
            ("1:dig", '1={"m":4}'),
        ),
        (
            {
                "type": "tool-invocation",
                "toolInvocation": {
                    "state": "result",
                    "toolCallId": "c",
                    "toolName": "dig",
                    "args": {},
                    "result": "x",
                },
            },
            ("1:dig", "1=x"),
        ),
        ({"type": "reasoning", "text": "Hm."}, ("(Hm.)",)),
        ({"type": "reasoning", "reasoning": "Hm."}, ("(Hm.)",)),
        ({"type": "step-start"}, ()),
        ({"type": "tool-approval-request", "toolCallId": "c"}, ("?tool-approval-request",)),
        ({"type": "data-tide", "data": 1}, ("?data-tide",)),
    ],
)
def test_every_part_of_a_message_that_was_shown(parts: Json, expected: tuple[str, ...]) -> None:
    assert outline(import_history(shown(parts)))[1] == ("assistant", *expected)


def test_a_content_that_repeats_the_parts_is_read_once() -> None:
    history = import_history(shown(said("4 m."), content="4 m.", reasoning="Hm."))
    assert outline(history)[1] == ("assistant", "(Hm.)", "4 m.")
    assert outline(import_history(shown(said("4 m."), content="Or 5 m.")))[1] == (
        "assistant",
        "Or 5 m.",
        "4 m.",
    )


def test_invocations_beside_the_content_are_read() -> None:
    invocation = {"state": "result", "toolCallId": "c", "toolName": "dig", "args": {"m": 1}, "result": "mud"}
    message = {"role": "assistant", "content": "I dig.", "toolInvocations": [invocation]}
    assert outline(import_history([ASKED, message]))[1] == ("assistant", "I dig.", "1:dig", "1=mud")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (vercel_result(output={"type": "error-text", "value": "no lead"}), "1=no lead!"),
        (vercel_result(output={"type": "json", "value": {"m": 4}}), '1={"m":4}'),
        (vercel_result(output={"type": "content", "value": [said("4 m"), said("mud")]}), "1=4 m\nmud"),
        (vercel_result(output={"type": "execution-denied", "reason": "not today"}), "1=not today!"),
        (vercel_result(result={"type": "mud", "m": 4}), '1={"type":"mud","m":4}'),
        (vercel_result(result="no lead", isError=True), "1=no lead!"),
        ({"type": "tool-error", "toolCallId": "c1", "toolName": "sound", "error": "no lead"}, "1=no lead!"),
        (vercel_result(), "1="),
    ],
)
def test_every_form_of_a_result_of_vercel(result: Json, expected: str) -> None:
    history = import_history([*VERCEL[:2], {"role": "tool", "content": [result]}])
    assert outline(history)[1] == ("assistant", "I sound it.", "1:sound", expected)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"content": [{"json": {"m": 4}}], "status": "success"}, '1={"m":4}.'),
        ({"content": [{"text": "no"}, {"text": "lead"}], "status": "error"}, "1=no\nlead!"),
        ({"content": [{"image": {"format": "png", "source": {"bytes": "AA"}}}, {"text": "mud"}]}, "1=mud"),
        ({"content": []}, "1="),
    ],
)
def test_every_form_of_a_result_of_bedrock(result: Json, expected: str) -> None:
    messages = BEDROCK["messages"]
    assert isinstance(messages, list)
    answer = {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", **result}}]}
    assert outline(import_history([*messages[:2], answer]))[1][3:] == (expected,)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"response": {"result": [1, 2]}}, "1=[1,2]"),
        ({"response": {"m": 4, "output": "x"}}, '1={"m":4,"output":"x"}'),
        ({"response": {"error": "no lead"}}, "1=no lead!"),
    ],
)
def test_every_form_of_a_result_of_gemini(result: Json, expected: str) -> None:
    contents = GEMINI["contents"]
    assert isinstance(contents, list)
    answer = {"role": "function", "parts": [{"functionResponse": {"name": "sound", **result}}]}
    assert outline(import_history({"contents": [*contents[:2], answer]}))[1][3:] == (expected,)


def test_results_without_ids_answer_the_calls_of_their_tools() -> None:
    called: list[Json] = [{"functionCall": {"name": name, "args": {}}} for name in ("sound", "dig")]
    returned = [
        {"functionResponse": {"name": name, "response": {"output": name}}} for name in ("dig", "sound")
    ]
    history = import_history(
        [
            {"role": "user", "parts": [{"text": "Go."}]},
            {"role": "model", "parts": called},
            {"role": "user", "parts": returned},
        ]
    )
    assert outline(history)[1] == ("assistant", "1:sound", "2:dig", "2=dig", "1=sound")


def _without_role(content: Json) -> Json:
    return {key: value for key, value in content.items() if key != "role"}


GEMINI_ASKED: Json = {"role": "user", "parts": [{"text": "How deep?"}]}


@pytest.mark.parametrize(
    "contents",
    [
        [_without_role(GEMINI_ASKED)],
        _without_role(GEMINI_ASKED),
        {"parts": {"text": "How deep?"}},
        [_without_role(GEMINI_ASKED), {"role": "model", "parts": [{"text": "4 m."}]}, GEMINI_ASKED],
    ],
    ids=["alone", "no list", "part alone", "the first of several"],
)
def test_a_content_of_gemini_without_a_role_is_a_users(contents: object) -> None:
    for record in ({"contents": contents}, {"request": {"contents": contents}}):
        history = import_history(record)
        assert (history.format, outline(history)[0]) == ("openai_chat", ("user", "How deep?"))
        assert not history.notices


def test_code_that_gemini_ran_is_a_call() -> None:
    parts = [
        {"executableCode": {"language": "PYTHON", "code": "2+2"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "4"}},
        {"text": "Hm.", "thought": True},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
    ]
    history = import_history(
        [{"role": "user", "parts": [{"text": "2+2?"}]}, {"role": "model", "parts": parts}]
    )
    assert outline(history)[1] == ("assistant", "1:code_execution", "1=4.", "(Hm.)")
    assert calls(history)[0].arguments == {"language": "PYTHON", "code": "2+2"}
    assert notices(history)["file"][0] == 1


@pytest.mark.parametrize(
    ("part", "expected", "arguments"),
    [
        (
            {"type": "function_call", "call_id": "c", "name": "dig", "arguments": '{"m": 1}'},
            "1:dig",
            {"m": 1},
        ),
        ({"functionCall": {"args": {"m": 1}}}, "1:unnamed", {"functionCall": {"args": {"m": 1}}}),
        ({"toolUse": "dig"}, "1:unnamed", {"toolUse": "dig"}),
    ],
)
def test_a_call_that_is_none_loses_nothing(part: Json, expected: str, arguments: Json) -> None:
    history = import_history([ASKED, {"role": "assistant", "content": [part]}])
    assert outline(history)[1] == ("assistant", expected)
    assert calls(history)[0].arguments == arguments


@pytest.mark.parametrize("kind", ["toolResult", "functionResponse", "executableCode", "codeExecutionResult"])
def test_a_part_of_a_tool_that_holds_a_text_alone_is_kept(kind: str) -> None:
    history = import_history([ASKED, {"role": "assistant", "content": [{kind: "4 m"}]}])
    assert [part.text for turn in history.turns for part in turn.parts if isinstance(part, Unknown)] == [
        f'{{"{kind}":"4 m"}}'
    ]


def test_reasoning_of_bedrock_is_a_thought() -> None:
    content = [{"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "s"}}}, {"text": "4 m."}]
    assert outline(import_history([ASKED, {"role": "assistant", "content": content}]))[1] == (
        "assistant",
        "(Hm.)",
        "4 m.",
    )


def test_what_a_user_says_beside_a_result_is_a_turn_behind_it() -> None:
    messages = BEDROCK["messages"]
    assert isinstance(messages, list)
    answer = {"role": "user", "content": [{"text": "Hurry."}, *messages[2]["content"]]}
    history = import_history([*messages[:2], answer])
    assert outline(history)[1:] == [("assistant", "I sound it.", "1:sound", "1=4 m"), ("user", "Hurry.")]
    assert answers(history) == [None, 0, 1]


def test_what_stands_beside_a_result_and_is_none_is_kept() -> None:
    history = import_history(
        [*VERCEL[:2], {"role": "tool", "content": [vercel_result(result="x"), said("y")]}]
    )
    assert outline(history)[1][3:] == ("1=x", "?part beside a result")


def test_every_field_that_holds_a_tool_part_tells_its_kind() -> None:
    assert {form.inside for form in TOOL_PARTS.values()} - {"", "toolInvocation"} <= KINDS_BY_FIELD
