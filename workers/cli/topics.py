"""`pairl bus topics`: create what is missing, and list all.

This module knows what is said of each topic. Which topics there are is a table in `schemas.topics`.
"""

from __future__ import annotations

import typer

from workers.adapters.kafka_admin import create_topics
from workers.cli.console import write
from workers.cli.environment import command_settings, run_async
from workers.exit_codes import ExitCode


def topics() -> None:
    """Create the topics that are missing, and list all."""
    settings = command_settings()

    async def work() -> ExitCode:
        for state in await create_topics(settings):
            write(
                f"{'created' if state.created else 'exists ':<8} {state.name}  {state.partitions} partitions"
            )
        return ExitCode.OK

    raise typer.Exit(run_async(work()))
