"""The state of a session: the messages that were judged, and those that wait for a parent.

This module knows what the threads topic keeps of a message, and under which entry. It does not know how
sessions are looked up or what becomes of them.
"""

from __future__ import annotations

import msgspec

from pairl.thread import ThreadNode
from schemas.changelog import Change, named


class SessionNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of a session that was judged, as later messages, and people, need to know it.

    `at` is when it was judged, in milliseconds since 1970; `source` is where its record stands, as
    `topic/partition/offset`; `errors` are the reasons why it was rejected, a line each.
    """

    session: str
    node: ThreadNode
    source: str
    at: int
    errors: tuple[str, ...] = ()

    def as_change(self) -> Change:
        """Return what is written to the changelog when the message was judged."""
        return Change(self.session, named(self.node.id), _encode(self), self.at)


class WaitingMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record that waits for the parents of its message, just as it arrived.

    It arrived at `at`, and is judged at the latest when it is `due`, both in milliseconds since 1970.
    """

    session: str
    id: str
    at: int
    due: int
    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()

    def as_change(self) -> Change:
        """Return what is written to the changelog when the message begins to wait."""
        return Change(self.session, self.entry, _encode(self), self.at, self.due)

    def as_removal(self) -> Change:
        """Return what is written to the changelog when it waits no longer."""
        return Change(self.session, self.entry, None)

    @property
    def entry(self) -> str:
        """The name of its entry. Several messages that wait may have one id."""
        return named(self.id, self.offset)


Entry = SessionNode | WaitingMessage

_encode = msgspec.json.Encoder().encode
_nodes = msgspec.json.Decoder(SessionNode)
_waiting = msgspec.json.Decoder(WaitingMessage)


def decode(entry: str, value: bytes) -> Entry:
    """Return what the entry with this name holds.

    Raises:
        msgspec.DecodeError: the bytes are not the JSON of what such an entry holds.

    """
    return _waiting.decode(value) if "/" in entry else _nodes.decode(value)
