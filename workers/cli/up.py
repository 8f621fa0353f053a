"""`pairl bus up`: a whole bus on this machine, with a sample conversation running through it.

This module knows what a newcomer is shown, and in which order. Servers, workers and verdicts are
the same as everywhere; only the servers' data is thrown away at the end.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding

from schemas import headers, verdict
from schemas.rendering import MARKDOWN
from schemas.topics import REJECTED, RENDERED, VALIDATED, Topic
from workers.adapters.kafka_admin import create_topics
from workers.adapters.kafka_streams import open_follower, open_sender
from workers.cli.console import paint, write
from workers.cli.environment import run_async
from workers.cli.files import Piece, read_pieces
from workers.cli.outgoing import outgoing
from workers.cli.verdicts import show_answer
from workers.cli.worker import PROCESSORS
from workers.client import request
from workers.embedded import EmbeddedStack
from workers.exit_codes import ExitCode
from workers.logs import get_log, set_up_logs
from workers.processors.outcome import InputRecord
from workers.runtime.worker import Worker
from workers.settings import Settings, read_settings, variable

_CONVERSATIONS = ("incident.pairl", "communication.pairl", "review.pairl")
_SHOWN_RENDERED = ("incident.pairl", "m4")
_RUN = "sample"
_WORKERS = ("encoder", "validator", "renderer")
_POLL_SECONDS = 0.25
_SECONDS_BETWEEN_MESSAGES = 0.08
_WAIT = 4.0
"""Seconds: whoever looks on should not have to wait for a verdict because a parent never comes."""


def up(
    sample: Annotated[bool, typer.Option(help="Send the sample conversation.")] = True,
) -> None:
    """Start Kafka, Redis and all workers here, and show verdicts until Ctrl-C. Nothing is kept."""
    given = read_settings(os.environ)
    set_up_logs("pretty", warnings_only=True)
    write("starting an embedded Kafka and Redis; their data is thrown away at the end")
    with EmbeddedStack() as stack:
        settings = msgspec.structs.replace(
            given,
            kafka_bootstrap_servers=stack.bootstrap_servers,
            redis_url=stack.redis_url,
            assignment="static:1/1",
            replication_factor=1,
            profiles="human,model",
            wait_seconds=given.wait_seconds if variable("wait_seconds") in os.environ else _WAIT,
        )
        code = run_async(_run(settings, stack, _sample_pieces() if sample else []))
    write("stopped: no process is left")
    raise typer.Exit(code)


def _sample_pieces() -> list[Piece]:
    directory = resources.files("workers") / "sample"
    pieces: list[Piece] = []
    for name in _CONVERSATIONS:
        with resources.as_file(directory / name) as path:
            pieces += [msgspec.structs.replace(piece, name=name) for piece in read_pieces([str(path)])]
    return pieces


async def _run(settings: Settings, stack: EmbeddedStack, pieces: Sequence[Piece]) -> ExitCode:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await create_topics(settings)
    async with open_follower(settings, (VALIDATED, REJECTED, RENDERED)) as follower:
        ready = {name: asyncio.Event() for name in _WORKERS}
        workers = [
            Worker(settings, PROCESSORS[name](settings), get_log(), _setter(event))
            for name, event in ready.items()
        ]
        running = [asyncio.create_task(worker.run(handle_signals=False)) for worker in workers]
        sending = asyncio.create_task(_send_when_ready(settings, pieces, list(ready.values())))
        screen = _Screen(settings, pieces)
        try:
            while not stop.is_set():
                for topic, record in await follower.read(_POLL_SECONDS):
                    screen.show(topic, record)
                ended = next((task.result() for task in running if task.done()), None)
                if ended is not None:
                    return ended
                if sending.done():
                    sending.result()
                problem = stack.alive()
                if problem is not None:
                    write(f"{paint('1;31', 'error')}  {problem}")
                    return ExitCode.UNREACHABLE
        finally:
            write()
            write("stopping")
            sending.cancel()
            for worker in workers:
                worker.request_stop()
            await asyncio.gather(sending, *running, return_exceptions=True)
    return ExitCode.OK


def _setter(event: asyncio.Event) -> Callable[[list[int]], None]:
    return lambda _: event.set()


async def _send_when_ready(
    settings: Settings, pieces: Sequence[Piece], ready: Sequence[asyncio.Event]
) -> None:
    """Send the sample, on a terminal slowly enough to follow."""
    await asyncio.gather(*(event.wait() for event in ready))
    write("encoder, validator and renderer are ready")
    write()
    if not pieces:
        _show_how_to_send(settings)
        return
    pause = _SECONDS_BETWEEN_MESSAGES if sys.stdout.isatty() else 0.0
    async with open_sender(settings) as sender:
        for index, message in enumerate(outgoing(pieces, None)):
            key = message.session.encode() if message.session else None
            await sender.send(key, message.value, [(headers.REQUEST, request(_RUN, index))])
            await asyncio.sleep(pause)


def _show_how_to_send(settings: Settings) -> None:
    write("Send messages of your own from a second terminal:")
    write()
    for name in ("kafka_bootstrap_servers", "redis_url", "assignment", "profiles"):
        write(f"  export {variable(name)}={getattr(settings, name)}")
    if settings.topic_prefix != Settings().topic_prefix:
        write(f"  export {variable('topic_prefix')}={settings.topic_prefix}")
    command = [sys.argv[0]] if sys.argv[0].endswith("pairl") else [sys.executable, "-m", "workers"]
    write(f"  {shlex.join(command)} bus send FILE.pairl")
    write()
    write(f"Answers wait {settings.wait_seconds:g} s here for what they answer ({variable('wait_seconds')}).")
    write("Their verdicts are shown here too. Ctrl-C stops everything.")


class _Screen:
    """Shows what comes out of the bus, and sums up once the sample is through."""

    def __init__(self, settings: Settings, pieces: Sequence[Piece]) -> None:
        self._settings = settings
        self._pieces = {request(_RUN, index): piece for index, piece in enumerate(pieces)}
        self._verdicts = 0
        self._rejected = 0
        self._rendered = 0
        self._example = ""
        self._summed_up = not pieces

    def show(self, topic: Topic, record: InputRecord) -> None:
        """Show a record that came out."""
        piece = self._pieces.get(headers.last(record.headers, headers.REQUEST) or b"")
        if topic is RENDERED:
            if headers.last(record.headers, headers.CONTENT_TYPE) == MARKDOWN.encode():
                self._show_rendered(record, of_sample=piece is not None or not self._summed_up)
        else:
            decision = verdict.decode(headers.last(record.headers, headers.VERDICT) or b"")
            name = piece.name if piece else f"{record.topic}/{record.partition}/{record.offset}"
            show_answer(decision, name, record.value, piece.first_line if piece else 1)
            if piece is not None:
                self._verdicts += 1
                self._rejected += isinstance(decision, verdict.Rejected)
        accepted = self._verdicts - self._rejected
        if not self._summed_up and self._verdicts == len(self._pieces) and self._rendered >= accepted:
            self._summed_up = True
            self._sum_up()

    def _show_rendered(self, record: InputRecord, *, of_sample: bool) -> None:
        text = (record.value or b"").decode()
        if not of_sample:
            _show_markdown(text)
            return
        self._rendered += 1
        if not self._example and text.startswith(f"# Message {_SHOWN_RENDERED[1]}\n"):
            self._example = text

    def _sum_up(self) -> None:
        accepted = self._verdicts - self._rejected
        write()
        write(
            f"{self._verdicts} messages: {accepted} accepted, {self._rejected} rejected, "
            f"{self._rendered} rendered."
        )
        if self._example:
            write("One of them as people read it:")
            write()
            _show_markdown(self._example)
            write()
        _show_how_to_send(self._settings)


def _show_markdown(text: str) -> None:
    sys.stdout.flush()
    Console().print(Padding(Markdown(text), (0, 4)))
