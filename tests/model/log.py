"""Kafka in memory: partitions with transactions, as far as a worker can tell it from the real one.

Knows when a record becomes readable: a transaction's, once the brokers have marked its end in the partition,
which they do some time after the commit; and none behind the first of an open one. Knows who is fenced. Does
not know what the records are about.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import msgspec

Place = tuple[str, int]
"""A topic and a partition."""

Headers = Sequence[tuple[str, bytes | None]]


class LogRecord(msgspec.Struct, frozen=True):
    """A record as it is read."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: Headers


class State(Enum):
    """What has become of a transaction."""

    OPEN = "open"
    COMMITTED = "committed"
    ABORTED = "aborted"


class Transaction(msgspec.Struct, eq=False):
    """A transaction; `unmarked` are the partitions in which its end is not marked yet."""

    unmarked: dict[Place, None] = {}
    offsets: dict[tuple[str, Place], int] = {}
    state: State = State.OPEN


class _Entry(msgspec.Struct, frozen=True):
    record: LogRecord | None
    transaction: Transaction | None


class Log:
    """All partitions, the offsets that groups have committed, and who may write under which name."""

    def __init__(self) -> None:
        """Start empty."""
        self.committed: dict[tuple[str, Place], int] = {}
        self._entries: dict[Place, list[_Entry]] = {}
        self._first_undecided: dict[Place, dict[Transaction, int]] = {}
        self._epochs: dict[str, int] = {}
        self._latest: dict[str, Transaction] = {}
        self._ended: list[Transaction] = []

    def append(
        self,
        place: Place,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: Headers,
        transaction: Transaction | None = None,
    ) -> int:
        """Add a record, and return its offset."""
        entries = self._entries.setdefault(place, [])
        offset = len(entries)
        if transaction is not None:
            transaction.unmarked[place] = None
            self._first_undecided.setdefault(place, {}).setdefault(transaction, offset)
        entries.append(_Entry(LogRecord(*place, offset, timestamp, key, value, tuple(headers)), transaction))
        return offset

    def end(self, place: Place) -> int:
        """Return the offset up to which the partition can be read: the first that is not decided."""
        undecided = self._first_undecided.get(place)
        return min(undecided.values()) if undecided else len(self._entries.get(place, ()))

    def read(self, place: Place, start: int, most: int) -> tuple[list[LogRecord], int]:
        """Return the readable records from an offset on, and the offset behind what was looked at."""
        found: list[LogRecord] = []
        entries, end = self._entries.get(place, []), self.end(place)
        while start < end and len(found) < most:
            entry = entries[start]
            start += 1
            is_void = entry.transaction is not None and entry.transaction.state is State.ABORTED
            if entry.record is not None and not is_void:
                found.append(entry.record)
        return found, start

    def all(self, place: Place) -> list[LogRecord]:
        """Return all readable records of a partition."""
        return self.read(place, 0, len(self._entries.get(place, ())) + 1)[0]

    def take_over(self, name: str) -> int:
        """Fence whoever writes under a name, end what they left behind, and return the new epoch."""
        latest = self._latest.pop(name, None)
        if latest is not None:
            if latest.state is State.OPEN:
                self._end(latest, State.ABORTED)
            self._mark(latest)
        self._epochs[name] = self._epochs.get(name, 0) + 1
        return self._epochs[name]

    def is_fenced(self, name: str, epoch: int) -> bool:
        """Say whether somebody has taken the name over since this epoch."""
        return self._epochs[name] != epoch

    def begin(self, name: str) -> Transaction:
        """Begin a transaction, once the one before is marked everywhere."""
        if name in self._latest:
            self._mark(self._latest[name])
        self._latest[name] = Transaction({}, {})
        return self._latest[name]

    def commit(self, transaction: Transaction) -> None:
        """Decide that a transaction happens. It can be read when it is marked."""
        self._end(transaction, State.COMMITTED)

    def mark_one(self, number: int) -> None:
        """Mark the end of a transaction, if one has ended, in one of its partitions; `number` is a choice."""
        if self._ended:
            transaction = self._ended[number % len(self._ended)]
            if transaction.unmarked:
                self._mark_in(transaction, list(transaction.unmarked)[number % len(transaction.unmarked)])
            if not transaction.unmarked:
                self._mark(transaction)

    def mark_all(self) -> None:
        """Mark the ends of all transactions that have ended."""
        for transaction in list(self._ended):
            self._mark(transaction)

    def compact(self, place: Place) -> None:
        """Keep of the readable records of a partition the latest of each key only."""
        records = self.all(place)
        latest = {record.key: record.offset for record in records}
        for record in records:
            if latest[record.key] != record.offset:
                self._entries[place][record.offset] = _Entry(None, None)

    def _end(self, transaction: Transaction, state: State) -> None:
        transaction.state = state
        self._ended.append(transaction)

    def _mark(self, transaction: Transaction) -> None:
        """Mark the end of a transaction in all of its partitions, and take over its offsets."""
        if transaction in self._ended:
            for place in list(transaction.unmarked):
                self._mark_in(transaction, place)
            if transaction.state is State.COMMITTED:
                self.committed.update(transaction.offsets)
            self._ended.remove(transaction)

    def _mark_in(self, transaction: Transaction, place: Place) -> None:
        del transaction.unmarked[place]
        del self._first_undecided[place][transaction]
        self._entries[place].append(_Entry(None, None))
