"""Records in partitions to which their session does not belong: they are judged where it does.

Knows how records get into the wrong partition. That each is passed on once, with all its bytes and its
timestamp, and judged once at home, is checked for all of them by `Bus.judgements`.
"""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from schemas.topics import VALIDATED
from tests.integration.bus import PARTITIONS, Bus, Sent, chain, message, outcomes
from tests.integration.stacks import apache_only
from workers.adapters.kafka_partitioner import owner_partition

pytestmark = pytest.mark.integration

MEBIBYTE = 1024 * 1024


def _session() -> str:
    """Return a session that no other test uses."""
    return f"session-{secrets.token_hex(4)}"


def _home(session: str) -> int:
    return owner_partition(session, PARTITIONS)


def _scattered(session: str, count: int) -> list[Sent]:
    """Return a chain of messages, of which each next one goes to the next partition."""
    return [
        Sent(value, session.encode(), partition=number % PARTITIONS)
        for number, value in enumerate(chain(count))
    ]


async def test_a_chain_over_all_partitions_is_judged_in_one(patient_bus: Bus) -> None:
    session = _session()
    judged = await patient_bus.judge(*_scattered(session, 12))
    assert outcomes(judged) == ["accepted"] * 12
    assert {one.inbound.partition for one in judged} == {_home(session)}
    assert [one.origin[0] for one in judged] == [*range(PARTITIONS)] * 3
    for one in judged:
        topic = one.inbound.topic
        is_astray = one.origin[0] != _home(session)
        source = "{}/{}/{}".format(topic, *one.origin).encode()
        assert dict(one.inbound.headers) == ({"pairl-rerouted": source} if is_astray else {})


async def test_a_record_is_passed_on_as_it_is(patient_bus: Bus) -> None:
    session = _session()
    headers = (("twice", b"1"), ("pairl-rerouted", b"by somebody else"), ("twice", b"2"))
    sent = Sent(
        message("m1", fact="ö"),
        session.encode(),
        headers,
        partition=(_home(session) + 1) % PARTITIONS,
        timestamp=1_600_000_000_123,
    )
    (judged,) = await patient_bus.judge(sent)
    assert judged.outcome == "accepted"
    for record in (judged.inbound, judged.output):
        assert (record.key, record.value, record.timestamp) == (sent.key, sent.value, sent.timestamp)
        assert record.headers[:3] == headers
        assert record.partition == _home(session)
    assert judged.inbound.headers[3][0] == "pairl-rerouted"


@pytest.mark.parametrize("declared", ["@sid", "header"])
async def test_home_is_where_the_session_is_not_where_the_key_leads(patient_bus: Bus, declared: str) -> None:
    session = _session()
    key = next(name for name in iter(_session, "") if _home(name) != _home(session))
    if declared == "@sid":
        value = message("m1").replace(b"@ts", f"@sid {session}\n@ts".encode())
        record = Sent(value, key.encode())
    else:
        wrong = (_home(session) + 1) % PARTITIONS
        record = Sent(message("m1"), None, (("pairl-session", session.encode()),), partition=wrong)
    (judged,) = await patient_bus.judge(record)
    assert (judged.outcome, judged.verdict.session) == ("accepted", session)
    assert judged.inbound.partition == _home(session) != judged.origin[0]


async def test_what_has_no_session_is_judged_where_it_is(patient_bus: Bus) -> None:
    records = [Sent(message(f"m{number}"), None, partition=number) for number in range(PARTITIONS)]
    judged = await patient_bus.judge(*records)
    assert outcomes(judged) == ["accepted"] * PARTITIONS
    assert [one.inbound.partition for one in judged] == [*range(PARTITIONS)]
    assert all(one.origin[0] == one.inbound.partition for one in judged)


async def test_what_cannot_be_read_is_passed_on_by_its_key(patient_bus: Bus) -> None:
    session = _session()
    wrong = (_home(session) + 1) % PARTITIONS
    judged = await patient_bus.judge(
        Sent(b"\xff\xfe", session.encode(), partition=wrong), Sent(None, session.encode(), partition=wrong)
    )
    assert {one.inbound.partition for one in judged} == {_home(session)}
    assert judged[1].output.value is None


@apache_only("the embedded broker serves one worker of a kind")
async def test_records_are_passed_on_from_worker_to_worker(bus: Bus) -> None:
    workers = [bus.launch(assignment=f"static:{share}/2", wait_seconds=120) for share in (1, 2)]
    for worker in workers:
        worker.wait_ready()
    sessions = [_session() for _ in range(6)]
    threads = [_scattered(session, 16) for session in sessions]
    records = [record for abreast in zip(*threads, strict=True) for record in abreast]
    judged = await bus.judge(*records)
    assert outcomes(judged) == ["accepted"] * len(records)
    for worker in workers:
        assert sum(line["rerouted"] for line in worker.log("batch")) > 0
        assert sum(line["accepted"] for line in worker.log("batch")) > 0


@apache_only(
    "once a transaction was cut off, the embedded broker has consumers that read on take later ones of its "
    "producer for aborted"
)
async def test_none_is_lost_or_doubled_when_the_worker_that_passes_them_on_is_killed(bus: Bus) -> None:
    settings: dict[str, Any] = {"wait_seconds": 120, "batch_records": 8}
    sessions = [_session() for _ in range(4)]
    count = 60
    worker = bus.start_worker(**settings)
    for seen in (10, 80, 150):
        part = [
            record
            for session in sessions
            for record in _scattered(session, count)[bus.sent // 4 : bus.sent // 4 + 20]
        ]
        await bus.send(*part)
        await bus.read(VALIDATED, until=seen)
        worker.kill()
        worker = bus.start_worker(**settings)
    judged = await bus.judgements(4 * count, seconds=60.0)
    assert outcomes(judged) == ["accepted"] * 4 * count


async def test_a_record_too_large_to_be_passed_on_is_refused_where_it_is(patient_bus: Bus) -> None:
    session = _session()
    wrong = (_home(session) + 1) % PARTITIONS
    frame = len(message("m1", fact=""))
    passed_on, refused = await patient_bus.judge(
        *(
            Sent(message("m1", fact="9" * (8 * MEBIBYTE - spare - frame)), session.encode(), partition=wrong)
            for spare in (100 * 1024, 1024)
        )
    )
    assert passed_on.inbound.partition == _home(session)
    assert passed_on.outcome == "SYN"
    assert refused.inbound.partition == wrong
    assert refused.outcome == "SES,SYN"
    assert refused.findings[0] == "SES/wrong-partition"
    words = refused.verdict.diagnostics[0].message
    assert f"in partition {wrong}" in words
    assert f"is {_home(session)}" in words
