"""The Redis client: made, checked, and its exceptions turned into ours.

This module knows the client's pitfalls and what its errors mean. It does not know what is kept in Redis.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from workers.faults import Unreachable

RedisClient = Redis
"""The client, under a name that others need not import it for."""

_ANSWER_SECONDS = 10.0
_AWAY = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.BusyLoadingError, OSError)


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


async def check_redis(client: RedisClient) -> None:
    """Make sure that Redis answers, and does not drop keys when it is full: it would drop parents.

    Raises:
        Unreachable: it does not answer, or is set up to drop keys.

    """
    async with reaching_redis():
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
async def reaching_redis() -> AsyncIterator[None]:
    """Turn the client's exceptions into ours.

    Raises:
        Unreachable: Redis does not answer, or refuses the command.

    """
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
