"""Conversations as ChatGPT exports them: a `mapping` of nodes, each with a message and its parent.

This module knows the tree, and the kinds of content in it. It reads the branch that was shown last; prompts
that were edited, and answers that were asked for again, are left out with a notice. It does not know what was
attached.
"""

from __future__ import annotations

from pairl.diagnostics import excerpt
from pairl.encode.history import History
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, values_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits, note_others
from pairl.encode.importers.moment import moment
from pairl.encode.importers.roles import RESULT_ROLES, role_of

NAME = "chatgpt"

TEXTS = ("text", "title", "url", "result", "content", "user_profile", "user_instructions")
"""Fields of a content that are said, beside its `parts`; kinds of content have different ones of them."""

_FIELDS_OF_CONVERSATIONS = known_fields(
    *("mapping", "current_node", "conversation_template_id", "gizmo_id", "default_model_slug"),
    *("moderation_results", "plugin_ids", "safe_urls", "is_archived", "is_starred"),
)
_FIELDS_OF_NODES = known_fields("message", "parent", "children")
_FIELDS_OF_AUTHORS = known_fields("role", "name")
_FIELDS = known_fields("author", "content", "recipient")
_FIELDS_OF_CONTENTS = known_fields(
    *TEXTS, "parts", "thoughts", "content_type", "language", "source_analysis_msg_id"
)
_FIELDS_OF_THOUGHTS = known_fields("summary", "content", "chunks", "finished")

_TO_ALL = ("all", "")
"""Recipients of what is said; any other one is a tool."""


def _recognise(value: object) -> bool:
    """Say whether a value is an exported conversation, or a list or lines of them."""
    return bool(_conversations(value))


def _read(value: object) -> History:
    """Read the conversations, each beginning anew; raise `NotATranscript` if there is none."""
    found = _conversations(value)
    if not found:
        raise NotATranscript(
            "there is no `mapping` of messages in it",
            "an export is a list of conversations, each an object with a `mapping` and a `current_node`",
        )
    history = HistoryBuilder(NAME)
    note_others(history, values_of(value), _conversations)
    for conversation in found:
        history.restart()
        history.began_at = history.began_at or moment(conversation.get("create_time"))
        note_fields(history, conversation, _FIELDS_OF_CONVERSATIONS)
        nodes = as_object(conversation["mapping"])
        branch = _branch(nodes, conversation.get("current_node"))
        for key in branch:
            note_misfits(history, nodes, dict, key)
            node = as_object(nodes[key])
            note_fields(history, node, _FIELDS_OF_NODES)
            note_misfits(history, node, dict, "message")
            _add(history, as_object(node.get("message")))
        shown = set(branch)
        for message in (as_object(as_object(nodes[key]).get("message")) for key in nodes if key not in shown):
            if message:
                size = len(write_json(message.get("content")))
                history.leave_out("message of a branch that was left", size=size)
    return history.history()


def _branch(nodes: dict[str, object], current: object) -> list[str]:
    """Return the keys of the nodes from the root to the current one, or to the last if none is told."""
    at: object = current if isinstance(current, str) and current in nodes else next(reversed(nodes), None)
    branch: dict[str, None] = {}
    while isinstance(at, str) and at in nodes and at not in branch:
        branch[at] = None
        at = as_object(nodes[at]).get("parent")
    return list(reversed(branch))


def _add(history: HistoryBuilder, message: dict[str, object]) -> None:
    author, content = as_object(message.get("author")), _content_of(message)
    role, recipient = as_text(author.get("role")).lower(), as_text(message.get("recipient"))
    said = _said(content)
    thoughts = as_list(content.get("thoughts"))
    note_fields(history, message, _FIELDS)
    note_misfits(history, message, dict, "author")
    note_misfits(history, message, (dict, list, str), "content")
    note_fields(history, author, _FIELDS_OF_AUTHORS)
    note_fields(history, content, _FIELDS_OF_CONTENTS)
    note_misfits(history, content, list, "thoughts")
    if not said and not thoughts and not as_list(content.get("parts")):
        return
    history.item(message)
    if role in RESULT_ROLES:
        # A result names its tool, and no call.
        history.result(as_text(author.get("name")), said)
    else:
        history.turn(role_of(role) or "assistant", speaker=as_text(author.get("name")) or None)
        for thought in thoughts:
            note_fields(history, as_object(thought), _FIELDS_OF_THOUGHTS)
            texts = [text_of(as_object(thought).get(key)) for key in ("summary", "content")]
            history.think("\n".join(filter(None, texts)) or text_of(thought))
        if recipient in _TO_ALL:
            history.say(said)
        else:
            history.call(recipient, read_arguments(said), recipient)
    for part in as_list(content.get("parts")):
        if not isinstance(part, str):
            kind = as_text(as_object(part).get("content_type")).removesuffix("_asset_pointer")
            history.leave_out(f"attached {excerpt(kind) or 'item'}", size=len(write_json(part)))


def _content_of(message: dict[str, object]) -> dict[str, object]:
    """Return what a message holds as an object with `parts`; a text or a list alone are the parts."""
    given = message.get("content")
    content = given if isinstance(given, dict) else {"parts": given}
    parts = content.get("parts")
    return content if parts is None or isinstance(parts, list) else {**content, "parts": [parts]}


def _said(content: dict[str, object]) -> str:
    texts = [text_of(content.get(key)) for key in TEXTS]
    return "\n".join(filter(None, [*texts, *map(as_text, as_list(content.get("parts")))]))


def _conversations(value: object) -> list[dict[str, object]]:
    return [form for form in map(as_object, values_of(value)) if isinstance(form.get("mapping"), dict)]


FORMAT = Format(
    NAME,
    "ChatGPT's export: conversations with a `mapping` of messages, of each the branch that was shown last",
    _recognise,
    _read,
)
