"""What stands in for the adapters: the same names, a log in memory, and a step before everything they do.

Knows what the runtime calls, and in which steps a batch becomes visible. Redis is the real one; only the
steps are added to its view. Does not know when something goes wrong (`tests.model.schedule`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from unittest.mock import patch

import msgspec

from schemas.changelog import Change
from tests.model.log import Log, LogRecord, Place, Transaction
from tests.model.schedule import Schedule
from workers.adapters.redis_client import RedisClient
from workers.adapters.redis_view import Agenda, Entries, Position, RedisView
from workers.faults import Fenced
from workers.processors.outcome import OutputRecord
from workers.runtime import partition, restore, sessions
from workers.settings import Settings

_LARGEST_READ = 6
_LARGEST_CATCH_UP = 60


class _Metadata(msgspec.Struct, frozen=True):
    offset: int


Delivery = tuple["asyncio.Future[_Metadata]", int]


class _Writer:
    """Stands for `TransactionalWriter`."""

    def __init__(self, log: Log, schedule: Schedule, clock: Callable[[], int], name: str) -> None:
        self._log, self._schedule, self._clock, self._name = log, schedule, clock, name
        self._epoch = 0
        self._transaction = Transaction()

    async def start(self) -> None:
        """Fence whoever used the name before."""
        await self._schedule.step("fence")
        self._epoch = self._log.take_over(self._name)

    async def begin(self) -> None:
        """Begin a transaction; the client does not ask Kafka, so that the fenced do not notice yet."""
        await self._schedule.step("begin")
        if not self._log.is_fenced(self._name, self._epoch):
            self._transaction = self._log.begin(self._name)

    async def write(self, topic: str, number: int, records: Sequence[OutputRecord]) -> list[Delivery]:
        """Add records to the transaction; those of who is fenced get nowhere, as `settle` will tell."""
        await self._schedule.step(f"produce {topic}")
        if self._log.is_fenced(self._name, self._epoch):
            return []
        deliveries: list[Delivery] = []
        for record in records:
            timestamp = self._clock() if record.timestamp is None else record.timestamp
            content = (record.key, record.value, record.headers)
            offset = self._log.append((topic, number), timestamp, *content, self._transaction)
            delivered: asyncio.Future[_Metadata] = asyncio.get_running_loop().create_future()
            delivered.set_result(_Metadata(offset))
            deliveries.append((delivered, 1))
        return deliveries

    async def commit_offset(self, topic: str, number: int, offset: int, group: str) -> None:
        """Add an offset to the transaction."""
        await self._schedule.step("offsets")
        self._refuse_the_fenced()
        self._transaction.offsets[group, (topic, number)] = offset

    async def settle(self) -> None:
        """Make sure that all was written."""
        await self._schedule.step("settle")
        self._refuse_the_fenced()

    async def commit(self) -> None:
        """Commit; something may go wrong between the commit and the answer, too."""
        await self._schedule.step("commit")
        self._refuse_the_fenced()
        self._log.commit(self._transaction)
        await self._schedule.step("hear of the commit")

    async def stop(self) -> None:
        """Leave everything as it is."""

    def _refuse_the_fenced(self) -> None:
        if self._log.is_fenced(self._name, self._epoch):
            raise Fenced("there is a newer writer of this name")


class _Reader:
    """Stands for `PartitionReader`."""

    def __init__(self, log: Log, schedule: Schedule, place: Place, group: str) -> None:
        self._log, self._schedule, self._place, self._group = log, schedule, place, group
        self._position = 0

    async def committed(self) -> int | None:
        """Return where the group left off, if it has been here."""
        await self._schedule.step("find commit")
        return self._log.committed.get((self._group, self._place))

    async def start_offset(self, without_commit: int) -> tuple[int, int | None]:
        """Go to where the group left off."""
        await self._schedule.step("find offset")
        self._position = self._log.committed.get((self._group, self._place), without_commit)
        assert self._position <= self._log.end(self._place)
        return self._position, None

    async def read(self, most: int, milliseconds: int) -> Sequence[LogRecord]:
        """Return some of the next records, if there are any; nobody waits here."""
        assert milliseconds > 0
        await self._schedule.step("next")
        count = min(most, self._schedule.chance.randint(1, _LARGEST_READ))
        records, self._position = self._log.read(self._place, self._position, count)
        return records

    async def end_offset(self) -> int:
        """Return the offset behind all that can be read."""
        await self._schedule.step("find end")
        return self._log.end(self._place)

    async def position(self) -> int:
        """Return the offset behind all that was read."""
        return self._position


class _View(RedisView):
    """The view itself, with a step before and behind everything that it does."""

    schedule: Schedule

    async def position(self) -> Position | None:
        """Return the position in Redis."""
        await self.schedule.step("read position")
        return await super().position()

    async def load(self, names: Sequence[str], expected: Position) -> dict[str, Entries]:
        """Load sessions."""
        await self.schedule.step("read views")
        entries = await super().load(names, expected)
        await self.schedule.step("decide")
        return entries

    async def find(
        self, asked: Iterable[tuple[str, str]], owner: Callable[[str], int]
    ) -> dict[tuple[str, str], bytes | None]:
        """Look up messages of other sessions."""
        await self.schedule.step("look elsewhere")
        return await super().find(asked, owner)

    async def agenda(
        self, expected: Position, due_before: int, idle_before: int
    ) -> tuple[list[str], list[str]]:
        """Find out what is due."""
        await self.schedule.step("read agenda")
        return await super().agenda(expected, due_before, idle_before)

    async def apply(
        self, changes: Sequence[tuple[int, Change]], before: Position | None, after: Position
    ) -> Agenda | None:
        """Take in changes."""
        await self.schedule.step("apply")
        agenda = await super().apply(changes, before, after)
        await self.schedule.step("hear of applying")
        return agenda

    async def clear(self) -> None:
        """Forget everything."""
        await self.schedule.step("clear")
        await super().clear()


@contextmanager
def standing_in(log: Log, schedule: Schedule, clock: Callable[[], int]) -> Iterator[None]:
    """Put the log in Kafka's place, and steps between all that workers do."""

    def writer(_: Settings, name: str) -> _Writer:
        return _Writer(log, schedule, clock, name)

    @asynccontextmanager
    async def reader(_: Settings, topic: str, number: int, group: str) -> AsyncIterator[_Reader]:
        yield _Reader(log, schedule, (topic, number), group)

    async def read_to_end(
        _: Settings, topic: str, number: int, start: int, least: int = 0
    ) -> AsyncIterator[tuple[Sequence[LogRecord], int, int]]:
        place = (topic, number)
        await schedule.step("find end of changelog")
        while (end := log.end(place)) < least:
            await schedule.step("wait for changelog")
            log.mark_all()
        position = start
        while position < end:
            await schedule.step("restore")
            count = schedule.chance.randint(1, _LARGEST_CATCH_UP)
            records, position = log.read(place, position, count)
            yield records, position, end
        yield (), max(position, end), end

    async def last_record(_: Settings, topic: str, number: int) -> LogRecord | None:
        await schedule.step("find chain head")
        records = log.all((topic, number))
        return records[-1] if records else None

    def view(client: RedisClient, worker: str, number: int) -> _View:
        stepping = _View(client, worker, number)
        stepping.schedule = schedule
        return stepping

    with ExitStack() as stack:
        for module, name, stand_in in (
            (partition, "TransactionalWriter", writer),
            (partition, "partition_reader", reader),
            (partition, "_FIRST_PAUSE", 0.0),
            (partition, "_LONGEST_PAUSE", 0.0),
            (restore, "read_to_end", read_to_end),
            (restore, "last_record", last_record),
            (sessions, "RedisView", view),
        ):
            assert hasattr(module, name)
            stack.enter_context(patch.object(module, name, stand_in))
        yield
