"""Conversations as Claude's website and apps export them: `chat_messages` with a `sender`.

This module knows where the messages stand, and what was attached to them. What their blocks mean is known by
`pairl.encode.importers.anthropic_blocks`.
"""

from __future__ import annotations

from pairl.encode.history import History
from pairl.encode.importers.anthropic_blocks import add_block, blocks_of
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, values_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_list, as_object
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits, note_others
from pairl.encode.importers.moment import moment
from pairl.encode.importers.roles import role_of

NAME = "claude_ai"
_MESSAGES = "chat_messages"
_FIELDS = known_fields("sender", "text", "content", "attachments", "files", "files_v2")
_FIELDS_OF_ATTACHMENTS = known_fields("extracted_content", "file_name", "file_size", "file_type")
_FIELDS_OF_CONVERSATIONS = known_fields(_MESSAGES, "name", "account")


def _recognise(value: object) -> bool:
    """Say whether a value is an exported conversation, or a list or lines of them."""
    return bool(_conversations(value))


def _read(value: object) -> History:
    """Read the conversations, each beginning anew; raise `NotATranscript` if there is none."""
    found = _conversations(value)
    if not found:
        raise NotATranscript(
            f"there are no `{_MESSAGES}` in it",
            "an export is a list of conversations, each an object with messages that have a `sender`",
        )
    history = HistoryBuilder(NAME)
    note_others(history, values_of(value), _conversations)
    for conversation in found:
        history.restart()
        note_fields(history, conversation, _FIELDS_OF_CONVERSATIONS)
        history.began_at = history.began_at or moment(conversation.get("created_at"))
        for number, message in enumerate(as_list(conversation[_MESSAGES]), 1):
            history.item(message)
            _add(history, message, f"message {number}")
    return history.history()


def _add(history: HistoryBuilder, original: object, where: str) -> None:
    message = as_object(original)
    role = role_of(message.get("sender"))
    if role is None:
        history.keep("message without a known sender", write_json(original))
        return
    history.turn(role)
    note_fields(history, message, _FIELDS)
    note_misfits(history, message, list, "attachments", "files")
    # Earlier exports have the text alone, later ones blocks that it repeats.
    for block in blocks_of(message.get("content") or message.get("text")):
        add_block(history, block, where)
    for attached in as_list(message.get("attachments")):
        if not isinstance(attached, dict):
            history.keep("attachment that is no object", write_json(attached))
            continue
        history.say(text_of(attached.get("extracted_content")))
        note_fields(history, attached, _FIELDS_OF_ATTACHMENTS)
    for file in as_list(message.get("files")):
        history.leave_out("attached file", where, len(write_json(file)))


def _conversations(value: object) -> list[dict[str, object]]:
    return [form for form in map(as_object, values_of(value)) if isinstance(form.get(_MESSAGES), list)]


FORMAT = Format(
    NAME,
    "Claude's export: conversations with `chat_messages`, of which each names its `sender`",
    _recognise,
    _read,
)
