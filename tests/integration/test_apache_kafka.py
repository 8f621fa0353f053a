"""The script that runs Apache Kafka for the other tests: what it prints, leaves running and leaves behind.

Knows the script's command line, its JSON line and its exit status. Where Java or Maven is missing the
tests skip with the script's own sentence, unless PAIRL_TESTS_REQUIRE_APACHE=1 makes that a failure.
"""

# ruff: noqa: ASYNC240 - a test blocks only itself

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from tests.integration.stacks import QUICK_JAVA

pytestmark = pytest.mark.integration

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "apache-kafka"
MISSING = 3
LARGE = b"x" * (2 * 1024 * 1024)


def _script(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | QUICK_JAVA | environment,
    )


def _skip_where_missing(status: int, sentence: str) -> None:
    if status == MISSING and os.environ.get("PAIRL_TESTS_REQUIRE_APACHE") != "1":
        pytest.skip(sentence.strip())


def _succeed(*arguments: str | Path) -> str:
    """Run the script and return what it printed."""
    done = _script(*arguments)
    _skip_where_missing(done.returncode, done.stderr)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _processes_of(directory: Path) -> set[int]:
    """Java processes that carry the marker of a broker in this directory."""
    marker = f"-Dpairl.broker={directory}/".encode()
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if any(word.startswith(marker) for word in path.read_bytes().split(b"\0")):
                found.add(int(path.parent.name))
    return found


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """A directory that does not exist yet, and no broker in it once the test has ended."""
    path = tmp_path / "kafka"
    yield path
    if (path / "state.json").exists():
        _script("stop", "--dir", path)
    assert _processes_of(path) == set()


async def _create_topic(bootstrap: str, topic: str, replication: int) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        answer = await admin.create_topics(
            [NewTopic(topic, num_partitions=2, replication_factor=replication)]
        )
        assert [error for _, error, *_ in answer.topic_errors] == [0]
    finally:
        await admin.close()


async def _send_in_transaction(bootstrap: str, topic: str, *values: bytes) -> None:
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap, transactional_id="letters", max_request_size=2 * len(LARGE)
    )
    async with producer, producer.transaction():
        for value in values:
            await producer.send(topic, value, partition=0)


async def _read(bootstrap: str, topic: str, count: int) -> list[bytes | None]:
    consumer = AIOKafkaConsumer(
        bootstrap_servers=bootstrap, auto_offset_reset="earliest", isolation_level="read_committed"
    )
    async with consumer:
        consumer.assign([TopicPartition(topic, 0)])
        return [(await consumer.getone()).value for _ in range(count)]


async def test_one_broker_serves_survives_a_kill_and_leaves_nothing(directory: Path) -> None:
    printed = _succeed("start", "--dir", directory)
    assert printed.count("\n") == 1
    cluster: dict[str, Any] = json.loads(printed)
    [broker] = cluster["brokers"]
    bootstrap = cluster["bootstrap"]
    assert bootstrap == f"127.0.0.1:{broker['port']}"
    assert cluster["dir"] == str(directory)
    assert _processes_of(directory) == {broker["pid"]}
    assert os.getsid(broker["pid"]) == broker["pid"]
    assert Path(broker["log"]).read_text()

    await _create_topic(bootstrap, "letters", replication=1)
    await _send_in_transaction(bootstrap, "letters", b"one", LARGE)
    assert await _read(bootstrap, "letters", 2) == [b"one", LARGE]

    _succeed("kill", "1", "--dir", directory)
    assert _processes_of(directory) == set()
    again = json.loads(_succeed("restart", "1", "--dir", directory))
    assert again["bootstrap"] == bootstrap
    assert again["brokers"][0]["pid"] != broker["pid"]
    await _send_in_transaction(bootstrap, "letters", b"two")
    assert await _read(bootstrap, "letters", 3) == [b"one", LARGE, b"two"]

    _succeed("stop", "--dir", directory)
    assert _processes_of(directory) == set()
    assert not directory.exists()


async def test_three_brokers_take_writes_while_one_is_dead(directory: Path) -> None:
    cluster = json.loads(_succeed("start", "--brokers", "3", "--dir", directory))
    assert [broker["node"] for broker in cluster["brokers"]] == [1, 2, 3]
    await _create_topic(cluster["bootstrap"], "letters", replication=3)
    await _send_in_transaction(cluster["bootstrap"], "letters", b"by three")

    _succeed("kill", "2", "--dir", directory)
    assert len(_processes_of(directory)) == 2
    await _send_in_transaction(cluster["bootstrap"], "letters", b"by two")
    again = json.loads(_succeed("restart", "2", "--dir", directory))
    assert [broker["port"] for broker in again["brokers"]] == [
        broker["port"] for broker in cluster["brokers"]
    ]

    # A power cut: no majority is left, so they can only become ready together.
    _succeed("kill", "1", "2", "3", "--dir", directory)
    _succeed("restart", "1", "2", "3", "--dir", directory)
    assert await _read(cluster["bootstrap"], "letters", 2) == [b"by three", b"by two"]
    _succeed("stop", "--dir", directory)
    assert not directory.exists()


async def test_what_was_kept_is_carried_on_and_other_files_are_left_alone(directory: Path) -> None:
    cluster = json.loads(_succeed("start", "--dir", directory))
    await _create_topic(cluster["bootstrap"], "letters", replication=1)
    await _send_in_transaction(cluster["bootstrap"], "letters", b"kept")
    twice = _script("start", "--dir", directory)
    assert (twice.returncode, twice.stdout) == (1, "")
    assert "is running. Stop it first" in twice.stderr
    _succeed("stop", "--keep", "--dir", directory)

    again = json.loads(_succeed("start", "--dir", directory))
    assert again["bootstrap"] == cluster["bootstrap"]
    assert await _read(again["bootstrap"], "letters", 1) == [b"kept"]
    (directory / "notes").write_text("not made by start")
    _succeed("stop", "--dir", directory)
    assert [path.name for path in directory.iterdir()] == ["notes"]


def test_run_stops_its_broker_when_it_is_terminated(directory: Path) -> None:
    with subprocess.Popen(
        [sys.executable, SCRIPT, "run", "--dir", directory],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        line = running.stdout.readline()
        if line:
            assert _processes_of(directory) == {json.loads(line)["brokers"][0]["pid"]}
            running.send_signal(signal.SIGTERM)
        errors = running.stderr.read()
    _skip_where_missing(running.returncode, errors)
    assert running.returncode == 0, errors
    assert _processes_of(directory) == set()
    assert not directory.exists()


def test_a_broker_that_cannot_start_is_explained_and_leaves_nothing(directory: Path) -> None:
    done = _script("start", "--heap", "much", "--dir", directory)
    _skip_where_missing(done.returncode, done.stderr)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Kafka broker 1 ended while it was starting. --heap takes what java -Xmx takes" in done.stderr
    assert "Invalid maximum heap size" in done.stderr
    assert not directory.exists()


def test_without_java_the_sentence_says_what_to_install(directory: Path) -> None:
    done = _script("start", "--dir", directory, PATH="", JAVA_HOME="")
    assert (done.returncode, done.stdout) == (MISSING, "")
    assert done.stderr == (
        "apache-kafka: Apache Kafka needs Java, but there is no java in PATH: on Debian, "
        "`apt-get install openjdk-17-jre-headless maven`\n"
    )
    assert not directory.exists()


def test_without_maven_the_sentence_says_what_to_install(directory: Path, tmp_path: Path) -> None:
    java = shutil.which("java")
    if java is None:
        pytest.skip("there is no java in PATH")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "java").symlink_to(java)
    done = _script(
        *("start", "--dir", directory),
        PATH=str(programs),
        JAVA_HOME="",
        KAFKA_HOME="",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert (done.returncode, done.stdout) == (MISSING, "")
    assert done.stderr.count("\n") == 1
    assert "there is no mvn in PATH and KAFKA_HOME is not set: on Debian, `apt-get install" in done.stderr


@pytest.mark.parametrize("command", [["stop"], ["kill", "1"], ["restart", "1"]])
def test_a_directory_without_kafka_is_an_error(command: list[str], tmp_path: Path) -> None:
    done = _script(*command, "--dir", tmp_path)
    _skip_where_missing(done.returncode, done.stderr)
    assert done.returncode == 1
    assert f"{tmp_path} holds no Kafka of this script" in done.stderr
