"""Changelogs: how the state of sessions is cut into records, of which compaction keeps the latest.

This module knows the keys of a changelog's records, and what every value tells whatever it is about:
when it was written, and when something is due. It does not know what is kept of a session
(`schemas.session_state`, `schemas.session_legend`). Sessions and ids come from agents and may hold
anything; what is safe to be a key is made of them here, and only here.

A key is `session/<session>/<entry>`, and a session's state is all its entries. A record without a value
takes its entry away.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated
from urllib.parse import quote, unquote

import msgspec
from msgspec import Meta

_PREFIX = "session/"
_LONGEST_NAME = 256


class Change(msgspec.Struct, frozen=True, gc=False):
    """An entry of a session that is written or, without a `value`, taken away.

    `at` is when that was, `due` when something has to be done about the entry at the latest; both are
    milliseconds since 1970.
    """

    session: str
    entry: str
    value: bytes | None
    at: int = 0
    due: int | None = None

    @property
    def key(self) -> bytes:
        """The key of the change's record."""
        return f"{_PREFIX}{_encoded(self.session)}/{self.entry}".encode()


_Time = Annotated[int, Meta(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970, until the year 9999: Redis sorts by times, and takes no number of any size."""


class _Times(msgspec.Struct, frozen=True):
    """What the values of all changelogs have in common."""

    at: _Time
    due: _Time | None = None


_times = msgspec.json.Decoder(_Times)


def read_change(key: bytes | None, value: bytes | None) -> Change:
    """Return the change that a record of a changelog holds.

    Raises:
        ValueError: the record is none of a changelog's.

    """
    text = (key or b"").decode()
    session, slash, entry = text.removeprefix(_PREFIX).partition("/")
    if not text.startswith(_PREFIX) or not slash:
        raise ValueError("the key is not `session/<session>/<entry>`")
    names = [unquote(name) for name in (session, *entry.split("/"))]
    if named(*names) != f"{session}/{entry}":
        raise ValueError("the names in the key are not percent-encoded as they should be")
    try:
        times = _Times(0) if value is None else _times.decode(value.decode())
    except msgspec.DecodeError as fault:
        raise ValueError(f"the value is not that of a changelog: {fault}") from fault
    return Change(names[0], entry, value, times.at, times.due)


def named(*names: str | int) -> str:
    """Return the name of an entry: `names`, percent-encoded, with slashes between them."""
    return "/".join([_encoded(str(name)) for name in names])


@lru_cache(maxsize=4_096)
def _encoded(name: str) -> str:
    return quote(name, safe="")


def bounded(name: str) -> str:
    """Return a session or an id as it is, or a digest of it where it is unreasonably long.

    Names ride in headers and keys, next to the message that holds them already: without a bound a
    record could grow beyond what a topic takes.
    """
    if len(name) <= _LONGEST_NAME:
        return name
    return f"sha256:{hashlib.sha256(name.encode()).hexdigest()}"
