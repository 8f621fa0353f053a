"""Sessions of Claude Code: a line of JSON for each message, or for each part of one.

This module knows what the lines say, and who says it: the user, the assistant, or an agent that the assistant
has asked for help. Which lines are the conversation is known by `pairl.encode.importers.claude_code_tree`.
"""

from __future__ import annotations

import msgspec

from pairl.diagnostics import excerpt
from pairl.encode.history import History, Role
from pairl.encode.importers.anthropic_blocks import Block, add_block, add_result, blocks_of, is_result
from pairl.encode.importers.claude_code_details import details_of
from pairl.encode.importers.claude_code_tree import Line, conversation
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, values_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_values import as_flag, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields
from pairl.encode.importers.moment import moment

NAME = "claude_code"
_ASKING = "assistant"
_ASKED = "subagent"
_FIELDS = known_fields("message", "toolUseResult")  # the twin of a result repeats it
_FIELDS_OF_MESSAGES = known_fields("role", "content")


def _recognise(value: object) -> bool:
    """Say whether a value can only be a session: lines that name their session or the line before."""
    return any(
        line.is_spoken and not line.value.keys().isdisjoint(("parentUuid", "sessionId", "uuid"))
        for line in _lines(value)
    )


def _read(value: object) -> History:
    """Read a session into a history; raise `NotATranscript` if no line of it holds a message."""
    lines = _lines(value)
    if not any(line.is_spoken for line in lines):
        raise NotATranscript(
            "no line of the text holds a message of a session",
            "each line of a session is an object with a `type`, and for `user` and `assistant` a `message`",
        )
    history = HistoryBuilder(NAME)
    reader = _Reader(history)
    found = conversation(lines)
    for line in found.lines:
        reader.add(line, found.asides.get(line.number))
    for turn in reader.unfinished():
        history.leave_unfinished(turn)
    for line in found.branches:
        history.leave_out("branch that was left", f"line {line.number}")
    for line in found.copies:
        history.notice("line that stands a second time", f"line {line.number}")
    for line in lines:
        if not line.is_spoken:
            kind = excerpt(as_text(line.value.get("type"))) or "none"
            history.notice(f"line of type `{kind}`", f"line {line.number}", _size(line))
    return history.history()


def _lines(value: object) -> list[Line]:
    return [Line(number, as_object(item)) for number, item in enumerate(values_of(value), 1)]


def _size(line: Line) -> int:
    return max(len(as_text(line.value.get(key))) for key in ("content", "summary"))


class _Thread(msgspec.Struct):
    """The conversation, or that of an agent that was asked for help, as far as it is read.

    `speaker` is the name of who answers in it, `last` the turn that its next one follows. `unfinished` is its
    latest turn, where that is of an assistant's message that does not say that it is whole.
    """

    speaker: str | None = None
    last: int | None = None
    unfinished: int | None = None


class _Reader:
    """Reads the lines of a conversation from the first to the last."""

    def __init__(self, history: HistoryBuilder) -> None:
        self._history = history
        self._main = _Thread()
        self._threads: dict[int, _Thread] = {}
        self._turns: dict[tuple[int, str], int] = {}
        self._asked: dict[str, list[_Thread]] = {}

    def unfinished(self) -> list[int]:
        """Return the turns to which lines may be added.

        An agent's turn is none of them once the conversation has gone on: most often its answer came.
        """
        turns = (thread.unfinished for thread in (self._main, *self._threads.values()))
        return [turn for turn in turns if turn is not None and turn >= (self._main.last or 0)]

    def add(self, line: Line, aside: int | None) -> None:
        """Add a line; `aside` is the first line of its thread if it is none of the conversation."""
        self._history.item(line.value)
        note_fields(self._history, line.value, _FIELDS)
        note_fields(self._history, line.message, _FIELDS_OF_MESSAGES)
        if self._history.began_at is None:
            self._history.began_at = moment(line.value.get("timestamp"))
        thread = self._main if aside is None else self._threads.get(aside) or self._begin(line, aside)
        if line.value.get("type") == "assistant":
            self._answer(line, thread, aside or 0)
        else:
            self._ask(line, thread)

    def _begin(self, line: Line, aside: int) -> _Thread:
        """Return the thread that begins with a line: of the agent that was asked with this prompt."""
        prompt = "".join(as_text(block.get("text")) for block in blocks_of(line.message.get("content")))
        asked = self._asked.get(prompt.strip())
        if not asked:
            self._history.notice("agent that no call has asked for", f"line {line.number}")
        thread = asked.pop(0) if asked else _Thread(_ASKED, self._main.last)
        self._threads[aside] = thread
        return thread

    def _ask(self, line: Line, thread: _Thread) -> None:
        """Add a line of the user, or of the assistant who asks an agent; results are no turn."""
        where = f"line {line.number}"
        blocks = blocks_of(line.message.get("content"))
        results = [block for block in blocks if is_result(block)]
        for block in results:
            twin = line.value.get("toolUseResult") if len(results) == 1 else None
            text = "".join(as_text(part.get("text")) for part in blocks_of(block.get("content")))
            details = details_of(twin, text, is_error=as_flag(block.get("is_error")))
            add_result(self._history, block, where, details)
        spoken = [block for block in blocks if not is_result(block)]
        if results and not spoken:
            return
        if thread is self._main:
            self._turn(thread, "user", None)
        else:
            self._turn(thread, "assistant", _ASKING)
        is_summary = line.value.get("isCompactSummary") is True
        for block in spoken:
            if is_summary and as_text(block.get("type")) == "text":
                self._history.say(text_of(block.get("text")), is_summary=True)
            else:
                add_block(self._history, block, where)

    def _answer(self, line: Line, thread: _Thread, aside: int) -> None:
        """Add a line of an assistant's message to the turn of the message; an API error is the system's."""
        known = (aside, line.message_id)
        turn = self._turns.get(known) if line.message_id else None
        # What was said since may have been encoded, with the turn: the rest of the message is another one.
        if turn is None or turn != thread.last or turn < (self._main.last or 0):
            is_error = line.value.get("isApiErrorMessage") is True
            turn = self._turn(
                thread, "system" if is_error else "assistant", None if is_error else thread.speaker
            )
            self._turns[known] = turn
        for block in blocks_of(line.message.get("content")):
            add_block(self._history, block, f"line {line.number}", turn)
            self._note_request(block, turn)
        thread.unfinished = turn if line.message.get("stop_reason") is None else None

    def _note_request(self, block: Block, turn: int) -> None:
        """Remember a call that asks an agent for help, by its prompt."""
        given = as_object(block.get("input"))
        prompt = as_text(given.get("prompt")).strip()
        if prompt:
            speaker = as_text(given.get("subagent_type")) or _ASKED
            self._asked.setdefault(prompt, []).append(_Thread(speaker, turn))

    def _turn(self, thread: _Thread, role: Role, speaker: str | None) -> int:
        if thread.last is None:
            thread.last = self._history.begin(role, speaker=speaker)
        else:
            thread.last = self._history.turn(role, speaker=speaker, answers=thread.last)
        thread.unfinished = None
        return thread.last


FORMAT = Format(
    NAME,
    "Claude Code: the lines of a session file, with the agents that it asked for help",
    _recognise,
    _read,
)
