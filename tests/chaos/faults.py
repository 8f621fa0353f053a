"""The faults of a storm: what is done to workers, brokers and Redis, and when it is over.

Knows how each fault is brought about, with workers in a group and with fixed shares, and takes the time
until verdicts come again, and until none is late. Does not know which verdicts are right: see
`tests.chaos.scenes`.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable

import msgspec

from schemas.topics import INBOUND
from tests.chaos import brokers
from tests.chaos.crew import Crew
from tests.chaos.watcher import VerdictWatcher
from tests.integration.bus import Bus, WorkerProcess
from tests.integration.stacks import ApacheStack
from workers.exit_codes import ExitCode

_PATIENCE = 180.0
_SLEEP_SECONDS = 16.0
"""How long a worker is suspended at least: longer than its group, and its own clients, wait for an answer."""

_TRANSACTIONS = "__transaction_state"


class Recovery(msgspec.Struct, frozen=True):
    """Something that was done, and the seconds until each partition had a new verdict, and had no backlog."""

    fault: str
    until_verdicts: float
    until_caught_up: float


class Field(msgspec.Struct, frozen=True):
    """All that faults can befall, and what came of those that did."""

    bus: Bus
    stack: ApacheStack
    crew: Crew
    watcher: VerdictWatcher
    chance: random.Random
    recoveries: list[Recovery]

    def place(self) -> int:
        """Return the place of some worker."""
        return self.chance.randrange(len(self.crew.members))

    async def recovered(self, fault: str, began: float, done: float | None = None) -> None:
        """Wait until each partition has verdicts again, and then one on a message sent since.

        That is, since the time `done`, when the harm was done, which `began` before; where it needs no time
        they are one.
        """
        since = int(1000 * (done or began))
        await self._until(lambda: self.watcher.has_verdicts_after(since), fault)
        until_verdicts = time.time() - began
        await self._until(lambda: self.watcher.has_caught_up_with(since), fault)
        self.recoveries.append(Recovery(fault, until_verdicts, time.time() - began))

    async def _until(self, condition: Callable[[], bool], fault: str) -> None:
        def is_over() -> bool:
            self.crew.check()
            return condition()

        try:
            await self.watcher.until(is_over, _PATIENCE)
        except TimeoutError:
            logs = "\n\n".join(member.log_text()[-5_000:] for member in self.crew.members)
            raise AssertionError(f"no recovery from: {fault}\n{logs}") from None


async def kill_worker(field: Field) -> None:
    """Kill a worker, and start another in its place."""
    place, began = field.place(), time.time()
    field.crew.members[place].kill()
    killed = time.time()
    field.crew.members[place] = field.crew.launch(place)
    await field.recovered("worker killed", began, killed)
    await field.crew.ready(field.crew.members[place])


async def kill_broker(field: Field) -> None:
    """Kill a broker that leads an inbound partition, or transactions; start it again some seconds later."""
    servers = field.stack.bootstrap_servers
    topic = field.chance.choice((field.bus.prefix + INBOUND.name, _TRANSACTIONS))
    number = field.chance.choice(await brokers.leaders(servers, topic))

    async def restart() -> None:
        await asyncio.sleep(field.chance.uniform(2.0, 8.0))
        await asyncio.to_thread(field.stack.restart_broker, number)

    began = time.time()
    await asyncio.to_thread(field.stack.kill_broker, number)
    restarting, killed = asyncio.create_task(restart()), time.time()
    await field.recovered("broker killed", began, killed)
    await restarting
    await brokers.all_in_sync(servers)


async def kill_redis(field: Field) -> None:
    """Kill Redis, and start it again, empty."""
    began = time.time()
    field.stack.redis.stop()
    killed = time.time()
    await asyncio.sleep(field.chance.uniform(0.0, 3.0))
    # Redis dies with the thread that starts it, so that must be the main one.
    field.stack.redis.start()
    await field.recovered("Redis killed", began, killed)


async def flush_redis(field: Field) -> None:
    """Let Redis forget everything."""
    began = time.time()
    with field.stack.redis.client() as client:
        client.flushall()
    await field.recovered("Redis flushed", began, time.time())


async def suspend_worker(field: Field) -> None:
    """Suspend a worker until others have its partitions, and wake it: it believes that they are its own."""
    place, began = field.place(), time.time()
    sleeper = field.crew.members[place]
    sleeper.process.send_signal(signal.SIGSTOP)
    try:
        if not field.crew.is_group:
            field.crew.members[place] = field.crew.launch(place)
        await field.recovered("worker suspended", began)
        await asyncio.sleep(began + _SLEEP_SECONDS - time.time())
        assigned = len(sleeper.log("assigned"))
    finally:
        sleeper.process.send_signal(signal.SIGCONT)
    began = time.time()
    if field.crew.is_group:
        await _until(lambda: len(sleeper.log("assigned")) > assigned, sleeper)
    await field.recovered("worker woken", began)
    if not field.crew.is_group:
        await _fenced(sleeper)


async def move_partitions(field: Field) -> None:
    """Let another worker have partitions under way: it joins and leaves the group, or takes a place."""
    place, began = field.place(), time.time()
    another = field.crew.launch(place)
    if field.crew.is_group:
        await field.crew.ready(another)
        await field.recovered("worker joined", began)
        await asyncio.sleep(field.chance.uniform(0.0, 2.0))
        began = time.time()
        another.process.terminate()
        code = await asyncio.to_thread(another.wait, _PATIENCE)
        assert code == ExitCode.OK, another.log_text()[-5_000:]
        await field.recovered("worker left", began)
    else:
        replaced, field.crew.members[place] = field.crew.members[place], another
        await field.crew.ready(another)
        await field.recovered("worker's place taken", began)
        await _fenced(replaced)


FAULTS: tuple[Callable[[Field], Awaitable[None]], ...] = (
    kill_worker,
    kill_broker,
    kill_redis,
    flush_redis,
    suspend_worker,
    move_partitions,
)


async def _fenced(worker: WorkerProcess) -> None:
    """Wait until a worker has noticed that another has its place."""
    code = await asyncio.to_thread(worker.wait, _PATIENCE)
    assert code == ExitCode.FENCED, worker.log_text()[-5_000:]


async def _until(condition: Callable[[], bool], worker: WorkerProcess) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert worker.process.poll() is None, worker.log_text()[-5_000:]
        assert time.monotonic() < deadline, worker.log_text()[-5_000:]
        await asyncio.sleep(0.2)
