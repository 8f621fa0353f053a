"""Reading one partition: from the committed offset on, to the end, or just its last record.

This module knows the client's consumer. Only committed records are ever seen. Each partition has a
consumer of its own, so that a busy one does not hold up the others' fetches.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from workers.adapters.kafka_clients import started
from workers.adapters.kafka_faults import reaching_kafka
from workers.settings import Settings

_FETCH_BYTES = 1_048_576
# Where a log ends in markers, nothing comes of asking but a new position; so it is asked often.
_CATCH_UP_MILLISECONDS = 50
_STEPS_BACK = 16
_PAUSE = 0.02
_SECONDS_OF_SILENCE = 10.0


class PartitionReader:
    """Reads a partition in batches."""

    def __init__(self, consumer: AIOKafkaConsumer, partition: TopicPartition) -> None:
        """Read with `consumer`, which has `partition` assigned."""
        self._consumer = consumer
        self._partition = partition
        self._heard_from = time.monotonic()

    async def committed(self) -> int | None:
        """Return the offset up to which the group has committed, if it has.

        Raises:
            Unreachable: Kafka does not answer.

        """
        async with reaching_kafka("fetch the committed offset"):
            committed = await self._consumer.committed(self._partition)
        return None if committed is None else int(committed)

    async def start_offset(self, without_commit: int) -> tuple[int, int | None]:
        """Go to where the group left off; return that offset, and the committed one if it is gone.

        Where nothing is committed the start is `without_commit`. Where the records at the committed
        offset are no longer there (deleted by retention, or the topic was made anew) the start is
        the first record that is.

        Raises:
            Unreachable: Kafka does not answer.

        """
        committed = await self.committed()
        async with reaching_kafka("find the ends of the input"):
            first = (await self._consumer.beginning_offsets([self._partition]))[self._partition]
            end = (await self._consumer.end_offsets([self._partition]))[self._partition]
        wanted = without_commit if committed is None else committed
        start = wanted if first <= wanted <= end else int(first)
        self._consumer.seek(self._partition, start)
        return start, None if start == wanted or wanted == 0 else wanted

    async def read(self, most: int, milliseconds: int) -> Sequence[ConsumerRecord]:
        """Return the next records, at most `most`; none if none come within so many milliseconds.

        Raises:
            Unreachable: Kafka does not answer, or the next record is gone.

        """
        async with reaching_kafka("fetch records"):
            batches = await self._consumer.getmany(self._partition, timeout_ms=milliseconds, max_records=most)
        records: Sequence[ConsumerRecord] = batches.get(self._partition, ())
        if records:
            self._heard_from = time.monotonic()
        elif time.monotonic() - self._heard_from > _SECONDS_OF_SILENCE:
            await self._make_sure_of_kafka()
        return records

    async def end_offset(self) -> int:
        """Return the offset behind all that can be read at this moment.

        Raises:
            Unreachable: Kafka does not answer.

        """
        async with reaching_kafka("find the end of the input"):
            return int((await self._consumer.end_offsets([self._partition]))[self._partition])

    async def position(self) -> int:
        """Return the offset behind all that was read.

        Raises:
            Unreachable: Kafka does not answer.

        """
        async with reaching_kafka("find the place in the input"):
            return int(await self._consumer.position(self._partition))

    async def _make_sure_of_kafka(self) -> None:
        """Ask Kafka something: the client goes on fetching in silence when it is away."""
        async with reaching_kafka("answer", _SECONDS_OF_SILENCE):
            await self._consumer.end_offsets([self._partition])
        self._heard_from = time.monotonic()


@asynccontextmanager
async def partition_reader(
    settings: Settings, topic: str, partition: int, group: str | None = None
) -> AsyncIterator[PartitionReader]:
    """Yield a reader of one partition; with a `group` it can find what that group has committed."""
    assigned = TopicPartition(topic, partition)
    consumer = AIOKafkaConsumer(
        bootstrap_servers=settings.kafka_bootstrap_servers,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="none",
        isolation_level="read_committed",
        max_partition_fetch_bytes=_FETCH_BYTES,
        request_timeout_ms=15_000,
    )
    async with started(consumer):
        consumer.assign([assigned])
        yield PartitionReader(consumer, assigned)


async def read_to_end(
    settings: Settings, topic: str, partition: int, start: int, least: int = 0
) -> AsyncIterator[tuple[Sequence[ConsumerRecord], int, int]]:
    """Yield batches of the records from offset `start` to what is the end now, `least` or more.

    For a moment after a commit its records are not readable yet: the brokers still have to mark them
    in each partition. Whoever has committed up to `least` waits for that here.

    Each comes with the offset behind it and the end, for progress. A batch may be empty; the last
    one reaches the end, even where that is a transaction's marker.
    """
    assigned = TopicPartition(topic, partition)
    async with _plain_consumer(settings) as consumer:
        async with reaching_kafka(f"find the end of {topic}/{partition}"):
            consumer.assign([assigned])
            first = (await consumer.beginning_offsets([assigned]))[assigned]
            while (end := (await consumer.end_offsets([assigned]))[assigned]) < least:  # noqa: ASYNC110  # no event tells
                await asyncio.sleep(_PAUSE)
            consumer.seek(assigned, max(start, first))
        position = max(start, first)
        while position < end:
            before = position
            # Within one patience: while Kafka is away, the client keeps answering with nothing.
            async with reaching_kafka(f"read {topic}/{partition}"):
                while position == before:
                    batches = await consumer.getmany(assigned, timeout_ms=_CATCH_UP_MILLISECONDS)
                    position = await consumer.position(assigned)
            yield batches.get(assigned, ()), position, end
        yield (), max(position, end), end


async def last_record(settings: Settings, topic: str, partition: int) -> ConsumerRecord | None:
    """Return the last committed record of a partition, or None if it has none.

    The log may end in markers and in records of aborted transactions, so the search goes back in
    steps that double until it finds one.
    """
    assigned = TopicPartition(topic, partition)
    async with _plain_consumer(settings) as consumer:
        async with reaching_kafka(f"find the end of {topic}/{partition}"):
            consumer.assign([assigned])
            first = (await consumer.beginning_offsets([assigned]))[assigned]
            end = (await consumer.end_offsets([assigned]))[assigned]
        steps = _STEPS_BACK
        while first < end:
            start = max(first, end - steps)
            async with reaching_kafka(f"read the end of {topic}/{partition}"):
                consumer.seek(assigned, start)
                found: ConsumerRecord | None = None
                while await consumer.position(assigned) < end:
                    batches = await consumer.getmany(assigned, timeout_ms=_CATCH_UP_MILLISECONDS)
                    for record in batches.get(assigned, ()):
                        found = record
            if found is not None or start == first:
                return found
            steps *= 2
    return None


@asynccontextmanager
async def _plain_consumer(settings: Settings) -> AsyncIterator[AIOKafkaConsumer]:
    consumer = AIOKafkaConsumer(
        bootstrap_servers=settings.kafka_bootstrap_servers,
        enable_auto_commit=False,
        isolation_level="read_committed",
        max_partition_fetch_bytes=4 * _FETCH_BYTES,
        request_timeout_ms=15_000,
    )
    async with started(consumer):
        yield consumer
