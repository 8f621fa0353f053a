"""What the encoder remembers of a session whose transcripts become messages.

This module knows what the encodings topic keeps, under which entry. It does not know how a conversation is
encoded (`pairl.encode`).
"""

from __future__ import annotations

import msgspec

from pairl.encode.encoding import BodyState
from schemas.changelog import Change

ENTRY = "encoding"
"""What the entry of a session is called, of which there is one."""


class SessionEncoding(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a session's conversation was encoded, and in how many messages, of which `last` is the last.

    `at` is when it last went on, in milliseconds since 1970.
    """

    session: str
    encoding: BodyState
    at: int
    messages: int = 0
    last: str | None = None

    def as_change(self) -> Change:
        """Return what is written to the changelog when the conversation went on."""
        return Change(self.session, ENTRY, _encode(self), self.at)


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(SessionEncoding)


def removal_of(session: str) -> Change:
    """Return what is written to the changelog when a session is forgotten."""
    return Change(session, ENTRY, None)


def decode(entry: str, value: bytes) -> SessionEncoding:
    """Return what the entry with this name holds.

    Raises:
        msgspec.DecodeError: it is none of this changelog's.

    """
    if entry != ENTRY:
        raise msgspec.DecodeError(f"there is no entry called {entry!r}")
    return _decoder.decode(value)
