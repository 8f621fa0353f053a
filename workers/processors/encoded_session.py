"""A session whose transcripts become messages: what was encoded of it, and what the next transcript adds.

This module knows how messages of one conversation are numbered, what time they bear, and what is remembered
between them. It does not know how transcripts are read or encoded (`pairl.encode`), or where records go.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import msgspec

from pairl.encode.encoding import Encoded, Options, encode
from pairl.encode.history import History
from pairl.encode.messages import as_messages
from pairl.model import Message
from schemas.changelog import Change
from schemas.session_encoding import ENTRY, SessionEncoding, decode, removal_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MILLISECOND = 253_402_300_799_999
"""Of the year 9999. A producer may have given any time, or none, which Kafka's clients write as -1."""


class StateUnreadable(ValueError):  # noqa: N818  # what it is
    """What is remembered of a session cannot be read: what its messages hold so far is not known."""


class EncodedSession:
    """What is remembered of a session's conversation: enough to add to it."""

    weight = 1

    def __init__(self, session: str) -> None:
        """Start with nothing."""
        self.session = session
        self.kept: SessionEncoding | None = None
        self._is_unreadable = False

    @classmethod
    def load(cls, session: str, entries: Iterable[tuple[str, bytes]]) -> EncodedSession:
        """Return the session that the entries of its state describe.

        Entries with names of their own are another program's, and passed over. Where the encoder's own cannot
        be read, another version has written it: to begin the session anew would send again what was sent.
        """
        encoded = cls(session)
        for name, value in entries:
            if name == ENTRY:
                try:
                    encoded.kept = decode(name, value)
                except msgspec.DecodeError:
                    encoded._is_unreadable = True
        return encoded

    def add(
        self, history: History, options: Options, timestamp: int, now: int
    ) -> tuple[list[Message], Encoded]:
        """Return the messages that a conversation adds to what was encoded of it, and how; often one message.

        Args:
            history: the conversation, from its beginning.
            options: how it is encoded if it is the first one; later ones are encoded alike.
            timestamp: when its record was written, in milliseconds since 1970.
            now: when it is encoded, in milliseconds since 1970.

        Raises:
            HistoryChanged: it does not begin with what was encoded of the session before.
            StateUnreadable: it is not known what was encoded of the session before.

        """
        if self._is_unreadable:
            raise StateUnreadable
        kept = self.kept
        encoded = encode(history, options) if kept is None else encode(history, before=kept.encoding)
        count, last = (0, None) if kept is None else (kept.messages, kept.last)
        made_at = _EPOCH + timedelta(milliseconds=min(max(timestamp, 0), _LAST_MILLISECOND))
        messages = as_messages(encoded, id=f"m{count + 1}", ts=made_at, p=last)
        if messages:
            count, last = count + len(messages), messages[-1].msg_id
        if kept is None or encoded.state != kept.encoding:
            self.kept = SessionEncoding(self.session, encoded.state, now, count, last)
        return messages, encoded

    def forget_if_idle(self, before: int) -> Change | None:
        """Forget the session, and return what says so, unless its conversation went on since `before`."""
        if self._is_unreadable:
            self._is_unreadable = False
            return removal_of(self.session)
        if self.kept is None or self.kept.at >= before:
            return None
        self.kept = None
        return removal_of(self.session)
