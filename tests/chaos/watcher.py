"""Seeing verdicts the moment that they are committed, as a consumer does that reads nothing else.

Knows how often each message was seen, and how recent the messages are whose verdicts have come. Does not
know what the verdicts are.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from aiokafka import AIOKafkaConsumer, TopicPartition

from schemas.topics import REJECTED, VALIDATED
from tests.integration.bus import PARTITIONS, Bus


class VerdictWatcher:
    """Counts the verdicts on messages that carry a header called `header`."""

    def __init__(self, bus: Bus, header: str) -> None:
        """Prepare to watch a bus."""
        self.seen: Counter[bytes] = Counter()
        self._bus = bus
        self._header = header
        self._latest = [0] * PARTITIONS
        self._grown = asyncio.Condition()

    async def watch(self) -> None:
        """Watch until cancelled."""
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self._bus.stack.bootstrap_servers,
            enable_auto_commit=False,
            auto_offset_reset="none",
            isolation_level="read_committed",
        )
        async with consumer:
            streams = [
                TopicPartition(self._bus.prefix + topic.name, number)
                for topic in (VALIDATED, REJECTED)
                for number in range(PARTITIONS)
            ]
            consumer.assign(streams)
            await consumer.seek_to_beginning(*streams)
            while True:
                batches = await consumer.getmany(timeout_ms=1_000)
                async with self._grown:
                    for stream, records in batches.items():
                        self.seen.update(dict(record.headers)[self._header] for record in records)
                        latest = max(record.timestamp for record in records)
                        self._latest[stream.partition] = max(self._latest[stream.partition], latest)
                    self._grown.notify_all()

    def is_later_than(self, milliseconds: int) -> bool:
        """Say whether every partition has a verdict on a message that was sent after that time."""
        return min(self._latest) > milliseconds

    async def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Wait until `condition` holds, looking again whenever verdicts have come."""
        async with asyncio.timeout(seconds), self._grown:
            await self._grown.wait_for(condition)
