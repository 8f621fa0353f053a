"""Puts a history together while a record is read from its beginning to its end.

This module knows how turns follow one another, how calls are numbered, and that what is left out is counted.
It knows no format. Which call a result belongs to is known by `pairl.encode.importers.open_calls`.
"""

from __future__ import annotations

import msgspec

from pairl.encode.history import (
    UNNAMED_TOOL,
    Call,
    History,
    Notice,
    Part,
    Result,
    Role,
    Said,
    Thought,
    Turn,
    Unknown,
)
from pairl.encode.importers.open_calls import OpenCalls


class HistoryBuilder:
    """A history as far as its record is read."""

    def __init__(self, name: str) -> None:
        """Start an empty history, read from the format of this name."""
        self.began_at: str | None = None
        self._format = name
        self._items: list[object] = []
        self._turns: list[_OpenTurn] = []
        self._notices: dict[str, Notice] = {}
        self._calls = 0
        self._is_apart = False
        self._turn_of: dict[int, int] = {}
        self._waiting = OpenCalls()

    def item(self, item: object) -> None:
        """Take note that what is added from now on was read from this item of the record."""
        self._items.append(item)

    def turn(self, role: Role, *, speaker: str | None = None, answers: int | None = None) -> int:
        """Begin a turn; return its index. Without `answers` it follows the one before."""
        index = len(self._turns)
        if answers is None and index and not self._is_apart:
            answers = index - 1
        self._open(role, speaker, answers)
        return index

    def begin(self, role: Role, *, speaker: str | None = None) -> int:
        """Begin a turn that follows no other; return its index."""
        self._open(role, speaker, None)
        return len(self._turns) - 1

    def restart(self) -> None:
        """Let the next turn follow no other: what comes is another conversation, answering no call so far."""
        self._is_apart = True
        self._waiting.clear()

    def leave_unfinished(self, turn: int = -1) -> None:
        """Take note that more of a turn may come, of the latest one if none is named."""
        self._turns[turn].is_unfinished = True

    def say(self, text: str, *, is_summary: bool = False, turn: int | None = None) -> None:
        """Add a text to a turn, the latest one if none is named. An empty text adds nothing."""
        if text:
            self._parts(turn).append(Said(text, is_summary))

    def think(self, text: str, *, turn: int | None = None) -> None:
        """Add a thought to a turn. An empty one adds nothing."""
        if text:
            self._parts(turn).append(Thought(text))

    def call(self, tool: str, arguments: object, call_id: str = "", *, turn: int | None = None) -> int:
        """Add a call to a turn; return its number. `arguments` are an object of JSON, or anything else.

        A tool without a name is called `UNNAMED_TOOL`, and noticed.
        """
        self._calls += 1
        if not tool:
            self.notice("call without the name of a tool")
        if isinstance(arguments, dict):
            named = {str(name): value for name, value in arguments.items()}
        else:
            named = {} if arguments in (None, "") else {"": arguments}
        index = len(self._turns) - 1 if turn is None else turn
        self._parts(turn).append(Call(self._calls, tool or UNNAMED_TOOL, named, call_id))
        self._turn_of[self._calls] = max(0, index)
        self._waiting.add(self._calls, call_id)
        return self._calls

    def result(
        self, call_id: str, text: str, *, is_error: bool | None = None, details: dict[str, str] | None = None
    ) -> None:
        """Add a result to the turn of a call with this id that has none yet; without an id, of any call.

        Of several it is the first behind the latest user's turn: what was called before that and has no
        result was stopped. Where there is no such call, it stands in the latest turn, and a notice says so.
        """
        number = self._waiting.take(call_id)
        if number is not None:
            turn = self._turns[self._turn_of[number]]
            turn.parts.append(Result(number, text, is_error, details or {}))
            return
        if not self._turns:
            self.turn("assistant")
        self.notice("result without a call", call_id or "no id")
        self._turns[-1].parts.append(Result(None, text, is_error, details or {}))

    def keep(self, kind: str, text: str, *, turn: int | None = None) -> None:
        """Keep an item of a kind that is not known, as its JSON, and take notice that no text says it."""
        self.leave_out(f"item of unknown kind `{kind}`", "", size=len(text))
        self._parts(turn).append(Unknown(kind, text))

    def leave_out(self, what: str, where: str = "", size: int = 0) -> None:
        """Take notice of a part of the conversation that is left out; `where` is told of the first."""
        self._note(Notice(what, where, size=size, is_left_out=True))

    def notice(self, what: str, where: str = "", size: int = 0) -> None:
        """Take notice of anything else that the record holds; `where` is told of the first of a kind."""
        self._note(Notice(what, where, size=size))

    def history(self) -> History:
        """Return what was put together."""
        turns = tuple(
            Turn(one.role, tuple(one.parts), one.speaker, one.answers, one.item, one.is_unfinished)
            for one in self._turns
        )
        return History(self._format, turns, tuple(self._items), tuple(self._notices.values()), self.began_at)

    def _note(self, notice: Notice) -> None:
        known = self._notices.get(notice.what)
        self._notices[notice.what] = notice if known is None else known.again(notice.size)

    def _open(self, role: Role, speaker: str | None, answers: int | None) -> None:
        if answers is None and self._turns:
            self.notice("another conversation, which begins anew", f"turn {len(self._turns) + 1}")
        self._is_apart = False
        if role == "user":
            self._waiting.new_request()
        self._turns.append(_OpenTurn(role, speaker, answers, max(0, len(self._items) - 1), []))

    def _parts(self, turn: int | None) -> list[Part]:
        if not self._turns:
            self.turn("assistant")
        return self._turns[-1 if turn is None else turn].parts


class _OpenTurn(msgspec.Struct):
    """A turn to which parts are still added."""

    role: Role
    speaker: str | None
    answers: int | None
    item: int
    parts: list[Part]
    is_unfinished: bool = False
