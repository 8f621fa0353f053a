"""A message of LangChain, in any of the three forms in which it is written.

This module knows the forms (the message itself, `{type, data}`, and the constructor that `dumps` writes) and
brings them into one. It does not know the lists and states that messages stand in.
"""

from __future__ import annotations

import msgspec

from pairl.encode.history import Role
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.roles import ROLE_NAMES, role_of

_RESULTS = frozenset({"tool", "function"})
_OTHERS = frozenset({"chat", "remove"})
_SURE = frozenset({"human", "ai"})
_CHUNK = "chunk"
_CLASS = "message"


class Message(msgspec.Struct, frozen=True):
    """A message: its kind in LangChain's words, and its fields.

    `role` is None for what is no turn: what a tool returned, and the removal of a message.
    """

    kind: str
    fields: dict[str, object]

    @property
    def is_result(self) -> bool:
        """Whether it is what a tool returned."""
        return self.kind in _RESULTS

    @property
    def role(self) -> Role | None:
        """Whose turn it is; a chat message names its role itself, and one of an own name is a speaker's."""
        if self.kind == "chat":
            return role_of(self.fields.get("role")) or "assistant"
        return role_of(self.kind)

    @property
    def speaker(self) -> str | None:
        """The name of a participant, where the message gives one."""
        name = as_text(self.fields.get("name"))
        role = as_text(self.fields.get("role"))
        if not name and self.kind == "chat" and role_of(role) is None:
            name = role
        return name or None


def read_form(value: object) -> Message | None:
    """Return the message that a value is in one of the forms, None if it is in none of them."""
    given = as_object(value)
    kind = as_text(given.get("type"))
    if kind == "constructor" and "kwargs" in given:
        path = as_list(given.get("id"))
        return _message(as_text(path[-1]) if path else "", as_object(given.get("kwargs")))
    if isinstance(given.get("data"), dict) and "content" not in given:
        return _message(kind, as_object(given.get("data")))
    return _message(kind or as_text(given.get("role")), given)


def is_of_langchain(value: object) -> bool:
    """Say whether a value can only be one of its messages: by its `type`, or by how `dumps` writes it."""
    given = as_object(value)
    path = as_list(given.get("id"))
    if "kwargs" in given and path:
        return as_text(path[0]).startswith("langchain") and read_form(value) is not None
    message = read_form(value) if "type" in given else None
    return message is not None and message.kind in _SURE and "content" in message.fields


def _message(kind: str, fields: dict[str, object]) -> Message | None:
    kind = kind.lower().removesuffix(_CHUNK).removesuffix(_CLASS)
    return Message(kind, fields) if kind in ROLE_NAMES or kind in _RESULTS or kind in _OTHERS else None
