"""A message's place in its session: what the changelog keeps, and Redis shows.

This module knows the value and the key of a record of the threads topic. It does not know how
nodes are looked up. Sessions and ids come from agents and may hold anything, so both are made safe
to be a key here, and only here.
"""

from __future__ import annotations

import hashlib
from urllib.parse import quote

import msgspec

from pairl.thread import Status, ThreadNode

_LONGEST_NAME = 256


class SessionNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of a session, as later messages need to know it.

    `parents` are the ids it names; `missing` those of them that the session did not have when the
    message was accepted (loose mode). `source` is where the record was read.
    """

    session: str
    id: str
    status: Status
    source: str
    hash: str = ""
    parents: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def as_thread_node(self) -> ThreadNode:
        """Return the node as rules see it."""
        return ThreadNode(self.id, self.status, self.hash, self.parents)


_decoder = msgspec.json.Decoder(SessionNode)
encode = msgspec.json.Encoder().encode


def decode(data: bytes) -> SessionNode:
    """Return the node that a record of the threads topic holds.

    Raises:
        msgspec.DecodeError: the bytes are not the JSON of a node.

    """
    return _decoder.decode(data)


def bounded(name: str) -> str:
    """Return a session or an id as it is, or a digest of it where it is unreasonably long.

    Names ride in headers and keys, next to the message that holds them already: without a bound a
    record could grow beyond what a topic takes.
    """
    if len(name) <= _LONGEST_NAME:
        return name
    return f"sha256:{hashlib.sha256(name.encode()).hexdigest()}"


def changelog_key(session: str, message_id: str) -> bytes:
    """Return the key of a node's record: `session/<session>/<id>`, both percent-encoded."""
    return f"session/{quote(session, safe='')}/{quote(message_id, safe='')}".encode()
