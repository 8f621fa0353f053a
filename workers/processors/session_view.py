"""What a message sees of its session while it is judged, and of others.

This module knows how a rule's questions about the thread are answered. It does not know when a message is
judged, or what becomes of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from pairl.budget import Tally
from pairl.model import Message
from pairl.thread import Status, ThreadNode
from schemas.changelog import bounded, named
from schemas.session_state import SessionNode, decode
from workers.processors.conversation import Conversation
from workers.processors.outcome import MessageName


class SessionView:
    """A session as one message of it sees it. Implements `pairl.thread.ThreadView`."""

    def __init__(
        self,
        conversation: Conversation,
        sessions: Mapping[str, Conversation],
        elsewhere: Mapping[MessageName, bool],
    ) -> None:
        """Show a session; `elsewhere` says whether messages of sessions not in `sessions` were accepted."""
        self._conversation = conversation
        self._sessions = sessions
        self._elsewhere = elsewhere

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id, or None."""
        return self._conversation.node(bounded(message_id))

    def is_awaited(self, message_id: str) -> bool:
        """Say whether a message of the session named this id before there was one with it."""
        name = bounded(message_id)
        return self._conversation.thread.is_awaited(name) or self._conversation.is_named(name)

    def budgets_over(self, message: Message) -> Sequence[Tally]:
        """Return the budgets that the message would come under."""
        return self._conversation.thread.budgets_over(message)

    def has_room(self, message: Message, costs: Mapping[str, Decimal]) -> bool:
        """Say whether costs fit into all those budgets; False where that takes a closer look."""
        return self._conversation.thread.has_room(message, costs)

    def is_elsewhere(self, session: str, message_id: str) -> bool | None:
        """Say whether another session has accepted a message; None where that was not looked up."""
        name = bounded(session), bounded(message_id)
        known = self._sessions.get(name[0])
        return self._elsewhere.get(name) if known is None else known.has_accepted(name[1])


def is_accepted(name: MessageName, entry: bytes | None) -> bool:
    """Say whether the entry of a message, by session and id, is that of an accepted one."""
    try:
        kept = None if entry is None else decode(named(name[1]), entry)
    except msgspec.DecodeError:
        return False
    return isinstance(kept, SessionNode) and kept.node.status is Status.ACCEPTED
