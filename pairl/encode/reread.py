"""Reads a conversation back from the body that carries it.

This module knows what the encoder's records stand for. It does not know how they came about, and invents
nothing: texts are as far as they were quoted, values of arguments are texts.

    >>> back = reread("#u1\\n#req content=Which\\n#a2\\n#call tool=Glob @rid=c1\\n#ret call=c1 status=ok\\n")
    >>> [[type(part).__name__ for part in turn.parts] for turn in back.turns]
    [['Said'], ['Call', 'Result']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from pairl.body import read_records
from pairl.encode.body import UNKNOWN_ITEM
from pairl.encode.carried import whole
from pairl.encode.history import ROLES, Call, History, Part, Result, Role, Said, Thought, Turn, Unknown
from pairl.encode.speakers import LETTERS, NO_TURN, ROLE_FACT, SPEAKER_FACT
from pairl.encode.tools.argument_names import RESERVED, is_stand_in, name_of
from pairl.encode.tools.records import LATE, ORPHAN
from pairl.model import Message, Record
from pairl.vocabulary import CONDENSED

FORMAT = "pairl"
EDITS = ""
"""The tool of a call that stands for edits that were counted: no tool in a body has no name."""

_ROLES_OF_LETTERS: dict[str, Role] = {letter: role for role, letter in LETTERS.items()}
_NUMBER = re.compile(r"c([1-9][0-9]{0,6})")
_OF_RESULTS = frozenset({"call", "status"})
_OF_LATE_RESULTS = frozenset({"call", LATE})


def reread(body: str | Iterable[Message]) -> History:
    """Return the conversation that a body carries, or the messages that it was cut into, in order.

    Lines that are no record of a conversation are passed over. Never raises.
    """
    reader = _Reader()
    if isinstance(body, str):
        reader.read(read_records(body))
    else:
        for message in body:
            reader.read(message.body.records)
    return reader.history()


class _Reader:
    """The turns that were read so far. Names of turns and speakers hold for all messages of a body."""

    def __init__(self) -> None:
        self._turns: list[_Begun] = []
        self._places: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._roles: dict[str, Role] = {}
        self._stand_ins: dict[str, str] = {}

    def read(self, records: Iterable[Record]) -> None:
        """Read the records of a message, or of a body."""
        here: _Begun | None = None
        for record in records:
            if record.kind == "marker":
                here = self._begin(record)
            elif not record.malformed and record.kind != "unknown":
                place = self._places.get(record.m or "")
                turn = here if place is None else self._turns[place]
                if turn is None:
                    turn = here = _Begun("a", None)
                    self._turns.append(turn)
                turn.records.append(record)
                if record.kind == "fact":
                    self._note(record.kv)

    def history(self) -> History:
        """Return what was read."""
        return History(FORMAT, tuple(self._turn(begun) for begun in self._turns))

    def _begin(self, marker: Record) -> _Begun:
        name = marker.name or ""
        known = self._places.get(name)
        if known is not None:
            return self._turns[known]
        if marker.parent is None:
            answers = len(self._turns) - 1 if self._turns else None
        else:
            answers = self._places.get(marker.parent) if marker.parent != NO_TURN else None
        self._places[name] = len(self._turns)
        self._turns.append(_Begun(marker.role or "", answers))
        return self._turns[-1]

    def _note(self, facts: Mapping[str, str]) -> None:
        """Take note of what facts say of names."""
        for key, value in facts.items():
            if key.startswith(SPEAKER_FACT):
                self._names.setdefault(key.removeprefix(SPEAKER_FACT), value)
            elif key.startswith(ROLE_FACT):
                self._roles.setdefault(key.removeprefix(ROLE_FACT), ROLES.get(value, "assistant"))
            elif is_stand_in(key):
                self._stand_ins.setdefault(key, value)

    def _turn(self, begun: _Begun) -> Turn:
        slug = begun.speaker
        role = _ROLES_OF_LETTERS.get(slug) or ROLES.get(slug)
        name = self._names.get(slug)
        if role is None:
            role, name = self._roles.get(slug, "assistant"), name or slug
        parts = tuple(part for record in begun.records for part in self._parts(record))
        return Turn(role, parts, name, begun.answers)

    def _parts(self, record: Record) -> Iterator[Part]:
        kv = record.kv
        if record.kind in ("req", "rpt"):
            yield Said(kv.get("content", ""), kv.get("mode") == CONDENSED)
        elif record.kind == "think":
            yield Thought(kv.get("summary", ""))
        elif record.kind == "call":
            named: dict[str, object] = {
                name_of(key, self._stand_ins): whole(value)
                for key, value in kv.items()
                if key not in RESERVED
            }
            yield Call(_number(record.rid), kv.get("tool", ""), named)
        elif record.kind == "ret":
            details = {key: value for key, value in kv.items() if key not in _OF_RESULTS}
            yield Result(_number(kv.get("call")), "", kv.get("status") == "err", details)
        elif record.kind == "edit":
            yield Call(0, EDITS, {key: kv.get(key, "") for key in ("file", "changes")})
        elif LATE in kv:
            details = {key: value for key, value in kv.items() if key not in _OF_LATE_RESULTS}
            yield Result(_number(kv.get("call")), "", kv[LATE] == "err", details)
        elif ORPHAN in kv:
            details = {key: value for key, value in kv.items() if key != ORPHAN}
            yield Result(None, "", kv[ORPHAN] == "err", details)
        elif UNKNOWN_ITEM in kv:
            yield Unknown(kv[UNKNOWN_ITEM], "")


class _Begun(msgspec.Struct):
    """A turn of which the marker was read: the name of its speaker there, and the records below it."""

    speaker: str
    answers: int | None
    records: list[Record] = []


def _number(rid: str | None) -> int:
    found = _NUMBER.fullmatch(rid or "")
    return int(found[1]) if found is not None else 0
