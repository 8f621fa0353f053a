"""One partition's work, from fencing the owner before to handing over to the one after.

This module knows the life of a partition at a worker: open, ready, batch after batch, and again
from the start after a fault. It does not know how the worker got the partition.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from structlog.typing import FilteringBoundLogger

from schemas.audit import ChainHead
from schemas.topics import AUDIT
from workers.adapters.kafka_reader import PartitionReader, partition_reader
from workers.adapters.kafka_writer import TransactionalWriter
from workers.adapters.redis_view import Position, RedisClient, RedisView
from workers.faults import Fenced, Unreachable, ViewLost
from workers.processors.outcome import InputRecord, Outcome, Processor
from workers.processors.session_view import Lookup, SessionView
from workers.runtime.checkpoint import checkpoint
from workers.runtime.restore import find_chain_head, restore_sessions
from workers.settings import Settings

_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 5.0
_PAUSE_AFTER_FENCE = 6.0


class Bus(msgspec.Struct, frozen=True):
    """What all partitions of a worker share."""

    settings: Settings
    processor: Processor
    cluster: str
    redis: RedisClient
    log: FilteringBoundLogger

    @property
    def group(self) -> str:
        """The consumer group of the worker, under which offsets are committed."""
        return f"{self.settings.group}.{self.processor.name}"

    @property
    def topic(self) -> str:
        """The full name of the topic that the worker reads."""
        return self.settings.topic(self.processor.source)


class PartitionTask:
    """Works on one partition until it is stopped, or cannot go on."""

    def __init__(self, bus: Bus, partition: int) -> None:
        """Prepare to work on `partition`; `start` begins."""
        self._bus = bus
        self._partition = partition
        self._log = bus.log.bind(partition=partition)
        self._view = RedisView(bus.redis, f"{bus.settings.topic_prefix}{bus.settings.group}", partition)
        self._position = Position(bus.cluster, 0)
        self._chain = ChainHead()
        self._away_since: float | None = None
        self._in_transaction = asyncio.Lock()
        self.ready = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Begin to work; the task ends with an exception where the partition cannot be worked on."""
        self.task = asyncio.create_task(self._run(), name=f"{self._bus.topic}/{self._partition}")
        return self.task

    async def stop(self, seconds: float) -> None:
        """Finish the transaction under way, for at most `seconds`, and stop.

        A transaction that takes longer is left to the partition's next owner, who aborts it.
        """
        if self.task is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._in_transaction.acquire()
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _run(self) -> None:
        """Work; after a fault of the environment begin again, until that has lasted too long.

        Raises:
            Unreachable: Kafka or Redis has been away for as long as the settings allow.
            Fenced: another worker has the partition, which is this one's by a fixed share.

        """
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._work()
            except Unreachable as fault:
                self.ready.clear()
                now = time.monotonic()
                self._away_since = self._away_since or now
                if now - self._away_since >= self._bus.settings.give_up_seconds:
                    raise
                pause = _FIRST_PAUSE if now == self._away_since else min(2 * pause, _LONGEST_PAUSE)
                self._log.warning("unreachable", reason=str(fault), retry_seconds=pause)
                await asyncio.sleep(pause)
            except Fenced as fault:
                self.ready.clear()
                if self._bus.settings.share() is not None:
                    raise
                # In a group one of two owners has missed a rebalance, for instance while it was
                # suspended. Its next heartbeat tells it, and takes the partition from it; whoever is
                # still the owner after this pause is the right one.
                self._log.warning("partition_taken_over", reason=str(fault), retry_seconds=_PAUSE_AFTER_FENCE)
                await asyncio.sleep(_PAUSE_AFTER_FENCE)

    async def _work(self) -> None:
        """Open the partition, then take batch after batch."""
        bus = self._bus
        writer = TransactionalWriter(bus.settings, f"{bus.settings.group}.{bus.topic}.{self._partition}")
        try:
            async with partition_reader(bus.settings, bus.topic, self._partition, bus.group) as reader:
                await self._open(reader, writer)
                self.ready.set()
                while True:
                    await self._take_batch(reader, writer)
        finally:
            await writer.stop()

    async def _open(self, reader: PartitionReader, writer: TransactionalWriter) -> None:
        """Fence the owner before, catch up with what it did, and find where it left off."""
        bus = self._bus
        # First of all: until this returns, the owner before could still commit.
        await writer.start()
        # What this worker knew of the changelog is complete now, or the topic was made anew.
        self._position = Position(bus.cluster, 0)
        if bus.processor.keeps_state:
            await self._restore()
        self._chain = ChainHead()
        if AUDIT in bus.processor.targets:
            self._chain = await find_chain_head(bus.settings, self._partition)
        start, gone = await reader.start_offset(self._chain.next_offset)
        if gone is not None:
            self._log.error("records_are_gone", committed=gone, going_on_from=start)
        self._log.info("opened", offset=start, audit_sequence=self._chain.sequence)

    async def _take_batch(self, reader: PartitionReader, writer: TransactionalWriter) -> None:
        """Judge the next records, if there are any, and commit what they come to."""
        bus = self._bus
        records = await reader.read(bus.settings.batch_records)
        if not records:
            self._away_since = None
            return
        async with self._in_transaction:
            began = time.perf_counter()
            outcome = await self._decide(records)
            next_offset = records[-1].offset + 1
            nodes = await checkpoint(
                writer, bus.settings, bus.group, (bus.topic, self._partition, next_offset), outcome
            )
            self._chain = outcome.chain
            if nodes:
                before, self._position = self._position, Position(bus.cluster, nodes[-1][0] + 1)
                await self._view.apply(nodes, before, self._position)
        # Only now: records can be readable for ever while their outcome cannot be written.
        self._away_since = None
        self._log.info(
            "batch",
            first_offset=records[0].offset,
            last_offset=records[-1].offset,
            **outcome.counts,
            milliseconds=round(1000 * (time.perf_counter() - began), 1),
        )

    async def _decide(self, records: Sequence[InputRecord]) -> Outcome:
        """Return what records come to. An exception here is a fault of ours: the log says where."""
        try:
            batch = self._bus.processor.read(records)
            return batch.decide(await self._look_up(batch.lookup), self._chain)
        except (Unreachable, Fenced):
            raise
        except Exception:
            self._log.error("undecidable", first_offset=records[0].offset, last_offset=records[-1].offset)
            raise

    async def _look_up(self, lookup: Lookup) -> dict[str, SessionView]:
        """Return the sessions that a batch needs; restore them first where Redis has lost them."""
        if not lookup:
            return {}
        while True:
            try:
                return await self._view.look_up(lookup, self._position)
            except ViewLost as fault:
                self._log.warning("view_lost", reason=str(fault))
                await self._restore()

    async def _restore(self) -> None:
        bus = self._bus
        self._position = await restore_sessions(
            bus.settings, self._view, self._partition, self._position, self._log
        )
