"""What the renderer remembers of a session whose messages it makes a text for models of.

This module knows what the legends topic keeps, under which entry. It does not know how the text is made
(`pairl.increment`).
"""

from __future__ import annotations

import msgspec

from pairl.increment import MaintainedBody
from schemas.changelog import Change

_ENTRY = "legend"


class SessionLegend(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was explained of a session's body, and what must be known to append to it.

    `at` is when the last message was appended, in milliseconds since 1970.
    """

    session: str
    body: MaintainedBody
    at: int

    def as_change(self) -> Change:
        """Return what is written to the changelog when a message was appended."""
        return Change(self.session, _ENTRY, _encode(self), self.at)

    def as_removal(self) -> Change:
        """Return what is written to the changelog when the session is forgotten."""
        return Change(self.session, _ENTRY, None)


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(SessionLegend)


def decode(entry: str, value: bytes) -> SessionLegend:
    """Return what the entry with this name holds.

    Raises:
        msgspec.DecodeError: it is none of this changelog's.

    """
    if entry != _ENTRY:
        raise msgspec.DecodeError(f"there is no entry called {entry!r}")
    return _decoder.decode(value)
