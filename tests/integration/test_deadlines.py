"""Workers that die while messages wait: what waits, and until when, outlives them.

Knows how a worker and its Redis can go and come back. What waiting comes to is in `test_waiting`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.blocks import park
from tests.integration.bus import Bus, Sent, chain, message, outcomes
from tests.integration.stacks import RedisServer, Stack

pytestmark = pytest.mark.integration

SESSION = b"thread"


@pytest.fixture
def server(stack: Stack, tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server that the test alone uses."""
    with stack.redis_server(tmp_path / "redis") as running:
        yield running


@pytest.mark.parametrize("redis_is_flushed", [False, True], ids=["Redis kept", "Redis flushed"])
async def test_a_deadline_outlives_the_worker(bus: Bus, server: RedisServer, redis_is_flushed: bool) -> None:
    settings: dict[str, Any] = {"redis_url": server.url, "wait_seconds": 3}
    worker = bus.start_worker(**settings)
    began = time.monotonic()
    await park(bus, Sent(message("m2", "m1"), SESSION))
    worker.kill()
    if redis_is_flushed:
        with server.client() as client:
            client.flushall()
    await asyncio.sleep(1.5)
    bus.start_worker(**settings)
    away = 1000 * (time.monotonic() - began)
    (judged,) = await bus.judgements(1)
    assert (judged.outcome, judged.findings) == ("V4", ["SES/gave-up-waiting", "V4/unresolved-parent"])
    # Had it begun to wait again when the worker did, it would have waited for longer.
    assert 3_000 <= (judged.verdict.waited_ms or 0) < 3_000 + away


async def test_a_parent_finds_what_waited_for_it_before_a_flush(bus: Bus, server: RedisServer) -> None:
    settings: dict[str, Any] = {"redis_url": server.url, "wait_seconds": 120}
    bus.start_worker(**settings)
    await park(bus, *(Sent(value, SESSION) for value in chain(4, first=2)))
    with server.client() as client:
        client.flushall()
    await bus.send(Sent(message("m1"), SESSION))
    assert outcomes(await bus.judgements(5)) == ["accepted"] * 5


@pytest.mark.parametrize("ahead", [0, 1_800], ids=["records from now", "records from later"])
async def test_no_parent_is_late_that_stood_unread_in_the_topic(bus: Bus, ahead: int) -> None:
    settings: dict[str, Any] = {"wait_seconds": 1, "batch_records": 2}
    worker = bus.start_worker(**settings)
    await park(bus, Sent(message("m2", "m1"), SESSION))
    worker.kill()
    # Producers say when their records are from. Apache Kafka lets their clocks be wrong by an hour.
    timestamp = int(1000 * (time.time() + ahead))
    between = [Sent(message(f"k{number}"), SESSION, timestamp=timestamp) for number in range(9)]
    await bus.send(*between, Sent(message("m3", "m2"), SESSION), Sent(message("m1"), SESSION))
    await asyncio.sleep(1.5)
    bus.start_worker(**settings)
    judged = await bus.judgements(12)
    assert outcomes(judged) == ["accepted"] * 12
    (child,) = [one for one in judged if one.entry.id == "m2"]
    assert child.findings == []
    assert (child.verdict.waited_ms or 0) > 1_500


async def test_what_waits_is_not_judged_twice_however_often_its_worker_dies(bus: Bus) -> None:
    settings: dict[str, Any] = {"wait_seconds": 120, "batch_records": 3}
    messages = chain(20)
    order = [*messages[10:], *reversed(messages[:10])]
    for part in range(4):
        worker = bus.launch(**settings)
        await bus.send(*(Sent(value, SESSION) for value in order[5 * part : 5 * part + 5]))
        worker.wait_ready()
        await asyncio.sleep(0.1 * part)
        worker.kill()
    bus.start_worker(**settings)
    assert outcomes(await bus.judgements(20)) == ["accepted"] * 20
