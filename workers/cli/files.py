"""Messages from files and standard input: which messages there are, and where each begins.

This module knows files. It does not know what a message is beyond the `---` that ends one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

import msgspec
import typer

from pairl.diagnostics import printable
from pairl.headers import END_OF_MESSAGE
from pairl.parser import split_messages
from workers.exit_codes import ExitCode

BETWEEN_MESSAGES = f"{END_OF_MESSAGE}\n"
"""What messages have between them that are written one after the other."""

_SUFFIXES = (".pairl", ".prl")
_STANDARD_INPUT = "-"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 4_096
_MOST_BYTES = 1 << 30
_CHUNK = 1 << 20
# ESC is left out: what a program has coloured is text all the same.
_CONTROLS = bytes([*range(9), *range(14, 27), *range(28, 32)])


class Piece(msgspec.Struct, frozen=True):
    """A message of a file: the file's name, the message's bytes, and the line and the byte it begins at."""

    name: str
    data: bytes
    first_line: int
    offset: int = 0


class Source(msgspec.Struct, frozen=True):
    """Something to read messages from: a file, or standard input, which has no path."""

    name: str
    path: Path | None


class Unreadable(msgspec.Struct, frozen=True):
    """Something that cannot be read or written, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        """Return one line for a terminal."""
        return f"pairl: {printable(self.name)}: {printable(self.reason)}"


def read_pieces(paths: Iterable[str]) -> list[Piece]:
    """Return the messages of files, of the `.pairl` and `.prl` files in directories, and of `-`.

    Raises:
        typer.Exit: a file cannot be read; the reason was shown.

    """
    return [piece for source, data in read_files(paths) for piece in split(source.name, data)]


def read_files(paths: Iterable[str]) -> Iterator[tuple[Source, bytes]]:
    """Yield what there is to read with what is in it.

    Raises:
        typer.Exit: at the end, if files cannot be read; the reason of each was shown.

    """
    complete = True
    for source in find_sources(paths):
        data = source if isinstance(source, Unreadable) else read(source)
        if isinstance(source, Unreadable) or isinstance(data, Unreadable):
            typer.echo(str(data), err=True)
            complete = False
        else:
            yield source, data
    if not complete:
        raise typer.Exit(ExitCode.USAGE)


def find_sources(paths: Iterable[str]) -> Iterator[Source | Unreadable]:
    """Yield what there is to read, each file once, whatever names it has: nothing is opened yet."""
    known: set[str | None] = set()
    for source in _named(paths):
        if isinstance(source, Source):
            place = None if source.path is None else _place(source.path)
            if place in known:
                continue
            known.add(place)
        yield source


def _place(path: Path) -> str:
    """Return what all names of a file have in common."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return str(path)  # to read it as a file will say why


def _named(paths: Iterable[str]) -> Iterator[Source | Unreadable]:
    """Yield what the arguments name."""
    for path in paths:
        if path == _STANDARD_INPUT:
            yield Source("standard input", None)
        elif is_directory(Path(path)):
            yield from _in_directory(path)
        else:
            yield Source(path, Path(path))


def is_directory(path: Path) -> bool:
    """Say whether there is a directory of this name."""
    try:
        return path.is_dir()
    except OSError:
        return False  # to read it as a file will say why


def _is_worth_reading(path: Path) -> bool:
    """Say whether an entry of a directory is a file, or something that ought to be one."""
    try:
        return path.is_file() or not path.exists()
    except OSError:
        return True  # as above


def _in_directory(path: str) -> Iterator[Source | Unreadable]:
    """Yield the files of a directory in order, and what of it cannot be looked into.

    Directories below it whose names begin with a dot are programs' own, and left out.
    """
    faults: list[OSError] = []
    found = False
    for place, directories, names in os.walk(path, onerror=faults.append):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        for name in sorted(names):
            file = Path(place, name)
            if file.suffix in _SUFFIXES and _is_worth_reading(file):
                found = True
                yield Source(str(file), file)
    for fault in faults:
        yield Unreadable(str(fault.filename), fault.strerror or str(fault))
    if not found and not faults:
        yield Unreadable(path, "no .pairl or .prl file in this directory")


def read(source: Source) -> bytes | Unreadable:
    """Return the bytes of a file or of standard input; what does not end within a gibibyte is not kept."""
    try:
        if source.path is not None:
            with source.path.open("rb") as file:
                data = _read_to_end(file)
        elif (stream := _standard_input()) is None:
            return Unreadable(source.name, "it is closed")
        else:
            data = _read_to_end(stream)
    except (OSError, ValueError) as fault:  # ValueError: a name with a NUL in it
        return Unreadable(source.name, getattr(fault, "strerror", None) or str(fault))
    except MemoryError:
        return Unreadable(source.name, "it is too large for the memory there is")
    return Unreadable(source.name, "it is larger than 1 GiB") if data is None else data


def _read_to_end(stream: BinaryIO) -> bytes | None:
    """Return what a stream holds, or None if that is too much: some devices have no end."""
    data = bytearray()
    while chunk := stream.read(_CHUNK):
        data += chunk
        if len(data) > _MOST_BYTES:
            return None
    return bytes(data)


def _standard_input() -> BinaryIO | None:
    stream: TextIO | None = sys.stdin
    return None if stream is None else stream.buffer


def split(name: str, data: bytes) -> list[Piece]:
    """Return the messages of a file; a file without any is one message, and so is one that is no text."""
    pieces: list[Piece] = []
    start, line = 0, 1
    for piece in [data] if foreign(data) else split_messages(data) or [data]:
        begins = data.index(piece, start)
        line += data.count(b"\n", start, begins)
        pieces.append(Piece(name, piece, line, begins))
        start = begins + len(piece)
        line += piece.count(b"\n")
    return pieces


def foreign(data: bytes) -> str | None:
    """Return what to do about a file that is another kind of file altogether; None for text in UTF-8."""
    if data.startswith(_UTF16_MARKS):
        return "this is text in UTF-16: convert it with `iconv -f UTF-16 -t UTF-8`"
    beginning = data[:_LOOKED_AT]
    if beginning.count(0) * 3 > len(beginning):
        return "this looks like text in UTF-16: convert it with `iconv -f UTF-16LE -t UTF-8`"
    controls = len(beginning) - len(beginning.translate(None, _CONTROLS))
    return "this is no text: a message is text in UTF-8" if controls * 20 > len(beginning) else None
