"""Faults outside the messages: the worker waits, says what is missing, and never blames a message.

Knows how Kafka, Redis and the settings can be wrong, and what the exit codes mean. What a restarted or
second worker does is in `test_assignment.py`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic

from schemas.topics import AUDIT, INBOUND, VALIDATED
from tests.integration.bus import PARTITIONS, Bus, Sent, chain, message, outcomes
from tests.integration.stacks import NO_REDIS, ApacheStack, Stack, apache_only
from workers.exit_codes import ExitCode

pytestmark = pytest.mark.integration


def _thread(first: int, count: int) -> list[Sent]:
    """Return a part of a thread in which every message answers the one before."""
    return [Sent(value, b"thread") for value in chain(count, first)]


@pytest.mark.parametrize("worker", ["encoder", "validator", "renderer"])
def test_a_worker_gives_up_on_a_kafka_that_is_not_there(lonely_bus: Bus, worker: str) -> None:
    process = lonely_bus.launch(worker, give_up_seconds=3)
    assert process.wait(15.0) == ExitCode.UNREACHABLE
    assert len(process.log("unreachable")) >= 2
    (gave_up,) = process.log("gave_up")
    assert "check that it runs and that PAIRL_KAFKA_BOOTSTRAP_SERVERS names it" in gave_up["reason"]
    assert gave_up["after_seconds"] == 3


@pytest.mark.parametrize(
    "arguments", [["topics"], ["send", "workers/sample/incident.pairl"], ["tail", "validated"]]
)
def test_a_command_says_that_kafka_is_not_there(lonely_bus: Bus, arguments: list[str]) -> None:
    done = lonely_bus.pairl("bus", *arguments, give_up_seconds=3)
    assert done.returncode == ExitCode.UNREACHABLE
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("pairl: Kafka cannot answer")
    assert "PAIRL_KAFKA_BOOTSTRAP_SERVERS" in line


def test_a_worker_gives_up_on_a_redis_that_is_not_there(bus: Bus) -> None:
    process = bus.launch(redis_url=NO_REDIS, give_up_seconds=3)
    assert process.wait(15.0) == ExitCode.UNREACHABLE
    assert len(process.log("unreachable")) >= 2
    (gave_up,) = process.log("gave_up")
    assert "Redis does not answer" in gave_up["reason"]
    assert "PAIRL_REDIS_URL" in gave_up["reason"]


async def test_a_worker_waits_for_a_redis_that_starts_late(bus: Bus, stack: Stack, tmp_path: Path) -> None:
    server = stack.redis_server(tmp_path / "redis")
    worker = bus.launch(redis_url=server.url)
    await worker.logged("unreachable")
    with server:
        worker.wait_ready()
        assert outcomes(await bus.judge(*_thread(1, 3))) == ["accepted"] * 3


async def test_the_renderer_does_not_need_redis(bus: Bus) -> None:
    bus.start_worker("renderer", redis_url=NO_REDIS)


async def test_redis_going_away_and_coming_back_empty_changes_no_verdict(
    bus: Bus, stack: Stack, tmp_path: Path
) -> None:
    with stack.redis_server(tmp_path / "redis") as server:
        worker = bus.start_worker(redis_url=server.url)
        await bus.judge(*_thread(1, 20))
        server.stop()
        await bus.send(*_thread(21, 20))
        await worker.logged("unreachable")
        await asyncio.sleep(1.0)
        server.start()
        await bus.send(*_thread(41, 20))
        judged = await bus.judgements(60)
    assert outcomes(judged) == ["accepted"] * 60
    assert [one.entry.id for one in judged] == [f"m{number}" for number in range(1, 61)]
    # What was under way when Redis went is judged from memory, and is in the changelog as well.
    assert max(line["entries"] for line in worker.log("restored")) >= 20


async def test_a_worker_gives_up_when_redis_stays_away(bus: Bus, stack: Stack, tmp_path: Path) -> None:
    with stack.redis_server(tmp_path / "redis") as server:
        worker = bus.start_worker(redis_url=server.url, give_up_seconds=2)
        await bus.judge(*_thread(1, 3))
        server.stop()
        await bus.send(*_thread(4, 3))
        assert worker.wait(20.0) == ExitCode.UNREACHABLE
    bus.start_worker()
    assert outcomes(await bus.judgements(6)) == ["accepted"] * 6


async def test_a_worker_gives_up_when_redis_takes_no_more(bus: Bus, stack: Stack, tmp_path: Path) -> None:
    with stack.redis_server(tmp_path / "redis") as server:
        worker = bus.start_worker(redis_url=server.url, give_up_seconds=2)
        await bus.judge(*_thread(1, 3))
        with server.client() as client:
            client.config_set("maxmemory", "1mb")
        await bus.send(*_thread(4, 3))
        assert worker.wait(20.0) == ExitCode.UNREACHABLE
    assert "check its version, memory and rights" in worker.log("gave_up")[0]["reason"]
    bus.start_worker()
    assert outcomes(await bus.judgements(6)) == ["accepted"] * 6


def test_a_redis_that_forgets_is_refused(bus: Bus, stack: Stack, tmp_path: Path) -> None:
    with stack.redis_server(tmp_path / "redis", "--maxmemory-policy", "allkeys-lru") as server:
        worker = bus.launch(redis_url=server.url, give_up_seconds=2)
        assert worker.wait(15.0) == ExitCode.UNREACHABLE
    assert "set maxmemory-policy to noeviction" in worker.log("gave_up")[0]["reason"]


def test_a_redis_login_that_is_refused_is_explained(bus: Bus, stack: Stack, tmp_path: Path) -> None:
    with stack.redis_server(tmp_path / "redis") as server:
        url = f"redis://somebody:open-sesame@127.0.0.1:{server.port}/0"
        worker = bus.launch(redis_url=url, give_up_seconds=2)
        assert worker.wait(15.0) == ExitCode.UNREACHABLE
    assert "check user and password in PAIRL_REDIS_URL" in worker.log("gave_up")[0]["reason"]
    assert "open-sesame" not in worker.log_text()


@pytest.mark.parametrize(
    ("worker", "topic"), [("encoder", "inbound"), ("validator", "validated"), ("renderer", "validated")]
)
def test_missing_topics_are_named_with_the_way_out(bare_bus: Bus, worker: str, topic: str) -> None:
    process = bare_bus.launch(worker, give_up_seconds=2)
    assert process.wait(15.0) == ExitCode.UNREACHABLE
    reason = process.log("gave_up")[0]["reason"]
    assert f"{bare_bus.prefix}{topic}" in reason
    assert "`pairl bus topics`" in reason


async def test_an_output_topic_that_takes_too_little_is_named_and_not_tried_for_ever(bare_bus: Bus) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bare_bus.stack.bootstrap_servers)
    await admin.start()
    try:
        narrow = {"max.message.bytes": "600"}
        await admin.create_topics(
            [NewTopic(f"{bare_bus.prefix}{VALIDATED.name}", PARTITIONS, 1, topic_configs=narrow)]
        )
    finally:
        await admin.close()
    assert bare_bus.pairl("bus", "topics").returncode == ExitCode.OK
    worker = bare_bus.start_worker(give_up_seconds=3)
    await bare_bus.send(*_thread(1, 3))
    assert worker.wait(20.0) == ExitCode.UNREACHABLE
    assert "a topic's max.message.bytes is smaller" in worker.log("gave_up")[0]["reason"]
    assert len(worker.log("unreachable")) < 10


def test_topics_are_created_once_and_then_listed(bare_bus: Bus) -> None:
    first, second = bare_bus.pairl("bus", "topics"), bare_bus.pairl("bus", "topics", partitions=7)
    assert (first.returncode, second.returncode) == (ExitCode.OK, ExitCode.OK)
    judged = ("inbound", "validated", "rejected", "rendered", "audit", "threads", "legends")
    names = ("transcripts", *judged, "encodings")
    assert first.stdout == "".join(f"created  {bare_bus.prefix}{name}  4 partitions\n" for name in names)
    assert second.stdout == first.stdout.replace("created ", "exists  ")


@apache_only("the embedded broker does not add partitions to a topic")
async def test_topics_that_differ_in_their_partitions_are_named(bus: Bus) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bus.stack.bootstrap_servers)
    await admin.start()
    try:
        await admin.create_partitions({f"{bus.prefix}{INBOUND.name}": NewPartitions(6)})
    finally:
        await admin.close()
    process = bus.launch(give_up_seconds=2)
    assert process.wait(15.0) == ExitCode.UNREACHABLE
    reason = process.log("gave_up")[0]["reason"]
    assert f"{bus.prefix}inbound has 6" in reason
    assert f"{bus.prefix}validated has 4" in reason


def test_all_wrong_settings_are_reported_at_once(lonely_bus: Bus) -> None:
    done = lonely_bus.pairl(
        *("bus", "run", "validator"),
        mode="lax",
        assignment="static:3/2",
        partitions=0,
        redis_url="http://user:open-sesame@redis",
        topic_prefixx="typing error",
    )
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    head, *problems = done.stderr.splitlines()
    assert head == "pairl: 5 settings are wrong"
    assert sorted(problem.split(":")[0].strip() for problem in problems) == [
        "PAIRL_ASSIGNMENT",
        "PAIRL_MODE",
        "PAIRL_PARTITIONS",
        "PAIRL_REDIS_URL",
        "PAIRL_TOPIC_PREFIXX",
    ]
    assert "did you mean PAIRL_TOPIC_PREFIX?" in done.stderr
    assert "open-sesame" not in done.stderr


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("redis_url", "redis://127.0.0.1:port/0"),
        ("redis_url", "redis://127.0.0.1:6379/zero"),
        ("kafka_bootstrap_servers", "127.0.0.1:port"),
        ("kafka_bootstrap_servers", ","),
        ("kafka_bootstrap_servers", "[::1"),
    ],
)
def test_an_address_that_is_none_is_a_wrong_setting(lonely_bus: Bus, setting: str, value: str) -> None:
    environment: dict[str, Any] = {setting: value}
    done = lonely_bus.pairl("bus", "run", "validator", **environment)
    assert done.returncode == ExitCode.USAGE, done.stderr
    assert f"PAIRL_{setting.upper()}" in done.stderr


async def test_a_worker_that_is_asked_to_end_leaves_nothing_undone_or_done_twice(bus: Bus) -> None:
    worker = bus.start_worker(batch_records=20)
    for first in (1, 301):
        await bus.send(*_thread(first, 300))
        await bus.read(AUDIT, until=1)
        assert worker.terminate(5.0) == ExitCode.OK
        # An open transaction would have to be waited for until it times out, which is a minute.
        worker = bus.start_worker(batch_records=20)
    assert outcomes(await bus.judgements(600)) == ["accepted"] * 600


async def test_a_worker_ends_while_it_waits_for_kafka(lonely_bus: Bus) -> None:
    worker = lonely_bus.launch(give_up_seconds=600)
    await worker.logged("unreachable")
    assert worker.terminate(5.0) == ExitCode.OK


@apache_only("the embedded broker keeps its data in memory and loses them when it is killed")
async def test_kafka_going_away_and_coming_back_changes_no_verdict(bus: Bus, stack: ApacheStack) -> None:
    worker = bus.start_worker(give_up_seconds=300, batch_records=5)
    await bus.send(*_thread(1, 500))
    await bus.read(VALIDATED, until=50)
    with stack.broker_outage():
        before = worker.log("batch")[-1]["last_offset"]
    await bus.send(*_thread(501, 20))
    # Kafka may have to wait for the transaction that it was killed in, and that alone takes a minute.
    judged = await bus.judgements(520, seconds=300.0)
    assert before < 499, "the broker was killed too late to disturb anything"
    assert outcomes(judged) == ["accepted"] * 520
    assert worker.process.poll() is None


async def test_the_content_of_messages_is_never_logged(bus: Bus) -> None:
    worker = bus.start_worker(batch_records=2)
    said = "the pass phrase is open-sesame"
    await bus.judge(
        Sent(message("m1", fact=f'"{said}"'), said.encode(), (("note", said.encode()),)),
        Sent(message("m2", f"nobody-{said.split()[-1]}"), said.encode()),
        Sent(f"{said}\n".encode(), said.encode()),
        Sent(message(said.split()[-1]), b"s"),
    )
    assert worker.terminate() == ExitCode.OK
    assert "open-sesame" not in worker.log_text()
    assert {line["event"] for line in worker.log()} >= {"ready", "batch", "stopped"}
