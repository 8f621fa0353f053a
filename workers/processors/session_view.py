"""What a batch knows of its sessions: what was looked up, and what the batch itself has added.

This module knows how a message of a batch sees the ones before it. It does not know where the
looked-up nodes came from, and changes nothing outside itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pairl.model import Message
from pairl.thread import Status, ThreadNode
from schemas.session_node import SessionNode, bounded

Lookup = Mapping[str, tuple[set[str], set[str]]]
"""For each session the ids that its messages of the batch have, and the ids that they name."""


class SessionView:
    """A session as a message of the batch sees it. Implements `pairl.thread.ThreadView`."""

    def __init__(self, nodes: Iterable[SessionNode] = (), awaited: Iterable[str] = ()) -> None:
        """Start with looked-up nodes, and with the looked-up ids that accepted messages await."""
        self._nodes: dict[str, SessionNode] = {node.id: node for node in nodes}
        self._awaited = set(awaited)

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id, or None."""
        node = self._nodes.get(bounded(message_id))
        return None if node is None else node.as_thread_node()

    def is_awaited(self, message_id: str) -> bool:
        """Say whether an accepted message named this id before there was a message with it."""
        return bounded(message_id) in self._awaited

    def budgets_over(self, message: Message) -> None:
        """Return None: a session does not keep what was spent."""

    def missing(self, message_ids: Iterable[str]) -> tuple[str, ...]:
        """Return those of `message_ids` that are not accepted messages of the session."""
        return tuple(
            message_id
            for message_id in message_ids
            if (node := self._nodes.get(message_id)) is None or node.status is not Status.ACCEPTED
        )

    def add(self, node: SessionNode) -> bool:
        """Take in a message of the batch; return whether that changes the session.

        It does not where an accepted message has the id: a duplicate adds nothing, and a refused
        message must not displace the one that others have answered.
        """
        present = self._nodes.get(node.id)
        if present is not None and (present.status is Status.ACCEPTED or present == node):
            return False
        self._nodes[node.id] = node
        self._awaited.update(node.missing)
        return True
