"""What a message says, where that is a list of parts: texts, thoughts, and media that no text can hold.

This module knows the kinds of parts that OpenAI's interfaces and those like them have. It does not know who
speaks.
"""

from __future__ import annotations

from pairl.diagnostics import excerpt
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json

TEXTS = {
    **dict.fromkeys(("text", "input_text", "output_text", "summary_text", "reasoning_text"), "text"),
    "refusal": "refusal",
    "logs": "logs",
}
"""Kinds of parts that are text, and the field that holds it."""

THOUGHTS = {"thinking": "thinking", "reasoning": "text"}
"""Kinds of parts that are thoughts, and the field that holds them."""

MEDIA = {
    **dict.fromkeys(("image_url", "input_image", "image", "computer_screenshot", "image-url"), "image"),
    **dict.fromkeys(("input_audio", "audio", "audio_url", "audio-url"), "audio"),
    **dict.fromkeys(("video_url", "video", "video-url"), "video"),
    **dict.fromkeys(("file", "input_file", "document", "document-url", "binary", "blob", "uri"), "file"),
    "redacted_thinking": "redacted thought",
}
"""Kinds of parts that no text can hold, and what a notice calls them."""


def read_content(history: HistoryBuilder, content: object) -> None:
    """Add to the latest turn what its message says: a text, a list of parts, or nothing."""
    for part in content if isinstance(content, list) else [content]:
        if part is None:
            continue
        if isinstance(part, str):
            history.say(part)
        elif isinstance(part, dict):
            _read_part(history, part)
        else:
            history.say(write_json(part))


def text_of(value: object, history: HistoryBuilder | None = None) -> str:
    """Return the text of a value: of a string itself, of a list of parts their texts on lines of their own.

    Anything else is its JSON; nothing is nothing. Media are told to `history` as notices and left out.
    """
    if value is None or isinstance(value, str):
        return value or ""
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, str) or _kind_of(part) for part in parts):
        return write_json(value)
    return "\n".join(text for part in parts if (text := _text_of_part(part, history)) is not None)


def _text_of_part(part: object, history: HistoryBuilder | None) -> str | None:
    kind = _kind_of(part)
    text = part.get(TEXTS.get(kind, "")) if isinstance(part, dict) else part
    if isinstance(text, str):
        return text
    if kind in MEDIA and history is not None:
        history.notice(MEDIA[kind], size=len(write_json(part)))
        return None
    return write_json(part)


def _kind_of(part: object) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    return kind if isinstance(kind, str) else ""


def _read_part(history: HistoryBuilder, part: dict[str, object]) -> None:
    kind = _kind_of(part)
    text = part.get(TEXTS.get(kind, "text"))
    if kind in MEDIA:
        history.notice(MEDIA[kind], size=len(write_json(part)))
    elif kind in THOUGHTS:
        history.think(text_of(part.get(THOUGHTS[kind])))
    elif (kind in TEXTS or not kind) and isinstance(text, str):
        history.say(text)
    else:
        history.keep(excerpt(kind) or "part of a message", write_json(part))
