"""Any text is imported, or refused with a reason: nothing else happens, and it takes linear time.

Knows what a history has to be like whatever it was read from. Refuses to know the formats.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pairl.encode.history import Call, Said, Thought
from pairl.encode.importers import group_chat, openai_chat, openai_responses
from pairl.encode.importers.format import Format, NotATranscript
from pairl.encode.importers.formats import FORMATS, import_history
from tests.property.records import CONTAINERS, ITEM_LISTS, LINES, MESSAGES, VALUES
from tests.property.test_encode_readers import check, check_refusal


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(VALUES, ITEM_LISTS, CONTAINERS), st.sampled_from([None, *(form.name for form in FORMATS)]))
def test_any_json_is_imported_or_refused(value: object, name: str | None) -> None:
    imported(json.dumps(value), name)


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(LINES, st.text(), st.binary(), ITEM_LISTS.map(lambda items: "\n".join(map(json.dumps, items))))
)
def test_any_text_is_imported_or_refused(text: bytes | str) -> None:
    imported(text, None)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MESSAGES, min_size=1, max_size=4), st.integers(0, 200))
def test_a_text_that_was_cut_off_anywhere_is_imported_or_refused(messages: list[object], end: int) -> None:
    imported(json.dumps(messages)[:end], None)
    imported("\n".join(map(json.dumps, messages))[:end], None)


HOSTILE = st.text(
    st.one_of(
        st.sampled_from("ab \n\r\t\\\"'#@{}[]<>|=\u2028\u0085\x1b\x00\ufeff\u202e\U0001f600\ud83d"),
        st.characters(),
    ),
    min_size=1,
    max_size=30,
) | st.sampled_from(
    [
        "#u1",
        "@id x",
        "---",
        ">>>",
        " [...] ",
        "ack{t=x}",
        "user: x",
        "</think>",
        '{"role": "user"}',
        "\\",
        "A" * 400,
    ]
)
TURNS = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), HOSTILE), min_size=1, max_size=8)
WRITERS: dict[str, Callable[[str, str], object]] = {
    "openai_chat": lambda role, text: {"role": role, "content": text},
    "openai_responses": lambda role, text: {
        "type": "message",
        "role": role,
        "content": [{"type": "input_text", "text": text}],
    },
    "group_chat": lambda role, text: {"source": role, "type": "TextMessage", "content": text},
    "otel": lambda role, text: {"role": role, "parts": [{"type": "text", "content": text}]},
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("is_escaped", [True, False], ids=["escaped", "as it is"])
@settings(max_examples=60)
@given(TURNS)
def test_every_turn_is_there_and_says_what_it_said(
    name: str, is_escaped: bool, turns: list[tuple[str, str]]
) -> None:
    messages = [WRITERS[name](role, text) for role, text in turns]
    record = {"gen_ai.input.messages": messages} if name == "otel" else messages
    history = import_history(json.dumps(record, ensure_ascii=is_escaped))
    assert history.format == name
    assert not history.notices
    said: list[tuple[str, list[str]]] = []
    for role, text in turns:
        # Items of a model that follow one another are one turn.
        if name == "openai_responses" and said and role == "assistant" == said[-1][0]:
            said[-1][1].append(text)
        else:
            said.append((role, [text]))
    found = [
        (turn.role, [part.text for part in turn.parts if isinstance(part, Said)]) for turn in history.turns
    ]
    assert found == said


@pytest.mark.parametrize(
    "form",
    [reader.FORMAT for reader in (group_chat, openai_chat, openai_responses)],
    ids=lambda form: form.name,
)
@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(ITEM_LISTS, st.integers(1, 6))
def test_what_comes_later_changes_no_turn_before(form: Format, items: list[object], count: int) -> None:
    """A body of a session only grows: a turn gets results, and others items only where it is not finished."""
    try:
        early, late = form.read(items[:count]), form.read(items)
    except NotATranscript:
        return
    for before, after in zip(early.turns, late.turns[: len(early.turns)], strict=True):
        assert after.parts[: len(before.parts)] == before.parts
        added = after.parts[len(before.parts) :]
        assert before.is_unfinished or not any(isinstance(part, Said | Thought | Call) for part in added)
        assert (
            msgspec.structs.replace(after, parts=before.parts, is_unfinished=before.is_unfinished) == before
        )


def imported(text: bytes | str, name: str | None) -> None:
    """Import a text, and check the history, or the refusal."""
    try:
        history = import_history(text, name)
    except NotATranscript as refusal:
        check_refusal(refusal)
        return
    assert history.turns
    check(history)


CALL = {"id": "", "function": {"name": "look", "arguments": '{"n": 1}'}}
EVENT = {"event.name": "gen_ai.user.message", "content": "x"}
PIECES: dict[str, tuple[str, str, str]] = {
    "messages": ("[", '{"role": "user", "content": "x"}', "]"),
    "calls and then results": (
        "[",
        json.dumps({"role": "assistant", "tool_calls": [CALL] * 8}),
        "," + ",".join([json.dumps({"role": "tool", "content": "x"})] * 2_000) + "]",
    ),
    "calls with ids and results without": (
        "[",
        '{"role": "assistant", "tool_calls": [{"id": "%d", "name": "a"}]}, {"role": "tool", "content": "x"}',
        "]",
    ),
    "parts": ('[{"role": "user", "content": [', '{"type": "text", "text": "x"}', "]}]"),
    "thoughts": ('[{"role": "assistant", "content": "', "<think>x</think> ", '"}]'),
    "thoughts that do not end": ('[{"role": "assistant", "content": "', "<think>", '"}]'),
    "white space": ('[{"role": "assistant", "content": "', "     ", '"}]'),
    "items": ("[", '{"type": "function_call", "call_id": "%d", "name": "x"}', "]"),
    "exchanges": ('{"exchanges": [', '{"request": {"messages": [{"role": "user", "content": "%d"}]}}', "]}"),
    "events": ("[", json.dumps(EVENT), "]"),
    "spans": ("[", '{"spanId": "%d", "attributes": {"gen_ai.prompt": "x"}}', "]"),
    "speakers": ("[", '{"speaker": "a%d", "text": "x"}', "]"),
    "objects around": ('{"a": [', '{"b": {"c": "x"}}', "]}"),
    "lines of messages": ("", '{"role": "user", "content": "x"}', ""),
    "broken lines": ('{"a": 1}\n', '{"role": "user", "content": "x', ""),
    "lines of plain text": ("", "user: x\nassistant: y", ""),
    "fences": ("user: a\nassistant: b\n", "```", ""),
    "headings": ("", "# x", "user: a\nassistant: b"),
    "dashes": ("", "-", ""),
    "values behind one another": ("", '{\n"role": "user",\n"content": "x"}', ""),
    "half values behind one another": ("", '{\n"role": "user",\n"content": "x"', ""),
    "conversations": ("[", '{"messages": [{"role": "user", "content": "%d"}]}', "]"),
    "conversations of speakers": ("[", '{"log": [{"speaker": "a", "text": "%d"}]}', "]"),
    "parts of tools": (
        '[{"role": "assistant", "parts": [',
        '{"type": "tool-x", "toolCallId": "%d", "state": "output-available", "output": "y"}',
        "]}]",
    ),
    "functions without ids": (
        '[{"role": "model", "parts": [',
        '{"functionCall": {"name": "x"}}, {"functionResponse": {"name": "x", "response": {"output": "y"}}}',
        "]}]",
    ),
    "nodes": ('{"mapping": {', '"n%d": {"message": {"author": {}, "content": {"parts": ["x"]}}}', "}}"),
    "lines of a session": (
        "",
        '{"type": "response_item", "payload": {"type": "function_call", "call_id": "%d"}}',
        "",
    ),
    "unknown fields": ('[{"role": "user", "content": "x", ', '"f%d": "x"', "}]"),
    "commas": ("", "a,", ""),
    "times": ("", "[10:02] ", ""),
    "brackets": ("[", "x ", ""),
    "bytes": ("", "\u00e9", ""),
    "settings": ("user: x\n", "y: z", ""),
}


@pytest.mark.parametrize("name", PIECES)
def test_time_is_linear(name: str) -> None:
    """Four times the text takes about four times as long; a quadratic reader would take sixteen times."""
    small, large = (min(_seconds(name, size) for _ in range(3)) for size in (30_000, 120_000))
    assert large < 0.05 or large < small * 9


def _seconds(name: str, size: int) -> float:
    before, piece, after = PIECES[name]
    count = size // len(piece)
    between = "," if before.endswith(("[", "{", ", ")) else "\n" if not before.startswith("[") else ""
    text = before + between.join(piece.replace("%d", str(number)) for number in range(count)) + after
    start = time.process_time()
    imported(text, None)
    return time.process_time() - start
