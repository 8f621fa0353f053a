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
_END_SECONDS = 3 * _STOP_SECONDS


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


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task that uses clients, and wait for its end; what it raises is nobody's business any more.

    While it waits for something, a client may swallow a cancellation, and then the task goes on. So it is
    cancelled again when it has had the time to stop its clients.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_END_SECONDS)
    await asyncio.gather(task, return_exceptions=True)


async def stop(client: AIOKafkaConsumer | AIOKafkaProducer) -> None:
    """Stop a client. What it could not say to Kafka any more is of no consequence."""
    stopping = asyncio.ensure_future(client.stop())
    try:
        # Not under a timeout: that cancels once, and a client that swallows it would be waited for for ever.
        await asyncio.wait({stopping}, timeout=_STOP_SECONDS)
    finally:
        stopping.cancel()
    if stopping.done():
        with suppress(asyncio.CancelledError, errors.KafkaError, OSError, AssertionError, RuntimeError):
            stopping.result()
