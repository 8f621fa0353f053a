"""Three brokers, seen from outside: who leads what, and whether all have everything.

Knows that a partition must have a copy on every broker. Does not start or end any.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

BROKERS = 3

_PATIENCE = 90.0
_PAUSE = 0.3


async def leaders(bootstrap_servers: str, topic: str) -> list[int]:
    """Return the numbers of the brokers that lead the partitions of a topic."""
    return [int(each["leader"]) for each in (await _describe(bootstrap_servers))[topic]]


async def all_in_sync(bootstrap_servers: str) -> set[str]:
    """Wait until every broker has every record; return the topics, Kafka's own among them."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        topics = await _describe(bootstrap_servers)
        partitions = [each for found in topics.values() for each in found]
        assert all(len(each["replicas"]) == BROKERS for each in partitions)
        if all(len(each["isr"]) == BROKERS and each["leader"] > 0 for each in partitions):
            return topics.keys() | set[str]()
        assert time.monotonic() < deadline, "the brokers are not in sync"
        await asyncio.sleep(_PAUSE)


async def _describe(bootstrap_servers: str) -> dict[str, list[dict[str, Any]]]:
    """Return the partitions of each topic, however long it takes to find a broker that knows."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        client = AIOKafkaAdminClient(bootstrap_servers=bootstrap_servers, request_timeout_ms=5_000)
        try:
            await client.start()
            return {each["topic"]: each["partitions"] for each in await client.describe_topics()}
        except (KafkaError, OSError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(_PAUSE)
        finally:
            await client.close()
