"""A conversation as it was held: turns, and what was said, thought, called and returned in each.

This module knows the one form that all formats are read into, whoever recorded them. It knows neither a
format nor PAIRL. Texts are as they came, whatever characters are in them.

A turn is a message of the conversation. What a tool returned belongs to the turn that called it: a message
that holds nothing but results is no turn, since nobody spoke.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Role = Literal["user", "assistant", "system"]

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
"""The roles by their names."""

UNNAMED_TOOL = "unnamed"
"""What a tool is called that no name is recorded of."""


class Said(msgspec.Struct, frozen=True, tag="said"):
    """What a turn says. A summary was written by somebody else in its place, and is no quotation."""

    text: str
    is_summary: bool = False


class Thought(msgspec.Struct, frozen=True, tag="thought"):
    """What a speaker thought, as far as it was recorded."""

    text: str


class Call(msgspec.Struct, frozen=True, tag="call"):
    """A tool that was called.

    `number` counts the calls of the history from 1. `arguments` are values of JSON by name; what was no
    object, or could not be read, is one text under the empty name. `id` is the provider's, and may be given
    to several calls.
    """

    number: int
    tool: str
    arguments: dict[str, object]
    id: str = ""


class Result(msgspec.Struct, frozen=True, tag="result"):
    """What a call came to.

    `call` is the number of the call; None where there is none that it could belong to. `is_error` says what
    the record said of it, None where that was nothing. `details` are what the record told apart from the
    text, as `exit`, `lines`, `files` or `matches`, by the names that `#ret` uses (§7.2).
    """

    call: int | None
    text: str
    is_error: bool | None = None
    details: dict[str, str] = {}


class Unknown(msgspec.Struct, frozen=True, tag="unknown"):
    """An item of a kind that the importer does not know, kept as its JSON."""

    kind: str
    text: str


Part = Said | Thought | Call | Result | Unknown


class Turn(msgspec.Struct, frozen=True):
    """A message of the conversation: who spoke, what it holds, and which turn it answers.

    `speaker` is a participant's name where the record gives one. `answers` is the index of the turn that it
    follows, None for the first of a conversation; most often the one before. `item` is the index of the item
    of the record that it begins with. `is_unfinished`: it is recorded part by part, and more may come.
    """

    role: Role
    parts: tuple[Part, ...]
    speaker: str | None = None
    answers: int | None = None
    item: int = 0
    is_unfinished: bool = False


class Notice(msgspec.Struct, frozen=True):
    """What is to be told of a record: what, where first, how often, and how many characters.

    `is_left_out` says that it is a part of the conversation, and that the history does not say it.
    """

    what: str
    where: str
    count: int = 1
    size: int = 0
    is_left_out: bool = False

    def again(self, size: int) -> Notice:
        """Return the notice of one more of these."""
        return msgspec.structs.replace(self, count=self.count + 1, size=self.size + size)


class History(msgspec.Struct, frozen=True):
    """A conversation, and what could not be taken over from its record.

    `format` is the name of the format it was read from. `began_at` is when, in ISO 8601 with an offset, where
    the record says so. `items` are the messages of the record, or its lines, as JSON gives them.
    """

    format: str
    turns: tuple[Turn, ...]
    items: tuple[object, ...] = ()
    notices: tuple[Notice, ...] = ()
    began_at: str | None = None
