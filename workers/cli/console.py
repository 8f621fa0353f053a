"""Writing to a terminal, a file or a pipe.

This module knows when colours are wanted, and what to do when what we write to is closed, is full, or
has lost its reader. It does not know what is written.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn, TextIO

import typer

from workers.exit_codes import ExitCode

_CANNOT_BE_WRITTEN = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT, errno.EFBIG})


@contextlib.contextmanager
def streams_that_may_fail() -> Iterator[None]:
    """Exit with one line, not a traceback, where what others write to our streams cannot be written.

    Help and mistakes in the arguments are written by the library that reads the arguments. A standard
    error that is closed leads nowhere: what would be said there must not change how a command ends.
    """
    errors: TextIO | None = sys.stderr
    if errors is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
    try:
        yield
    except OSError as fault:
        if fault.errno not in _CANNOT_BE_WRITTEN:
            raise
        output: TextIO | None = sys.stdout
        if output is not None:
            _discard(output)
        _tell_why(fault.strerror or str(fault))
        sys.exit(ExitCode.USAGE)


def colored(stream: TextIO | None) -> bool:
    """Say whether to use colours on `stream`: only on a terminal, and not where NO_COLOR is set."""
    return is_terminal(stream) and "NO_COLOR" not in os.environ


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether `stream` is open, and a terminal."""
    return stream is not None and stream.isatty()


def paint(style: str, text: str, stream: TextIO | None = None) -> str:
    """Return `text` in an ANSI style (`32` is green) where `stream`, or standard output, has colours."""
    return f"\x1b[{style}m{text}\x1b[0m" if colored(stream or sys.stdout) else text


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with what it counts: `1 entry`, `2 entries`; without `many` an `s` is added."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def write(text: str = "", end: str = "\n") -> None:
    """Write to standard output at once, whatever encoding it has.

    Raises:
        typer.Exit: whoever read our output has gone, and with them the reason to go on; or there is
            nothing to write to (one line on standard error says so).

    """
    write_bytes(f"{text}{end}".encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """Write bytes as `write` writes text."""
    target: TextIO | None = sys.stdout
    if target is None:
        _tell_why("it is closed")
        raise typer.Exit(ExitCode.USAGE)
    try:
        target.flush()
        _write_all(target.buffer, data)
        target.buffer.flush()
    except BrokenPipeError:
        _discard(target)
        raise typer.Exit(ExitCode.OK) from None
    except OSError as fault:
        _discard(target)
        _tell_why(fault.strerror or str(fault))
        raise typer.Exit(ExitCode.USAGE) from None


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write bytes to a stream that may take only some of them at a time, as one without a buffer does."""
    left = memoryview(data)
    while left:
        written = stream.write(left)
        if not written:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        left = left[written:]


def complain(what: str, *more: str) -> None:
    """Say on standard error what is wrong and, in the lines below that, why and what to do."""
    typer.echo("\n  ".join([f"pairl: {what}", *more]), err=True)


def give_up(code: ExitCode, what: str, *more: str) -> NoReturn:
    """Say what is wrong as `complain` does, and end the command with a code.

    Raises:
        typer.Exit: always.

    """
    complain(what, *more)
    raise typer.Exit(code)


def _discard(stream: TextIO) -> None:
    """Lead what is still to be written nowhere: Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _tell_why(reason: str) -> None:
    try:
        typer.echo(f"pairl: cannot write the output: {reason}", err=True)
    except OSError:
        _discard(sys.stderr)
