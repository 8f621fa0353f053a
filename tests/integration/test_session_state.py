"""Redis is a view: whatever happens to it, the verdicts are those that the topics alone would give.

Knows how a Redis can lose, keep or go back to an older state. The thread that is sent has one right
outcome: every message answers the one before, so that a single parent forgotten is a V4, and at its end
an id is used twice, so that a node forgotten is a conflict not noticed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from pairl.thread import Status, ThreadNode
from schemas.changelog import Change
from schemas.session_state import SessionNode
from schemas.topics import VALIDATED
from tests.integration.bus import Bus, Sent, chain, message, outcomes
from tests.integration.stacks import RedisServer, Stack
from workers.adapters.redis_client import redis_client
from workers.adapters.redis_view import Agenda, Position, RedisView
from workers.faults import ViewLost

pytestmark = pytest.mark.integration

SESSION = b"thread"
BATCH = 5


def _part(first: int, count: int) -> list[Sent]:
    return [Sent(value, SESSION) for value in chain(count, first)]


CONFLICTS = [Sent(message(name, fact="another"), SESSION) for name in ("m1", "m20", "m40")]
OUTCOMES = ["accepted"] * 60 + ["SES"] * 3


@pytest.fixture
def server(stack: Stack, tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server that the test alone uses."""
    with stack.redis_server(tmp_path / "redis") as running:
        yield running


async def test_flushing_redis_in_the_middle_changes_no_verdict(bus: Bus, server: RedisServer) -> None:
    worker = bus.start_worker(redis_url=server.url, batch_records=BATCH)
    with server.client() as client:
        for first in range(1, 60, 10):
            await bus.send(*_part(first, 10))
            await bus.read(VALIDATED, until=first + 1)
            client.flushall()
        await bus.send(*CONFLICTS)
        judged = await bus.judgements(63)
    assert outcomes(judged) == OUTCOMES
    assert worker.log("view_lost")


async def test_a_redis_without_scripts_is_given_them_again(bus: Bus, server: RedisServer) -> None:
    bus.start_worker(redis_url=server.url)
    await bus.judge(*_part(1, 10))
    with server.client() as client:
        client.script_flush()
    assert outcomes(await bus.judge(*_part(11, 10))) == ["accepted"] * 10


async def test_an_empty_redis_is_filled_before_the_first_verdict(bus: Bus, server: RedisServer) -> None:
    worker = bus.start_worker(redis_url=server.url)
    await bus.judge(*_part(1, 30))
    assert worker.terminate() == 0
    server.stop()
    await bus.send(*_part(31, 30), *CONFLICTS)
    server.start()
    worker = bus.start_worker(redis_url=server.url)
    assert outcomes(await bus.judgements(63)) == OUTCOMES
    assert sum(line["entries"] for line in worker.log("restored")) == 30


async def test_another_redis_is_filled_before_the_first_verdict(bus: Bus, server: RedisServer) -> None:
    assert (bus.start_worker(), await bus.judge(*_part(1, 30)))[0].terminate() == 0
    await bus.send(*_part(31, 30), *CONFLICTS)
    bus.start_worker(redis_url=server.url)
    assert outcomes(await bus.judgements(63)) == OUTCOMES


@pytest.mark.parametrize("worker_is_up", [False, True], ids=["between two runs", "under a running worker"])
async def test_a_redis_set_back_to_an_older_snapshot_catches_up(
    bus: Bus, server: RedisServer, worker_is_up: bool
) -> None:
    worker = bus.start_worker(redis_url=server.url, batch_records=BATCH)
    await bus.judge(*_part(1, 20))
    with server.client() as client:
        await _wait_for_nodes(client, 20)
        client.save()
    await bus.judge(*_part(21, 20))
    if not worker_is_up:
        assert worker.terminate() == 0
    server.stop()
    server.start()
    with server.client() as client:
        assert _nodes(client) == 20
    if not worker_is_up:
        worker = bus.start_worker(redis_url=server.url, batch_records=BATCH)
    await bus.send(*_part(41, 20), *CONFLICTS)
    assert outcomes(await bus.judgements(63)) == OUTCOMES
    (restored,) = [line for line in worker.log("restored") if line["entries"] and not line["rebuilt"]]
    # Under a running worker a batch may be judged from memory before Redis is found to be behind.
    assert 20 <= restored["entries"] <= 20 + BATCH


def _nodes(client: redis.Redis) -> int:
    """Return how many messages Redis knows of the one session that there is."""
    return sum(client.hlen(session) - len(["offset"]) for session in client.scan_iter(match="*:session:*"))


async def _wait_for_nodes(client: redis.Redis, count: int) -> None:
    """Wait until Redis knows `count` messages: it is told of them after their verdicts can be read."""
    async with asyncio.timeout(10.0):
        while _nodes(client) < count:  # noqa: ASYNC110  # Redis tells nobody
            await asyncio.sleep(0.02)


async def test_a_redis_of_another_cluster_is_cleared(bus: Bus, server: RedisServer) -> None:
    with server.client() as client:
        _pretend_another_cluster_was_here(client, bus)
    worker = bus.start_worker(redis_url=server.url)
    judged = await bus.judge(Sent(message("m9", "ghost"), SESSION), *_part(1, 3))
    assert outcomes(judged) == ["V4", "accepted", "accepted", "accepted"]
    assert all(line["rebuilt"] for line in worker.log("restored"))


def _pretend_another_cluster_was_here(client: redis.Redis, bus: Bus) -> None:
    """Leave an accepted `ghost` of another conversation in every partition."""
    for partition in range(4):
        tag = f"{{{bus.prefix}{bus.settings().group}/validator/{partition}}}"
        client.hset(
            f"{tag}:session:thread", mapping={"ghost": b"7 " + (_change("ghost").value or b""), "@offset": 7}
        )
        client.set(f"{tag}:position", "of-another-cluster 8")


def _change(name: str) -> Change:
    return SessionNode("thread", ThreadNode(name, Status.ACCEPTED), "inbound/0/0", 1).as_change()


async def test_changes_are_never_put_on_top_of_a_gap(server: RedisServer) -> None:
    first, second, third = (Position("cluster", offset) for offset in (1, 2, 3))
    async with redis_client(server.url) as client:
        view = RedisView(client, "bus", 0)
        await view.apply([(0, _change("m1"))], None, first)
        await view.apply([(1, _change("m2"))], first, second)
        assert [name for name, _ in (await view.load(["thread"], second))["thread"]] == ["m1", "m2"]

        # Flushed between the look-up and what follows from it.
        await client.flushall()
        assert await view.apply([(2, _change("m3"))], second, third) is None
        assert await view.position() is None
        with pytest.raises(ViewLost):
            await view.load(["thread"], third)


async def test_a_late_writer_changes_nothing(server: RedisServer) -> None:
    first, second, third = (Position("cluster", offset) for offset in (1, 2, 3))
    async with redis_client(server.url) as client:
        view = RedisView(client, "bus", 0)
        await view.apply([(0, _change("m1"))], None, first)
        await view.apply([(1, _change("m2"))], first, second)
        before = await client.hgetall("{bus/0}:session:thread")
        assert await view.apply([(2, _change("m2"))], first, third) is None
        assert await view.position() == second
        assert await client.hgetall("{bus/0}:session:thread") == before


async def test_a_session_without_entries_leaves_nothing_behind(server: RedisServer) -> None:
    first, second = (Position("cluster", offset) for offset in (1, 2))
    async with redis_client(server.url) as client:
        view = RedisView(client, "bus", 0)
        waiting = Change("thread", "m1/7", b'{"at":3,"due":5}', 3, 5)
        agenda = await view.apply([(0, waiting)], None, first)
        assert agenda == Agenda(due=5, idle_since=3)
        assert await view.agenda(first, 5, 2) == (["thread"], [])
        assert await view.apply([(1, Change("thread", "m1/7", None))], first, second) == Agenda()
        assert sorted(await client.keys("*")) == [b"{bus/0}:applied_at", b"{bus/0}:position"]


async def test_clearing_forgets_the_sessions_of_one_partition(server: RedisServer) -> None:
    async with redis_client(server.url) as client:
        views = [RedisView(client, "bus", partition) for partition in (1, 11)]
        for view in views:
            await view.apply([(0, _change("m1"))], None, Position("cluster", 1))
        await views[0].clear()
        assert [await view.position() for view in views] == [None, Position("cluster", 1)]
        assert await client.keys("*:session:*") == [b"{bus/11}:session:thread"]
        assert await client.keys("{bus/1}*") == []


async def test_what_was_not_told_of_removals_for_too_long_is_built_anew(server: RedisServer) -> None:
    async with redis_client(server.url) as client:
        view = RedisView(client, "bus", 0)
        await view.apply([(0, _change("m1"))], None, Position("cluster", 1))
        assert await view.position() == Position("cluster", 1)
        await client.set("{bus/0}:applied_at", int(time.time()) - 13 * 3600)
        assert await view.position() is None
