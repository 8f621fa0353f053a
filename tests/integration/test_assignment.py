"""Several workers: who has which partition, and what happens when one of them is killed or replaced.

Knows static shares, consumer groups and fencing. All of it needs a real Kafka: the embedded broker has
neither groups that recover nor fencing.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import time
from collections.abc import Awaitable, Callable

import pytest

from schemas.topics import AUDIT, VALIDATED
from tests.integration.bus import PARTITIONS, Bus, Sent, chain, outcomes
from tests.integration.stacks import apache_only
from workers.adapters.kafka_writer import TransactionalWriter
from workers.exit_codes import ExitCode
from workers.faults import Fenced
from workers.processors.outcome import OutputRecord

pytestmark = [
    pytest.mark.integration,
    apache_only("the embedded broker keeps no group alive after a kill and serves one worker of a kind"),
]

EVERYWHERE = range(PARTITIONS)


def _threads(first: int, count: int) -> list[Sent]:
    """Return the messages `m<first>` and on of a thread in each partition."""
    return [
        Sent(value, f"thread-{partition}".encode(), partition=partition)
        for value in chain(count, first)
        for partition in EVERYWHERE
    ]


async def test_static_shares_cover_every_partition_once(bus: Bus) -> None:
    first, second = bus.launch(assignment="static:1/2"), bus.launch(assignment="static:2/2")
    assert (first.wait_ready(), second.wait_ready()) == ([0, 2], [1, 3])
    judged = await bus.judge(*_threads(1, 20))
    assert outcomes(judged) == ["accepted"] * 80
    for worker, share in ((first, {0, 2}), (second, {1, 3})):
        assert {line["partition"] for line in worker.log("batch")} == share


async def test_more_workers_than_partitions_leaves_some_without(bus: Bus) -> None:
    assert bus.launch(assignment="static:5/5").wait_ready() == []
    assert bus.launch(assignment="static:4/5").wait_ready() == [3]


async def test_a_second_worker_with_the_same_share_fences_the_first(bus: Bus) -> None:
    first = bus.start_worker()
    await bus.judge(*_threads(1, 10))
    second = bus.start_worker()
    await bus.send(*_threads(11, 10))
    assert first.wait(30.0) == ExitCode.FENCED
    assert "PAIRL_ASSIGNMENT" in first.log("fenced")[0]["advice"]
    assert outcomes(await bus.judgements(80)) == ["accepted"] * 80
    assert second.terminate() == ExitCode.OK


async def test_a_worker_that_is_killed_is_replaced_at_once(bus: Bus) -> None:
    first = bus.start_worker(batch_records=10)
    await bus.send(*_threads(1, 300))
    await bus.read(VALIDATED, until=40)
    first.kill()
    began = time.monotonic()
    second = bus.start_worker(batch_records=10)
    assert time.monotonic() - began < 10.0
    judged = await bus.judgements(1_200, seconds=60.0)
    assert outcomes(judged) == ["accepted"] * 1_200
    assert len(second.log("batch")) < 1_200 / 10, "the first worker had done nothing"


async def test_a_group_gives_the_partitions_of_a_killed_worker_to_another(bus: Bus) -> None:
    first = bus.start_worker(assignment="group", batch_records=10)
    assert first.log("ready")[0]["partitions"] == [*EVERYWHERE]
    await bus.judge(*_threads(1, 10))
    second = bus.start_worker(assignment="group", batch_records=10)
    share = second.log("ready")[0]["partitions"]
    assert len(share) == PARTITIONS / 2

    await bus.send(*_threads(11, 150))
    await bus.read(VALIDATED, until=60)
    second.kill()
    judged = await bus.judgements(640, seconds=60.0)
    assert outcomes(judged) == ["accepted"] * 640
    assert first.process.poll() is None
    assert {line["partition"] for line in first.log("batch")} == {*EVERYWHERE}


async def test_a_worker_that_slept_through_a_rebalance_does_no_harm(bus: Bus) -> None:
    workers = [bus.start_worker(assignment="group", batch_records=10) for _ in range(2)]
    sleeper, other = workers
    await bus.send(*_threads(1, 100))
    await bus.read(VALIDATED, until=40)
    sleeper.process.send_signal(signal.SIGSTOP)
    await bus.judgements(400, seconds=60.0)
    sleeper.process.send_signal(signal.SIGCONT)
    await bus.send(*_threads(101, 100))
    judged = await bus.judgements(800, seconds=60.0)
    assert outcomes(judged) == ["accepted"] * 800
    assert [worker.process.poll() for worker in workers] == [None, None]

    # Every partition has an owner again: a worker must not sit on one that it no longer writes to.
    await asyncio.sleep(5.0)
    await bus.judge(*_threads(201, 5), seconds=60.0)
    assert len(await bus.read(AUDIT)) > 0
    assert [worker.terminate(20.0) for worker in workers] == [ExitCode.OK, ExitCode.OK]
    assert other.log("assigned")


STEPS: dict[str, Callable[[TransactionalWriter, str], Awaitable[object]]] = {
    "write": lambda writer, topic: writer.write(topic, 2, [OutputRecord(b"key", b"value")]),
    "commit offset": lambda writer, topic: writer.commit_offset(topic, 0, 1, "group"),
    "settle": lambda writer, _: writer.settle(),
    "commit": lambda writer, _: writer.commit(),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
async def test_a_writer_whose_place_is_taken_says_so_at_every_step(
    bus: Bus, step: Callable[[TransactionalWriter, str], Awaitable[object]]
) -> None:
    topic, record = bus.prefix + VALIDATED.name, OutputRecord(b"key", b"value")
    first, second = (TransactionalWriter(bus.settings(), f"{bus.prefix}place") for _ in range(2))
    # The client sets its errors on futures that nobody can reach, as a worker's loop knows, too.
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    try:
        await first.start()
        await first.begin()
        await first.write(topic, 0, [record])
        await second.start()
        # What the client sends in the background is refused, and it gives the transaction up.
        await first.write(topic, 1, [record])
        await asyncio.sleep(1.0)
        with pytest.raises(Fenced):
            await step(first, topic)
    finally:
        await first.stop()
        await second.stop()
        del first, second
        gc.collect()
