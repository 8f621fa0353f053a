"""Sessions in which nothing happens any more: they are forgotten, in Redis and in the changelog.

Knows what a session leaves behind, and that what waits, or goes on, is not forgotten. When a session was
last changed is told by the entries themselves, so that restarts do not keep it alive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
import redis

from schemas.changelog import Change, read_change
from schemas.topics import THREADS
from tests.integration.blocks import park
from tests.integration.bus import PARTITIONS, Bus, Sent, chain, message, outcomes
from workers.adapters.kafka_partitioner import owner_partition

pytestmark = pytest.mark.integration

BROKEN = "#fact twice=1 @rid=f1\n"


async def _entries(bus: Bus) -> dict[str, dict[str, Change]]:
    """Return what the changelog would be compacted to: the last change of each entry, by session."""
    kept: dict[str, dict[str, Change]] = {}
    for record in await bus.read(THREADS):
        change = read_change(record.key, record.value)
        kept.setdefault(change.session, {})[change.entry] = change
    return kept


def _is_gone(entries: Iterable[Change]) -> bool:
    return all(change.value is None for change in entries)


async def _until_gone(bus: Bus, *sessions: str, seconds: float = 20.0) -> None:
    """Wait until nothing of some sessions is left in the changelog, and then in Redis."""
    async with asyncio.timeout(seconds):
        while True:
            entries = await _entries(bus)
            if all(_is_gone(entries[session].values()) for session in sessions):
                break
        while any(_in_redis(bus, session) for session in sessions):  # noqa: ASYNC110  # Redis tells nobody
            await asyncio.sleep(0.02)


def _in_redis(bus: Bus, session: str) -> list[str]:
    """Return where Redis, as far as it is this bus's, has something of a session."""
    found: list[str] = []
    with redis.Redis.from_url(bus.redis_url, decode_responses=True) as client:
        for key in client.scan_iter(match=f"{{{bus.prefix}*"):
            if key.endswith((":due", ":idle")):
                members = client.zrange(key, 0, -1)
                found += [f"{key} {member}" for member in members if session == member.rpartition("\0")[2]]
            elif key.endswith(f":session:{session}"):
                found.append(key)
    return found


async def test_an_idle_session_is_forgotten_and_begins_afresh(bus: Bus) -> None:
    bus.start_worker(session_idle_seconds=2, wait_seconds=0)
    await bus.judge(
        *(Sent(value, b"quiet") for value in chain(3)),
        Sent(message("m4", more=BROKEN), b"quiet"),
        Sent(message("m1"), b"busy"),
    )
    assert _in_redis(bus, "quiet")
    number = 1
    for _ in range(4):
        await asyncio.sleep(0.8)
        number += 1
        await bus.judge(Sent(message(f"m{number}", f"m{number - 1}"), b"busy"))
    await _until_gone(bus, "quiet")
    entries = await _entries(bus)
    assert entries["quiet"].keys() == {"m1", "m2", "m3", "m4"}
    assert not any(change.value is None for change in entries["busy"].values())

    afresh = await bus.judge(
        Sent(message("m5", "m3"), b"quiet"),
        Sent(message("m1", fact="another"), b"quiet"),
        Sent(message("m4", "m1"), b"quiet"),
        Sent(message(f"m{number + 1}", f"m{number}"), b"busy"),
        Sent(message("m1", fact="another"), b"busy"),
    )
    assert outcomes(afresh) == ["V4", "accepted", "accepted", "accepted", "SES"]
    assert afresh[0].findings == ["V4/unresolved-parent"]
    await _until_gone(bus, "quiet", "busy")


async def test_a_session_is_not_forgotten_while_something_waits(bus: Bus) -> None:
    worker = bus.start_worker(wait_seconds=120)
    await bus.judge(Sent(message("m1"), b"s"))
    await park(bus, Sent(message("m3", "m2"), b"s"))
    worker.kill()
    # What waits does so until it was to be judged, whatever the settings have become.
    worker = bus.start_worker(session_idle_seconds=1, wait_seconds=0)
    batches = len(worker.log("batch"))
    await asyncio.sleep(2.5)
    entries = await _entries(bus)
    assert [name for name, change in entries["s"].items() if change.value] == ["m1", "m3/1"]
    # To be idle is no reason to look at it again and again.
    assert len(worker.log("batch")) - batches <= 10
    await bus.send(Sent(message("m2", "m1"), b"s"))
    assert outcomes(await bus.judgements(3)) == ["accepted"] * 3
    await _until_gone(bus, "s")


async def test_sessions_that_were_idle_while_no_worker_ran_are_forgotten_when_one_does(bus: Bus) -> None:
    worker = bus.start_worker(session_idle_seconds=600)
    # More of one partition than are looked at in one turn.
    names = (f"session-{number}" for number in range(1_000))
    sessions = [name for name in names if owner_partition(name, PARTITIONS) == 0][:120]
    await bus.judge(*(Sent(message("m1"), session.encode()) for session in sessions))
    assert worker.terminate() == 0
    await asyncio.sleep(1.0)
    worker = bus.start_worker(session_idle_seconds=1, wait_seconds=0)
    await _until_gone(bus, *sessions)
    assert worker.terminate() == 0
    # What is forgotten stays so, for whoever builds Redis anew from the changelog.
    with redis.Redis.from_url(bus.redis_url) as client:
        for key in client.scan_iter(match=f"{{{bus.prefix}*"):
            client.delete(key)
    bus.start_worker(session_idle_seconds=600)
    judged = await bus.judge(*(Sent(message("m1", fact="new"), session.encode()) for session in sessions))
    assert outcomes(judged) == ["accepted"] * 120
