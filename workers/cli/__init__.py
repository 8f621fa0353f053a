"""The command line: `pairl`.

This module puts the commands together and turns our exceptions into exit codes. What a command does
is in the modules beside it.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from workers.cli.commands import BUS, PAIRL, STATE, add
from workers.cli.console import streams_that_may_fail, write
from workers.exit_codes import ExitCode
from workers.faults import EmbeddedError, Unreachable, WrongSettings

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata  # as slow to load as all that other commands need

        try:
            version = metadata.version("pairl-bus")
        except metadata.PackageNotFoundError:
            version = "(not installed: run from its source)"
        write(f"pairl-bus {version}")
        raise typer.Exit(ExitCode.OK)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Check, hash and render PAIRL messages, and run a bus that validates them."""


bus = typer.Typer(no_args_is_help=True, help="Run the bus, send to it, and follow its streams.")
state = typer.Typer(
    no_args_is_help=True, help="Compare what Redis has of the sessions with the changelogs, or rebuild it."
)
add(app, PAIRL)
add(bus, BUS)
add(state, STATE)
bus.add_typer(state, name="state")
app.add_typer(bus, name="bus")


def main() -> None:
    """Run the command that the arguments name, and exit with its code.

    Raises:
        KeyboardInterrupt: somebody pressed Ctrl-C.

    """
    try:
        with streams_that_may_fail():
            app()
    except WrongSettings as fault:
        count = len(fault.problems)
        sys.stderr.write(f"pairl: {count} setting{' is' if count == 1 else 's are'} wrong\n")
        sys.stderr.writelines(f"  {problem}\n" for problem in fault.problems)
        sys.exit(ExitCode.USAGE)
    except (Unreachable, EmbeddedError) as fault:
        sys.stderr.write(f"pairl: {fault}\n")
        sys.exit(ExitCode.UNREACHABLE)
