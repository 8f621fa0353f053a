"""Sessions of Codex: a line of JSON for each thing that happened.

This module knows which lines are the conversation: those with an item of the Responses interface. The events
of the session tell the same a second time, and when the model is done. What an item holds, knows
`response_items`.
"""

from __future__ import annotations

from pairl.diagnostics import excerpt
from pairl.encode.history import History
from pairl.encode.importers.format import Format, NotATranscript, values_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields
from pairl.encode.importers.moment import moment
from pairl.encode.importers.response_items import read_items

NAME = "codex"
_ITEM = "response_item"
_EVENT = "event_msg"
_FIELDS = known_fields("payload")

ENDS = frozenset({"task_complete", "turn_complete", "turn_aborted"})
"""Kinds of events that tell that the model is done, or was stopped: what it says next is another turn."""


def _recognise(value: object) -> bool:
    """Say whether a line of a value holds an item as only a session does."""
    return any(_is_item(as_object(line)) for line in values_of(value))


def _read(value: object) -> History:
    """Read a session into a history; raise `NotATranscript` if no line of it holds an item."""
    lines = [as_object(line) for line in values_of(value)]
    if not any(map(_is_item, lines)):
        raise NotATranscript(
            "no line of the text holds an item of a session",
            f"lines of a session are objects with `timestamp`, `type` and `payload`, some of type `{_ITEM}`",
        )
    history = HistoryBuilder(NAME)
    history.began_at = next((time for line in lines if (time := moment(line.get("timestamp")))), None)
    if [read_items(history, items, {}) for items in _between_ends(lines)][-1]:
        history.leave_unfinished()
    for number, line in enumerate(lines, 1):
        note_fields(history, line, _FIELDS)
        if not _is_item(line):
            kind = excerpt(as_text(line.get("type"))) or "none"
            history.notice(f"line of type `{kind}`", f"line {number}", len(write_json(line.get("payload"))))
    return history.history()


def _between_ends(lines: list[dict[str, object]]) -> list[list[object]]:
    """Return the items of a session, apart from one another those before and behind an event of `ENDS`."""
    items: list[list[object]] = [[]]
    for line in lines:
        if _is_item(line):
            items[-1].append(line["payload"])
        elif line.get("type") == _EVENT and as_object(line.get("payload")).get("type") in ENDS:
            items.append([])
    return items


def _is_item(line: dict[str, object]) -> bool:
    return line.get("type") == _ITEM and isinstance(line.get("payload"), dict)


FORMAT = Format(
    NAME,
    "Codex: the lines of a session file, each with a `type` and a `payload`",
    _recognise,
    _read,
)
