"""Writes the records of a message from typed values, one after the other.

This module knows what a line of a body can carry, so that whatever is written reads back without a fault
of syntax. It does not know headers, which `pairl.writer` adds, or what the records of each type need:
`pairl.validate` says that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Self

from pairl import grammar
from pairl.model import Record
from pairl.parser import MAX_RECORDS
from pairl.values import CannotWrite, Value, refuse_unless, write_value
from pairl.vocabulary import CARRIED_TURNS, CONDENSED, ROLES
from pairl.well_formed import is_record_tag

_TAG = re.compile(r"[a-z][a-z0-9_]*+")
_KEY = re.compile(grammar.KEY)
_FACT_KEY = re.compile(r"[a-z][a-z0-9_]{0,31}+")
_INTENT = re.compile(grammar.INTENT_NAME)
_STATE = re.compile(grammar.ATOM)
_ID = re.compile(grammar.SHORT_ID)
_SPEAKER = re.compile(grammar.IDENT)
_COMPACT_SPEAKER = re.compile("[" + "".join(ROLES) + "]")
_COMPACT_NUMBER = re.compile(r"[0-9]{1,7}")

_ID_ADVICE = "an id has 1 to 8 letters and digits"
_KEY_ADVICE = "begin with `a-z`, go on with `a-z`, `0-9`, `_`; at most 64 characters, 32 in a `#fact`"
_NO_PARENT = "-"


class BodyWriter:
    """The records written so far, and the ids that are taken."""

    def __init__(self) -> None:
        """Begin without a record."""
        self._records: list[Record] = []
        self._rids: set[str] = set()
        self._turns: set[str] = set()
        self._turn_above = _NO_PARENT

    def record(
        self, tag: str, fields: Mapping[str, Value], /, *, rid: str | None = None, turn: str | None = None
    ) -> Self:
        """Add `#tag` with these fields: any type, and any key, also such as `rid` (§3.1)."""
        where = f"#{tag}"
        if not _TAG.fullmatch(tag) or not is_record_tag(tag):
            raise CannotWrite(
                "a record", "", where, "it is no record type", "use `turn`, `intent` or `state` for these"
            )
        kv = _fields(fields, where, _FACT_KEY if tag == "fact" else _KEY)
        if not kv:
            raise CannotWrite(where, "", "", "a record needs a field", "give it a key and a value")
        if tag in CARRIED_TURNS and kv.get("mode", CONDENSED) != CONDENSED:
            raise CannotWrite(where, "mode", kv["mode"], "it is no form of a turn", "leave it out, or `cond`")
        return self._add(Record(tag, tag, kv, rid, turn))

    def intent(
        self, name: str, /, *, rid: str | None = None, turn: str | None = None, **parameters: Value
    ) -> Self:
        """Add an intent: `.intent("req", t="release", s="t")` (§4)."""
        if not _INTENT.fullmatch(name):
            advice = "2 to 4 lower-case letters or digits, or a dotted name such as `org.acme.ask`"
            raise CannotWrite("an intent", "", name, "it is no intent's name", advice)
        return self._add(Record("intent", name, _fields(parameters, name, _KEY), rid, turn))

    def state(self, phase: str, progress: str | None = None) -> Self:
        """Add where the agent stands: `.state("exec", "2/4")`, `.state("done")` (§7.5)."""
        arg = phase if progress is None else f"{phase}:{progress}"
        refuse_unless(_STATE, arg, "#s", "it is no single word", "only letters, digits and `:._/@+-`")
        return self._add(Record("s", "s", arg=arg))

    def turn(self, speaker: str, number: int | None = None) -> Self:
        """Begin a turn of the user, `u`, the assistant, `a`, or the system, `s` (§3.3).

        Turns are numbered through from 1; `number` begins elsewhere.
        """
        refuse_unless(
            _COMPACT_SPEAKER, speaker, "a turn", "it is no speaker", "one of u, a, s; `msg` takes names"
        )
        count = str(len(self._turns) + 1 if number is None else number)
        refuse_unless(_COMPACT_NUMBER, count, "a turn", "it is no number of a turn", "1 to 7 digits")
        return self._begin_turn(Record("marker", speaker + count, role=speaker))

    def msg(self, id: str, speaker: str, parent: str | None = None) -> Self:  # noqa: A002  # the marker's own name for it
        """Begin a turn of one of several speakers, who has a name: `#msg` (§3.3).

        The turn follows the turn `parent`; None means the one above it, and `-` that it is a first one.
        """
        parent = self._turn_above if parent is None else parent
        refuse_unless(_ID, id, "#msg", "it is no turn's id", _ID_ADVICE)
        refuse_unless(
            _SPEAKER, speaker, "#msg r=", "it is no speaker's name", "use `a-z`, `0-9`, `_` and `-`"
        )
        if parent != _NO_PARENT:
            refuse_unless(_ID, parent, "#msg parent=", "it is no turn's id", _ID_ADVICE)
        return self._begin_turn(Record("marker", id, role=speaker, parent=parent))

    def _begin_turn(self, record: Record) -> Self:
        name = record.name or ""
        if name in self._turns:
            raise CannotWrite("a turn", "", name, "there is such a turn already", "number the turns through")
        self._add(record)
        self._turns.add(name)
        self._turn_above = name
        return self

    def _add(self, record: Record) -> Self:
        where = f"#{record.name}" if record.kind != "intent" else record.name or ""
        if record.m is not None:
            refuse_unless(_ID, record.m, f"{where} @m=", "it is no turn's id", _ID_ADVICE)
        if record.rid is not None:
            refuse_unless(_ID, record.rid, f"{where} @rid=", "it is no record id", _ID_ADVICE)
            if record.rid.lower() in self._rids:
                advice = "give each record an id of its own; upper and lower case are one"
                raise CannotWrite(f"{where} @rid=", "", record.rid, "another record has it", advice)
        if len(self._records) >= MAX_RECORDS:
            problem = f"a message has at most {MAX_RECORDS:,} records"
            raise CannotWrite(where, "", "one more", problem, "begin another message")
        if record.rid is not None:
            self._rids.add(record.rid.lower())
        self._records.append(record)
        return self


def _fields(fields: Mapping[str, Value], where: str, pattern: re.Pattern[str]) -> dict[str, str]:
    for key in fields:
        refuse_unless(pattern, key, where, "it is no key", _KEY_ADVICE)
    return {key: write_value(value, where, key) for key, value in fields.items()}
