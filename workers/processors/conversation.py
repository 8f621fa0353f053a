"""A session as the validator knows it: the thread of judged messages, and those that wait for a parent.

This module knows who waits for whom, who is free to be judged once something has been, and how a session
is cut into entries of the changelog and put together again. It does not judge, and does not know the
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from pairl.thread import Status, ThreadNode
from pairl.thread_memory import Thread
from schemas.changelog import Change, bounded, named
from schemas.session_state import SessionNode, WaitingMessage, decode
from workers.processors.outcome import InputRecord
from workers.processors.reading import Reading

_BYTES_THAT_WEIGH_A_MESSAGE = 1_024


class Patience(msgspec.Struct, frozen=True):
    """How long a message waits for its parents, and how many of a session may.

    That is a number, and the bytes that they take: those of the records, and 1 KiB for each parent named.
    """

    milliseconds: int = 10_000
    messages: int = 1_000
    bytes: int = 8 * 1024 * 1024


class Waiting(msgspec.Struct, frozen=True):
    """A message that waits, its record, since when, until when at the latest, and for which ids still."""

    reading: Reading
    record: WaitingMessage
    missing: set[str]

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return self.reading.bytes_to_wait


class Conversation:
    """What is known of a session."""

    def __init__(self, session: str) -> None:
        """Start with nothing."""
        self.session = session
        self.thread = Thread(bounded)
        self.waiting_bytes = 0
        self.changed_at = 0
        """When something last happened, in milliseconds since 1970."""
        self._waiting: dict[int, Waiting] = {}
        self._offsets_by_id: dict[str, set[int]] = {}
        self._offsets_by_missing: dict[str, set[int]] = {}
        self._offsets_by_parent: dict[str, set[int]] = {}

    @classmethod
    def load(
        cls, session: str, entries: Iterable[tuple[str, bytes]], read: Callable[[InputRecord], Reading]
    ) -> Conversation:
        """Return the session that the entries of its state describe, in the order of the changelog.

        Entries that are none, because another program has written there, are passed over.
        """
        conversation = cls(session)
        waiting: list[WaitingMessage] = []
        for name, value in entries:
            try:
                entry = decode(name, value)
            except msgspec.DecodeError:
                continue
            conversation.changed_at = max(conversation.changed_at, entry.at)
            if isinstance(entry, SessionNode):
                conversation.thread.add_node(entry.node)
            else:
                waiting.append(entry)
        for record in waiting:
            conversation._park(Waiting(read(record), record, set()))
        for parked in conversation._waiting.values():
            conversation._await(parked)
        return conversation

    @property
    def weight(self) -> int:
        """About how much memory the session takes, counted in messages."""
        return 1 + len(self.thread) + self.waiting_bytes // _BYTES_THAT_WEIGH_A_MESSAGE

    @property
    def waiting_count(self) -> int:
        """How many messages wait."""
        return len(self._waiting)

    def waiting(self) -> Iterator[Waiting]:
        """Yield the messages that wait."""
        yield from self._waiting.values()

    def node(self, name: str) -> ThreadNode | None:
        """Return the message with this id: the accepted one, else one that waits, else a rejected one."""
        if name in self._offsets_by_id and not self.has_accepted(name):
            parked = [self._waiting[offset] for offset in sorted(self._offsets_by_id[name])]
            parents = dict.fromkeys(parent for one in parked for parent in one.reading.parents)
            return ThreadNode(name, Status.WAITING, parents=tuple(parents))
        return self.thread.node(name)

    def has_accepted(self, name: str) -> bool:
        """Say whether a message with this id was accepted."""
        node = self.thread.node(name)
        return node is not None and node.status is Status.ACCEPTED

    def is_named(self, name: str) -> bool:
        """Say whether a message that waits names this id, and none with it was accepted."""
        return name in self._offsets_by_parent and not self.has_accepted(name)

    def has_room(self, reading: Reading, patience: Patience) -> bool:
        """Say whether one more message may wait."""
        return (
            self.waiting_count < patience.messages
            and self.waiting_bytes + reading.bytes_to_wait <= patience.bytes
        )

    def missing(self, reading: Reading) -> set[str]:
        """Return the parents of a message that have no verdict yet."""
        return {parent for parent in reading.parents if parent != reading.id and self._is_open(parent)}

    def add(self, node: ThreadNode, now: int) -> bool:
        """Take in a message that was judged; return whether that changes the session."""
        is_new = self.thread.add_node(node)
        if is_new:
            self.changed_at = now
        return is_new

    def park(self, reading: Reading, name: str, now: int, due: int) -> Waiting:
        """Let a message wait for its parents, from `now` until it is `due`."""
        record = reading.record
        kept = WaitingMessage(
            self.session,
            name,
            now,
            due,
            record.topic,
            record.partition,
            record.offset,
            record.timestamp,
            record.key,
            record.value,
            tuple(record.headers),
        )
        parked = Waiting(reading, kept, set())
        self.changed_at = now
        self._park(parked)
        self._await(parked)
        return parked

    def park_again(self, parked: Waiting) -> None:
        """Let a message that was taken out wait on, as long as before, for parents that are still missing."""
        parked.missing.clear()
        self._park(parked)
        self._await(parked)

    def settle(self, name: str) -> list[Waiting]:
        """Return the messages that wait no longer, now that there is a verdict on one with this id.

        Those are free that waited for nothing else. Where it was rejected, and no other with its id is
        accepted or waits, all are that need it: they have no parent to expect.
        """
        if name not in self._offsets_by_missing:
            return []
        node = self.node(name)
        if node is None or node.status is Status.WAITING:
            return []
        freed: list[Waiting] = []
        for offset in sorted(self._offsets_by_missing.pop(name)):
            parked = self._waiting[offset]
            parked.missing.discard(name)
            is_lost = node.status is Status.REJECTED and parked.reading.needs_parents
            if is_lost or not parked.missing:
                freed.append(self._unpark(parked))
        return freed

    def overdue(self, before: int) -> Iterator[Waiting]:
        """Yield, and take out, the messages that were due before; those that others free are passed over."""
        due = [parked for parked in self._waiting.values() if parked.record.due <= before]
        for parked in sorted(due, key=lambda one: (one.record.due, one.record.offset)):
            if parked.record.offset in self._waiting:
                yield self._unpark(parked)

    def forget(self) -> list[Change]:
        """Return what takes the whole session out of the changelog."""
        entries = [Change(self.session, named(node.id), None) for node in self.thread.nodes()]
        return [*entries, *(parked.record.as_removal() for parked in self._waiting.values())]

    def _is_open(self, name: str) -> bool:
        """Say whether no message with this id has a verdict, or another one may still be accepted."""
        node = self.thread.node(name)
        return node is None or (node.status is not Status.ACCEPTED and name in self._offsets_by_id)

    def _park(self, parked: Waiting) -> None:
        offset, name = parked.record.offset, parked.record.id
        self._waiting[offset] = parked
        if self.is_named(name) and name not in self._offsets_by_id:
            # Whoever named one that was rejected, and waits for others, may hope for this one instead.
            for other in self._offsets_by_parent[name]:
                self._waiting[other].missing.add(name)
                self._offsets_by_missing.setdefault(name, set()).add(other)
        self._offsets_by_id.setdefault(name, set()).add(offset)
        for parent in parked.reading.parents:
            self._offsets_by_parent.setdefault(parent, set()).add(offset)
        self.waiting_bytes += parked.size

    def _await(self, parked: Waiting) -> None:
        parked.missing.update(self.missing(parked.reading))
        for name in parked.missing:
            self._offsets_by_missing.setdefault(name, set()).add(parked.record.offset)

    def _unpark(self, parked: Waiting) -> Waiting:
        offset = parked.record.offset
        del self._waiting[offset]
        _take_out(self._offsets_by_id, parked.record.id, offset)
        for name in parked.missing:
            _take_out(self._offsets_by_missing, name, offset)
        for name in parked.reading.parents:
            _take_out(self._offsets_by_parent, name, offset)
        self.waiting_bytes -= parked.size
        return parked


def _take_out(offsets: dict[str, set[int]], name: str, offset: int) -> None:
    """Take an offset out of the set with this name, and the set with it when it is empty."""
    among = offsets.get(name)
    if among is not None:
        among.discard(offset)
        if not among:
            del offsets[name]
