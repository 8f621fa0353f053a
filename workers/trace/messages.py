"""The messages of a session, judged or waiting, side by side.

This module knows what is told of a message, and which ids nobody has. It does not know what hangs below
what, nor how any of it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec

from pairl.budget import Budget, Quota
from pairl.parser import parse
from pairl.thread import Status, parent_id, parent_ids
from schemas.changelog import bounded
from schemas.session_state import Entry, SessionNode, WaitingMessage
from schemas.topics import LARGEST_INBOUND_RECORD


class TracedMessage(msgspec.Struct, frozen=True):
    """A message of a session.

    `parents` are the ids that it names, each once and without its own; `parent` is the one that it answers
    (`@p`), None where there is none or it is of another session. `at` is when it was judged or, of one that
    waits, when it came; `due` is when that one is judged at the latest. Both are milliseconds since 1970.
    `source` is where its record stands: `topic/partition/offset`.
    """

    id: str
    status: Status
    at: int
    source: str
    parents: tuple[str, ...] = ()
    parent: str | None = None
    hash: str = ""
    root: str | None = None
    depth: int | None = None
    costs: dict[str, Decimal] = {}
    budget: Budget | None = None
    quotas: tuple[Quota, ...] = ()
    errors: tuple[str, ...] = ()
    due: int | None = None


class TracedSession:
    """The messages of a session, in the order in which the changelog has them."""

    def __init__(self, name: str, entries: Iterable[Entry]) -> None:
        """Take in what the changelog keeps of the session `name`, in its order."""
        self.name = name
        self.messages: Sequence[TracedMessage] = [_traced(entry) for entry in entries]
        self._judged = {message.id for message in self.messages if message.status is not Status.WAITING}
        self._known = {message.id for message in self.messages}

    def numbers(self, message_id: str) -> list[int]:
        """Return which of the messages, counted from 0, have this id. Several that wait may have one."""
        return [number for number, message in enumerate(self.messages) if message.id == message_id]

    def is_known(self, message_id: str) -> bool:
        """Say whether a message with this id is there, judged or waiting."""
        return message_id in self._known

    def waits_for(self, message: TracedMessage) -> tuple[str, ...]:
        """Return the ids for which a message waits: those that it names, and no judged message has."""
        if message.status is not Status.WAITING:
            return ()
        return tuple(parent for parent in message.parents if parent not in self._judged)


def _traced(entry: Entry) -> TracedMessage:
    return _traced_node(entry) if isinstance(entry, SessionNode) else _traced_waiting(entry)


def _traced_node(entry: SessionNode) -> TracedMessage:
    node = entry.node
    return TracedMessage(
        node.id,
        node.status,
        entry.at,
        entry.source,
        _others(node.id, node.parents),
        _other(node.id, node.parent),
        node.hash,
        node.root,
        node.depth,
        node.costs,
        node.budget,
        node.quotas,
        entry.errors,
    )


def _traced_waiting(entry: WaitingMessage) -> TracedMessage:
    message = parse(entry.value or b"", max_bytes=LARGEST_INBOUND_RECORD)
    parent = parent_id(message)
    return TracedMessage(
        entry.id,
        Status.WAITING,
        entry.at,
        f"{entry.topic}/{entry.partition}/{entry.offset}",
        _others(entry.id, tuple(map(bounded, parent_ids(message)))),
        _other(entry.id, bounded(parent) if parent else None),
        due=entry.due,
    )


def _others(own_id: str, ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in ids if one != own_id)) if own_id in ids else ids


def _other(own_id: str, parent: str | None) -> str | None:
    return None if not parent or parent == own_id else parent
