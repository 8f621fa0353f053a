"""Which session a message from a file belongs to.

This module knows that a message without `@sid` is in the session of the message that it answers
(§2.2), whether that stands before it or behind it. It does not send anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from pairl.parser import parse
from pairl.thread import message_id, parent_ids, session_id
from workers.cli.files import Piece
from workers.client import Outgoing


class _Message(msgspec.Struct):
    """A message to be sent: its file, its id, the ids that it names, and its session once that is known."""

    file: str
    id: str | None
    parents: tuple[str, ...]
    session: str | None


def outgoing(pieces: Sequence[Piece], session: str | None) -> list[Outgoing]:
    """Return the messages to send, each with its session.

    That is `@sid`; else the session of the message it answers, as far as that is among them: the nearest
    one before it, in the same file first, or else behind it; else `session`.
    """
    messages = [_read(piece) for piece in pieces]
    _inherit(messages)
    while _inherit(reversed(messages)) and _inherit(messages):
        pass
    return [
        Outgoing(piece.data, message.session or session)
        for piece, message in zip(pieces, messages, strict=True)
    ]


def _read(piece: Piece) -> _Message:
    message = parse(piece.data)
    return _Message(piece.name, message_id(message), parent_ids(message), session_id(message))


def _inherit(messages: Iterable[_Message]) -> bool:
    """Give messages the sessions of those met before that they name; return whether there were any."""
    in_file: dict[tuple[str, str], str] = {}
    anywhere: dict[str, str] = {}
    is_new = False
    for message in messages:
        if message.session is None:
            known = (in_file.get((message.file, name)) or anywhere.get(name) for name in message.parents)
            message.session = next(filter(None, known), None)
            is_new = is_new or message.session is not None
        if message.session is not None and message.id is not None:
            in_file[message.file, message.id] = anywhere[message.id] = message.session
    return is_new
