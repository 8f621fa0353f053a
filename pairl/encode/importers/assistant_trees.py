"""Trees of messages as Open Assistant publishes them: a prompt, its replies, their replies.

This module knows that each message may have several replies, and reads all of them: every branch is kept, as
turns that answer the same one. It does not know which branch is the best.
"""

from __future__ import annotations

from pairl.encode.history import History
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, values_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits, note_others
from pairl.encode.importers.moment import moment
from pairl.encode.importers.roles import role_of

NAME = "assistant_trees"
_FIELDS = known_fields(
    *("role", "text", "replies", "deleted", "review_count", "review_result", "rank", "synthetic", "emojis"),
    *("labels", "detoxify"),
)
_FIELDS_OF_TREES = known_fields("prompt")


def _recognise(value: object) -> bool:
    """Say whether a value is a tree of messages, or a list or lines of them."""
    return bool(_trees(value))


def _read(value: object) -> History:
    """Return the trees as one history, each with a first turn; raise `NotATranscript` if there is none."""
    trees = _trees(value)
    if not trees:
        raise NotATranscript(
            "there is no tree of messages in it",
            "a tree is an object with `message_tree_id` and `prompt`, and messages have `text` and `replies`",
        )
    history = HistoryBuilder(NAME)
    note_others(history, values_of(value), _trees)
    for tree in trees:
        _read_tree(history, tree)
    return history.history()


def _trees(value: object) -> list[dict[str, object]]:
    return [item for item in map(as_object, values_of(value)) if _is_tree(item)]


def _is_tree(item: dict[str, object]) -> bool:
    prompt = as_object(item.get("prompt"))
    return isinstance(prompt.get("text"), str) and ("message_tree_id" in item or "replies" in prompt)


def _read_tree(history: HistoryBuilder, tree: dict[str, object]) -> None:
    """Add the messages of a tree, each before its replies, a reply and all below it before the next."""
    note_fields(history, tree, _FIELDS_OF_TREES)
    waiting: list[tuple[object, int | None]] = [(tree["prompt"], None)]
    while waiting:
        message, answered = waiting.pop()
        form = as_object(message)
        history.item({key: field for key, field in form.items() if key != "replies"})
        role = role_of(form.get("role")) or "assistant"
        turn = history.begin(role) if answered is None else history.turn(role, answers=answered)
        history.say(text_of(form.get("text")))
        if not isinstance(message, dict):
            history.keep("reply that is no object", write_json(message))
        note_fields(history, form, _FIELDS)
        note_misfits(history, form, list, "replies")
        history.began_at = history.began_at or moment(form.get("created_date"))
        if form.get("deleted") is True:
            history.notice("message that was marked as deleted, and is kept", as_text(form.get("message_id")))
        waiting.extend((reply, turn) for reply in reversed(as_list(form.get("replies"))))


FORMAT = Format(
    NAME,
    "Open Assistant's trees of messages: `message_tree_id`, `prompt` and `replies`, a tree or one a line",
    _recognise,
    _read,
)
