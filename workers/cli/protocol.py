"""`pairl hash` and `render`: what is made of a message that is read.

This module knows what these commands print and how they end. Everything they find out comes from
`pairl`.
"""

from __future__ import annotations

import sys
from typing import Annotated, TextIO

import msgspec
import typer

from pairl.canonical import hash_ref
from pairl.diagnostics import Severity, printable
from pairl.model import Message
from pairl.parser import parse
from pairl.render import Form, render
from pairl.rules import Policy
from pairl.show import show_diagnostic
from pairl.validator import Report, validate
from workers.cli.check import Files
from workers.cli.console import colored, complain, write
from workers.cli.files import Piece, read_pieces
from workers.exit_codes import ExitCode

_OF_FORM = ("HDR", "SYN", "V11", "V12")
"""The rules without which a message cannot be read to its end."""


def hash_messages(files: Files) -> None:
    """Print the value for `@hash` of each message; of several, each with where it stands."""
    pieces = read_pieces(files)
    values = [None if (message := readable(piece)) is None else hash_ref(message) for piece in pieces]
    if None in values:
        raise typer.Exit(ExitCode.INVALID)
    for piece, value in zip(pieces, values, strict=True):
        write(f"{value}  {printable(piece.name)}:{piece.first_line}" if len(pieces) > 1 else f"{value}")


def render_messages(
    files: Files, form: Annotated[Form, typer.Option("--to", help="What to render as.")] = Form.MARKDOWN
) -> None:
    """Print messages as documents for people: Markdown, plain text, or fragments of HTML."""
    write("\n".join(render(_parse(piece, Policy()), form) for piece in read_pieces(files)), end="")


def _drawn(piece: Piece, message: Message, report: Report, stream: TextIO) -> str:
    """Return the diagnostics of a message, each with its line, as they are shown on `stream`."""
    return "".join(
        show_diagnostic(
            diagnostic, message.source, piece.name, first_line=piece.first_line, color=colored(stream)
        )
        + "\n\n"
        for diagnostic in report.diagnostics
    )


def _parse(piece: Piece, policy: Policy) -> Message:
    return parse(piece.data, max_bytes=policy.max_bytes, max_records=policy.max_records)


def readable(piece: Piece) -> Message | None:
    """Return a message that has a canonical form; show what stops it if it has none, and return None."""
    message = _parse(piece, Policy())
    broken = {record.line for record in message.body.records if record.malformed}
    # What is a warning in loose mode, since the rest of the message can be read, is an error here.
    stopping = [
        msgspec.structs.replace(found, severity=Severity.ERROR)
        for found in validate(message).diagnostics
        if found.rule in _OF_FORM and (found.severity is Severity.ERROR or found.line in broken)
    ]
    if not stopping and not broken:
        return message
    # Standard output holds canonical text and hashes, and nothing else.
    typer.echo(_drawn(piece, message, Report(stopping), sys.stderr), err=True, nl=False)
    complain(f"{printable(piece.name)}: a malformed message has no canonical form")
    return None
