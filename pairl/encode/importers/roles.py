"""Whose a message is, by what records call the one who speaks.

This module knows the names of roles in many records. It does not know where in a record they stand.
"""

from __future__ import annotations

from pairl.encode.history import Role
from pairl.encode.importers.json_values import as_text

ROLE_NAMES: dict[str, Role] = {
    **dict.fromkeys(("user", "human", "prompter", "customer"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "bot", "chatbot", "gpt"), "assistant"),
    **dict.fromkeys(("system", "developer", "instructions"), "system"),
}
"""What the roles of a conversation are called, in lower case, and whose they are."""

RESULT_ROLES = frozenset({"tool", "function", "observation", "ipython"})
"""Roles of messages in which nobody speaks, in lower case: they hold what a tool returned."""


def role_of(name: object) -> Role | None:
    """Return the role that has this name, in whatever case; None where none has, or it is no text."""
    return ROLE_NAMES.get(as_text(name).lower())
