"""A transactional producer for one partition: its transactions are all or nothing.

This module knows the client's producer and its pitfalls. It does not know what is written or when;
the order of the steps is `workers.runtime.checkpoint`'s.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaProducer, TopicPartition, errors
from aiokafka.producer.message_accumulator import BatchBuilder
from aiokafka.structs import RecordMetadata

from schemas.topics import TOPICS
from workers.adapters.kafka_clients import stop
from workers.adapters.kafka_faults import reaching_kafka
from workers.processors.outcome import OutputRecord
from workers.settings import Settings

Delivery = tuple[asyncio.Future[RecordMetadata], int]
"""What has become of a batch of records, once that is known, and how many records it has."""

_BATCH_BYTES = 1_000_000
# What the client raises where it is asked to go on with a transaction that it has given up meanwhile.
_NO_TRANSACTION = (errors.IllegalOperation, AssertionError, asyncio.InvalidStateError)
_LARGEST_REQUEST = max(int(topic.config["max.message.bytes"]) for topic in TOPICS) + 64 * 1024


class TransactionalWriter:
    """Writes records and offsets in transactions under one transactional id.

    `start` fences whoever used the id before, and ends what they left open. After any exception the
    writer is of no more use: what the transaction has become is for the next one to find out.
    """

    def __init__(self, settings: Settings, transactional_id: str) -> None:
        """Prepare a producer; nothing is sent before `start`."""
        self._producer = AIOKafkaProducer(
            bootstrap_servers=settings.kafka_bootstrap_servers,
            transactional_id=transactional_id,
            acks="all",
            max_batch_size=_BATCH_BYTES,
            max_request_size=_LARGEST_REQUEST,
            request_timeout_ms=15_000,
            # A transaction begins while the one before it is still being completed, and waits this
            # long before it asks again.
            retry_backoff_ms=20,
        )
        self._deliveries: list[asyncio.Future[RecordMetadata]] = []

    async def start(self) -> None:
        """Connect, and fence earlier users of the transactional id.

        Raises:
            Unreachable: Kafka does not answer in time.

        """
        async with reaching_kafka("start a transactional producer"):
            await self._producer.start()

    async def begin(self) -> None:
        """Begin a transaction."""
        self._deliveries = []
        async with self._transacting("begin a transaction"):
            await self._producer.begin_transaction()

    async def write(self, topic: str, partition: int, records: Sequence[OutputRecord]) -> list[Delivery]:
        """Hand records to the producer; return each batch's delivery, and how many records it has.

        Delivery is waited for by `settle`.
        """
        handed: list[Delivery] = []
        async with self._transacting(f"write to {topic}/{partition}"):
            batch = self._producer.create_batch()
            for record in records:
                while not _append(batch, record):
                    handed.append(await self._send(batch, topic, partition))
                    batch = self._producer.create_batch()
            if batch.record_count():
                handed.append(await self._send(batch, topic, partition))
        return handed

    async def commit_offset(self, topic: str, partition: int, offset: int, group: str) -> None:
        """Make `offset` the group's position in an input partition, as part of the transaction."""
        async with self._transacting("add offsets to the transaction"):
            await self._producer.send_offsets_to_transaction(
                {TopicPartition(topic, partition): offset}, group
            )

    async def settle(self) -> None:
        """Wait until everything handed over is delivered.

        The client would commit a transaction of which a batch has failed; so no commit without this.

        Raises:
            Fenced, Unreachable: something was not delivered.

        """
        async with self._transacting("deliver the transaction's records"):
            await asyncio.gather(*self._deliveries)

    async def commit(self) -> None:
        """Commit the transaction."""
        async with self._transacting("commit a transaction"):
            await self._producer.commit_transaction()

    async def stop(self) -> None:
        """Let go of the producer. An open transaction is left to whoever starts next."""
        for delivery in self._deliveries:
            # A failed one is looked at, or else Python reports, with a traceback, that nobody did.
            if not delivery.cancel() and not delivery.cancelled():
                delivery.exception()
        await stop(self._producer)

    @asynccontextmanager
    async def _transacting(self, what: str) -> AsyncIterator[None]:
        """Do a step of a transaction; if the client has given that up, raise what it told the deliveries."""
        async with reaching_kafka(what):
            try:
                yield
            except _NO_TRANSACTION as fault:
                failed = [one.exception() for one in self._deliveries if one.done() and not one.cancelled()]
                reason = next(filter(None, failed), None)
                raise (reason or errors.KafkaError("the transaction was given up")) from fault

    async def _send(self, batch: BatchBuilder, topic: str, partition: int) -> Delivery:
        batch.close()
        count: int = batch.record_count()
        delivery: asyncio.Future[RecordMetadata] = await self._producer.send_batch(
            batch, topic, partition=partition
        )
        self._deliveries.append(delivery)
        return delivery, count


async def offsets(deliveries: list[Delivery]) -> list[int]:
    """Return the offset of each delivered record, in order."""
    found: list[int] = []
    for delivery, count in deliveries:
        first = (await delivery).offset
        found.extend(range(first, first + count))
    return found


def _append(batch: BatchBuilder, record: OutputRecord) -> bool:
    """Add a record to a batch; return whether it had room."""
    appended = batch.append(
        key=record.key, value=record.value, headers=record.headers, timestamp=record.timestamp
    )
    return appended is not None
