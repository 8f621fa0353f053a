"""The validators of a storm: some in a consumer group, or as many with a fixed share each.

Knows how one of them is replaced. Does not know why.
"""

from __future__ import annotations

import asyncio

from tests.integration.bus import Bus, WorkerProcess

WORKERS = 2

_START_SECONDS = 90.0


class Crew:
    """Validators, of which each has a place that another can take."""

    def __init__(self, bus: Bus, assignment: str, **settings: str | int) -> None:
        """Prepare for workers with these settings; `assignment` is `group` or `static`."""
        self.is_group = assignment == "group"
        self.members: list[WorkerProcess] = []
        self._bus = bus
        self._settings = settings

    async def start(self) -> None:
        """Start a worker in every place."""
        self.members = [self.launch(place) for place in range(WORKERS)]
        await asyncio.gather(*(self.ready(member) for member in self.members))

    def launch(self, place: int) -> WorkerProcess:
        """Start a worker for a place, which has become nobody's yet."""
        assignment = "group" if self.is_group else f"static:{place + 1}/{WORKERS}"
        return self._bus.launch("validator", assignment=assignment, **self._settings)

    async def ready(self, worker: WorkerProcess) -> None:
        """Wait until a worker has its partitions and works on them."""
        await asyncio.to_thread(worker.wait_ready, _START_SECONDS)

    def check(self) -> None:
        """Make sure that no worker has ended by itself.

        Raises:
            AssertionError: one has; its last words are told.

        """
        for member in self.members:
            code = member.process.poll()
            assert code is None, f"a worker ended with {code}:\n{member.log_text()[-5_000:]}"
