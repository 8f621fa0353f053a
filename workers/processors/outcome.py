"""The words in which processors and the runtime talk.

This module knows what a processor is given and what it answers with. It does not know any
processor, nor how an outcome is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from schemas.audit import ChainHead
from schemas.changelog import Change
from schemas.headers import Headers
from schemas.topics import Topic


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
    def headers(self) -> Headers:
        """The headers, in order."""
        ...


class OutputRecord(msgspec.Struct, frozen=True, gc=False):
    """A record to be written; `timestamp` is in milliseconds, None for the time of writing."""

    key: bytes | None
    value: bytes | None
    headers: Headers = []
    timestamp: int | None = None


MessageName = tuple[str, str]
"""A message, by its session and its id."""


class Turn(msgspec.Struct, frozen=True):
    """The circumstances under which a batch is decided. Times are milliseconds since 1970.

    The records are those of `topic` and `partition`, whose audit chain ends at `chain`. In the sessions
    `overdue` something was due before `due_before`; the sessions `idle` have not changed since before
    `idle_before`. `elsewhere` has the entries of messages of other sessions, None for those without one.
    """

    topic: str
    partition: int
    now: int
    chain: ChainHead = ChainHead()
    overdue: Sequence[str] = ()
    due_before: int = 0
    idle: Sequence[str] = ()
    idle_before: int = 0
    elsewhere: Mapping[MessageName, bytes | None] = {}


class Outcome(msgspec.Struct, frozen=True):
    """What a batch comes to.

    `outputs` are the records for each topic, in order, and `rerouted` those for other partitions of the
    topic that was read. `changes` are the new state of sessions, in order: the runtime writes them to the
    changelog and, once that is committed, to Redis. `counts` is what the batch's log line says. `chain`
    is the head of the audit chain after this batch.
    """

    outputs: Sequence[tuple[Topic, Sequence[OutputRecord]]]
    rerouted: Mapping[int, Sequence[OutputRecord]] = {}
    changes: Sequence[Change] = ()
    counts: Mapping[str, int] = {}
    chain: ChainHead = ChainHead()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be written."""
        return not (self.changes or self.rerouted or any(records for _, records in self.outputs))


class SessionState(Protocol):
    """What a processor keeps of a session. A batch changes it; if that is not committed it is dropped."""

    @property
    def weight(self) -> int:
        """About how much memory it takes, counted in messages."""
        ...


class Batch(Protocol):
    """Records that a processor has read, about to be decided."""

    @property
    def sessions(self) -> set[str]:
        """The sessions that must be known before the batch can be decided."""
        ...

    def foreign(self, states: Mapping[str, Any]) -> set[MessageName]:
        """Return the messages of other sessions that must be looked up, once `sessions` are known."""
        ...

    def most_verdicts(self, states: Mapping[str, Any]) -> int:
        """Return how many messages may have to be decided on, those that wait among them."""
        ...

    def decide(self, states: Mapping[str, Any], turn: Turn) -> Outcome:
        """Return what the batch comes to.

        `states` has what is kept of each session in `sessions`, and of those that the turn names.
        """
        ...


Owner = Callable[[str], int]
"""Tells the partition that a session belongs to."""


class Processor(Protocol):
    """A worker's decisions: which topics it reads and writes, and what it makes of records."""

    name: str
    source: Topic
    targets: tuple[Topic, ...]
    changelog: Topic | None
    """Where it keeps what it knows of sessions; Redis then shows it. None: it knows nothing of sessions."""

    def read(self, records: Sequence[InputRecord], owner: Owner) -> Batch:
        """Return the batch that `records`, of one partition and in order, make."""
        ...

    def load(self, session: str, entries: Sequence[tuple[str, bytes]]) -> SessionState:
        """Return a session from the entries of its state, by name, in the order of the changelog."""
        ...
