"""Messages from files and standard input: which messages there are, and where each begins.

This module knows files. It does not know what a message is beyond the `---` that ends one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import typer

from pairl.parser import split_messages
from workers.exit_codes import ExitCode

_SUFFIXES = (".pairl", ".prl")
_STANDARD_INPUT = "-"


class Piece(msgspec.Struct, frozen=True):
    """A message of a file: the file's name, the message's bytes, and the line it begins in."""

    name: str
    data: bytes
    first_line: int


def read_pieces(paths: Iterable[str]) -> list[Piece]:
    """Return the messages of files, of the `.pairl` and `.prl` files in directories, and of `-`.

    Raises:
        typer.Exit: a file cannot be read; the reason was shown.

    """
    pieces: list[Piece] = []
    for path in paths:
        for name, data in _contents(path):
            start, line = 0, 1
            for piece in split_messages(data) or [data]:
                begins = data.index(piece, start)
                line += data.count(b"\n", start, begins)
                pieces.append(Piece(name, piece, line))
                start = begins + len(piece)
                line += piece.count(b"\n")
    return pieces


def _contents(path: str) -> list[tuple[str, bytes]]:
    if path == _STANDARD_INPUT:
        return [("standard input", sys.stdin.buffer.read())]
    place = Path(path)
    try:
        if place.is_dir():
            found = sorted(file for file in place.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
            if not found:
                typer.echo(f"pairl: {path}: no .pairl or .prl file in this directory", err=True)
                raise typer.Exit(ExitCode.USAGE)
            return [(str(file), file.read_bytes()) for file in found]
        return [(path, place.read_bytes())]
    except OSError as fault:
        typer.echo(f"pairl: {path}: {fault.strerror or fault}", err=True)
        raise typer.Exit(ExitCode.USAGE) from fault
