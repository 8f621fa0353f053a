"""A record that was read: the message in it, its session, and what it names.

This module knows where a record says which session it belongs to, and how large it is. It judges nothing.
"""

from __future__ import annotations

import msgspec

from pairl.model import Message
from pairl.parser import parse
from pairl.rules import Evidence, Policy
from pairl.thread import foreign_references, message_id, parent_ids, session_id
from schemas import headers
from schemas.changelog import bounded
from schemas.topics import THREADS
from workers.processors.outcome import InputRecord, MessageName

_BYTES_THAT_FRAME_A_HEADER = 10
"""The most that Kafka takes for the lengths of a header's name and value, and JSON for its punctuation."""
_BYTES_OF_A_CHARACTER_IN_JSON = 6
_BYTES_OF_A_PARENT = 1_024
"""What a session takes in memory for an id that a waiting message names, and who waits for it, at most."""
_BYTES_BESIDE_THE_RECORD = 16 * 1024
"""In the entry of a message that waits: its session and id, where it arrived, its times."""


class Reading(msgspec.Struct, frozen=True):
    """A record, the message in it, and the names by which sessions know it and what it refers to.

    `parents` are the messages of its session that it answers, `foreign` those of other sessions that it
    mentions; `legend` is the one that came with it. `needs_parents` says that it is rejected if one of
    those is.
    """

    record: InputRecord
    message: Message
    session: str | None
    id: str | None
    parents: tuple[str, ...]
    foreign: frozenset[MessageName]
    legend: str | None
    needs_parents: bool

    @property
    def place(self) -> str:
        """Where the record stands, as `topic/partition/offset`."""
        return place_of(self.record)

    @property
    def bytes_to_wait(self) -> int:
        """About how many bytes it takes to let the message wait: many short parents take more than it."""
        return size_of(self.record) + _BYTES_OF_A_PARENT * len(self.parents)


def read(record: InputRecord, policy: Policy) -> Reading:
    """Return what a record says; whatever its bytes are, there is a message to judge."""
    message = parse(record.value or b"", max_bytes=policy.max_bytes, max_records=policy.max_records)
    own_id = message_id(message)
    legend = headers.last(record.headers, headers.LEGEND)
    foreign = foreign_references(message)
    return Reading(
        record=record,
        message=message,
        session=_session(record, message),
        id=None if own_id is None else bounded(own_id),
        parents=tuple(map(bounded, parent_ids(message))),
        foreign=foreign and frozenset((bounded(session), bounded(name)) for session, name in foreign),
        legend=None if legend is None else legend.decode("utf-8", "replace"),
        needs_parents=policy.strict
        or ("strict_refs" in message.source and Evidence(message, policy).demands("strict_refs")),
    )


def place_of(record: InputRecord) -> str:
    """Return where a record stands, as `topic/partition/offset`."""
    return f"{record.topic}/{record.partition}/{record.offset}"


def size_of(record: InputRecord) -> int:
    """Return about how many bytes a record has, and not much fewer."""
    return (
        len(record.key or b"")
        + len(record.value or b"")
        + sum(
            _BYTES_THAT_FRAME_A_HEADER + len(name.encode()) + len(value or b"")
            for name, value in record.headers
        )
    )


def can_be_kept(record: InputRecord) -> bool:
    """Say whether a record that waits is sure to fit into one of the changelog's.

    That has contents in Base64 and names of headers escaped, so one that just fitted the input may not.
    """
    names = sum(len(name.encode()) for name, _ in record.headers)
    contents = size_of(record) - names
    most = 4 * contents // 3 + _BYTES_OF_A_CHARACTER_IN_JSON * names + _BYTES_BESIDE_THE_RECORD
    return most <= int(THREADS.config["max.message.bytes"])


def _session(record: InputRecord, message: Message) -> str | None:
    """Return the session: `@sid`, else what the record gives, else None."""
    declared = session_id(message)
    if declared:
        return bounded(declared)
    name = given_session(record)
    return session_called(name) if name else None


def given_session(record: InputRecord) -> bytes | None:
    """Return how a record itself calls its session: by its key, else by the `pairl-session` header."""
    return record.key or headers.last(record.headers, headers.SESSION) or None


def session_called(name: bytes) -> str:
    """Return the session that records call so."""
    try:
        return bounded(name.decode())
    except UnicodeDecodeError:
        return bounded(f"bytes:{name.hex()}")
