"""Where a message stands: its own id, the messages it names, and what is known of its thread.

This module knows how headers name other messages (§2.2, §10) and what a rule may ask about a
thread. It does not know where threads are kept: in memory (`pairl.thread_memory`), or anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from typing import Protocol

import msgspec

from pairl.budget import Budget, Quota, Tally
from pairl.contents import references_of
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
    WAITING = "waiting"
    """Not judged yet, because a message that it names has not come."""


class ThreadNode(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A message of a thread, as far as later messages need to know it.

    `parents` are the ids it names in `@p`, `@parent` and `@deps`; `hash` is empty where the message
    could not be read well enough to have one. `parent` is the id that `@p` or `@parent` names, empty
    where there is neither; None says that it is not known, or of another thread.

    `root` is the first message of the way from parent to parent, the message itself where it has none;
    None says that it is not known. `depth` is 1 more than that of its deepest accepted parent, or
    dependency, and 0 without one. `is_whole` says that everything it goes back to was accepted before it.

    Of an accepted message: `rids` are its record ids in lower case, with spaces between them, None where
    they are not known; `costs` is what it has spent, by unit; `budget` is what it may spend; `quotas` are
    those that it reports.
    """

    id: str
    status: Status
    hash: str = ""
    parents: tuple[str, ...] = ()
    parent: str | None = None
    root: str | None = None
    depth: int = 0
    rids: str | None = None
    costs: dict[str, Decimal] = {}
    budget: Budget | None = None
    quotas: tuple[Quota, ...] = ()
    is_whole: bool = False


class ThreadView(Protocol):
    """What is known of a thread when a message of it is judged."""

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id, or None if the thread has not seen it."""

    def is_awaited(self, message_id: str) -> bool:
        """Say whether a message that is accepted, or waits, named this id before one with it was accepted."""

    def budgets_over(self, message: Message) -> Sequence[Tally] | None:
        """Return the budgets that `message` would come under if it were accepted: its own, its ancestors'.

        Under a budget are the accepted messages below the one that has it, each once, by whatever ways
        it can be reached. None says that the thread does not keep what was spent.
        """

    def has_room(self, message: Message, costs: Mapping[str, Decimal]) -> bool:
        """Say whether `costs` fit into all budgets over `message`; False where that takes a closer look."""

    def is_elsewhere(self, session: str, message_id: str) -> bool | None:
        """Say whether another session has accepted a message with this id; None if that was not looked up."""


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


def foreign_id(reference: str, session: str | None = None) -> tuple[str, str] | None:
    """Return session and id of the message that `reference` names, or None if it is not of another session.

    `session` is the one that the reference stands in.
    """
    if not reference.startswith(MESSAGE_PREFIX):
        return None
    target = reference.removeprefix(MESSAGE_PREFIX).partition("#")[0]
    other, _, name = target.rpartition(":")
    return (other, name) if other and name and other != session else None


def header_references(message: Message) -> Iterator[tuple[str, str]]:
    """Yield what names a parent or a dependency, as (header, reference): no more than `MOST_PARENTS`."""
    headers = message.headers
    for name in ("p", "parent"):
        if name in headers:
            yield name, headers[name]
    if "deps" in headers:
        for entry in headers["deps"].split(",", MOST_PARENTS)[:MOST_PARENTS]:
            reference = entry.strip(BLANKS)
            if reference:
                yield "deps", reference


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


def foreign_references(message: Message) -> frozenset[tuple[str, str]]:
    """Return what a message refers to in other sessions, as (session, message id).

    These are the `ref:msg:<sid>:<id>` in `@p`, `@parent` and `@deps`, and among the references of the body
    (§10.2).
    """
    if message.is_whole and MESSAGE_PREFIX not in message.source:
        return frozenset()
    session = session_id(message)
    references = [reference for _, reference in header_references(message)]
    references += references_of(message)
    found = (foreign_id(reference, session) for reference in references)
    return frozenset(place for place in found if place is not None)
