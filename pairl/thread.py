"""Where a message stands: its own id, the messages it names, and what is known of its thread.

This module knows how headers name other messages (§2.2, §10) and what a rule may ask about a
thread. It does not know where threads are kept: the bus answers from Redis, `pairl.thread_memory`
from memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import islice
from typing import Protocol

import msgspec

from pairl.budget import Tally
from pairl.model import Message
from pairl.text import BLANKS

SESSION_PREFIX = "ref:sess:"
MESSAGE_PREFIX = "ref:msg:"

MOST_PARENTS = 1_000
"""More messages than this cannot be named as parents and dependencies: V3 refuses them."""


class Status(StrEnum):
    """What became of a message of the thread."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ThreadNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of a thread, as far as later messages need to know it.

    `parents` are the ids it names in `@p`, `@parent` and `@deps`; `hash` is empty where the message
    could not be read well enough to have one. `parent` is the id that `@p` or `@parent` names, empty
    where there is neither; None says that it is not known, or of another thread.
    """

    id: str
    status: Status
    hash: str = ""
    parents: tuple[str, ...] = ()
    parent: str | None = None


class ThreadView(Protocol):
    """What is known of a thread when a message of it is judged."""

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id, or None if the thread has not seen it."""

    def is_awaited(self, message_id: str) -> bool:
        """Say whether an accepted message named this id before a message with it was there."""

    def budgets_over(self, message: Message) -> Sequence[Tally] | None:
        """Return the budgets that `message` would come under if it were accepted: its own, its ancestors'.

        Under a budget are the accepted messages below the one that has it, each once, by whatever ways
        it can be reached. None says that the thread does not keep what was spent.
        """


def message_id(message: Message) -> str | None:
    """Return the id by which others refer to the message: of `@id`, or of the ULID in `@mid`."""
    value = message.msg_id
    return None if value is None else value.removeprefix(MESSAGE_PREFIX)


def session_id(message: Message) -> str | None:
    """Return the bare session id that `@sid` gives, or None (§2.2)."""
    value = message.headers.get("sid")
    return value.removeprefix(SESSION_PREFIX) or None if value else None


def local_id(reference: str, session: str | None = None) -> str | None:
    """Return the id of the message that `reference` names, or None if it is not one of this thread.

    Understood are `m1`, `@m1`, `@m1#a2`, the legacy `ref:msg:<ULID>`, and `ref:msg:<sid>:<id>` when
    `<sid>` is `session` (§10).
    """
    target = reference.partition("#")[0]
    if target.startswith(MESSAGE_PREFIX):
        qualifier, colon, target = target.removeprefix(MESSAGE_PREFIX).rpartition(":")
        return target if not colon or qualifier == session else None
    if target.startswith("ref:"):
        return None
    return target.removeprefix("@") or None


def parent_id(message: Message) -> str | None:
    """Return the id that `@p`, or else `@parent`, names: empty without them, None for another thread's."""
    reference = message.headers.get("p") or message.headers.get("parent")
    return local_id(reference, session_id(message)) if reference else ""


def parent_ids(message: Message) -> tuple[str, ...]:
    """Return the ids of this thread that `@p`, `@parent` and `@deps` name, each once, in that order."""
    headers = message.headers
    if "deps" not in headers and "parent" not in headers:
        if "p" not in headers:
            return ()
        only = local_id(headers["p"], session_id(message))
        return (only,) if only else ()
    session = session_id(message)
    references = [headers[name] for name in ("p", "parent") if name in headers]
    references += headers.get("deps", "").split(",")
    ids = (local_id(reference.strip(BLANKS), session) for reference in references)
    return tuple(islice(dict.fromkeys(found for found in ids if found), MOST_PARENTS))
