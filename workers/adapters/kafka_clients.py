"""Starting and stopping a client of Kafka, whichever kind it is.

This module knows that stopping may fail or hang where Kafka is away, and that this does not matter. It
does not know what the client is for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, errors

from workers.adapters.kafka_faults import reaching_kafka

_STOP_SECONDS = 5.0


@asynccontextmanager
async def started(consumer: AIOKafkaConsumer) -> AsyncIterator[None]:
    """Start a consumer, and stop it behind the block.

    Raises:
        Unreachable: Kafka does not answer.

    """
    try:
        async with reaching_kafka("answer"):
            await consumer.start()
        yield
    finally:
        # Also after a start that failed: the client complains of those that nobody stops.
        await stop(consumer)


async def stop(client: AIOKafkaConsumer | AIOKafkaProducer) -> None:
    """Stop a client. What it could not say to Kafka any more is of no consequence."""
    with suppress(errors.KafkaError, OSError, TimeoutError, AssertionError, RuntimeError):
        async with asyncio.timeout(_STOP_SECONDS):
            await client.stop()
