"""Conversations in traces and logs of OpenTelemetry, in all shapes in which they are exported.

Knows the attributes and events of the conventions for generative AI. All samples are made up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from pairl.encode.history import History
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.otel import FORMAT
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]


def text(words: str) -> Json:
    return {"type": "text", "content": words}


ASKED: Json = {"role": "user", "parts": [text("Is the lock open?")]}
CALLED: Json = {
    "role": "assistant",
    "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"lock": 7}}],
    "finish_reason": "tool_call",
}
RETURNED: Json = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "closed"}]}
SAID: Json = {"role": "assistant", "parts": [text("It is closed.")], "finish_reason": "stop"}
OUTLINE = [
    ("system", "Be brief."),
    ("user", "Is the lock open?"),
    ("assistant", "1:look", "1=closed"),
    ("assistant", "It is closed."),
]
ATTRIBUTES: Json = {
    "gen_ai.operation.name": "chat",
    "gen_ai.system_instructions": [text("Be brief.")],
    "gen_ai.input.messages": [ASKED, CALLED, RETURNED],
    "gen_ai.output.messages": [SAID],
}
AS_TEXT: Json = {
    "gen_ai.system_instructions": json.dumps([text("Be brief.")]),
    "gen_ai.input.messages": json.dumps([ASKED, CALLED, RETURNED]),
    "gen_ai.output.messages": json.dumps([SAID]),
}


def wrapped(value: object) -> Json:
    """Return a value as OTLP wraps it."""
    if isinstance(value, list):
        return {"arrayValue": {"values": [wrapped(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": pairs(value)}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def pairs(fields: Mapping[str, object]) -> list[Json]:
    return [{"key": key, "value": wrapped(value)} for key, value in fields.items()]


def span(attributes: object, span_id: str = "s1", **more: object) -> Json:
    return {"traceId": "t1", "spanId": span_id, "name": "chat m", "attributes": attributes, **more}


def exported(*spans: Json) -> Json:
    return {
        "resourceSpans": [
            {"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}
        ]
    }


@pytest.mark.parametrize(
    "record",
    [
        ATTRIBUTES,
        AS_TEXT,
        span(ATTRIBUTES),
        span(pairs(AS_TEXT)),
        span(pairs(ATTRIBUTES)),
        [span(AS_TEXT)],
        Lines([span(AS_TEXT), span({"http.method": "GET"}, "s2")]),
        exported(span(pairs(AS_TEXT))),
        Lines([exported(span(pairs(ATTRIBUTES)))]),
        {
            "data": [
                {
                    "traceID": "t",
                    "spans": [{"spanID": "s", "tags": [{"key": k, "value": v} for k, v in AS_TEXT.items()]}],
                }
            ]
        },
        {
            "resourceLogs": [
                {"scopeLogs": [{"logRecords": [{"eventName": "x", "attributes": pairs(ATTRIBUTES)}]}]}
            ]
        },
        {"name": "gen_ai.client.inference.operation.details", "body": ATTRIBUTES, "attributes": {"a": 1}},
        span(
            {"a": "b"}, events=[{"name": "gen_ai.client.inference.operation.details", "attributes": AS_TEXT}]
        ),
        span(
            ATTRIBUTES, events=[{"name": "gen_ai.client.inference.operation.details", "attributes": AS_TEXT}]
        ),
    ],
)
def test_every_export_holds_the_same_conversation(record: object) -> None:
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert outline(history) == OUTLINE
    assert answers(history) == [None, 0, 1, 2]
    assert calls(history)[0].arguments == {"lock": 7}
    assert len(history.items) == 5
    assert not history.notices


def test_of_spans_that_repeat_each_other_the_longest_is_read() -> None:
    question: Json = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [CALLED]}
    agent = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [SAID]}
    record = exported(
        span(pairs(question), "s2", startTimeUnixNano="1767225601000000000"),
        span(pairs(ATTRIBUTES), "s3", startTimeUnixNano="1767225602000000000"),
        span(pairs(agent), "s1", startTimeUnixNano="1767225600000000000"),
    )
    history = FORMAT.read(record)
    assert outline(history) == OUTLINE
    assert notices(history) == {"span that another one repeats": (2, 0)}
    assert history.began_at == "2026-01-01T00:00:00+00:00"


def test_the_conversation_of_another_agent_stands_apart_with_its_name() -> None:
    other: Json = {
        "gen_ai.agent.name": "keeper",
        "gen_ai.input.messages": [{"role": "user", "parts": [text("Turn the key.")]}],
        "gen_ai.output.messages": [{"role": "assistant", "parts": [text("Turned.")]}],
    }
    history = FORMAT.read(
        [span(other, "s2", start_time="2026-01-01T00:00:01Z"), span(ATTRIBUTES, start_time=1_767_225_600)]
    )
    assert outline(history) == [*OUTLINE, ("user", "Turn the key."), ("keeper", "Turned.")]
    assert answers(history) == [None, 0, 1, 2, None, 4]


def test_what_another_agent_answered_before_keeps_its_name() -> None:
    passed: Json = {"role": "assistant", "parts": [text("The keeper knows.")]}
    more: Json = {"role": "user", "parts": [text("Keeper?")]}
    porter = {
        "gen_ai.agent.name": "porter",
        "gen_ai.input.messages": [ASKED],
        "gen_ai.output.messages": [passed],
    }
    keeper = {
        "gen_ai.agent.name": "keeper",
        "gen_ai.input.messages": [ASKED, passed, more],
        "gen_ai.output.messages": [SAID],
    }
    history = FORMAT.read([span(porter, "s1"), span(keeper, "s2")])
    assert [turn[0] for turn in outline(history)] == ["user", "porter", "user", "keeper"]
    alone = FORMAT.read([span(keeper)])
    assert [turn[0] for turn in outline(alone)] == ["user", "keeper", "user", "keeper"]


def test_other_answers_to_a_request_are_told() -> None:
    other = {"role": "assistant", "parts": [text("Perhaps.")]}
    history = FORMAT.read({"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [SAID, other]})
    assert outline(history) == [OUTLINE[1], OUTLINE[3]]
    assert notices(history) == {"other answer to the same request": (1, 0)}


def test_an_output_of_several_roles_went_on_to_its_last_message() -> None:
    record = {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [CALLED, RETURNED, SAID]}
    assert outline(FORMAT.read(record)) == OUTLINE[1:]


@pytest.mark.parametrize(
    ("part", "parts"),
    [
        ({"type": "reasoning", "content": "Hm."}, ("(Hm.)",)),
        ({"type": "thinking", "content": "Hm."}, ("(Hm.)",)),
        ({"type": "tool_call", "name": "x", "arguments": '{"a": 1}'}, ("1:x",)),
        (
            {"type": "server_tool_call", "id": "s", "name": "search", "server_tool_call": {"type": "web"}},
            ("1:search",),
        ),
        ({"type": "text"}, ("?text",)),
        ({"type": "tool_call"}, ("1:unnamed",)),
        ({"type": "hologram", "beam": 1}, ("?hologram",)),
        ("plain", ("plain",)),
        (3, ("3",)),
    ],
)
def test_every_kind_of_part(part: object, parts: tuple[str, ...]) -> None:
    history = FORMAT.read({"gen_ai.output.messages": [{"role": "assistant", "parts": [part]}]})
    assert outline(history) == [("assistant", *parts)]


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ({"type": "blob", "modality": "image", "content": "A" * 900, "mime_type": "image/png"}, "image"),
        ({"type": "uri", "modality": "video", "uri": "gs://x"}, "video"),
        ({"type": "file", "file_id": "f"}, "file"),
        ({"type": "image-url", "url": "https://x"}, "image"),
        ({"type": "binary", "media_type": "image/png", "content": "AA"}, "file"),
    ],
)
def test_media_are_told_and_left_out(part: Json, what: str) -> None:
    history = FORMAT.read({"gen_ai.input.messages": [{"role": "user", "parts": [text("See."), part]}]})
    assert outline(history) == [("user", "See.")]
    assert notices(history)[what][0] == 1


@pytest.mark.parametrize(
    ("part", "result"),
    [
        ({"type": "tool_call_response", "id": "c1", "response": "x"}, "1=x"),
        ({"type": "tool_call_response", "id": "c1", "result": {"n": 1}}, '1={"n":1}'),
        ({"type": "tool_call_response", "response": [text("a"), text("b")]}, "1=a\nb"),
        ({"type": "tool_call_response", "id": "c1"}, "1="),
        (
            {"type": "server_tool_call_response", "id": "c1", "server_tool_call_response": {"n": 1}},
            '1={"n":1}',
        ),
    ],
)
@pytest.mark.parametrize("role", ["tool", "user"])
def test_results_are_no_turn_whoever_sends_them(part: Json, result: str, role: str) -> None:
    record = {"gen_ai.input.messages": [ASKED, CALLED, {"role": role, "parts": [part]}]}
    assert outline(FORMAT.read(record)) == [OUTLINE[1], ("assistant", "1:look", result)]


def test_roles_have_many_names() -> None:
    messages = [
        {"role": "Human", "parts": [text("Hi.")]},
        {"role": "AI", "parts": [text("Ho.")], "name": "helper"},
        {"role": "critic", "parts": [text("Hm.")]},
        {"role": "user", "content": "In the form of a chat."},
    ]
    history = FORMAT.read({"gen_ai.input.messages": messages})
    assert [(turn.role, turn.speaker) for turn in history.turns] == [
        ("user", None),
        ("assistant", "helper"),
        ("assistant", "critic"),
        ("user", None),
    ]


TOOL_CALLS = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"lock": 7}'}}]


def event(name: str, body: object, span_id: str = "s1") -> Json:
    return {"eventName": name, "spanId": span_id, "attributes": {"gen_ai.system": "x"}, "body": body}


EVENTS = [
    event("gen_ai.system.message", {"content": "Be brief."}),
    event("gen_ai.user.message", {"content": "Is the lock open?"}),
    event("gen_ai.assistant.message", {"tool_calls": TOOL_CALLS}),
    event("gen_ai.tool.message", {"id": "c1", "content": "closed"}),
    event("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "It is closed."}}),
]
ON_A_SPAN = [
    {"name": "gen_ai.system.message", "attributes": {"content": "Be brief."}},
    {"name": "gen_ai.user.message", "attributes": pairs({"content": "Is the lock open?"})},
    {"name": "gen_ai.assistant.message", "attributes": {"tool_calls": json.dumps(TOOL_CALLS)}},
    {
        "name": "gen_ai.tool.message",
        "attributes": {"gen_ai.event.content": '{"id": "c1", "content": "closed"}'},
    },
    {"name": "gen_ai.choice", "attributes": {"message": "It is closed."}},
]
NAMED_IN_THE_BODY: list[object] = [
    {"event.name": "gen_ai.system.message", "content": "Be brief.", "role": "system"},
    {"event.name": "gen_ai.user.message", "content": "Is the lock open?", "role": "user"},
    {"event.name": "gen_ai.assistant.message", "role": "assistant", "tool_calls": TOOL_CALLS},
    {"event.name": "gen_ai.tool.message", "role": "tool", "id": "c1", "content": "closed"},
    {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "It is closed."}},
]


@pytest.mark.parametrize(
    "record",
    [
        EVENTS,
        Lines(list(EVENTS)),
        [{**one, "spanId": None} for one in EVENTS],
        {
            "resourceLogs": [
                {"scopeLogs": [{"logRecords": [{**one, "body": wrapped(one["body"])} for one in EVENTS]}]}
            ]
        },
        [{"attributes": {"event.name": one["eventName"]}, "body": one["body"]} for one in EVENTS],
        [{"event_name": one["eventName"], "body": one["body"]} for one in EVENTS],
        exported(span([], events=ON_A_SPAN)),
        NAMED_IN_THE_BODY,
        span({"events": json.dumps(NAMED_IN_THE_BODY)}),
        span({**ATTRIBUTES, "events": json.dumps(NAMED_IN_THE_BODY)}),
    ],
)
def test_older_events_hold_the_same_conversation(record: object) -> None:
    assert FORMAT.recognise(record)
    assert outline(FORMAT.read(record)) == OUTLINE


def test_older_events_of_several_requests_are_told_once() -> None:
    first = [event(str(one["eventName"]), one["body"], "s0") for one in (*EVENTS[:2], EVENTS[4])]
    history = FORMAT.read([*first, *EVENTS])
    assert outline(history) == OUTLINE
    assert notices(history) == {"span that another one repeats": (1, 0)}


NUMBERED: Json = {
    "gen_ai.prompt.0.role": "system",
    "gen_ai.prompt.0.content": "Be brief.",
    "gen_ai.prompt.1.role": "user",
    "gen_ai.prompt.1.content": "Is the lock open?",
    "gen_ai.prompt.2.role": "assistant",
    "gen_ai.prompt.2.tool_calls.0.id": "c1",
    "gen_ai.prompt.2.tool_calls.0.name": "look",
    "gen_ai.prompt.2.tool_calls.0.arguments": '{"lock": 7}',
    "gen_ai.prompt.3.role": "tool",
    "gen_ai.prompt.3.tool_call_id": "c1",
    "gen_ai.prompt.3.content": "closed",
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": "It is closed.",
    "gen_ai.usage.prompt_tokens": 3,
}


def test_messages_may_be_an_attribute_for_each_field() -> None:
    assert FORMAT.recognise(span(NUMBERED))
    assert outline(FORMAT.read(exported(span(pairs(NUMBERED))))) == OUTLINE


def test_prompt_and_completion_may_be_events_of_one_span() -> None:
    events = [
        {"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": "Is the lock open?"}},
        {"name": "gen_ai.content.completion", "attributes": {"gen_ai.completion": "It is closed."}},
    ]
    history: History = FORMAT.read(span({"a": "b"}, events=events))
    assert outline(history) == [OUTLINE[1], OUTLINE[3]]
    assert answers(history) == [None, 0]


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        "gen_ai.input.messages",
        None,
        Lines([]),
        exported(span(pairs({"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 4}))),
        {"gen_ai.input.messages": []},
        {"messages": [{"role": "user", "content": "x"}]},
        {"gen_ai.prompt.x.role": "user"},
    ],
)
def test_what_holds_no_messages_is_neither_recognised_nor_read(record: object) -> None:
    assert not FORMAT.recognise(record)
    with pytest.raises(NotATranscript, match="no span and no event in it holds messages"):
        FORMAT.read(record)
