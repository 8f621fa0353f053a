"""A worker's life: wait for Kafka, get partitions, say so, work, and end in order.

This module knows signals, readiness and exit codes. What is done on a partition is
`workers.runtime.partition`'s.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from structlog.typing import FilteringBoundLogger

from workers.adapters.kafka_admin import cluster_id, partition_count
from workers.adapters.kafka_faults import is_an_echo
from workers.adapters.kafka_membership import group_membership
from workers.adapters.redis_client import check_redis, redis_client
from workers.exit_codes import ExitCode
from workers.faults import Fenced, Unreachable
from workers.processors.outcome import Processor
from workers.runtime.bus import Bus
from workers.runtime.partition import PartitionTask
from workers.settings import Settings

_T = TypeVar("_T")

_SECONDS_TO_FINISH = 15.0
_PAUSE = 1.0


class _StopRequested(Exception):  # noqa: N818  # no error: the worker was asked to stop
    """The worker was asked to stop while it waited for something."""


class Worker:
    """Runs a processor on the partitions that the settings give it."""

    def __init__(
        self,
        settings: Settings,
        processor: Processor,
        log: FilteringBoundLogger,
        announce: Callable[[list[int]], None],
    ) -> None:
        """Prepare to run `processor`; `announce` is called with the partitions, once they are ready."""
        self._settings = settings
        self._processor = processor
        self._log = log.bind(worker=processor.name)
        self._announce = announce
        self._stopping = asyncio.Event()
        self._tasks: dict[int, PartitionTask] = {}
        self._changed = asyncio.Event()
        self._assigned_once = False

    def request_stop(self) -> None:
        """Ask the worker to finish what it is doing and end."""
        self._stopping.set()
        self._changed.set()

    async def run(self, *, handle_signals: bool = True) -> ExitCode:
        """Work until asked to stop by SIGTERM, SIGINT or `request_stop`; return how it ended."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._report_unheard)
        if handle_signals:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, self.request_stop)
        try:
            code = await self._run()
        except _StopRequested:
            code = ExitCode.OK
        except Unreachable as fault:
            self._log.error("gave_up", reason=str(fault), after_seconds=self._settings.give_up_seconds)
            code = ExitCode.UNREACHABLE
        except Fenced as fault:
            self._log.error(
                "fenced", reason=str(fault), advice="give each worker a share of its own: PAIRL_ASSIGNMENT"
            )
            code = ExitCode.FENCED
        except Exception:  # noqa: BLE001  # the last resort: every fault gets an exit code
            self._log.exception("internal_fault")
            code = ExitCode.INTERNAL
        self._log.info("stopped", exit_code=int(code))
        return code

    def _report_unheard(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log an exception that nobody waited for; asyncio would print it between our lines."""
        fault = context.get("exception")
        if not is_an_echo(fault):
            self._log.error("unheard_fault", reason=context["message"], exc_info=fault)

    async def _run(self) -> ExitCode:
        settings, processor = self._settings, self._processor
        topics = (processor.source, *processor.targets)
        partitions = await self._patiently(lambda: partition_count(settings, topics))
        cluster = await self._patiently(lambda: cluster_id(settings))
        async with redis_client(settings.redis_url) as redis:
            if processor.changelog is not None:
                await self._patiently(lambda: check_redis(redis))
            bus = Bus(settings, processor, cluster, partitions, redis, self._log)
            share = settings.share()
            if share is not None:
                await self._take(bus, _fixed_share(share, partitions))
                try:
                    await self._watch(None)
                finally:
                    await self._give_up(self._tasks.keys())
                return ExitCode.OK

            async def take(numbers: set[int]) -> None:
                # A rebalance may end when this worker is about to; nobody would stop what is begun now.
                if not self._stopping.is_set():
                    await self._take(bus, numbers)

            async with group_membership(settings, bus.topic, bus.group, take, self._give_up) as member:
                try:
                    await self._watch(member)
                finally:
                    await self._give_up(self._tasks.keys())
        return ExitCode.OK

    async def _patiently(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """Return what `ask` answers, asking again while the environment is away.

        Raises:
            Unreachable: it has been away for as long as the settings allow.
            _StopRequested: the worker was asked to stop meanwhile.

        """
        deadline = time.monotonic() + self._settings.give_up_seconds
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while True:
                asking = asyncio.ensure_future(ask())
                await asyncio.wait({asking, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if stopping.done():
                    asking.cancel()
                    await asyncio.gather(asking, return_exceptions=True)
                    raise _StopRequested
                try:
                    return asking.result()
                except Unreachable as fault:
                    if time.monotonic() + _PAUSE >= deadline:
                        raise
                    self._log.warning("unreachable", reason=str(fault), retry_seconds=_PAUSE)
                await asyncio.wait({stopping}, timeout=_PAUSE)
        finally:
            stopping.cancel()

    async def _take(self, bus: Bus, numbers: set[int]) -> None:
        """Begin to work on partitions."""
        for number in sorted(numbers):
            task = self._tasks[number] = PartitionTask(bus, number)
            task.start().add_done_callback(lambda _: self._changed.set())
        self._log.info("assigned", partitions=sorted(numbers))
        self._assigned_once = True
        self._changed.set()

    async def _give_up(self, numbers: Iterable[int]) -> None:
        """Finish and stop the work on partitions, all at once."""
        tasks = [task for number in list(numbers) if (task := self._tasks.pop(number, None))]
        await asyncio.gather(*(task.stop(_SECONDS_TO_FINISH) for task in tasks))

    async def _watch(self, member: asyncio.Task[None] | None) -> None:
        """Announce readiness, and wait for the end: a request to stop, or a fault.

        Raises:
            Fenced, Unreachable: what ended a partition's work, or the membership.

        """
        announced = False
        while not self._stopping.is_set():
            for task in self._tasks.values():
                if task.task is not None and task.task.done() and not task.task.cancelled():
                    task.task.result()
            if member is not None and member.done():
                member.result()
            ready = all(task.ready.is_set() for task in self._tasks.values())
            if not announced and ready and (member is None or self._assigned_once):
                announced = True
                self._log.info("ready", partitions=sorted(self._tasks))
                self._announce(sorted(self._tasks))
            self._changed.clear()
            await self._next_change()

    async def _next_change(self) -> None:
        """Wait until something may have changed."""
        waiting = [task.ready.wait() for task in self._tasks.values() if not task.ready.is_set()]
        waits = [asyncio.ensure_future(wait) for wait in [*waiting, self._changed.wait()]]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED, timeout=1.0)
        finally:
            for wait in waits:
                wait.cancel()


def _fixed_share(share: tuple[int, int], partitions: int) -> set[int]:
    """Return the partitions of worker n of m: those whose number leaves the remainder n - 1."""
    position, workers = share
    return {number for number in range(partitions) if number % workers == position - 1}
