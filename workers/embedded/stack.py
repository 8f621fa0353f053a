"""A Kafka-protocol broker and a Redis server that live and end together.

Knows which two servers make a stack and where their data goes. Refuses to know topics, settings and
clients: whoever wants to talk to the servers is given two addresses. Nothing here is asynchronous and
nothing is kept between instances.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from workers.embedded.processes import Child, end, ending, start
from workers.embedded.programs import HOST, NOIDA, VALKEY
from workers.faults import EmbeddedError


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
        self._kafka: Child | None = None
        self._redis: Child | None = None

    @property
    def bootstrap_servers(self) -> str:
        """The broker as ``127.0.0.1:port``. Raises RuntimeError unless started."""
        return f"{HOST}:{_started(self._kafka).port}"

    @property
    def redis_url(self) -> str:
        """The Redis server as ``redis://127.0.0.1:port/0``. Raises RuntimeError unless started."""
        return f"redis://{HOST}:{_started(self._redis).port}/0"

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
            self._kafka = start(NOIDA, self._place())
            self._redis = start(VALKEY, self._place())
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
            end([child.process for child in children])
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
                return f"{child.program.name} ended {ending(status)}; its last log lines:{child.logend()}"
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


def _started(child: Child | None) -> Child:
    if child is None:
        raise RuntimeError("this stack is not started; use it in a with statement or call start")
    return child
