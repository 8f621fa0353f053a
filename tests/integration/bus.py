"""A bus on one of the stacks, as a test drives it: topics of its own, workers as processes, records.

Knows settings, the command line and the topics, and talks to Kafka with a client of its own rather than
with the adapters that it tests. Does not know what the right verdict on a record is.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from schemas.topics import AUDIT, INBOUND, REJECTED, VALIDATED, Topic
from tests.integration.stacks import ROOT, Stack
from tests.integration.trail import Judgement, match, verdict_count
from workers.adapters.kafka_admin import create_topics
from workers.settings import Settings, read_settings

CONTENT = "quokka_census"
"""A word that every message of `message` contains, and that must therefore never be in a log."""

PARTITIONS = 4

_READY = re.compile(r"event=ready worker=(\w+) partitions=([0-9,]*)\n")
_LARGEST_REQUEST = 16 * 1024 * 1024


class Sent(msgspec.Struct, frozen=True):
    """A record to be sent; without a partition the key decides."""

    value: bytes | None
    key: bytes | None = None
    headers: tuple[tuple[str, bytes], ...] = ()
    partition: int | None = None
    timestamp: int | None = None


def message(name: str, parent: str | None = None, fact: object = 42, more: str = "") -> bytes:
    """Return a valid message; `more` are further lines of its body."""
    answers = f"@p {parent}\n" if parent else ""
    return (
        f"@v 1\n@id {name}\n@ts 2026-05-04T10:00:00Z\n{answers}\n#fact {CONTENT}={fact} @rid=f1\n{more}"
    ).encode()


def chain(count: int, first: int = 1) -> list[bytes]:
    """Return messages of which each but `m1` answers the one before: `m<first>` and those after it."""
    return [
        message(f"m{number}", f"m{number - 1}" if number > 1 else None)
        for number in range(first, first + count)
    ]


class WorkerProcess:
    """A worker that runs in a process of its own, its output in files."""

    def __init__(self, name: str, environment: dict[str, str], directory: Path) -> None:
        """Start the worker `name`."""
        self.name = name
        self._output = directory / "stdout"
        self._log = directory / "stderr"
        self.started = time.monotonic()
        with self._output.open("wb") as output, self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "workers", "bus", "run", name],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=log,
            )

    def wait_ready(self, seconds: float = 60.0) -> list[int]:
        """Wait for the ready line, and return the partitions that it names."""
        deadline = time.monotonic() + seconds
        while True:
            found = _READY.search(self._output.read_text())
            if found:
                assert found[1] == self.name
                return [int(number) for number in found[2].split(",") if number]
            code = self.process.poll()
            assert code is None, f"{self.name} ended with {code} before it was ready:\n{self.log_text()}"
            assert time.monotonic() < deadline, f"{self.name} is not ready:\n{self.log_text()}"
            time.sleep(0.02)

    def kill(self) -> None:
        """End the worker as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        assert self.wait(5.0) == -signal.SIGKILL

    def terminate(self, seconds: float = 10.0) -> int:
        """Ask the worker to end, and return its exit code."""
        self.process.terminate()
        return self.wait(seconds)

    def wait(self, seconds: float) -> int:
        """Return the exit code of a worker that ends by itself within `seconds`."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} did not end in {seconds} s:\n{self.log_text()}") from None

    def log_text(self) -> str:
        """Return what the worker has logged so far."""
        return self._log.read_text()

    def log(self, event: str | None = None) -> list[dict[str, Any]]:
        """Return the log's lines, or those of one event; each must be a JSON object."""
        text = self.log_text()
        whole = text[: text.rfind("\n") + 1].splitlines()
        assert [line for line in whole if not line.startswith("{")] == []
        lines: list[dict[str, Any]] = [json.loads(line) for line in whole]
        return [line for line in lines if event is None or line["event"] == event]

    async def logged(self, event: str, seconds: float = 60.0) -> dict[str, Any]:
        """Wait until the worker has logged an event, and return its first line."""
        deadline = time.monotonic() + seconds
        while not (lines := self.log(event)):
            assert time.monotonic() < deadline, f"{event} was not logged:\n{self.log_text()}"
            await asyncio.sleep(0.05)
        return lines[0]

    def check_log(self) -> None:
        """Make sure that the log is well formed, keeps the secret, and tells of no fault in the code."""
        assert CONTENT not in self.log_text()
        assert self.log("internal_fault") == []


class Bus:
    """Topics of their own on a stack, and the workers that a test starts on them."""

    def __init__(self, stack: Stack, directory: Path, redis_url: str | None = None) -> None:
        """Name a bus that no other test uses; its topics do not exist yet."""
        self.stack = stack
        self._directory = directory
        self.redis_url = redis_url or stack.redis_url
        self.prefix = f"t{secrets.token_hex(4)}."
        self.sent = 0
        """How many inbound records there are. A test that has others than `send` send some adds them."""
        self._workers: list[WorkerProcess] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def environment(self, **changes: str | int) -> dict[str, str]:
        """Return the environment of a process that uses the bus; `mode="loose"` sets PAIRL_MODE."""
        settings: dict[str, str | int] = {
            "kafka_bootstrap_servers": self.stack.bootstrap_servers,
            "redis_url": self.redis_url,
            "topic_prefix": self.prefix,
            "group": self.prefix.rstrip("."),
            "partitions": PARTITIONS,
            "assignment": "static:1/1",
            "log_format": "json",
            "give_up_seconds": 30,
            "wait_seconds": 1,
            **changes,
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PAIRL_")}
        ours = {f"PAIRL_{name.upper()}": str(value) for name, value in settings.items()}
        return inherited | ours | {"PYTHONPATH": str(ROOT)}

    def settings(self, **changes: str | int) -> Settings:
        """Return the settings that a process in this environment reads."""
        return read_settings(self.environment(**changes))

    def create_topics(self) -> None:
        """Create all topics of the bus."""
        asyncio.run(create_topics(self.settings()))

    def pairl(
        self, *arguments: str | Path, seconds: float = 60.0, **changes: str | int
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end."""
        return subprocess.run(
            [sys.executable, "-m", "workers", *arguments],
            cwd=ROOT,
            env=self.environment(**changes),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )

    def launch(self, name: str = "validator", **changes: str | int) -> WorkerProcess:
        """Start a worker without waiting until it is ready."""
        directory = self._directory / f"{self.prefix}{name}-{len(self._workers)}"
        directory.mkdir()
        worker = WorkerProcess(name, self.environment(**changes), directory)
        self._workers.append(worker)
        return worker

    def start_worker(self, name: str = "validator", **changes: str | int) -> WorkerProcess:
        """Start a worker, and return it once it is ready."""
        worker = self.launch(name, **changes)
        worker.wait_ready()
        return worker

    def close(self) -> None:
        """End the workers that still run, and check the logs of all."""
        for worker in self._workers:
            worker.process.kill()
            worker.process.wait()
        for worker in self._workers:
            worker.check_log()

    async def send(self, *records: Sent, topic: Topic = INBOUND) -> list[tuple[int, int]]:
        """Send records to a topic in order; return the partition and offset of each."""
        producer = AIOKafkaProducer(
            bootstrap_servers=self.stack.bootstrap_servers, max_request_size=_LARGEST_REQUEST
        )
        async with producer:
            deliveries = [
                await producer.send(
                    self.prefix + topic.name,
                    record.value,
                    key=record.key,
                    partition=record.partition,
                    timestamp_ms=record.timestamp,
                    headers=list(record.headers),
                )
                for record in records
            ]
            places = [await delivery for delivery in deliveries]
        self.sent += len(records) if topic is INBOUND else 0
        return [(place.partition, place.offset) for place in places]

    async def read(self, *topics: Topic, until: int = 0, seconds: float = 60.0) -> list[Any]:
        """Return all committed records of `topics`, each topic's partitions one after the other.

        Waits until there are `until` of them, and then for the end of every partition, so that one too
        many is seen as well.
        """
        found = await self._collect(topics, topics, until, seconds)
        return [record for topic in topics for record in found[topic.name]]

    async def judgements(self, count: int, seconds: float = 60.0) -> list[Judgement]:
        """Wait for `count` verdicts, and return all there are, in the order of partition and offset.

        Every guarantee that can be seen on the topics is checked on the way: see `match`.
        """
        topics = (INBOUND, VALIDATED, REJECTED, AUDIT)
        found = await self._collect(topics, (VALIDATED, REJECTED), count, seconds)
        # A transaction's end is written to one partition after the other: the trail may come last.
        async with asyncio.timeout(seconds):
            while verdict_count(found[AUDIT.name]) < count:
                found = await self._collect(topics, (VALIDATED, REJECTED), count, seconds)
        judged = match(*(found[topic.name] for topic in topics))
        assert len(judged) == count
        return judged

    async def judge(self, *records: Sent, seconds: float = 60.0) -> list[Judgement]:
        """Send records, and return the judgement of each, in the order of sending."""
        places = await self.send(*records)
        judged = await self.judgements(self.sent, seconds)
        by_origin = {one.origin: one for one in judged}
        return [by_origin[place] for place in places]

    async def _collect(
        self, topics: Sequence[Topic], counted: Sequence[Topic], until: int, seconds: float
    ) -> dict[str, list[Any]]:
        """Return the records of each topic, once there are `until` of the `counted` topics."""
        found: dict[TopicPartition, list[Any]] = {
            TopicPartition(self.prefix + topic.name, number): []
            for topic in topics
            for number in range(PARTITIONS)
        }
        wanted = {self.prefix + topic.name for topic in counted}
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self.stack.bootstrap_servers,
            enable_auto_commit=False,
            isolation_level="read_committed",
            max_partition_fetch_bytes=_LARGEST_REQUEST,
        )
        deadline = time.monotonic() + seconds
        async with consumer:
            consumer.assign(list(found))
            await consumer.seek_to_beginning(*found)
            while True:
                for stream, records in (await consumer.getmany(timeout_ms=50)).items():
                    found[stream] += records
                count = sum(len(records) for stream, records in found.items() if stream.topic in wanted)
                if count >= until and await _has_reached_the_end(consumer, list(found)):
                    break
                assert time.monotonic() < deadline, f"{count} of {until} records after {seconds} s"
        by_topic: dict[str, list[Any]] = {topic.name: [] for topic in topics}
        for stream, records in found.items():
            by_topic[stream.topic.removeprefix(self.prefix)] += records
        return by_topic


async def _has_reached_the_end(consumer: AIOKafkaConsumer, streams: list[TopicPartition]) -> bool:
    ends = await consumer.end_offsets(streams)
    return all([await consumer.position(stream) >= end for stream, end in ends.items()])


def outcomes(judged: Sequence[Judgement]) -> list[str]:
    """Return `accepted`, or the codes of the rules broken, for each judgement."""
    return [one.outcome for one in judged]
