"""Server programs as child processes: started on a free port, watched until they answer, and ended.

Knows processes, ports and logs. Refuses to know which programs there are. Three things can go wrong with
child processes, and each has its answer here. The port may be taken between choosing and binding it:
another is tried. A foreign server may answer on that port: ready means that the child's own log says so
*and* that the port answers. And the parent may be killed without a chance to clean up: Linux then kills
the children (see ``DIE_WITH_PARENT``); the temporary directory stays behind.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from workers.embedded.programs import HOST, Program, find
from workers.faults import EmbeddedError

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
DIE_WITH_PARENT = """
import ctypes, os, sys
if sys.platform == "linux":
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the parent ended while this server was being started")
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True, slots=True)
class Child:
    """One server process that we started."""

    program: Program
    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def log_text(self) -> str:
        """What the child wrote, without the loader's warning about glibc that Noida always causes."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(line for line in lines if "weak version `GLIBC_" not in line)

    def logend(self) -> str:
        """The last lines of the log, indented, for an error message."""
        lines = self.log_text().splitlines()[-_LOG_LINES:]
        return "".join(f"\n    {line}" for line in lines) or "\n    (it logged nothing)"

    def is_ready(self) -> bool:
        """Whether the child's log says that it owns its port, and the port answers."""
        try:
            return self.program.ready_line in self.log_text() and self.program.answers(self.port)
        except OSError:
            return False


def start(program: Program, directory: Path) -> Child:
    """Start one server on a free port and return it once it is ready; raises EmbeddedError if it fails."""
    path = find(program)
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
        f"stack or choose another directory. The last log lines:{child.logend()}"
    )


def _await_ready(child: Child) -> str | None:
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
            end([child.process])
    if ready:
        return None
    return f"gave no answer in {_START_SECONDS:.0f} s" if status is None else f"ended {ending(status)}"


def _spawn(program: Program, path: Path, directory: Path) -> Child:
    """Start the process; its own session keeps a terminal's Ctrl-C from reaching it before us."""
    data, log = directory / program.name.lower(), directory / f"{program.name.lower()}.log"
    port = free_port()
    guard = [sys.executable, "-I", "-S", "-c", DIE_WITH_PARENT, str(os.getpid())]
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
    return Child(program, process, port, log)


def end(processes: list[subprocess.Popen[bytes]]) -> None:
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


def ending(status: int) -> str:
    """In words, how a process ended that has this return code."""
    return f"by signal {-status}" if status < 0 else f"with exit status {status}"


def free_port() -> int:
    """A port nobody listens on at this moment; the caller copes if that changes."""
    for port in random.sample(_PORTS, len(_PORTS)):
        with socket.socket() as candidate, contextlib.suppress(OSError):
            candidate.bind((HOST, port))
            return port
    raise EmbeddedError(
        f"All ports from {_PORTS.start} to {_PORTS.stop - 1} are in use on {HOST}. Usually servers of "
        "earlier runs were left running; `ss -ltnp` lists them. End those that are not needed."
    )
