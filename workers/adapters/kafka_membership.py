"""Membership of a consumer group: which partitions are ours, from one rebalance to the next.

This module knows how to be a member without ever reading a record: each partition has a reader of
its own. It does not know what is done with a partition; it says which ones are ours now, and asks
for others to be given up before Kafka hands them on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition

from workers.adapters.kafka_clients import end, stop
from workers.adapters.kafka_faults import reaching_kafka
from workers.settings import Settings

Change = Callable[[set[int]], Awaitable[None]]
_POLL_MILLISECONDS = 1_000


@asynccontextmanager
async def group_membership(
    settings: Settings, topic: str, group: str, assigned: Change, revoked: Change
) -> AsyncIterator[asyncio.Task[None]]:
    """Be a member of `group` for `topic`; yield the task that keeps the membership alive.

    `assigned` and `revoked` are called with partition numbers, and waited for: Kafka hands a
    partition on only after `revoked` has returned. The client swallows their exceptions, so they
    must not rely on raising any.
    """
    consumer = AIOKafkaConsumer(
        bootstrap_servers=settings.kafka_bootstrap_servers,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="latest",
        session_timeout_ms=10_000,
        heartbeat_interval_ms=3_000,
    )
    try:
        async with reaching_kafka("let this worker join its group"):
            await consumer.start()
        consumer.subscribe([topic], listener=_Listener(consumer, assigned, revoked))
        task = asyncio.create_task(_stay(consumer), name=f"member of {group}")
        try:
            yield task
        finally:
            await end(task)
    finally:
        await stop(consumer)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # the client has no types
    """Passes on what the group decides; this consumer itself never reads a record."""

    def __init__(self, consumer: AIOKafkaConsumer, assigned: Change, revoked: Change) -> None:
        self._consumer = consumer
        self._assigned = assigned
        self._revoked = revoked

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        await self._revoked({partition.partition for partition in revoked})

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._consumer.pause(*assigned)
        await self._assigned({partition.partition for partition in assigned})


async def _stay(consumer: AIOKafkaConsumer) -> None:
    """Ask for records that never come: the client leaves the group of those who do not ask."""
    while True:
        await consumer.getmany(timeout_ms=_POLL_MILLISECONDS, max_records=1)
