"""Sessions in Redis: looked up for a batch in one round trip, changed after its commit in another.

This module knows that Redis is a view which may be gone at any moment, and how to notice: with the
sessions of a partition stands the changelog position up to which they are complete. A look-up that
finds another position than this worker left there is no answer but a `ViewLost`. Where the changelog
is, and how it is read, is `workers.runtime.restore`'s.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from schemas import session_node
from schemas.session_node import SessionNode
from workers.adapters.redis_scripts import APPLY, CLEAR, LOOK_UP
from workers.faults import Unreachable, ViewLost
from workers.processors.session_view import Lookup, SessionView

RedisClient = Redis
"""The client, under a name that others need not import it for."""

_ANSWER_SECONDS = 10.0
_AWAY = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.BusyLoadingError, OSError)
_DELETED_AT_ONCE = 500


class Position(msgspec.Struct, frozen=True):
    """A place in a partition of the changelog of one Kafka cluster: everything before it is applied."""

    cluster: str
    offset: int

    def __str__(self) -> str:
        """Return the position as it stands in Redis."""
        return f"{self.cluster} {self.offset}"


@asynccontextmanager
async def redis_client(url: str) -> AsyncIterator[Redis]:
    """Yield a client; it connects when it is used, and retries nothing by itself."""
    client = Redis.from_url(
        url,
        socket_timeout=_ANSWER_SECONDS,
        socket_connect_timeout=_ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        yield client
    finally:
        await client.aclose()


class RedisView:
    """The sessions of one partition."""

    def __init__(self, client: Redis, bus: str, partition: int) -> None:
        """Work on the sessions of `partition` of the bus that is called `bus`."""
        self._client = client
        self._tag = f"{{{bus}/{partition}}}"
        self._position_key = f"{self._tag}:position"
        self._look_up = client.register_script(LOOK_UP)
        self._apply = client.register_script(APPLY)
        self._clear = client.register_script(CLEAR)

    async def position(self) -> Position | None:
        """Return how far Redis has the changelog, or None where it has nothing of it.

        Raises:
            Unreachable: Redis does not answer, or is set up to forget.

        """
        await check_redis(self._client)
        async with _reaching_redis():
            return _position(await self._client.get(self._position_key))

    async def look_up(self, lookup: Lookup, expected: Position) -> dict[str, SessionView]:
        """Return a view for each session of `lookup`.

        Raises:
            ViewLost: Redis is not at the `expected` position.
            Unreachable: Redis does not answer.

        """
        keys = [*map(self._session_key, lookup), self._position_key]
        arguments: list[str | int] = []
        for own, named in lookup.values():
            ids = [*own, *(named - own)]
            arguments += [len(own), len(ids), *ids]
        async with _reaching_redis():
            position, *answers = await self._look_up(keys=keys, args=arguments)
        if _position(position) != expected:
            raise ViewLost("Redis does not hold the state that this worker left there")
        return {
            session: SessionView(map(session_node.decode, nodes), [entry.decode() for entry in awaited])
            for session, (nodes, awaited) in zip(lookup, answers, strict=True)
        }

    async def apply(
        self, nodes: Sequence[tuple[int, SessionNode]], before: Position | None, after: Position
    ) -> None:
        """Take in the nodes from `before` to `after`, each with its changelog offset.

        Where Redis is not at `before` it is left as it is: a look-up at `after` then finds it lost.
        Nodes that a session has already, or has newer, are passed over.

        Raises:
            Unreachable: Redis does not answer.

        """
        sessions: dict[str, list[tuple[int, SessionNode]]] = {}
        for offset, node in nodes:
            sessions.setdefault(node.session, []).append((offset, node))
        arguments: list[str | int | bytes] = ["" if before is None else str(before), str(after)]
        for changed in sessions.values():
            arguments.append(len(changed))
            for offset, node in changed:
                arguments += [offset, node.id, session_node.encode(node), len(node.missing), *node.missing]
        keys = [*map(self._session_key, sessions), self._position_key]
        async with _reaching_redis():
            await self._apply(keys=keys, args=arguments)

    async def clear(self) -> None:
        """Forget all sessions of the partition, and the position first.

        A crash on the way leaves no position, so that whoever comes next clears again.
        """
        async with _reaching_redis():
            await self._client.delete(self._position_key)
            pattern = f"{self._tag}:session:*"
            doomed: list[bytes] = []
            async for key in self._client.scan_iter(match=pattern, count=_DELETED_AT_ONCE):
                doomed.append(key)
                if len(doomed) == _DELETED_AT_ONCE:
                    await self._clear(keys=[self._position_key, *doomed])
                    doomed = []
            await self._clear(keys=[self._position_key, *doomed])

    def _session_key(self, session: str) -> str:
        return f"{self._tag}:session:{session}"


async def check_redis(client: RedisClient) -> None:
    """Make sure that Redis answers, and does not drop keys when it is full: it would drop parents.

    Raises:
        Unreachable: it does not answer, or is set up to drop keys.

    """
    async with _reaching_redis():
        try:
            memory = await client.info("memory")
        except exceptions.ResponseError:
            return  # A hosted Redis may not tell; its operator has been told in the documentation.
        policy = memory.get("maxmemory_policy", "noeviction")
        if policy != "noeviction":
            raise Unreachable(
                f"Redis drops keys when it is full (maxmemory-policy is {policy}), and with them the "
                "parents of messages; set maxmemory-policy to noeviction"
            )


@asynccontextmanager
async def _reaching_redis() -> AsyncIterator[None]:
    try:
        yield
    # A refused login is a ConnectionError to the client, so it comes first.
    except exceptions.AuthenticationError as fault:
        raise Unreachable(
            f"Redis refuses the login ({fault}); check user and password in PAIRL_REDIS_URL"
        ) from fault
    except _AWAY as fault:
        raise Unreachable(
            f"Redis does not answer ({fault or type(fault).__name__}); "
            "check that it runs and that PAIRL_REDIS_URL names it"
        ) from fault
    except exceptions.ResponseError as fault:
        raise Unreachable(
            f"Redis refuses the command ({fault}); check its version, memory and rights"
        ) from fault


def _position(text: bytes | str | None) -> Position | None:
    if text is None:
        return None
    text = text.decode() if isinstance(text, bytes) else text
    cluster, _, offset = text.rpartition(" ")
    return Position(cluster, int(offset)) if cluster and offset.isdigit() else None
