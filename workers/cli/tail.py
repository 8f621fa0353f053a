"""`pairl bus tail`: follow a stream of the bus.

This module knows how a record of each stream is shown, to people and to programs.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
import typer

from pairl.render.visible import visible
from schemas import headers, verdict
from schemas.rendering import MARKDOWN
from schemas.topics import REJECTED, RENDERED, VALIDATED, find_topic
from workers.adapters.kafka_streams import open_follower
from workers.cli.console import paint, write
from workers.cli.environment import command_settings, run_async
from workers.cli.verdicts import show_answer
from workers.exit_codes import ExitCode
from workers.processors.outcome import InputRecord

_POLL_SECONDS = 0.5


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
