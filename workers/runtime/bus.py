"""What all partitions of a worker share.

This module knows what a partition needs to work, and where the time comes from. It does nothing itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
from structlog.typing import FilteringBoundLogger

from workers.adapters.redis_client import RedisClient
from workers.processors.outcome import Processor
from workers.settings import Settings


def wall_clock() -> int:
    """Return the time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Bus(msgspec.Struct, frozen=True):
    """What all partitions of a worker share."""

    settings: Settings
    processor: Processor
    cluster: str
    partitions: int
    redis: RedisClient
    log: FilteringBoundLogger
    clock: Callable[[], int] = wall_clock

    @property
    def group(self) -> str:
        """The consumer group of the worker, under which offsets are committed."""
        return self.settings.consumer_group(self.processor.name)

    @property
    def topic(self) -> str:
        """The full name of the topic that the worker reads."""
        return self.settings.topic(self.processor.source)
