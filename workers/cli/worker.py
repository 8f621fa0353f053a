"""`pairl bus run`: a worker in a process of its own.

This module knows which workers there are, and what each is under settings. How one works is in
`workers.runtime`, and what it does in `workers.processors`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Annotated, Literal

import typer

from workers.cli.console import write
from workers.cli.environment import command_settings, run_async
from workers.exit_codes import ExitCode
from workers.logs import get_log
from workers.processors.encoder import Encoder
from workers.processors.outcome import Processor
from workers.processors.renderer import Renderer
from workers.processors.validator import Validator
from workers.runtime.worker import Worker
from workers.settings import Settings

PROCESSORS: dict[str, Callable[[Settings], Processor]] = {
    Encoder.name: lambda settings: Encoder(settings.encoding(), settings.policy()),
    Validator.name: lambda settings: Validator(settings.policy(), settings.patience()),
    Renderer.name: lambda settings: Renderer(settings.rendered_for()),
}
"""The processors that workers run under settings, in the order in which a conversation comes by them."""


def run(
    worker: Annotated[
        Literal["encoder", "validator", "renderer"], typer.Argument(help="Which worker to run.")
    ],
) -> None:
    """Run a worker until SIGTERM or Ctrl-C."""
    settings = command_settings()

    def announce(partitions: list[int]) -> None:
        write(f"event=ready worker={worker} partitions={','.join(map(str, partitions))}")

    async def work() -> ExitCode:
        return await Worker(settings, PROCESSORS[worker](settings), get_log(), announce).run()

    # Sessions stay in memory, and nothing in them leads back to itself: to look for circles among so much
    # that stays takes a tenth of a worker's time.
    gc.set_threshold(50_000, 50, 100)
    raise typer.Exit(run_async(work()))
