"""Parts that a message may consist of: texts, thoughts, and media that no text can hold.

This module knows the kinds of parts of many interfaces, and the text of each. It does not know who speaks,
nor what calls a tool: that is what `tool_parts` knows.
"""

from __future__ import annotations

from pairl.diagnostics import excerpt
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_text
from pairl.encode.importers.metadata import known_fields, note_fields

TEXTS: dict[str, tuple[str, ...]] = {
    "text": ("text", "content"),
    **dict.fromkeys(("input_text", "output_text", "summary_text", "reasoning_text"), ("text",)),
    "refusal": ("refusal", "content"),
    "logs": ("logs",),
}
"""Kinds of parts that are text, and the fields of which one holds it."""

THOUGHTS: dict[str, tuple[str, ...]] = {
    "thinking": ("thinking", "content"),
    "reasoning": ("text", "reasoning", "content"),
    "reasoningContent": ("reasoningContent",),
    "reasoningText": ("text",),
}
"""Kinds of parts that are thoughts, and the fields of which one holds them: a text, or a part again."""

MEDIA = {
    **dict.fromkeys(("image_url", "input_image", "image", "computer_screenshot", "image-url"), "image"),
    **dict.fromkeys(("input_audio", "audio", "audio_url", "audio-url"), "audio"),
    **dict.fromkeys(("video_url", "video", "video-url"), "video"),
    **dict.fromkeys(("file", "input_file", "document", "document-url", "binary", "blob", "uri"), "file"),
    **dict.fromkeys(("media", "inlineData", "inline_data", "fileData", "file_data"), "file"),
    **dict.fromkeys(("source", "source-url", "source-document"), "source of what is said"),
    **dict.fromkeys(("redacted_thinking", "redactedContent"), "redacted thought"),
}
"""Kinds of parts that no text can hold, and what a notice calls them."""

SILENT = frozenset({"step-start", "step-finish", "cachePoint"})
"""Kinds of parts that only say where something begins or ends."""

_JSON = "json"

KINDS_BY_FIELD = frozenset(
    {"text", _JSON, "reasoningContent", "reasoningText", "redactedContent", "cachePoint"}
    | {"image", "document", "video", "audio", "inlineData", "inline_data", "fileData", "file_data"}
    | {"toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response"}
    | {"executableCode", "executable_code", "codeExecutionResult", "code_execution_result"}
)
"""What a part without a `type` is told by: the first of these fields that it has."""

FIELDS = known_fields(
    *("thought", _JSON),
    *(field for fields in (*TEXTS.values(), *THOUGHTS.values()) for field in fields),
)
"""Fields of texts and thoughts that are read."""


def kind_of(part: object) -> str:
    """Return the kind of a part, empty where nothing tells it."""
    if not isinstance(part, dict):
        return ""
    kind = part.get("type")
    if isinstance(kind, str):
        return kind
    return next((str(key) for key in part if key in KINDS_BY_FIELD), "")


def text_of(value: object, history: HistoryBuilder | None = None) -> str:
    """Return the text of a value: of a string itself, of a list of parts their texts on lines of their own.

    Anything else is its JSON; nothing is nothing. Media are told to `history` as notices and left out.
    """
    if value is None or isinstance(value, str):
        return value or ""
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, str) or _is_part(part, among=parts is value) for part in parts):
        return write_json(value)
    return "\n".join(text for part in parts if (text := _text_of_part(part, history)) is not None)


def said_in(part: dict[str, object]) -> str | None:
    """Return what a part says, None if it is no text."""
    kind = kind_of(part)
    if kind == _JSON and _JSON in part:
        return write_json(part[_JSON])
    fields = (part.get(key) for key in TEXTS.get(kind, () if kind else ("text",)))
    return next((text for text in fields if isinstance(text, str)), None)


def thought_in(part: dict[str, object]) -> str | None:
    """Return what a part has that was thought, None if it is no thought."""
    kind = kind_of(part)
    if part.get("thought") is True:
        return said_in(part)
    if kind not in THOUGHTS:
        return None
    given = next((part[key] for key in THOUGHTS[kind] if part.get(key) is not None), None)
    # One step at most: a thought that is deeper is no part of any interface.
    inner = given.get("reasoningText", given) if isinstance(given, dict) else given
    return as_text(inner.get("text")) if isinstance(inner, dict) and "text" in inner else text_of(inner)


def note_media(history: HistoryBuilder, part: dict[str, object]) -> bool:
    """Take notice of a part that no text can hold; say whether it is one."""
    kind = kind_of(part)
    if kind not in MEDIA:
        return False
    modality = as_text(part.get("modality"))
    history.leave_out(excerpt(modality, 20) or MEDIA[kind], size=len(write_json(part)))
    return True


def _is_part(part: object, *, among: bool) -> bool:
    """Say whether a value is a part; one without a `type` only where it stands among others and alone."""
    if not isinstance(part, dict):
        return False
    return isinstance(part.get("type"), str) or (among and len(part) == 1 and kind_of(part) != "")


def _text_of_part(part: object, history: HistoryBuilder | None) -> str | None:
    if not isinstance(part, dict):
        return as_text(part)
    text = said_in(part)
    if text is not None and history is not None:
        note_fields(history, part, FIELDS)
    if text is None and not (history is not None and note_media(history, part)):
        return write_json(part)
    return text
