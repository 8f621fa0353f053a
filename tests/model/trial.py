"""A trial: conversations in one log, before real validators that are killed, put to sleep, robbed of Redis.

Knows how records are mixed and where they are sent, who takes the place of whom, and when time passes. Does
not know what the right outcome is (`tests.model.comparison`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import structlog

from schemas.changelog import bounded
from schemas.topics import AUDIT, INBOUND, REJECTED, THREADS, VALIDATED, Topic
from tests.model.circumstances import Circumstances
from tests.model.conversations import PHASES, Conversation
from tests.model.log import Log, LogRecord
from tests.model.schedule import Killed, Schedule
from tests.model.stand_ins import standing_in
from tests.model.writing import Sent
from workers.adapters.kafka_partitioner import owner_partition
from workers.faults import Fenced
from workers.processors.validator import Validator
from workers.runtime.bus import Bus
from workers.runtime.partition import PartitionTask
from workers.settings import Settings

PARTITIONS = 3
_START = 1_780_000_000_000
_WAIT = 3_600_000
_IDLE = 7 * 86_400_000
_STEPS_OF_A_SLEEPWALKER = 40
_MOST_INCIDENTS = 150
_MOST_STEPS = 150_000
_COMPACTION = 0.003
_DISTANCE_TO_DANGER = {"next": 3.0, "commit": 0.4, "hear of the commit": 0.3, "apply": 0.3}
"""Where idle workers are most of the time little can go wrong, and most where Kafka and Redis differ."""


class Result(msgspec.Struct):
    """What was in the log at the end, Redis as the last owners left it, and what has happened on the way."""

    records: dict[str, list[LogRecord]]
    redis: dict[bytes, dict[bytes, bytes]]
    history: list[str]
    counts: dict[str, int]


class Trial:
    """Conversations on their way through validators."""

    def __init__(self, seed: int, circumstances: Circumstances, client: Any) -> None:  # noqa: ANN401  # its types allow for text
        """Prepare validators for all partitions; `client` is one of Redis."""
        self._chance = Random(f"trial {seed}")
        self._circumstances = circumstances
        self._client = client
        self._now = _START
        self._log = Log()
        self._schedule = Schedule(self._chance)
        settings = Settings(
            topic_prefix="",
            group="g",
            mode="strict" if circumstances.strict else "loose",
            assignment="static:1/1",
            wait_seconds=_WAIT / 1_000,
            wait_messages=circumstances.most_waiting,
            session_idle_seconds=_IDLE // 1_000,
            cached_messages=circumstances.cached_messages,
        )
        processor = Validator(settings.policy(), settings.patience())
        quiet = structlog.get_logger().bind()
        self._bus = Bus(settings, processor, "cluster", PARTITIONS, client, quiet, lambda: self._now)
        self._owners: dict[int, asyncio.Task[None]] = {}
        self._asleep: list[asyncio.Task[None]] = []
        self._sleepwalkers: dict[asyncio.Task[None], int] = {}
        self._snapshot: dict[bytes, bytes] = {}

    async def run(self, conversations: Sequence[Conversation]) -> Result:
        """Send all conversations, and return what became of them."""
        await self._client.flushall()
        with standing_in(self._log, self._schedule, lambda: self._now):
            try:
                sent = 0
                for phase in range(PHASES):
                    to_be_sent = self._mixed([one.phases[phase] for one in conversations])
                    sent += len(to_be_sent)
                    await self._work(to_be_sent)
                    self._now += _WAIT + 1
                    await self._work([])
                    judged = len(self._read(VALIDATED)) + len(self._read(REJECTED))
                    assert judged == sent, f"all deadlines have passed, and {sent - judged} are not judged"
                    if phase == self._circumstances.forgotten_after:
                        self._now += _IDLE
                        await self._work([])
                # The last owners find what the ones before have left behind.
                for task in list(self._owners.values()):
                    await self._schedule.kill(task)
                self._owners.clear()
                await self._work([], is_safe=True)
                return await self._result()
            finally:
                tasks = [*self._owners.values(), *self._asleep, *self._sleepwalkers]
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def history(self) -> list[str]:
        """What has gone wrong so far."""
        return self._schedule.history

    def _mixed(self, parts: Sequence[Sequence[Sent]]) -> list[Sent]:
        """Return the records of all parts, each part's in order."""
        order = [number for number, part in enumerate(parts) for _ in part]
        self._chance.shuffle(order)
        rest = [iter(part) for part in parts]
        return [next(rest[number]) for number in order]

    async def _work(self, to_be_sent: list[Sent], *, is_safe: bool = False) -> None:
        """Send records, and work until there is nothing left to do."""
        chance = self._chance
        to_be_sent.reverse()
        for _ in range(_MOST_STEPS):
            if to_be_sent and chance.random() < 0.25:
                for _ in range(min(len(to_be_sent), chance.randint(1, 8))):
                    self._send(to_be_sent.pop())
            for number in range(PARTITIONS):
                if number not in self._owners and chance.random() < 0.3:
                    await self._open(number)
            if chance.random() < 0.3:
                self._log.mark_one(chance.randrange(1_000))
            if chance.random() < _COMPACTION:
                self._log.compact((THREADS.name, chance.randrange(PARTITIONS)))
            if self._asleep and chance.random() < 0.05:
                self._sleepwalkers[self._asleep.pop(0)] = _STEPS_OF_A_SLEEPWALKER
            if not to_be_sent and await self._is_done():
                return
            self._now += chance.randint(0, 2)
            await self._step(is_safe=is_safe)
        raise AssertionError("there is no end to it")

    def _send(self, sent: Sent) -> None:
        home = self._chance.randrange(PARTITIONS)
        if sent.session is not None and self._chance.random() >= self._circumstances.astray:
            home = owner_partition(bounded(sent.session), PARTITIONS)
        self._log.append((INBOUND.name, home), self._now, sent.key, sent.value, sent.headers)

    async def _open(self, number: int) -> None:
        task = self._owners[number] = PartitionTask(self._bus, number).start()
        await self._schedule.begin(task)

    async def _step(self, *, is_safe: bool) -> None:
        """Let somebody do a step, or something go wrong before it."""
        chance, how = self._chance, self._circumstances
        numbers = [*self._owners, *([-1] if self._sleepwalkers else [])]
        if not numbers:
            return
        number = chance.choice(numbers)
        if number < 0:
            await self._walk(chance.choice(list(self._sleepwalkers)))
            return
        task = self._owners[number]
        is_safe = is_safe or len(self._schedule.history) > _MOST_INCIDENTS
        roll = 1.0 if is_safe else chance.random()
        roll *= _DISTANCE_TO_DANGER.get(self._schedule.waits_before(task), 1.0)
        if (roll := roll - how.kill) < 0:
            await self._schedule.kill(self._owners.pop(number))
            if chance.random() < 0.3:
                for other in list(self._owners):
                    await self._schedule.kill(self._owners.pop(other))
        elif (roll := roll - how.sleep) < 0:
            self._schedule.note("asleep", task)
            self._asleep.append(self._owners.pop(number))
        elif (roll := roll - how.away) < 0:
            await self._schedule.put_away(task)
        elif (roll := roll - how.flush) < 0:
            self._schedule.note("flush")
            await self._client.flushall()
        elif (roll := roll - how.set_back) < 0:
            await self._set_back()
        else:
            await self._schedule.go(task)
        if task.done() and self._owners.get(number) is task:
            del self._owners[number]
            self._expect_fenced(task)

    async def _walk(self, task: asyncio.Task[None]) -> None:
        """Let somebody do a step whose place another has taken, or let them be found out."""
        self._sleepwalkers[task] -= 1
        if self._sleepwalkers[task]:
            await self._schedule.go(task)
        else:
            await self._schedule.kill(task)
        if task.done():
            del self._sleepwalkers[task]
            self._expect_fenced(task)

    def _expect_fenced(self, task: asyncio.Task[None]) -> None:
        """Make sure that a task that has ended was killed, or found out that another has its place."""
        fault = task.exception()
        if isinstance(fault, Fenced):
            self._schedule.note("fenced")
        elif fault is not None and not isinstance(fault, Killed):
            raise fault

    async def _set_back(self) -> None:
        """Put Redis back to what it was some time ago, and remember how it is now for another time."""
        self._schedule.note("set back")
        keys = await self._client.keys()
        now = {key: await self._client.dump(key) for key in keys}
        await self._client.flushall()
        for key, value in self._snapshot.items():
            await self._client.restore(key, 0, value)
        self._snapshot = {key: value for key, value in now.items() if value is not None}

    async def _is_done(self) -> bool:
        """Say whether nobody has anything to do, after asking everybody twice."""
        if len(self._owners) < PARTITIONS or self._asleep or self._sleepwalkers:
            return False
        if any(self._schedule.waits_before(task) != "next" for task in self._owners.values()):
            return False
        self._log.mark_all()
        for _ in range(2):
            for task in self._owners.values():
                await self._schedule.go(task)
                if task.done() or self._schedule.waits_before(task) != "next":
                    return False
        return True

    def _read(self, topic: Topic) -> list[LogRecord]:
        return [record for number in range(PARTITIONS) for record in self._log.all((topic.name, number))]

    async def _result(self) -> Result:
        topics: tuple[Topic, ...] = (INBOUND, VALIDATED, REJECTED, AUDIT, THREADS)
        records = {topic.name: self._read(topic) for topic in topics}
        found: dict[bytes, dict[bytes, bytes]] = {}
        for key in await self._client.keys():
            kind = await self._client.type(key)
            if kind == b"hash":
                found[key] = await self._client.hgetall(key)
            elif kind == b"zset":
                members = await self._client.zrange(key, 0, -1, withscores=True)
                found[key] = {member: str(int(score)).encode() for member, score in members}
            else:
                found[key] = {b"": await self._client.get(key)}
        return Result(records, found, self._schedule.history, dict(self._schedule.counts))
