"""Sessions in Redis: loaded for a batch in one round trip, changed after its commit in another.

This module knows that Redis is a view which may be gone at any moment, and how to notice: with the
sessions of a partition stands the changelog position up to which they are complete. A look-up that
finds another position than this worker left there is no answer but a `ViewLost`. Where the changelog
is, and how it is read, is `workers.runtime.restore`'s; how a client is made is
`workers.adapters.redis_client`'s.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

import msgspec

from schemas.changelog import Change, named
from workers.adapters.redis_client import RedisClient, check_redis, reaching_redis
from workers.adapters.redis_scripts import AGENDA, APPLY, CLEAR, LOAD
from workers.faults import ViewLost

Entries = Sequence[tuple[str, bytes]]
"""The entries of a session's state by name, in the order in which the changelog has them."""

_SEEN_AT_ONCE = 500
_NAMED_AT_ONCE = 100
_OLDEST_SECONDS = 12 * 3600
"""Compaction takes away, a day after it, that an entry was taken away (`delete.retention.ms`). Redis must not
keep for longer what it has not been told of: a message that waits there would be judged a second time."""

_OFFSET = b"@offset"
"""A field that is no entry: what an entry is called begins with no such sign."""


class Position(msgspec.Struct, frozen=True):
    """A place in a partition of the changelog of one Kafka cluster: everything before it is applied."""

    cluster: str
    offset: int

    def __str__(self) -> str:
        """Return the position as it stands in Redis."""
        return f"{self.cluster} {self.offset}"


class Agenda(msgspec.Struct, frozen=True):
    """When something is due first, and when the session changed that has been idle longest.

    Both are milliseconds since 1970; None: there is nothing.
    """

    due: int | None = None
    idle_since: int | None = None


class RedisView:
    """The sessions of one partition of a worker.

    All that reaches Redis raises `Unreachable` where it does not answer.
    """

    def __init__(self, client: RedisClient, worker: str, partition: int) -> None:
        """Work on the sessions of `partition`; `worker` names the worker and its bus."""
        self._client = client
        self._worker = worker
        self._tag = _tag(worker, partition)
        self._position_key = f"{self._tag}:position"
        self._applied_at_key = f"{self._tag}:applied_at"
        self._agenda_keys = [f"{self._tag}:due", f"{self._tag}:idle"]
        self._load = client.register_script(LOAD)
        self._apply = client.register_script(APPLY)
        self._agenda = client.register_script(AGENDA)
        self._clear = client.register_script(CLEAR)

    async def position(self) -> Position | None:
        """Return how far Redis has the changelog, or None where it has nothing of it that can be built on.

        Raises:
            Unreachable: Redis is set up to forget.

        """
        await check_redis(self._client)
        async with reaching_redis():
            position, applied_at = await self._client.mget(self._position_key, self._applied_at_key)
        is_old = int(applied_at or 0) < time.time() - _OLDEST_SECONDS
        return None if is_old else _position(position)

    async def load(self, sessions: Sequence[str], expected: Position) -> dict[str, Entries]:
        """Return the entries of each of `sessions`.

        Raises:
            ViewLost: Redis is not at the `expected` position.

        """
        position, fields = await self.look(sessions)
        self._expect(position, expected)
        return {session: _entries(stored) for session, stored in fields.items()}

    async def look(self, sessions: Sequence[str]) -> tuple[Position | None, dict[str, dict[bytes, bytes]]]:
        """Return Redis's position, and each session's entries there: name, "<changelog offset> <value>"."""
        keys = [*map(self._session_key, sessions), self._position_key]
        async with reaching_redis():
            position, *answers = await self._load(keys=keys)
        found: dict[str, dict[bytes, bytes]] = {}
        for session, answer in zip(sessions, answers, strict=True):
            found[session] = dict(zip(answer[::2], answer[1::2], strict=True))
            found[session].pop(_OFFSET, None)
        return _position(position), found

    async def names(self) -> AsyncIterator[str]:
        """Yield the sessions that Redis has, in no order, and some perhaps twice."""
        async with reaching_redis():
            async for key in self._client.scan_iter(match=self._session_key("*"), count=_SEEN_AT_ONCE):
                yield key.decode(errors="replace").partition(":session:")[2]

    async def due_times(self) -> AsyncIterator[tuple[str, str, int]]:
        """Yield session, entry and the time in milliseconds of all that is due at some time, in no order."""
        async with reaching_redis():
            async for member, time_due in self._client.zscan_iter(self._agenda_keys[0], count=_SEEN_AT_ONCE):
                entry, _, session = member.decode(errors="replace").partition("\0")
                yield session, entry, int(time_due)

    async def idle_names(self) -> AsyncIterator[str]:
        """Yield the sessions of which Redis knows since when they are idle, in no order."""
        async with reaching_redis():
            async for member, _ in self._client.zscan_iter(self._agenda_keys[1], count=_SEEN_AT_ONCE):
                yield member.decode(errors="replace")

    async def find(
        self, asked: Iterable[tuple[str, str]], owner: Callable[[str], int]
    ) -> dict[tuple[str, str], bytes | None]:
        """Return the entry of each message asked for, by session and id, in whatever partition it is.

        Other partitions are as far as their workers have brought them: this is for advice, not verdicts.
        """
        names = list(asked)
        async with reaching_redis(), self._client.pipeline(transaction=False) as pipeline:
            for session, message_id in names:
                tag = _tag(self._worker, owner(session))
                pipeline.hget(f"{tag}:session:{session}", named(message_id))
            found = await pipeline.execute()
        return {name: _value(value) for name, value in zip(names, found, strict=True)}

    async def apply(
        self, changes: Sequence[tuple[int, Change]], before: Position | None, after: Position
    ) -> Agenda | None:
        """Take in the changes from `before` to `after`, each with its changelog offset; return the agenda.

        Where Redis is not at `before` it is left as it is, and None is returned: a look-up at `after`
        then finds it lost. Changes that a session has already, or has newer, are passed over.
        """
        sessions: dict[str, list[tuple[int, Change]]] = {}
        for offset, change in changes:
            sessions.setdefault(change.session, []).append((offset, change))
        arguments: list[str | int | bytes] = [str(before or ""), str(after), int(time.time())]
        arguments += [_packed(session, changed) for session, changed in sessions.items()]
        own_keys = [self._position_key, self._applied_at_key, *self._agenda_keys]
        keys = [*map(self._session_key, sessions), *own_keys]
        async with reaching_redis():
            done, *agenda = await self._apply(keys=keys, args=arguments)
        return Agenda(*map(_time, agenda)) if done else None

    async def agenda(
        self, expected: Position, due_before: int, idle_before: int
    ) -> tuple[list[str], list[str]]:
        """Return sessions in which something was due, and sessions that have been idle, since before these.

        There may be more of them.

        Raises:
            ViewLost: Redis is not at the `expected` position.

        """
        keys = [self._position_key, *self._agenda_keys]
        async with reaching_redis():
            position, due, idle = await self._agenda(
                keys=keys, args=[due_before, idle_before, _NAMED_AT_ONCE]
            )
        self._expect(_position(position), expected)
        overdue = dict.fromkeys(member.decode().partition("\0")[2] for member in due)
        return list(overdue), [session.decode() for session in idle]

    async def clear(self) -> None:
        """Forget all sessions of the partition, and the position first.

        A crash on the way leaves no position, so that whoever comes next clears again.
        """
        async with reaching_redis():
            await self._client.delete(self._position_key)
            doomed: list[bytes | str] = [self._applied_at_key, *self._agenda_keys]
            async for key in self._client.scan_iter(match=f"{self._tag}:session:*", count=_SEEN_AT_ONCE):
                doomed.append(key)
                if len(doomed) >= _SEEN_AT_ONCE:
                    await self._clear(keys=[self._position_key, *doomed])
                    doomed = []
            await self._clear(keys=[self._position_key, *doomed])

    def _session_key(self, session: str) -> str:
        return f"{self._tag}:session:{session}"

    def _expect(self, found: Position | None, expected: Position) -> None:
        if found != expected:
            raise ViewLost("Redis does not hold the state that this worker left there")


def _packed(session: str, changes: Sequence[tuple[int, Change]]) -> bytes:
    """Return the changes of a session as one argument: the client takes its time over each.

    Redis reads MessagePack's texts, but no bytes.
    """
    rows = [
        (offset, change.entry, (change.value or b"").decode(), "" if change.due is None else change.due)
        for offset, change in changes
    ]
    return msgspec.msgpack.encode((session, max(change.at for _, change in changes), rows))


def _tag(worker: str, partition: int) -> str:
    return f"{{{worker}/{partition}}}"


def _position(text: bytes | str | None) -> Position | None:
    if text is None:
        return None
    text = text.decode() if isinstance(text, bytes) else text
    cluster, _, offset = text.rpartition(" ")
    return Position(cluster, int(offset)) if cluster and offset.isdigit() else None


def _entries(fields: Mapping[bytes, bytes]) -> Entries:
    """Return a session's entries in the order of the changelog."""
    found: list[tuple[int, str, bytes]] = []
    for name, value in fields.items():
        offset, _, text = value.partition(b" ")
        found.append((int(offset), name.decode(), text))
    found.sort()
    return [(name, text) for _, name, text in found]


def _value(stored: bytes | None) -> bytes | None:
    return None if stored is None else stored.partition(b" ")[2]


def _time(score: bytes) -> int | None:
    return int(float(score)) if score else None
