"""`pairl bus send`: send messages, and show what the bus decides on them.

This module knows this command's arguments and exit code. How verdicts come back is in `workers.client`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from schemas import verdict
from workers.cli.console import write
from workers.cli.environment import command_settings, run_async
from workers.cli.files import read_pieces
from workers.cli.outgoing import outgoing
from workers.cli.verdicts import show_answer
from workers.client import send as send_and_wait
from workers.exit_codes import ExitCode

_SECONDS_FOR_A_VERDICT = 20.0


def send(
    files: Annotated[
        list[str], typer.Argument(help="Files of messages, directories, or - for standard input.")
    ],
    session: Annotated[
        str | None, typer.Option(help="Session of messages that neither name one nor answer one that does.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(help="Seconds to wait for each next verdict; by default 20 more than for parents."),
    ] = None,
) -> None:
    """Send messages, wait for the verdicts, and show them."""
    settings = command_settings()
    pieces = read_pieces(files)
    seconds = _SECONDS_FOR_A_VERDICT + settings.wait_seconds if timeout is None else timeout

    async def work() -> ExitCode:
        rejected = 0
        async for index, answer in send_and_wait(settings, outgoing(pieces, session), seconds):
            piece = pieces[index]
            show_answer(answer, piece.name, piece.data, piece.first_line)
            rejected += not isinstance(answer, verdict.Accepted)
        write(f"{len(pieces)} sent: {len(pieces) - rejected} accepted, {rejected} rejected")
        return ExitCode.INVALID if rejected else ExitCode.OK

    raise typer.Exit(run_async(work()))
