"""Seeing verdicts the moment that they are committed, as a consumer does that reads nothing else.

Knows how often each message was seen, when the last verdicts of a partition were given, and how recent the
messages are that they are about. Does not know what the verdicts are.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from schemas.topics import AUDIT, REJECTED, VALIDATED
from tests.integration.bus import PARTITIONS, Bus


class VerdictWatcher:
    """Counts the verdicts on messages that carry a header called `header`."""

    def __init__(self, bus: Bus, header: str) -> None:
        """Prepare to watch a bus."""
        self.seen: Counter[bytes] = Counter()
        self._bus = bus
        self._header = header
        self._given_at = [0] * PARTITIONS
        self._sent_at = [0] * PARTITIONS
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
                for topic in (VALIDATED, REJECTED, AUDIT)
                for number in range(PARTITIONS)
            ]
            consumer.assign(streams)
            await consumer.seek_to_beginning(*streams)
            while True:
                batches = await consumer.getmany(timeout_ms=1_000)
                async with self._grown:
                    for stream, records in batches.items():
                        self._take(stream, records)
                    self._grown.notify_all()

    def has_verdicts_after(self, milliseconds: int) -> bool:
        """Say whether every partition has verdicts that were given after that time."""
        return min(self._given_at) > milliseconds

    def has_caught_up_with(self, milliseconds: int) -> bool:
        """Say whether every partition has a verdict on a message that was sent after that time."""
        return min(self._sent_at) > milliseconds

    async def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Wait until `condition` holds, looking again whenever verdicts have come."""
        async with asyncio.timeout(seconds), self._grown:
            await self._grown.wait_for(condition)

    async def until_seen(self, count: int, seconds: float) -> None:
        """Wait until so many verdicts were seen."""
        await self.until(lambda: self.seen.total() >= count, seconds)

    def _take(self, stream: TopicPartition, records: Sequence[ConsumerRecord]) -> None:
        latest = max(record.timestamp for record in records)
        if stream.topic == self._bus.prefix + AUDIT.name:
            # A block is of the time when its verdicts were given, they are of that of the message.
            times = self._given_at
        else:
            times = self._sent_at
            self.seen.update(dict(record.headers)[self._header] for record in records)
        times[stream.partition] = max(times[stream.partition], latest)
