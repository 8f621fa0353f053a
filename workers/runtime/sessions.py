"""The sessions of a partition that this worker owns: in memory, else from Redis, else from the changelog.

This module knows where the state of a session is found, and that what is in memory is right for as long
as this worker is the owner: it has decided everything since, and what a worker decides that has lost its
partition without knowing is never committed. It does not know what the state is about.

| where | what it takes to lose it | what happens then |
|---|---|---|
| memory | a fault of the environment, a restart, want of room | it is loaded from Redis |
| Redis | a flush, an older snapshot, another cluster | it is restored from the changelog first |
| changelog | the loss of the Kafka topic | nothing brings it back |
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

from structlog.typing import FilteringBoundLogger

from schemas.changelog import Change
from workers.adapters.redis_client import RedisClient
from workers.adapters.redis_view import Agenda, Position, RedisView
from workers.faults import ViewLost
from workers.processors.outcome import MessageName, Owner, Processor, SessionState
from workers.runtime.restore import restore_sessions
from workers.settings import Settings


def session_view(settings: Settings, processor: Processor, redis: RedisClient, partition: int) -> RedisView:
    """Return what Redis has of the sessions of a partition for the workers that run `processor`."""
    return RedisView(redis, f"{settings.topic_prefix}{settings.group}/{processor.name}", partition)


class Sessions:
    """What a processor keeps of the sessions of one partition; nothing at all if it has no changelog."""

    def __init__(
        self,
        settings: Settings,
        processor: Processor,
        redis: RedisClient,
        cluster: str,
        partition: int,
        log: FilteringBoundLogger,
    ) -> None:
        """Prepare; `open` catches up with the changelog."""
        self._settings = settings
        self._processor = processor
        self._partition = partition
        self._log = log
        self._view = session_view(settings, processor, redis, partition)
        self._start = Position(cluster, 0)
        self._position = self._start
        self._is_behind = False
        self._agenda = Agenda()
        self._states: OrderedDict[str, SessionState] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._weight = 0

    @property
    def next_due(self) -> int | None:
        """When something is due first, in milliseconds since 1970."""
        return self._agenda.due

    async def open(self) -> None:
        """Bring Redis up to the changelog, as the partition's new owner.

        Raises:
            Unreachable: Kafka or Redis does not answer.

        """
        # What this worker knew of the changelog is complete now, or the topic was made anew.
        self._position = self._start
        if self._processor.changelog is not None:
            await self._restore()

    async def catch_up(self) -> None:
        """Bring Redis up to the changelog if it was found not to be: it tells what is due, and when.

        Raises:
            Unreachable: Kafka or Redis does not answer.

        """
        if self._is_behind:
            await self._restore()

    async def load(self, names: Iterable[str]) -> dict[str, SessionState]:
        """Return the state of each session.

        Raises:
            Unreachable: Kafka or Redis does not answer.

        """
        wanted = list(names)
        while unknown := [name for name in wanted if name not in self._states]:
            try:
                found = await self._view.load(unknown, self._position)
            except ViewLost as fault:
                await self._rebuild(fault)
                continue
            for name, entries in found.items():
                self._states[name] = self._processor.load(name, entries)
                # There may be many, and large ones: others must have their turn in between.
                await asyncio.sleep(0)
        return {name: self._states[name] for name in wanted}

    async def elsewhere(self, names: set[MessageName], owner: Owner) -> Mapping[MessageName, bytes | None]:
        """Return the entries of messages of other sessions, as far as Redis has them.

        Raises:
            Unreachable: Redis does not answer.

        """
        return await self._view.find(names, owner)

    def has_due(self, due_before: int, idle_before: int) -> bool:
        """Say whether anything was due, or a session idle, since before these times."""
        agenda = self._agenda
        return (agenda.due is not None and agenda.due <= due_before) or (
            agenda.idle_since is not None and agenda.idle_since <= idle_before
        )

    async def due(self, due_before: int, idle_before: int) -> tuple[Sequence[str], Sequence[str]]:
        """Return sessions in which something was due before, and sessions idle since before; some of them.

        Raises:
            Unreachable: Kafka or Redis does not answer.

        """
        while self.has_due(due_before, idle_before):
            try:
                overdue, idle = await self._view.agenda(self._position, due_before, idle_before)
            except ViewLost as fault:
                await self._rebuild(fault)
                continue
            if overdue or idle:
                return overdue, idle
            self._agenda = Agenda()
        return (), ()

    async def change(self, changes: Sequence[tuple[int, Change]]) -> None:
        """Take in what was committed: in memory it is there already, Redis is told here.

        Raises:
            Unreachable: Redis does not answer.

        """
        if changes:
            before, self._position = self._position, Position(self._start.cluster, changes[-1][0] + 1)
            agenda = await self._view.apply(changes, before, self._position)
            if agenda is None:
                self._log.warning("view_lost", reason="Redis is not where this worker left it")
                self._is_behind = True
            else:
                self._agenda = agenda

    def use(self, names: Iterable[str], forgotten: Iterable[str]) -> None:
        """Make room: of what is in memory, sessions that were not used for longest go first."""
        for name in forgotten:
            self._drop(name)
        for name in names:
            if name in self._states:
                self._states.move_to_end(name)
                weight = self._states[name].weight
                self._weight += weight - self._weights.get(name, 0)
                self._weights[name] = weight
        # The one used last stays, however large: it would be loaded whole for each batch.
        while self._weight > self._settings.cached_messages and len(self._states) > 1:
            self._drop(next(iter(self._states)))

    def _drop(self, name: str) -> None:
        self._states.pop(name, None)
        self._weight -= self._weights.pop(name, 0)

    def _forget_all(self) -> None:
        self._states.clear()
        self._weights.clear()
        self._weight = 0

    async def _rebuild(self, fault: ViewLost) -> None:
        self._log.warning("view_lost", reason=str(fault))
        await self._restore()

    async def _restore(self) -> None:
        changelog = self._processor.changelog
        assert changelog is not None  # noqa: S101  # whoever has sessions has a changelog
        # Whoever has changed Redis may have changed what was loaded from it, too.
        self._forget_all()
        restored = await restore_sessions(
            self._settings, changelog, self._view, self._partition, self._position, self._log
        )
        self._position, self._agenda = restored.position, restored.agenda
        self._log.info(
            "restored", rebuilt=restored.rebuilt, entries=restored.entries, seconds=restored.seconds
        )
        self._is_behind = False
