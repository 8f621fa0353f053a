"""References on the bus: to other sessions, wherever they are, and to records; what is missing is named.

Knows what can be referred to. Other sessions are looked up in Redis, for advice: a message is accepted
whether what it mentions is there or not.
"""

from __future__ import annotations

import asyncio
import secrets

import pytest
import redis

from schemas.changelog import named
from tests.integration.bus import PARTITIONS, Bus, Sent, message
from tests.integration.trail import Judgement
from workers.adapters.kafka_partitioner import owner_partition

pytestmark = pytest.mark.integration

BROKEN = "#fact twice=1 @rid=f1\n"


def _session(partition: int | None = None) -> str:
    """Return a session that no other test uses, of a certain partition if one is given."""
    while True:
        name = f"session-{secrets.token_hex(4)}"
        if partition in (None, owner_partition(name, PARTITIONS)):
            return name


def _warnings(judged: Judgement) -> list[tuple[str, str]]:
    """Return code and text of what an accepted message was told."""
    assert judged.outcome == "accepted"
    return [(found.code, found.message) for found in judged.verdict.diagnostics]


async def _until_known(bus: Bus, session: str, name: str) -> None:
    """Wait until Redis knows a message: it is told of them after their verdicts can be read."""
    worker = f"{bus.prefix}{bus.settings().group}/validator"
    key = f"{{{worker}/{owner_partition(session, PARTITIONS)}}}:session:{session}"
    with redis.Redis.from_url(bus.redis_url) as client:
        async with asyncio.timeout(10.0):
            while not client.hexists(key, named(name)):  # noqa: ASYNC110  # Redis tells nobody
                await asyncio.sleep(0.02)


def _claiming(*references: str) -> str:
    """Return lines of a body that refer to something."""
    return "".join(f"#evid claim=f1 src={reference} conf=0.5\n" for reference in references)


@pytest.mark.parametrize("distance", [0, 1], ids=["in the same partition", "in another partition"])
async def test_a_message_of_another_session_is_found(running_bus: Bus, distance: int) -> None:
    there, here = _session(1), _session(1 + distance)
    await running_bus.judge(
        Sent(message("m7"), there.encode()), Sent(message("m8", more=BROKEN), there.encode())
    )
    await _until_known(running_bus, there, "m8")
    nowhere = _session()
    known, refused, unknown, no_session = (
        f"ref:msg:{there}:m7",
        f"ref:msg:{there}:m8",
        f"ref:msg:{there}:m9",
        f"ref:msg:{nowhere}:m7",
    )
    (judged,) = await running_bus.judge(
        Sent(message("m1", more=_claiming(known, refused, unknown, no_session)), here.encode())
    )
    assert _warnings(judged) == [
        ("V4/other-session", f"no message `m8` is known in session `{there}`"),
        ("V4/other-session", f"no message `m9` is known in session `{there}`"),
        ("V4/other-session", f"no message `m7` is known in session `{nowhere}`"),
    ]


async def test_a_dependency_on_another_session_is_not_waited_for(running_bus: Bus) -> None:
    nowhere = _session()
    value = message("m1").replace(b"@ts", f"@deps ref:msg:{nowhere}:m7\n@ts".encode())
    (judged,) = await running_bus.judge(Sent(value, _session().encode()))
    assert not judged.has_waited
    assert _warnings(judged) == [("V4/other-session", f"no message `m7` is known in session `{nowhere}`")]


async def test_a_record_or_message_that_is_not_there_is_named(running_bus: Bus) -> None:
    session = _session().encode()
    claims = _claiming("@m1#f1", "@m1#f2", "@m2#f9", "@m3#f1", "@m9")
    _, _, judged = await running_bus.judge(
        Sent(message("m1"), session),
        Sent(message("m3", more=BROKEN), session),
        Sent(message("m2", "m1", more=claims), session),
    )
    assert _warnings(judged) == [
        ("V4/unknown-record", "`m1` has no record `f2`"),
        ("V4/unknown-record", "`m2` has no record `f9`"),
        ("V4/unknown-message", "`m3` was rejected"),
        ("V4/unknown-message", "`m9` is not known in this session"),
    ]


async def test_what_a_message_mentions_may_come_while_it_waits(bus: Bus) -> None:
    bus.start_worker(wait_seconds=120)
    session = b"s"
    await bus.send(
        Sent(message("m2", "m1", more=_claiming("@m3#f1")), session),
        Sent(message("m3"), session),
        Sent(message("m1"), session),
    )
    first, *_ = await bus.judgements(3)
    assert _warnings(first) == []
