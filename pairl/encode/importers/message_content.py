"""What a message says, does and thinks, where its content is a text or a list of parts.

This module knows what becomes of each part. It knows neither the fields of a message nor who speaks.
"""

from __future__ import annotations

from pairl.diagnostics import excerpt
from pairl.encode.importers.content_parts import FIELDS, SILENT, kind_of, note_media, said_in, thought_in
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.metadata import note_fields
from pairl.encode.importers.tool_parts import is_tool_part, read_tool_part


def read_content(history: HistoryBuilder, content: object) -> None:
    """Add to the latest turn what its message holds: a text, a list of parts, or nothing."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            history.say(part)
        elif isinstance(part, dict):
            _read_part(history, part)
        elif part is not None:
            history.say(write_json(part))


def _read_part(history: HistoryBuilder, part: dict[str, object]) -> None:
    if is_tool_part(part):
        read_tool_part(history, part)
    elif (thought := thought_in(part)) is not None:
        history.think(thought)
        note_fields(history, part, FIELDS)
    elif (text := said_in(part)) is not None:
        history.say(text)
        note_fields(history, part, FIELDS)
    elif not note_media(history, part) and (kind := kind_of(part)) not in SILENT:
        history.keep(excerpt(kind) or "part of a message", write_json(part))
