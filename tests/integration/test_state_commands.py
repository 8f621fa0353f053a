"""`pairl bus state`: what Redis has of the sessions, compared with the changelog and built anew from it.

Knows how Redis keeps sessions, and damages it by hand. What makes a difference is
`tests.unit.test_state_comparison`'s.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from aiokafka import AIOKafkaProducer

from schemas.topics import THREADS, VALIDATED
from tests.integration.bus import CONTENT, PARTITIONS, Bus, Sent, chain, message, outcomes
from tests.integration.stacks import RedisServer, Stack

pytestmark = pytest.mark.integration

VERIFY = ("bus", "state", "verify")
REBUILD = ("bus", "state", "rebuild")
CHANGELOGS = 2
"""The validator's and the encoder's; for people alone the renderer keeps nothing."""
SESSIONS = [f"talk-{number}" for number in range(12)]
EQUAL = "Redis has what the changelogs say\n"
PACE = 0.25
"""Seconds between two messages of a session: slowly enough for a worker that commits each by itself."""

ADVICE = "pairl bus state rebuild"


@pytest.fixture
def server(stack: Stack, tmp_path: Path, bus: Bus) -> Iterator[RedisServer]:
    """A Redis server that the test alone uses, and its bus."""
    with stack.redis_server(tmp_path / "redis") as running:
        bus.redis_url = running.url
        yield running


def _tag(bus: Bus, partition: int) -> str:
    return f"{{{bus.prefix}{bus.settings().group}/validator/{partition}}}"


def _key(client: redis.Redis, session: str) -> bytes:
    """Return the key of a session, in whatever partition it is."""
    (key,) = list(client.scan_iter(match=f"*:session:{session}"))
    return bytes(key)


async def _fill(bus: Bus) -> None:
    """Have sessions judged, of which one waits for a parent that does not come, and end the worker."""
    worker = bus.start_worker(wait_seconds=3600)
    await bus.judge(*(Sent(value, name.encode()) for name in SESSIONS for value in chain(3)))
    await bus.send(Sent(message("m9", "ghost"), SESSIONS[0].encode()))
    with redis.Redis.from_url(bus.redis_url) as client:
        async with asyncio.timeout(10.0):
            while not list(client.scan_iter(match="*:due")):  # noqa: ASYNC110  # Redis tells nobody
                await asyncio.sleep(0.02)
    assert worker.terminate() == 0


def _verify(bus: Bus, code: int) -> str:
    done = bus.pairl(*VERIFY)
    assert (done.returncode, done.stderr) == (code, "")
    assert CONTENT not in done.stdout
    assert (ADVICE in done.stdout) is (code == 1)
    return done.stdout


def _rebuild(bus: Bus) -> str:
    done = bus.pairl(*REBUILD)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": rebuilt from ") == CHANGELOGS * PARTITIONS
    return done.stdout


def test_where_nothing_was_judged_nothing_differs(bus: Bus) -> None:
    shown = _verify(bus, 0)
    assert shown.endswith(EQUAL)
    assert shown.count("equal, 0 sessions, 0 entries, nothing yet of 0") == CHANGELOGS * PARTITIONS


async def test_differences_are_found_named_and_mended(bus: Bus, server: RedisServer) -> None:
    await _fill(bus)
    assert _verify(bus, 0).endswith(EQUAL)
    with server.client() as client:
        client.hset(_key(client, "talk-1"), "m2", b"1 {}")
        client.hdel(_key(client, "talk-2"), "m2")
        client.delete(_key(client, "talk-3"))
        client.delete(next(client.scan_iter(match="*:due")))
        client.hset(f"{_tag(bus, 2)}:session:\x1b[31mnobody\n", "m1", b"1 {}")
        client.zadd(f"{_tag(bus, 2)}:idle", {"forgotten": 5})
    shown = _verify(bus, 1)
    for line in (
        "1 session with other values in Redis: talk-1",
        "1 session without some entries in Redis: talk-2",
        "1 session missing in Redis: talk-3",
        "1 session with something due that Redis does not know of, or for another time: talk-0",
        r"1 session only in Redis: \x1b[31mnobody\n",
        "1 session gone, but with the time of the last change still in Redis: forgotten",
    ):
        assert f"    {line}\n" in shown
    _rebuild(bus)
    shown = _verify(bus, 0)
    assert shown.count(": equal, ") == CHANGELOGS * PARTITIONS


async def test_only_the_first_sessions_of_many_are_named(bus: Bus, server: RedisServer) -> None:
    assert bus.start_worker().terminate() == 0
    with server.client() as client:
        for number in range(1000, 3000):
            client.hset(f"{_tag(bus, 1)}:session:left-{number}", "m1", b"1 {}")
    names = ", ".join(f"left-{number}" for number in range(1000, 1005))
    assert f"2,000 sessions only in Redis: {names} and 1,995 more\n" in _verify(bus, 1)


async def test_a_redis_that_was_flushed_is_filled(bus: Bus, server: RedisServer) -> None:
    await _fill(bus)
    with server.client() as client:
        client.flushall()
    assert "different: Redis has no position" in _verify(bus, 1)
    _rebuild(bus)
    _verify(bus, 0)


async def test_positions_that_are_not_of_this_changelog(bus: Bus, server: RedisServer) -> None:
    await _fill(bus)
    with server.client() as client:
        cluster = bytes(client.get(f"{_tag(bus, 0)}:position") or b"").decode().partition(" ")[0]
        client.set(f"{_tag(bus, 0)}:position", f"{cluster} 99999")
        client.set(f"{_tag(bus, 1)}:position", "of-another-cluster 7")
    shown = _verify(bus, 1)
    assert "partition 0: different: Redis is beyond the end of the changelog" in shown
    assert "partition 1: different: what Redis has is of another Kafka cluster" in shown
    _rebuild(bus)
    _verify(bus, 0)


async def test_a_redis_set_back_to_an_older_snapshot_is_behind(bus: Bus, server: RedisServer) -> None:
    await _fill(bus)
    with server.client() as client:
        client.save()
    # Of a session that Redis knows then, and of one that it does not.
    judged = [Sent(value, b"talk-5") for value in chain(4, 4)] + [Sent(value, b"late") for value in chain(3)]
    worker = bus.start_worker(wait_seconds=3600)
    await bus.send(*judged)
    await bus.read(VALIDATED, until=3 * len(SESSIONS) + len(judged))
    assert worker.terminate() == 0
    server.stop()
    server.start()
    shown = _verify(bus, 1)
    behind = re.findall(r"Redis is (\d+) records? behind", shown)
    assert sum(map(int, behind)) == len(judged)
    changed = re.findall(r"(\d+) sessions? not compared", shown)
    assert sum(map(int, changed)) == 2
    assert bus.start_worker(wait_seconds=3600).terminate() == 0
    _verify(bus, 0)


@pytest.mark.usefixtures("server")
async def test_under_a_worker_at_work_nothing_differs_and_rebuilding_changes_no_verdict(bus: Bus) -> None:
    # With so little memory nearly every batch has to look in Redis.
    worker = bus.start_worker(cached_messages=5)

    async def interfere() -> None:
        for command in (VERIFY, REBUILD, VERIFY, REBUILD):
            done = await asyncio.to_thread(bus.pairl, *command)
            assert done.returncode == 0, done.stdout + done.stderr

    interfering = asyncio.create_task(interfere())
    length = 0
    while not interfering.done():
        length += 1
        (answer,) = chain(1, first=length)
        await bus.send(*(Sent(answer, name.encode()) for name in SESSIONS))
        await asyncio.sleep(PACE)
    await interfering
    # An id that is used twice: a node that was forgotten would be a conflict that is not noticed.
    await bus.send(*(Sent(message("m1", fact="another"), name.encode()) for name in SESSIONS))
    judged = await bus.judgements(bus.sent, seconds=120.0)
    right = ["SES"] * len(SESSIONS) + ["accepted"] * length * len(SESSIONS)
    assert sorted(outcomes(judged)) == right
    assert worker.log("view_lost")
    assert worker.terminate() == 0
    _verify(bus, 0)


def test_without_topics_or_servers_the_environment_is_at_fault(bare_bus: Bus, lonely_bus: Bus) -> None:
    for command in (VERIFY, REBUILD):
        done = bare_bus.pairl(*command)
        assert (done.returncode, done.stdout) == (3, "")
        assert "pairl bus topics" in done.stderr
        assert lonely_bus.pairl(*command).returncode == 3


async def test_a_record_that_is_no_change_is_passed_over(bus: Bus) -> None:
    async with AIOKafkaProducer(bootstrap_servers=bus.stack.bootstrap_servers) as producer:
        await producer.send_and_wait(bus.prefix + THREADS.name, b"?", key=b"\xff", partition=0)
    for command in (VERIFY, REBUILD, VERIFY):
        done = bus.pairl(*command)
        assert done.returncode == 0
        assert '"not_a_change"' in done.stderr
