"""One partition's work, from fencing the owner before to handing over to the one after.

This module knows the life of a partition at a worker: open, ready, batch after batch, and again
from the start after a fault. It does not know how the worker got the partition.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import msgspec

from schemas.audit import ChainHead
from schemas.topics import AUDIT
from workers.adapters.kafka_clients import end
from workers.adapters.kafka_partitioner import owner_partition
from workers.adapters.kafka_reader import PartitionReader, partition_reader
from workers.adapters.kafka_writer import TransactionalWriter
from workers.faults import Fenced, Unreachable
from workers.processors.outcome import InputRecord, Outcome, Turn
from workers.runtime.bus import Bus
from workers.runtime.checkpoint import checkpoint
from workers.runtime.restore import find_chain_head
from workers.runtime.sessions import Sessions

# Pauses are in seconds, as tasks sleep; reads in milliseconds, as the client polls.
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 5.0
_PAUSE_AFTER_FENCE = 6.0
_LONGEST_READ_MS = 1_000
_SHORTEST_READ_MS = 20
_MOST_VERDICTS_AT_ONCE = 3_000


class PartitionTask:
    """Works on one partition until it is stopped, or cannot go on."""

    def __init__(self, bus: Bus, partition: int) -> None:
        """Prepare to work on `partition`; `start` begins."""
        self._bus = bus
        self._partition = partition
        self._log = bus.log.bind(partition=partition)
        self._owner = partial(owner_partition, partitions=bus.partitions)
        self._sessions = Sessions(bus.settings, bus.processor, bus.redis, bus.cluster, partition, self._log)
        self._chain = ChainHead()
        self._last_look: tuple[int, int] | None = None
        # What the group can have committed if nobody else has worked on the partition; empty: not known.
        self._own_positions: set[int | None] = set()
        self._away_since: float | None = None
        self._in_transaction = asyncio.Lock()
        self._is_stopping = False
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
        self._is_stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._in_transaction:
                pass
        await end(self.task)

    async def _run(self) -> None:
        """Work; after a fault of the environment begin again, until that has lasted too long.

        Raises:
            Unreachable: Kafka or Redis has been away for as long as the settings allow.
            Fenced: another worker has the partition, which is this one's by a fixed share.

        """
        pause = _FIRST_PAUSE
        while not self._is_stopping:
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
                self._own_positions.clear()

    async def _work(self) -> None:
        """Open the partition, then take batch after batch."""
        bus = self._bus
        writer = TransactionalWriter(bus.settings, f"{bus.settings.group}.{bus.topic}.{self._partition}")
        try:
            async with partition_reader(bus.settings, bus.topic, self._partition, bus.group) as reader:
                await self._open(reader, writer)
                self.ready.set()
                while not self._is_stopping:
                    await self._take_batch(reader, writer)
        finally:
            await writer.stop()

    async def _open(self, reader: PartitionReader, writer: TransactionalWriter) -> None:
        """Fence the owner before, catch up with what it did, and find where it left off."""
        bus = self._bus
        if self._partition >= bus.partitions:
            raise Unreachable(
                f"{bus.topic} has been given more partitions while this worker ran; start all workers again, "
                "so that they agree on which partition a session belongs to"
            )
        if self._own_positions and await reader.committed() not in self._own_positions:
            # To start the producer now, after a fault, would fence whoever is the owner meanwhile.
            raise Fenced(f"another worker has gone on with {bus.topic}/{self._partition}")
        # First of all: until this returns, the owner before could still commit.
        await writer.start()
        await self._sessions.open()
        self._last_look = None
        self._chain = ChainHead()
        if AUDIT in bus.processor.targets:
            self._chain = await find_chain_head(bus.settings, self._partition)
        start, gone = await reader.start_offset(self._chain.next_offset)
        self._own_positions = {None, start, gone}
        if gone is not None:
            self._log.error("records_are_gone", committed=gone, going_on_from=start)
        self._log.info("opened", offset=start, audit_sequence=self._chain.sequence)

    async def _take_batch(self, reader: PartitionReader, writer: TransactionalWriter) -> None:
        """Decide on the next records and on what is due, if there is any, and commit what that comes to."""
        bus = self._bus
        records = await reader.read(bus.settings.batch_records, self._longest_read())
        turn = await self._turn(reader)
        if not (records or turn.overdue or turn.idle):
            self._away_since = None
            return
        async with self._in_transaction:
            if self._is_stopping:
                return
            began = time.perf_counter()
            outcome, sessions = await self._decide(records, turn)
            next_offset = records[-1].offset + 1 if records else None
            if next_offset is not None:
                self._own_positions.add(next_offset)
            if records or not outcome.is_empty:
                changes = await checkpoint(
                    writer, bus.settings, bus.processor, self._partition, next_offset, outcome
                )
                self._chain = outcome.chain
                if next_offset is not None:
                    self._own_positions = {next_offset}
                await self._sessions.change(changes)
            self._sessions.use(sessions, turn.idle)
        # Only now: records can be readable for ever while their outcome cannot be written.
        self._away_since = None
        self._log.info(
            "batch",
            first_offset=records[0].offset if records else None,
            last_offset=records[-1].offset if records else None,
            **outcome.counts,
            milliseconds=round(1000 * (time.perf_counter() - began), 1),
        )

    def _longest_read(self) -> int:
        """Return for how many milliseconds to wait for records: no longer than until something is due."""
        due = self._sessions.next_due
        if due is None:
            return _LONGEST_READ_MS
        return max(_SHORTEST_READ_MS, min(_LONGEST_READ_MS, due - self._bus.clock()))

    async def _turn(self, reader: PartitionReader) -> Turn:
        """Return the circumstances of a batch."""
        await self._sessions.catch_up()
        now = horizon = self._bus.clock()
        idle_for = 1000 * self._bus.settings.session_idle_seconds
        if self._sessions.has_due(now, now - idle_for):
            horizon = await self._horizon(reader, now)
        overdue, idle = await self._sessions.due(horizon, horizon - idle_for)
        return Turn(
            topic=self._bus.topic,
            partition=self._partition,
            now=now,
            chain=self._chain,
            overdue=overdue,
            due_before=horizon,
            idle=idle,
            idle_before=horizon - idle_for,
        )

    async def _horizon(self, reader: PartitionReader, now: int) -> int:
        """Return a time of which everything was read that stood in the partition then; 0 where none is known.

        Nobody's parents are late as long as they may stand among records that were not read yet, because
        this worker was down or is slow. The timestamps of records do not tell: they are their producers'.
        """
        if self._last_look is None:
            self._last_look = await reader.end_offset(), now
        end, then = self._last_look
        if await reader.position() < end:
            return 0
        self._last_look = None
        return then

    async def _decide(self, records: Sequence[InputRecord], turn: Turn) -> tuple[Outcome, set[str]]:
        """Return what records come to, and the sessions looked at; the log says where a fault of ours is."""
        try:
            batch = self._bus.processor.read(records, self._owner)
            names = batch.sessions.union(turn.overdue, turn.idle)
            states = await self._sessions.load(names) if names else {}
            foreign = batch.foreign(states)
            if foreign:
                entries = await self._sessions.elsewhere(foreign, self._owner)
                turn = msgspec.structs.replace(turn, elsewhere=entries)
            if batch.most_verdicts(states) > _MOST_VERDICTS_AT_ONCE:
                # Kafka must go on hearing from this worker, or it gives the partition to another one, which
                # would be at it for as long.
                return await asyncio.to_thread(batch.decide, states, turn), names
            return batch.decide(states, turn), names
        except (Unreachable, Fenced):
            raise
        except Exception:
            offsets = [record.offset for record in (*records[:1], *records[-1:])]
            self._log.error("undecidable", offsets=offsets, overdue=len(turn.overdue))
            raise
