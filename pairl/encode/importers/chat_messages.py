"""Messages of a chat, one at a time: `{role, content, tool_calls, tool_call_id, name}`, or `{role, parts}`.

This module knows one message, with all that providers and frameworks add to it. It does not know what a list
of messages stands in; that is what `openai_chat`, `group_chat` and `otel` know.
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.encode.history import Role
from pairl.encode.importers.content_parts import THOUGHTS, kind_of, said_in, text_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_flag, as_list, as_text
from pairl.encode.importers.message_content import read_content
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits
from pairl.encode.importers.roles import RESULT_ROLES, ROLE_NAMES, role_of
from pairl.encode.importers.tool_parts import is_result, is_tool_part, read_tool_part

_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "thought")
"""Where the thoughts of a message stand. Several of them repeat one another: the first is read."""

_THINK_TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"))

_BESIDE_THE_CONTENT = ("refusal", "audio", "function_call", "tool_calls")

_FIELDS = known_fields(
    *("role", "content", "parts", "name", "toolInvocations", "tool_call_id", "tool_responses"),
    *("is_error", "status", *_THOUGHTS, *_BESIDE_THE_CONTENT),
)
_IDS = ("id", "call_id")
_FIELDS_OF_CALLS = known_fields(
    "function", "custom", "name", "arguments", "input", "args", "parameters", "call_id"
)
_FIELDS_OF_RESULTS = known_fields("content", "tool_call_id", "is_error", "role", "name")


def is_message(value: object) -> bool:
    """Say whether a value is a message of a chat: an object with a role, and something said, or called."""
    if not isinstance(value, dict) or not isinstance(value.get("role"), str):
        return False
    role = value["role"].lower()
    return (role in ROLE_NAMES or role in RESULT_ROLES) and not value.keys().isdisjoint(
        ("content", "parts", "tool_calls", "function_call", "tool_responses", "refusal", "reasoning_content")
    )


def read_message(
    history: HistoryBuilder, message: object, *, speaker: str | None = None, spoken_as: Role | None = None
) -> None:
    """Add a message to a history, as a turn or as results of a turn before.

    `speaker` is who spoke where the message itself does not say it; its `name` goes before, unless it is a
    role. A role that is in none of our tables is taken as the name of a participant. `spoken_as` is the role
    of the turn, where that is known better than from the message.
    """
    history.item(message)
    if not isinstance(message, dict):
        history.leave_out("message that is no object", size=len(write_json(message)))
        return
    role = message.get("role")
    named = role.strip().lower() if isinstance(role, str) else "assistant"
    content = _content_of(message)
    results = [part for part in content if is_result(part)] if isinstance(content, list) else []
    if results and (named in RESULT_ROLES or len(results) == len(as_list(content))):
        for part in as_list(content):
            if is_tool_part(part):
                read_tool_part(history, part)
            else:
                history.keep("part beside a result", write_json(part))
    elif named in RESULT_ROLES:
        _read_results(history, message, content)
    else:
        turn_role = spoken_as or role_of(named) or "assistant"
        if named not in ROLE_NAMES:
            speaker = str(role)
        if results and turn_role == "user":
            # The results answer the turn before, also where a text stands above them.
            read_content(history, results)
            content = [part for part in as_list(content) if not is_result(part)]
        name = message.get("name")
        is_name = isinstance(name, str) and name.strip() and name.strip().lower() not in ROLE_NAMES
        history.turn(turn_role, speaker=str(name) if is_name else speaker)
        _read_turn(history, message, content, is_model=turn_role == "assistant")
    note_fields(history, message, _FIELDS)
    note_misfits(history, message, dict, "function_call", "audio")
    note_misfits(history, message, list, "tool_responses")


def _content_of(message: dict[str, object]) -> object:
    """Return what a message holds: its content, or its parts, which most often repeat the content."""
    content = message.get("content")
    if "parts" not in message and "toolInvocations" not in message:
        return content
    parts, calls = (_listed(message.get(key)) for key in ("parts", "toolInvocations"))
    if not parts and not calls:
        return content
    said = "".join(said_in(part) or "" for part in parts if isinstance(part, dict))
    if content and not (isinstance(content, str) and content.strip() in said):
        parts = [*(content if isinstance(content, list) else [content]), *parts]
    if not any(map(is_tool_part, parts)):
        parts = [*parts, *({"type": "tool-invocation", "toolInvocation": call} for call in calls)]
    return parts


def _listed(value: object) -> list[object]:
    """Return a list as it is, nothing as an empty one, and anything else as its only item."""
    return [] if value is None else value if isinstance(value, list) else [value]


def _read_turn(
    history: HistoryBuilder, message: dict[str, object], content: object, *, is_model: bool
) -> None:
    if not (
        message.keys().isdisjoint(_THOUGHTS) or any(kind_of(part) in THOUGHTS for part in as_list(content))
    ):
        history.think(next((text for key in _THOUGHTS if (text := text_of(message.get(key)))), ""))
    if is_model and isinstance(content, str):
        *thoughts, content = _split_thoughts(content)
        for thought in thoughts:
            history.think(thought)
    read_content(history, content)
    if message.keys().isdisjoint(_BESIDE_THE_CONTENT):
        return
    refusal, audio = message.get("refusal"), message.get("audio")
    history.say(text_of(refusal))
    if isinstance(audio, dict):
        history.say(text_of(audio.get("transcript")))
        history.leave_out("audio", size=len(text_of(audio.get("data"))))
    function_call, calls = message.get("function_call"), message.get("tool_calls")
    if isinstance(function_call, dict):
        _read_call(history, function_call)
    for call in calls if isinstance(calls, list) else [calls] if calls else []:
        _read_call(history, call)


def _split_thoughts(text: str) -> Iterator[str]:
    """Yield the thoughts at the head of a text, each in its tags, and then the rest of it."""
    start = 0
    while True:
        head = start
        while head < len(text) and text[head].isspace():
            head += 1
        tags = next((tags for tags in _THINK_TAGS if text.startswith(tags[0], head)), None)
        end = text.find(tags[1], head) if tags else -1
        if not tags or end < 0:
            yield text[start:] if start == 0 else text[head:]
            return
        yield text[head + len(tags[0]) : end].strip()
        start = end + len(tags[1])


def _read_call(history: HistoryBuilder, call: object) -> None:
    form = call if isinstance(call, dict) else {}
    inner = form.get("function") or form.get("custom") or form
    inner = inner if isinstance(inner, dict) else {"name": inner, **form}
    name, call_id = as_text(inner.get("name")), text_of(next(filter(None, map(form.get, _IDS)), None))
    if not name:
        # Its id may be another when it is told again.
        told = {key: value for key, value in form.items() if key not in _IDS}
        history.call("", told if isinstance(call, dict) else call, call_id)
        return
    for one in (form, inner):
        note_fields(history, one, _FIELDS_OF_CALLS)
    given = next((inner[key] for key in ("arguments", "input", "args", "parameters") if key in inner), None)
    history.call(name, read_arguments(given), call_id)


def _read_results(history: HistoryBuilder, message: dict[str, object], content: object) -> None:
    responses = message.get("tool_responses")
    for response in responses if isinstance(responses, list) and responses else [message]:
        if not isinstance(response, dict):
            history.keep("result that is no object", write_json(response))
            continue
        if response is not message:
            note_fields(history, response, _FIELDS_OF_RESULTS)
        is_error = as_flag(response.get("is_error"))
        if response.get("status") in ("error", "success"):
            is_error = response["status"] == "error"
        text = text_of(content if response is message else response.get("content"), history)
        history.result(text_of(response.get("tool_call_id")), text, is_error=is_error)
