"""Records that grow item by item while they are encoded: no snapshot is refused later, and nothing is lost.

Knows what an item of each format looks like. Refuses to know how any of them is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairl.encode.encoding import BodyState, Options, encode
from pairl.encode.history import History, Unknown
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.formats import import_history
from pairl.encode.messages import as_messages, judged
from pairl.encode.reread import FORMAT, reread
from pairl.encode.speakers import first_turn
from tests.skeletons import skeleton

Json = dict[str, object]
NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
OPEN = Options(window=0, is_open=True)
CLOSED = Options(window=0)

KINDS = ["ask", "tell", "think", "call", "return", "done", "odd"]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 3)), min_size=1, max_size=9)
"""What happens in a conversation: its kind, and a number to tell calls and texts apart."""

ODD: Json = {"type": "riddle", "role": "riddle"}
"""What no format knows."""

TEXTS = ["The tide is low.", "Berth 4 is free.", "I will look at the log.", "Error: no such pier"]


def codex(kind: str, number: int) -> Json:
    if kind == "done":
        return {"type": "event_msg", "payload": {"type": "task_complete"}}
    return {"type": "response_item", "payload": responses(kind, number)}


def responses(kind: str, number: int) -> Json:
    text = TEXTS[number]
    match kind:
        case "think":
            return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}
        case "call":
            return {"type": "function_call", "call_id": f"k{number}", "name": "look", "arguments": "{}"}
        case "return":
            return {"type": "function_call_output", "call_id": f"k{number}", "output": text}
        case "done":
            return {"type": "message", "role": "assistant", "phase": "final_answer", "content": text}
    part = {"type": "input_text" if kind == "ask" else "output_text", "text": text}
    return {"type": "message", "role": "user" if kind == "ask" else "assistant", "content": [part]}


def chat(kind: str, number: int) -> Json:
    text = TEXTS[number]
    match kind:
        case "call":
            call = {"id": f"k{number}", "function": {"name": "look", "arguments": "{}"}}
            return {"role": "assistant", "content": None, "tool_calls": [call]}
        case "return":
            return {"role": "tool", "tool_call_id": f"k{number}", "content": text}
        case "think":
            return {"role": "assistant", "reasoning_content": text, "content": ""}
    return {"role": "user" if kind == "ask" else "assistant", "content": text}


def blocks(kind: str, number: int) -> Json:
    text = TEXTS[number]
    content: Json = {"type": "text", "text": text}
    match kind:
        case "call":
            content = {"type": "tool_use", "id": f"k{number}", "name": "look", "input": {}}
        case "return":
            content = {"type": "tool_result", "tool_use_id": f"k{number}", "content": text}
        case "think":
            content = {"type": "thinking", "thinking": text}
    return {"role": "user" if kind in ("ask", "return") else "assistant", "content": [content]}


def langchain(kind: str, number: int) -> Json:
    text = TEXTS[number]
    match kind:
        case "call":
            call = {"id": f"k{number}", "name": "look", "args": {}}
            return {"type": "ai", "content": "", "tool_calls": [call]}
        case "return":
            return {"type": "tool", "tool_call_id": f"k{number}", "content": text}
        case "think":
            return {"type": "AIMessageChunk", "content": [{"type": "thinking", "thinking": text}]}
    return {"type": "human" if kind == "ask" else "ai", "content": text}


def group(kind: str, number: int) -> Json:
    text, source = TEXTS[number], f"clerk{number}"
    match kind:
        case "call":
            call = {"id": f"k{number}", "name": "look", "arguments": "{}"}
            return {"source": source, "type": "ToolCallRequestEvent", "content": [call]}
        case "return":
            result = {"call_id": f"k{number}", "content": text, "is_error": False}
            return {"source": source, "type": "ToolCallExecutionEvent", "content": [result]}
        case "think":
            return {"source": source, "type": "ThoughtEvent", "content": text}
    return {"source": "user" if kind == "ask" else source, "type": "TextMessage", "content": text}


def agent(kind: str, number: int) -> Json:
    if kind == "call":
        return {"role": "assistant", "content": f"I try.\n```bash\nls {number}\n```"}
    return {"role": "user", "content": TEXTS[number]} if kind == "return" else chat(kind, number)


def event(kind: str, number: int) -> Json:
    text = TEXTS[number]
    match kind:
        case "ask" | "think":
            return {"event.name": "gen_ai.user.message", "content": text}
        case "call":
            call = {"id": f"k{number}", "function": {"name": "look", "arguments": "{}"}}
            return {"event.name": "gen_ai.assistant.message", "tool_calls": [call]}
        case "return":
            return {"event.name": "gen_ai.tool.message", "id": f"k{number}", "content": text}
    return {"event.name": "gen_ai.assistant.message", "content": text}


def session(kind: str, number: int) -> Json:
    message = blocks(kind, number)
    if message["role"] == "assistant":
        message["stop_reason"] = "end_turn" if kind == "done" else None
    return {"type": message["role"], "sessionId": "s", "message": message}


def with_ids(lines: Sequence[Json]) -> None:
    """Give the lines of a message its id: it ends where the user speaks, or it says so itself."""
    message = 1
    for line in lines:
        if line.get("type") == "assistant":
            form = line["message"]
            assert isinstance(form, dict)
            form["id"] = f"m{message}"
            message += form["stop_reason"] is not None
        elif line.get("type") == "user":
            message += 1


ITEMS: dict[str, Callable[[str, int], Json]] = {
    "codex": codex,
    "openai_responses": responses,
    "openai_chat": chat,
    "anthropic": blocks,
    "langchain": langchain,
    "group_chat": group,
    "swe_agent": agent,
    "otel": event,
    "claude_code": session,
}


@pytest.mark.parametrize("name", ITEMS)
@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_a_record_that_grows_item_by_item_goes_on(name: str, steps: list[tuple[str, int]]) -> None:
    items = [ODD if kind == "odd" else ITEMS[name](kind, number) for kind, number in steps]
    with_ids(items)
    check(name, [Lines([*items[:count]]) for count in range(1, len(items) + 1)])


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, agents=st.lists(st.integers(0, 2), min_size=9, max_size=9))
def test_a_session_with_agents_whose_lines_stand_between_goes_on(
    steps: list[tuple[str, int]], agents: list[int]
) -> None:
    own = [session(kind, number) for kind, number in steps if kind != "odd"]
    with_ids(own)
    lines: list[object] = []
    last: dict[int, str] = {}
    for line, agent in zip(own, agents, strict=False):
        uuid = f"l{len(lines)}"
        lines.append({**line, "uuid": uuid, "parentUuid": last.get(0)})
        last[0] = uuid
        if agent:
            said = blocks("tell" if agent in last else "ask", agent)
            said |= {"id": f"n{agent}", "stop_reason": None}
            aside = {"uuid": f"a{len(lines)}", "parentUuid": last.get(agent), "isSidechain": True}
            lines.append({"type": said["role"], "sessionId": "s", "message": said, **aside})
            last[agent] = f"a{len(lines) - 1}"
    check("claude_code", [Lines(lines[:count]) for count in range(1, len(lines) + 1)])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["user: x", "assistant: y", "", "More of it.", "```", "**User:** z", "## User"]),
        min_size=1,
        max_size=9,
    )
)
def test_a_text_that_grows_line_by_line_goes_on(lines: list[str]) -> None:
    check("plain_text", ["\n".join(lines[: count + 1]) for count in range(len(lines))])


def check(name: str, records: Sequence[object]) -> None:
    """Encode each record behind the one before, and the last one to its end."""
    state: BodyState | None = None
    body, whole = "", None
    for record, options in [
        *((record, OPEN) for record in records),
        *((last, CLOSED) for last in records[-1:]),
    ]:
        try:
            whole = import_history(record, name)
        except NotATranscript:
            whole = None
            continue
        encoded = encode(whole, options, before=state)
        state, body = encoded.state, body + encoded.body
        for _, report in judged(as_messages(encoded, id="m1", ts=NOW), encoded.source):
            assert [str(found) for found in report.diagnostics] == []
    if whole is not None:
        assert skeleton(reread(body)) == skeleton(whole)
        assert _unknown(reread(body)) == _unknown(whole)


def _unknown(history: History) -> list[list[str]]:
    """Return of each turn in the body the kinds of its items that are not known."""
    turns = history.turns[first_turn(history.turns) :] if history.format != FORMAT else history.turns
    return [[part.kind for part in turn.parts if isinstance(part, Unknown)] for turn in turns]
