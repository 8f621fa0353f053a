"""An agent's access to the topics: sending records, and following the streams.

This module knows how to send one record after another, and how to read several topics as they grow.
It does not know what the records mean.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition, errors

from schemas.topics import INBOUND, LARGEST_INBOUND_RECORD, Topic
from workers.adapters.kafka_admin import partition_count
from workers.adapters.kafka_clients import started, stop
from workers.adapters.kafka_faults import reaching_kafka
from workers.processors.outcome import InputRecord
from workers.settings import Settings

_ROOM_FOR_ONE_MORE = LARGEST_INBOUND_RECORD + 1_048_576


class Sender:
    """Sends records to the inbound topic, in order."""

    def __init__(self, settings: Settings) -> None:
        """Prepare to send; `start` connects."""
        self._settings = settings
        self._topic = settings.topic(INBOUND)
        self._seconds = float(settings.give_up_seconds)

    async def start(self) -> None:
        """Connect.

        Raises:
            Unreachable: Kafka does not answer.

        """
        self._producer = AIOKafkaProducer(
            bootstrap_servers=self._settings.kafka_bootstrap_servers,
            enable_idempotence=True,
            max_request_size=_ROOM_FOR_ONE_MORE,
        )
        async with reaching_kafka("answer"):
            await self._producer.start()

    async def stop(self) -> None:
        """Disconnect."""
        await stop(self._producer)

    async def send(
        self, key: bytes | None, value: bytes | None, headers: Sequence[tuple[str, bytes]]
    ) -> str | None:
        """Send a record and wait until Kafka has it; return why not, where Kafka will never take it.

        Raises:
            Unreachable: Kafka does not answer.

        """
        async with reaching_kafka("take the record", self._seconds):
            try:
                await self._producer.send_and_wait(self._topic, value, key=key, headers=headers)
            except (errors.MessageSizeTooLargeError, errors.RecordListTooLargeError):
                # The client has counted the record, Kafka has not: this producer's next one would be
                # refused as out of order.
                await self.stop()
                await self.start()
                return f"Kafka takes no record of {len(value or b''):,} bytes on {self._topic}"
        return None


class Follower:
    """Reads topics as they grow."""

    def __init__(self, consumer: AIOKafkaConsumer, names: dict[str, Topic]) -> None:
        """Read with `consumer`, which has the topics' partitions assigned."""
        self._consumer = consumer
        self._names = names

    async def read(self, seconds: float) -> list[tuple[Topic, InputRecord]]:
        """Return committed records that have come, waiting at most `seconds` for the first.

        Raises:
            Unreachable: Kafka does not answer.

        """
        async with reaching_kafka("fetch records", seconds + 30.0):
            batches = await self._consumer.getmany(timeout_ms=int(1000 * seconds))
        return [
            (self._names[stream.topic], record) for stream, records in batches.items() for record in records
        ]


@asynccontextmanager
async def open_sender(settings: Settings) -> AsyncIterator[Sender]:
    """Yield a sender.

    Raises:
        Unreachable: Kafka does not answer.

    """
    sender = Sender(settings)
    try:
        await sender.start()
        yield sender
    finally:
        await sender.stop()


@asynccontextmanager
async def open_follower(
    settings: Settings, topics: Sequence[Topic], *, from_beginning: bool = False
) -> AsyncIterator[Follower]:
    """Yield a follower of topics that will see every record written from now on.

    With `from_beginning` it also sees those that are there already.

    Raises:
        Unreachable: Kafka does not answer, or a topic is missing.

    """
    partitions = await partition_count(settings, topics)
    consumer = AIOKafkaConsumer(
        bootstrap_servers=settings.kafka_bootstrap_servers,
        enable_auto_commit=False,
        isolation_level="read_committed",
    )
    async with started(consumer):
        names = {settings.topic(topic): topic for topic in topics}
        streams = [TopicPartition(name, number) for name in names for number in range(partitions)]
        async with reaching_kafka("find the end of the streams"):
            consumer.assign(streams)
            bounds = await (consumer.beginning_offsets if from_beginning else consumer.end_offsets)(streams)
            for stream, offset in bounds.items():
                consumer.seek(stream, offset)
        yield Follower(consumer, names)
