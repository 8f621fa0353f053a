"""Runs of SWE-agent and mini-swe-agent: an agent that gives commands, and what each came to.

This module knows the three generations of their records: actions as calls of tools, actions in the text with
the thought apart, and actions in the text alone. Of a run that is told twice it reads the `history`, which is
what the model saw. Where a command stands in a text is known by `pairl.encode.importers.swe_agent_actions`.
"""

from __future__ import annotations

import msgspec

from pairl.encode.history import ROLES, History
from pairl.encode.importers.anthropic_blocks import add_block, blocks_of
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, joined
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits
from pairl.encode.importers.swe_agent_actions import Action, exit_code, is_marked, last_action, only_action

NAME = "swe_agent"
_MARKS = ("message_type", "agent", "action", "thought")
"""Fields of a message that only this record has."""

_FIELDS = known_fields(
    *("role", "content", "name", "action", "thought", "tool_calls", "tool_call_ids", "tool_call_id"),
    "thinking_blocks",
)
_FIELDS_OF_CALLS = known_fields("function", "name", "arguments")
_FIELDS_OF_RUNS = known_fields("history", "messages", "trajectory", "environment", "replay_config")


class _Run(msgspec.Struct, frozen=True):
    """The messages of a run, and how many steps its trajectory has, where there is one."""

    messages: list[object]
    is_mini: bool
    steps: int = 0


def _recognise(value: object) -> bool:
    """Say whether a value can only be a run of these agents."""
    run = _run(value)
    if run is None:
        return False
    messages = list(map(as_object, run.messages))
    if run.is_mini:
        return isinstance(value, dict) or any(is_marked(_text(one.get("content"))) for one in messages)
    return any("role" in one and any(mark in one for mark in _MARKS) for one in messages)


def _read(value: object) -> History:
    """Read a run into a history; raise `NotATranscript` if it has no messages."""
    run = _run(value)
    if run is None:
        raise NotATranscript(
            "there is no history of messages in the record",
            "a run is an object with a `history`, or with `messages` and a `trajectory_format`, or a list",
        )
    history = HistoryBuilder(NAME)
    note_fields(history, as_object(value), _FIELDS_OF_RUNS)
    note_misfits(history, as_object(value), list, "trajectory")
    reader = _Reader(history, is_mini=run.is_mini)
    for number, message in enumerate(run.messages, 1):
        reader.add(message, f"message {number}")
    for _ in range(reader.actions, run.steps):
        history.leave_out("step of the trajectory that is not in its history")
    return history.history()


class _Reader:
    """Reads messages from the first to the last, and knows which action waits for its observation."""

    def __init__(self, history: HistoryBuilder, *, is_mini: bool) -> None:
        self.actions = 0
        self._history = history
        self._is_mini = is_mini
        self._waiting: str | None = None

    def add(self, original: object, where: str) -> None:
        """Add a message: a turn, or what the action before it came to."""
        message = as_object(original)
        self._history.item(original)
        note_fields(self._history, message, _FIELDS)
        role = as_text(message.get("role"))
        if role == "tool":
            self._observe(_ids(message), message, where)
        elif role == "user" and self._waiting is not None:
            self._observe(self._waiting, message, where)
        elif role in ROLES:
            self._waiting = None
            self._history.turn(ROLES[role])
            if role == "assistant":
                self._act(message, where)
            else:
                self._say(message, where)
        else:
            self._history.keep("message without a known role", write_json(original))

    def _observe(self, call_id: str, message: dict[str, object], where: str) -> None:
        self._waiting = None
        text = _text(message.get("content"))
        self._leave_out(message, where)
        code = exit_code(text)
        details = {} if code is None else {"exit": str(code)}
        self._history.result(call_id, text, is_error=None if code is None else code != 0, details=details)

    def _act(self, message: dict[str, object], where: str) -> None:
        for block in blocks_of(message.get("thinking_blocks")):
            add_block(self._history, block, where)
        calls = as_list(message.get("tool_calls"))
        action = None if calls else self._written(message)
        if action is None:
            self._say(message, where)
        else:
            self._leave_out(message, where)
            self._said(action.before)
            self.actions += 1
            self._waiting = f"action {self.actions}"
            self._history.call(action.tool, action.arguments, self._waiting)
            self._said(action.after)
        for call in map(as_object, calls):
            function = as_object(call.get("function"))
            for form in (call, function):
                note_fields(self._history, form, _FIELDS_OF_CALLS)
            given = read_arguments(function.get("arguments"))
            self.actions += 1
            self._history.call(as_text(function.get("name")), given, as_text(call.get("id")))

    def _written(self, message: dict[str, object]) -> Action | None:
        """Return the action that stands in the text of a message, or beside it."""
        text = _text(message.get("content"))
        if self._is_mini:
            return only_action(text)
        action = message.get("action")
        if not isinstance(action, str):
            return last_action(text)
        if not action.strip():
            return None
        return last_action(text, action) or Action("" if text.strip() == action.strip() else text, action, "")

    def _say(self, message: dict[str, object], where: str) -> None:
        for block in blocks_of(message.get("content") or message.get("thought")):
            add_block(self._history, block, where)

    def _said(self, text: str) -> None:
        if text.strip():
            self._history.say(text)

    def _leave_out(self, message: dict[str, object], where: str) -> None:
        for block in blocks_of(message.get("content")):
            if as_text(block.get("type")) != "text":
                self._history.leave_out("part of a message that is no text", where, len(write_json(block)))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = (block for block in blocks_of(content) if as_text(block.get("type")) == "text")
    return "\n".join(text_of(block.get("text")) for block in blocks)


def _ids(message: dict[str, object]) -> str:
    """Return the id of the call that an observation answers, the first one if it answers several."""
    ids = as_list(message.get("tool_call_ids"))
    return as_text(ids[0] if ids else message.get("tool_call_id"))


def _run(value: object) -> _Run | None:
    value = joined(value)
    if isinstance(value, list):
        return _Run(value, is_mini=True) if any("role" in as_object(item) for item in value) else None
    record = as_object(value)
    history, messages = record.get("history"), record.get("messages")
    if isinstance(history, list):
        return _Run(history, is_mini=False, steps=len(as_list(record.get("trajectory"))))
    if isinstance(messages, list) and "trajectory_format" in record:
        return _Run(messages, is_mini=True)
    return None


FORMAT = Format(
    NAME,
    "SWE-agent and mini-swe-agent: a trajectory with its `history`, or messages with commands in their text",
    _recognise,
    _read,
)
