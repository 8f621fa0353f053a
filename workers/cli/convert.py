"""`pairl fmt`, `canon` and `decode`: the same messages in another form, and back from JSON for `encode`.

This module knows which forms there are, and that what cannot be converted is shown and not converted in
part: every message is read before the first is written. What the forms are is known to `pairl`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Annotated

import msgspec
import typer

from pairl.canonical import canonicalize
from pairl.compact_form import compact
from pairl.diagnostics import printable
from pairl.json_form import NoJsonForm, from_json, to_json
from pairl.model import Message
from pairl.parser import parse
from workers.cli.check import Files
from workers.cli.console import complain, give_up, is_terminal, write, write_bytes
from workers.cli.files import BETWEEN_MESSAGES, Source, read_files, read_pieces, split
from workers.cli.protocol import readable
from workers.cli.replacing import replace_contents
from workers.exit_codes import ExitCode

_INDENT = 2


def canon(files: Files) -> None:
    """Print messages in canonical form, with `@hash` where they carry it: `fmt` without options."""
    fmt(files)


def fmt(
    files: Files,
    short: Annotated[
        bool,
        typer.Option("--compact", help="As short as it can be: blocks, and no needless quotation marks."),
    ] = False,
    in_place: Annotated[
        bool, typer.Option("--write", "-i", help="Write the files, instead of printing.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name the files that would change, and exit 1.")
    ] = False,
) -> None:
    """Print messages in canonical form, or as short as it can be; neither changes a hash."""
    if in_place and check:
        raise typer.BadParameter("one of them writes, the other does not", param_hint="--write, --check")
    form = compact if short else _canonical
    found = list(read_files(files))
    formatted = [
        (source, before, after)
        for source, before in found
        if (after := _formatted(source, before, form)) is not None
    ]
    some_are_malformed = len(formatted) < len(found)
    if check:
        changed = [source.name for source, before, after in formatted if after != before]
        for name in changed:
            write(printable(name))
        raise typer.Exit(ExitCode.INVALID if changed or some_are_malformed else ExitCode.OK)
    if some_are_malformed:
        raise typer.Exit(ExitCode.INVALID)
    if not in_place:
        write_bytes(BETWEEN_MESSAGES.encode().join([after for _, _, after in formatted]))
        return
    for source, before, after in formatted:
        if source.path is None:
            write_bytes(after)
        elif after != before and (fault := replace_contents(source.path, before, after)) is not None:
            give_up(ExitCode.USAGE, f"{printable(fault.name)}: {printable(fault.reason)}")


def decode(files: Files) -> None:
    """Print messages as JSON without loss: a line each, indented on a terminal."""
    lines: list[bytes] = []
    pieces = read_pieces(files)
    for piece in pieces:
        try:
            lines.append(to_json(parse(piece.data)))
        except NoJsonForm as fault:
            line = piece.first_line + fault.line - 1
            complain(f"{printable(piece.name)}:{line}: {fault}")
    if len(lines) < len(pieces):
        raise typer.Exit(ExitCode.INVALID)
    if is_terminal(sys.stdout):
        lines = [msgspec.json.format(line, indent=_INDENT) for line in lines]
    write_bytes(b"".join([line + b"\n" for line in lines]))


def messages_of_json(found: Iterable[tuple[Source, bytes]]) -> list[str]:
    """Return the texts of the messages that files hold as JSON.

    Raises:
        typer.Exit: something is no message; what and where was shown.

    """
    texts: list[str] = []
    for source, data in found:
        for line, document in _documents(data):
            try:
                texts.append(from_json(document))
            except NoJsonForm as fault:
                give_up(ExitCode.USAGE, f"{printable(source.name)}:{line}: {fault}")
    return texts


def _formatted(source: Source, data: bytes, form: Callable[[Message], str]) -> bytes | None:
    """Return the bytes of a file with each of its messages in another form, or None; why not was shown."""
    pieces = split(source.name, data)
    texts = [form(message) for piece in pieces if (message := readable(piece)) is not None]
    return None if len(texts) < len(pieces) else BETWEEN_MESSAGES.join(texts).encode()


def _canonical(message: Message) -> str:
    return canonicalize(message, for_hash=False)


def _documents(data: bytes) -> list[tuple[int, bytes]]:
    """Return the JSON documents of a file, each with its line: one a line, or one over several."""
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not lines:
        return [(1, data)]
    try:
        msgspec.json.decode(lines[0][1], type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return [(lines[0][0], data)]
    return lines
