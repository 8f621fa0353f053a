"""Who does the next step, and what goes wrong before it: all of it follows from a seed.

Knows tasks that stop before each step until it is their turn. Between two steps one may be killed, put to
sleep until another has taken its place, or be told that its environment is away. Does not know what the
steps do.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

from workers.faults import Unreachable


class Killed(BaseException):
    """The process has ended between two steps; nobody may catch this."""


class Schedule:
    """Lets one task at a time do one step."""

    def __init__(self, chance: Random) -> None:
        """Start without tasks."""
        self.chance = chance
        self.counts: Counter[str] = Counter()
        """How often each thing went wrong; of tasks, by the step before which that happened."""
        self.history: list[str] = []
        self._parked: dict[asyncio.Task[None], tuple[str, asyncio.Future[None]]] = {}
        self._moved = asyncio.Event()

    async def step(self, name: str) -> None:
        """Wait for one's turn to do the step with this name."""
        task = asyncio.current_task()
        assert task is not None
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parked[task] = (name, turn)
        self._moved.set()
        try:
            await turn
        finally:
            self._parked.pop(task, None)

    def waits_before(self, task: asyncio.Task[None]) -> str:
        """Return the step that a task waits to do."""
        return self._parked[task][0]

    async def go(self, task: asyncio.Task[None]) -> None:
        """Let a task do its step, and wait until it has come to the next one, or to its end."""
        self._resume(task, None)
        await self._rest(task)

    async def kill(self, task: asyncio.Task[None]) -> None:
        """End a task before its step, as if its process had ended."""
        self.note("killed", task)
        self._resume(task, Killed())
        await asyncio.wait([task])
        assert isinstance(task.exception(), Killed), task.exception()

    async def put_away(self, task: asyncio.Task[None]) -> None:
        """Tell a task before its step that its environment does not answer."""
        self.note("away", task)
        self._resume(task, Unreachable("as the schedule has it"))
        await self._rest(task)

    async def begin(self, task: asyncio.Task[None]) -> None:
        """Wait until a task that was started has come to its first step."""
        task.add_done_callback(lambda _: self._moved.set())
        await self._rest(task)

    def note(self, what: str, task: asyncio.Task[None] | None = None) -> None:
        """Remember that something has gone wrong, before a task's step or for everybody."""
        name = f"{what} before {self.waits_before(task)}" if task else what
        self.counts[name] += 1
        self.history.append(f"{task.get_name()} {name}" if task else name)

    def _resume(self, task: asyncio.Task[None], fault: BaseException | None) -> None:
        _, turn = self._parked.pop(task)
        if fault is None:
            turn.set_result(None)
        else:
            turn.set_exception(fault)

    async def _rest(self, task: asyncio.Task[None]) -> None:
        while task not in self._parked and not task.done():
            self._moved.clear()
            await self._moved.wait()
