"""Messages of OpenTelemetry's conventions for generative AI: `{role, parts}`, and older spellings of them.

This module knows the kinds of parts that a message has. It does not know where messages stand in a trace.
"""

from __future__ import annotations

from pairl.diagnostics import excerpt
from pairl.encode.importers.chat_messages import ROLES, read_arguments
from pairl.encode.importers.content_parts import MEDIA, text_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_flag, as_list, as_object, as_text

CALLS = {"tool_call": "arguments", "server_tool_call": "server_tool_call"}
"""Kinds of parts that call a tool, and the field that holds the arguments."""

RESULTS = {
    "tool_call_response": ("response", "result", "content"),
    "server_tool_call_response": ("server_tool_call_response",),
}
"""Kinds of parts that hold what a tool returned, and the fields of which one has it."""

_THOUGHTS = frozenset({"reasoning", "thinking"})


def is_of_parts(message: object) -> bool:
    """Say whether a message is a list of parts, and not of the form that chats have."""
    return isinstance(as_object(message).get("parts"), list)


def read_parts(history: HistoryBuilder, message: dict[str, object], *, speaker: str | None = None) -> None:
    """Add a message to a history. One of results alone is no turn, whatever its role is.

    `speaker` is the name of who speaks, where the message itself has none.
    """
    history.item(message)
    parts = as_list(message.get("parts"))
    kinds = [as_text(as_object(part).get("type")) for part in parts]
    named = as_text(message.get("role")).strip()
    role = ROLES.get(named.lower(), "assistant")
    if not parts or not all(kind in RESULTS for kind in kinds):
        name = as_text(message.get("name")).strip() or speaker
        if named.lower() not in (*ROLES, "tool", ""):
            name = named
        history.turn(role, speaker=name)
    for part, kind in zip(parts, kinds, strict=True):
        _read_part(history, part, kind)


def _read_part(history: HistoryBuilder, part: object, kind: str) -> None:
    form = as_object(part)
    if isinstance(part, str):
        history.say(part)
    elif kind in ("text", "refusal") and isinstance(form.get("content"), str):
        history.say(as_text(form["content"]))
    elif kind in _THOUGHTS:
        history.think(text_of(form.get("content")))
    elif kind in CALLS and as_text(form.get("name")):
        given = read_arguments(form.get(CALLS[kind]))
        history.call(as_text(form["name"]), given, text_of(form.get("id")))
    elif kind in RESULTS:
        returned = next((form[key] for key in RESULTS[kind] if form.get(key) is not None), None)
        is_error = as_flag(form.get("is_error"))
        history.result(text_of(form.get("id")), _returned(returned, history), is_error=is_error)
    elif kind in MEDIA:
        modality = as_text(form.get("modality"))
        history.notice(excerpt(modality, 20) or MEDIA[kind], size=len(write_json(part)))
    else:
        history.keep(excerpt(kind) or "part without a type", write_json(part))


def _returned(value: object, history: HistoryBuilder) -> str:
    """Return what a tool returned as a text; parts of text in it are named as those of messages are."""
    if isinstance(value, list) and value:
        texts = [as_object(part).get("content") for part in value if as_object(part).get("type") == "text"]
        if len(texts) == len(value) and all(isinstance(text, str) for text in texts):
            return "\n".join(map(as_text, texts))
    return text_of(value, history)
