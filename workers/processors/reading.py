"""A record that was read: the message in it, its session, and what it names.

This module knows where a record says which session it belongs to. It judges nothing.
"""

from __future__ import annotations

import msgspec

from pairl.model import Message
from pairl.parser import parse
from pairl.rules import Evidence, Policy
from pairl.thread import foreign_references, message_id, parent_ids, session_id
from schemas import headers
from schemas.changelog import bounded
from workers.processors.outcome import InputRecord, MessageName


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
        return f"{self.record.topic}/{self.record.partition}/{self.record.offset}"


def read(record: InputRecord, policy: Policy) -> Reading:
    """Return what a record says; whatever its bytes are, there is a message to judge."""
    message = parse(record.value or b"", max_bytes=policy.max_bytes, max_records=policy.max_records)
    own_id = message_id(message)
    legend = headers.last(record.headers, headers.LEGEND)
    return Reading(
        record=record,
        message=message,
        session=_session(record, message),
        id=None if own_id is None else bounded(own_id),
        parents=tuple(map(bounded, parent_ids(message))),
        foreign=frozenset((bounded(session), bounded(name)) for session, name in foreign_references(message)),
        legend=None if legend is None else legend.decode("utf-8", "replace"),
        needs_parents=policy.strict
        or ("strict_refs" in message.source and Evidence(message, policy).demands("strict_refs")),
    )


def _session(record: InputRecord, message: Message) -> str | None:
    """Return the session: `@sid`, else the record's key, else the `pairl-session` header, else None."""
    declared = session_id(message)
    if declared:
        return bounded(declared)
    name = record.key or headers.last(record.headers, headers.SESSION)
    if not name:
        return None
    try:
        return bounded(name.decode())
    except UnicodeDecodeError:
        return bounded(f"bytes:{name.hex()}")
