"""Which session a message from a file belongs to.

This module knows that a message without `@sid` is in the session of the message that it answers
(§2.2 of the specification). It does not send anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairl.parser import parse
from pairl.thread import message_id, parent_ids, session_id
from workers.cli.files import Piece
from workers.client import Outgoing


def outgoing(pieces: Sequence[Piece], session: str | None) -> list[Outgoing]:
    """Return the messages to send, each with its session.

    That is `@sid`; else the session of the message it answers, as far as that is among those before
    it, in the same file first; else `session`.
    """
    in_file: dict[tuple[str, str], str] = {}
    anywhere: dict[str, str] = {}
    messages: list[Outgoing] = []
    for piece in pieces:
        message = parse(piece.data)
        found = session_id(message)
        for parent in parent_ids(message) if found is None else ():
            found = in_file.get((piece.name, parent)) or anywhere.get(parent)
            if found is not None:
                break
        found = found or session
        own_id = message_id(message)
        if found is not None and own_id is not None:
            in_file[piece.name, own_id] = anywhere[own_id] = found
        messages.append(Outgoing(piece.data, found))
    return messages
