"""What the encoder remembers of a session whose transcripts become messages.

This module knows what the encodings topic keeps, under which entry. It does not know how a conversation is
encoded (`pairl.encode`).
"""

from __future__ import annotations

import msgspec

from pairl.encode.encoding import Encoding
from schemas.changelog import Change

_ENTRY = "encoding"


class SessionEncoding(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a session's conversation was encoded, and in how many messages, of which `last` is the last.

    `at` is when it last went on, in milliseconds since 1970.
    """

    session: str
    encoding: Encoding
    at: int
    messages: int = 0
    last: str | None = None

    def as_change(self) -> Change:
        """Return what is written to the changelog when the conversation went on."""
        return Change(self.session, _ENTRY, _encode(self), self.at)

    def as_removal(self) -> Change:
        """Return what is written to the changelog when the session is forgotten."""
        return Change(self.session, _ENTRY, None)


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(SessionEncoding)


def decode(entry: str, value: bytes) -> SessionEncoding:
    """Return what the entry with this name holds.

    Raises:
        msgspec.DecodeError: it is none of this changelog's.

    """
    if entry != _ENTRY:
        raise msgspec.DecodeError(f"there is no entry called {entry!r}")
    return _decoder.decode(value)
