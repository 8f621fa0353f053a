"""The words in which processors and the runtime talk.

This module knows what a processor is given and what it answers with. It does not know any
processor, nor how an outcome is carried out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from schemas.audit import ChainHead
from schemas.session_node import SessionNode
from schemas.topics import Topic
from workers.processors.session_view import Lookup, SessionView


class InputRecord(Protocol):
    """A record as it was read. The Kafka client's own record is one."""

    @property
    def topic(self) -> str:
        """The topic's full name."""
        ...

    @property
    def partition(self) -> int:
        """The partition."""
        ...

    @property
    def offset(self) -> int:
        """The offset."""
        ...

    @property
    def timestamp(self) -> int:
        """Milliseconds since 1970."""
        ...

    @property
    def key(self) -> bytes | None:
        """The key, if it has one."""
        ...

    @property
    def value(self) -> bytes | None:
        """The value; None is a tombstone."""
        ...

    @property
    def headers(self) -> Sequence[tuple[str, bytes]]:
        """The headers, in order."""
        ...


class OutputRecord(msgspec.Struct, frozen=True, gc=False):
    """A record to be written; `timestamp` is in milliseconds, None for the time of writing."""

    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]] = []
    timestamp: int | None = None


class Outcome(msgspec.Struct, frozen=True):
    """What a batch comes to.

    `outputs` are the records for each topic, in order. `nodes` are the new state of sessions, in
    order: the runtime writes them to the changelog and, once that is committed, to Redis. `counts`
    is what the batch's log line says. `chain` is the head of the audit chain after this batch.
    """

    outputs: Sequence[tuple[Topic, Sequence[OutputRecord]]]
    nodes: Sequence[SessionNode] = ()
    counts: Mapping[str, int] = {}
    chain: ChainHead = ChainHead()


class Batch(Protocol):
    """Records that a processor has read; deciding on them needs one look-up at most."""

    @property
    def lookup(self) -> Lookup:
        """What must be known of sessions before the batch can be decided."""
        ...

    def decide(self, sessions: Mapping[str, SessionView], chain: ChainHead) -> Outcome:
        """Return what the batch comes to; `sessions` has a view for each session of `lookup`."""
        ...


class Processor(Protocol):
    """A worker's decisions: which topics it reads and writes, and what it makes of records."""

    name: str
    source: Topic
    targets: tuple[Topic, ...]
    keeps_state: bool
    """Whether it looks up sessions and adds to them: its partitions then need the changelog and Redis."""

    def read(self, records: Sequence[InputRecord]) -> Batch:
        """Return the batch that `records`, of one partition and in order, make."""
        ...
