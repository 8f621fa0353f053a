"""Writing to a terminal, a file or a pipe.

This module knows when colours are wanted, and what to do when the reader of a pipe has gone. It does
not know what is written.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

import typer

from workers.exit_codes import ExitCode


def colored(stream: TextIO) -> bool:
    """Say whether to use colours on `stream`: only on a terminal, and not where NO_COLOR is set."""
    return stream.isatty() and "NO_COLOR" not in os.environ


def paint(style: str, text: str, stream: TextIO | None = None) -> str:
    """Return `text` in an ANSI style (`32` is green) where `stream`, or standard output, has colours."""
    return f"\x1b[{style}m{text}\x1b[0m" if colored(stream or sys.stdout) else text


def write(text: str = "", end: str = "\n") -> None:
    """Write to standard output at once, whatever encoding it has.

    Raises:
        typer.Exit: whoever read our output has gone, and with them the reason to go on.

    """
    data = f"{text}{end}".encode("utf-8", "backslashreplace")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(ExitCode.OK) from None
