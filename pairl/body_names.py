"""Names for what a message adds to a body that many share: turns and record ids that are free (§12b.4).

This module knows which names can be given without knowing those that were: ids of messages are unique in a
session, numbers are counted, and each form below begins and goes on like no other. It does not know what
becomes of the names.

| of message | turn of the message | its own turn `u1` | its record `f1` |
|---|---|---|---|
| `m3` | `m3` | `1u1` | `m3f1` |
| `plan` | `plan` | `2u1` | `2f1` |
| a ULID | `3` | `3u1` | `3f1` |

Letters and digits of a short id, with a record id that begins with a letter behind them, can be told apart
again. Whatever would be longer than the eight characters that the grammar allows is a number by itself.
"""

from __future__ import annotations

import re

from pairl.grammar import SHORT_ID

_TURN = re.compile(r"[A-Za-z][A-Za-z0-9]{0,7}+")
_PREFIX = re.compile(r"[a-z]++[0-9]++")
_LOCAL = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_is_short = re.compile(SHORT_ID).fullmatch


class Names:
    """Gives names to a message and to what is in it; `numbers` is how many numbers were given so far."""

    def __init__(self, message_id: str | None, numbers: int) -> None:
        """Name things of the message with this id, after so many numbers were given in its session."""
        self.numbers = numbers
        self._own_number = ""
        is_free = message_id is not None and _TURN.fullmatch(message_id) is not None
        self.turn = message_id if message_id is not None and is_free else self._number_of_message()
        self._prefix = self.turn if _PREFIX.fullmatch(self.turn) else ""

    def for_turn(self, name: str) -> str:
        """Return a name for a turn that the message itself has."""
        return self._joined(name) or self._next_number()

    def for_record(self, rid: str) -> str:
        """Return a record id, in lower case, for the record that has this one in the message."""
        rid = rid.lower()
        if self._prefix and _LOCAL.fullmatch(rid) and _is_short(self._prefix + rid):
            return self._prefix + rid
        return self._joined(rid) or self._next_number()

    def _joined(self, name: str) -> str:
        """Return the number of the message with `name` behind it, or nothing where that is no name."""
        if not _LOCAL.fullmatch(name):
            return ""
        joined = self._number_of_message() + name
        return joined if _is_short(joined) else ""

    def _number_of_message(self) -> str:
        self._own_number = self._own_number or self._next_number()
        return self._own_number

    def _next_number(self) -> str:
        self.numbers += 1
        return str(self.numbers)
