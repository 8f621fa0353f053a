"""`pairl bus …`: topics, workers, sending and following.

This module knows these commands' arguments and exit codes. What they do is done elsewhere.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal

import msgspec
import typer

from pairl.render.visible import visible
from schemas import headers, verdict
from schemas.json_schema import json_schema
from schemas.rendering import MARKDOWN
from schemas.topics import REJECTED, RENDERED, VALIDATED, find_topic
from workers.adapters.kafka_admin import create_topics
from workers.adapters.kafka_streams import open_follower
from workers.cli.console import paint, write
from workers.cli.files import read_pieces
from workers.cli.sending import outgoing
from workers.cli.verdicts import show_answer
from workers.client import send as send_and_wait
from workers.exit_codes import ExitCode
from workers.logs import get_log, set_up_logs
from workers.processors.encoder import Encoder
from workers.processors.outcome import InputRecord, Processor
from workers.processors.renderer import Renderer
from workers.processors.validator import Validator
from workers.runtime.worker import Worker
from workers.settings import Settings, read_settings

bus = typer.Typer(no_args_is_help=True, help="Run the bus, send to it, and follow its streams.")

_POLL_SECONDS = 0.5
_SECONDS_FOR_A_VERDICT = 20.0


def run_async(work: Coroutine[Any, Any, ExitCode]) -> ExitCode:
    """Run a coroutine on the fastest event loop there is."""
    try:
        import uvloop  # not on every platform
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def command_settings() -> Settings:
    """Return the settings of the environment, after setting up the log as they say.

    Raises:
        WrongSettings: some of them are wrong.

    """
    settings = read_settings(os.environ)
    set_up_logs(settings.log_format)
    return settings


PROCESSORS: dict[str, Callable[[Settings], Processor]] = {
    Encoder.name: lambda settings: Encoder(settings.encoding(), settings.policy()),
    Validator.name: lambda settings: Validator(settings.policy(), settings.patience()),
    Renderer.name: lambda settings: Renderer(settings.rendered_for()),
}
"""The processors that workers run under settings, in the order in which a conversation comes by them."""


@bus.command()
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


@bus.command()
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


@bus.command()
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


@bus.command()
def tail(
    stream: Annotated[
        Literal[
            "transcripts",
            "inbound",
            "validated",
            "rejected",
            "rendered",
            "audit",
            "threads",
            "legends",
            "encodings",
        ],
        typer.Argument(help="Which stream to follow."),
    ],
    from_beginning: Annotated[bool, typer.Option(help="Also show what is there already.")] = False,
    count: Annotated[int | None, typer.Option(help="End after this many records.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each record.")] = False,
) -> None:
    """Follow a stream until Ctrl-C."""
    settings = command_settings()
    topic = find_topic(stream)
    assert topic is not None  # noqa: S101  # the choices are the table's rows; a test compares them

    async def work() -> ExitCode:
        shown = 0
        async with open_follower(settings, [topic], from_beginning=from_beginning) as follower:
            while count is None or shown < count:
                for _, record in await follower.read(_POLL_SECONDS):
                    _show_record(stream, record, as_json=as_json)
                    shown += 1
                    if shown == count:
                        break
        return ExitCode.OK

    try:
        code = run_async(work())
    except KeyboardInterrupt:
        code = ExitCode.OK  # This is how one stops following.
    raise typer.Exit(code)


@bus.command()
def schemas() -> None:
    """Print the contracts on the topics as JSON Schema."""
    write(json.dumps(json_schema(), indent=2))


def _show_record(stream: str, record: InputRecord, *, as_json: bool) -> None:
    """Print a record of a stream."""
    value = (record.value or b"").decode("utf-8", "replace")
    place = f"{record.topic}/{record.partition}/{record.offset}"
    decision = headers.last(record.headers, headers.VERDICT)
    if as_json:
        fields = {
            "topic": record.topic,
            "partition": record.partition,
            "offset": record.offset,
            "key": None if record.key is None else record.key.decode("utf-8", "replace"),
            "headers": [
                [name, None if content is None else content.decode("utf-8", "replace")]
                for name, content in record.headers
            ],
            "value": None if record.value is None else value,
        }
        write(json.dumps(fields))
    elif (answer := _answer(stream, decision)) is not None:
        show_answer(answer, place, record.value)
    elif stream == RENDERED.name and headers.last(record.headers, headers.CONTENT_TYPE) == MARKDOWN.encode():
        # What could control a terminal was escaped when it was rendered.
        write(value)
    else:
        write(paint("2", place))
        write("\n".join(visible(line) for line in value.rstrip("\n").split("\n")))


def _answer(stream: str, decision: bytes | None) -> verdict.Verdict | None:
    """Return the verdict on a stream of verdicts; None for a record that some other program has put there."""
    if stream not in (VALIDATED.name, REJECTED.name) or decision is None:
        return None
    try:
        return verdict.decode(decision)
    except msgspec.DecodeError:
        return None
