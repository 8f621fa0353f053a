"""A progress bar for work of many steps.

This module knows when a bar is wanted: on a terminal, and when the work takes long enough for somebody to
wonder. It does not know the work.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from workers.cli.console import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE_SECONDS = 1.0


class Bar:
    """Counts steps on standard error; it shows itself only if it is needed, and leaves nothing behind."""

    def __init__(self, total: int, doing: str = "checking", what: str = "files") -> None:
        """Expect `total` steps: `what` is counted while somebody is `doing` it."""
        self._total = total
        self._doing = doing
        self._what = what
        self._done = 0
        self._begun = time.monotonic()
        self._progress: Progress | None = None
        self._wanted = is_terminal(sys.stderr)

    def __enter__(self) -> Bar:
        """Begin to count."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()

    def step(self, steps: int = 1, more: int = 0) -> None:
        """Take note that steps are done, and that `more` are to be expected than was known."""
        self._done += steps
        self._total += more
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], completed=self._done, total=self._total)
        elif self._wanted and time.monotonic() - self._begun > _PATIENCE_SECONDS:
            self._progress = _drawn(self._doing, self._what)
            self._progress.add_task(self._doing, total=self._total, completed=self._done)
            self._progress.start()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while something else is written to the terminal."""
        if self._progress is None:
            yield
            return
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()


def _drawn(doing: str, what: str) -> Progress:
    # Slow to load, and seldom wanted.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(what),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
