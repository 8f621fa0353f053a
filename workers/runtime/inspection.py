"""Reading a partition of a changelog, and what Redis has of it, and comparing the two.

This module knows in which order they have to be read so that workers may go on meanwhile. What is compared
is `workers.runtime.comparison`'s; nothing is changed here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import chain, islice

import msgspec
from structlog.typing import FilteringBoundLogger

from schemas.topics import Topic
from workers.adapters.kafka_reader import read_to_end
from workers.adapters.redis_view import Position, RedisView
from workers.faults import ViewLost
from workers.runtime.comparison import Comparison, Difference
from workers.runtime.restore import change_in
from workers.settings import Settings

Progress = Callable[[int, int], None]
"""Is told of how many records were read, and how many more there are than was known."""

_LOOKED_AT_ONCE = 200
_PAUSE = 0.05
_SECONDS_TO_CATCH_UP = 3.0
"""Redis is told after a commit, and the end of the changelog is moved after it: neither takes long."""


class Obstacle(StrEnum):
    """Why there is nothing to compare."""

    NO_POSITION = "Redis has no position: it was never filled, or has lost everything"
    ANOTHER_CLUSTER = "what Redis has is of another Kafka cluster"
    BEYOND_THE_END = "Redis is beyond the end of the changelog: the topic was made anew"


class Condition(msgspec.Struct, frozen=True):
    """How Redis stands to a partition of the changelog.

    `position` is what Redis has, `end` the offset behind the changelog. `sessions` and `entries` are those
    that Redis must have, `changed` the sessions that were not compared because they changed meanwhile, and
    `behind` how many records Redis has not taken in, though it had the time.
    """

    position: Position | None
    end: int
    obstacle: Obstacle | None = None
    sessions: int = 0
    entries: int = 0
    changed: int = 0
    behind: int = 0
    differences: dict[Difference, list[str]] = {}

    @property
    def is_equal(self) -> bool:
        """Whether Redis has what the changelog says."""
        return not (self.differences or self.behind or self.obstacle)


class _Changelog(msgspec.Struct):
    """A partition of a changelog, read into a comparison up to `end`."""

    settings: Settings
    topic: Topic
    partition: int
    log: FilteringBoundLogger
    progress: Progress
    end: int = 0

    async def read(self, comparison: Comparison, least: int = 0) -> None:
        """Read on to what is the end now, at offset `least` or behind it."""
        reached = self.end
        records = read_to_end(self.settings, self.settings.topic(self.topic), self.partition, self.end, least)
        async for batch, offset, end in records:
            self.progress(offset - reached, max(0, end - self.end))
            reached, self.end = offset, max(self.end, end, offset)
            for record in batch:
                found = change_in(record, self.log)
                if found is not None:
                    comparison.read(*found)


async def inspect_partition(
    settings: Settings,
    changelog: Topic,
    view: RedisView,
    partition: int,
    cluster: str,
    log: FilteringBoundLogger,
    progress: Progress,
) -> Condition:
    """Compare what Redis has of a partition with its changelog; `cluster` is the id of the Kafka cluster.

    Raises:
        Unreachable: Kafka or Redis does not answer.

    """
    while True:
        try:
            source = _Changelog(settings, changelog, partition, log, progress)
            return await _inspect(source, view, cluster)
        except ViewLost:
            continue  # It was rebuilt meanwhile.


async def _inspect(source: _Changelog, view: RedisView, cluster: str) -> Condition:
    position, _ = await view.look([])
    comparison = Comparison(0 if position is None or position.cluster != cluster else position.offset)
    await source.read(comparison)
    if position is None:
        behind = comparison.later(0)
        # Where nothing was ever judged, Redis need not have been filled.
        return Condition(None, source.end, Obstacle.NO_POSITION if behind else None, behind=behind)
    if position.cluster != cluster:
        return Condition(position, source.end, Obstacle.ANOTHER_CLUSTER, behind=comparison.later(0))
    patience = time.monotonic() + _SECONDS_TO_CATCH_UP
    while source.end < position.offset:
        if time.monotonic() > patience:
            return Condition(position, source.end, Obstacle.BEYOND_THE_END)
        await asyncio.sleep(_PAUSE)
        await source.read(comparison)
    await _compare(comparison, view, position)
    patience = time.monotonic() + _SECONDS_TO_CATCH_UP
    reached, _ = await _look(view, [], position)
    while comparison.later(reached.offset) and time.monotonic() < patience:
        await asyncio.sleep(_PAUSE)
        reached, _ = await _look(view, [], position)
    behind = comparison.later(reached.offset)
    await source.read(comparison, least=reached.offset)
    return Condition(
        position=reached,
        end=source.end,
        sessions=len(comparison.expected),
        entries=comparison.entries,
        changed=comparison.changed,
        behind=behind,
        differences=comparison.differences(),
    )


async def _compare(comparison: Comparison, view: RedisView, position: Position) -> None:
    """Show the comparison all that Redis has, at `position` or later.

    Raises:
        ViewLost: Redis went back behind that position meanwhile.

    """
    expected = comparison.expected
    others = [name async for name in view.names() if name not in expected]
    names = chain(expected, others)
    while batch := list(islice(names, _LOOKED_AT_ONCE)):
        _, found = await _look(view, batch, position)
        for session, stored in found.items():
            comparison.compare(session, stored)
    async for session, entry, due in view.due_times():
        comparison.compare_due(session, entry, due)
    async for session in view.idle_names():
        comparison.compare_idle(session)


async def _look(
    view: RedisView, sessions: Sequence[str], position: Position
) -> tuple[Position, dict[str, dict[bytes, bytes]]]:
    """Return where Redis is, and what it has of `sessions`.

    Raises:
        ViewLost: that is not `position` or behind it.

    """
    reached, found = await view.look(sessions)
    if reached is None or reached.cluster != position.cluster or reached.offset < position.offset:
        raise ViewLost("Redis was cleared while it was looked at")
    return reached, found
