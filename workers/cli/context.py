"""`pairl bus context`: the text to give to a model of one conversation.

This module knows where a session's parts are read, and what is said where there are none. How they are put
together is `schemas.model_text`'s.
"""

from __future__ import annotations

import shlex
import sys
from typing import Annotated

import typer

from pairl.diagnostics import printable
from pairl.render.visible import visible
from pairl.thread import SESSION_PREFIX
from schemas import headers
from schemas.changelog import bounded
from schemas.model_text import ModelText
from schemas.rendering import Part
from schemas.topics import RENDERED
from workers.adapters.kafka_admin import partition_count
from workers.adapters.kafka_partitioner import owner_partition
from workers.adapters.kafka_reader import read_to_end
from workers.cli.console import complain, is_terminal, write
from workers.cli.environment import command_settings, run_async
from workers.cli.sessions import as_text
from workers.exit_codes import ExitCode
from workers.settings import Settings, variable

_PARTS: dict[bytes | None, Part] = {part.encode(): part for part in Part}


def context(session: Annotated[str, typer.Argument(help="The session.")]) -> None:
    """Print a conversation as a model is to be given it: legend, body, and what is new to the legend."""
    settings = command_settings()
    name = as_text(session)

    async def work() -> ExitCode:
        text = await _read(settings, bounded(name.removeprefix(SESSION_PREFIX)))
        if not text.body:
            complain(
                f"there is no text for models of session {printable(name)}",
                "either no message of it was accepted, or the renderer runs without the model profile",
                f"run it with {variable('profiles')}=model or human,model; see what was accepted with "
                f"`pairl bus trace {shlex.quote(printable(name))}`",
            )
            return ExitCode.INVALID
        if not text.has_beginning:
            complain(
                f"the beginning of the text of session {printable(name)} is gone, and its legend with it",
                f"{settings.topic(RENDERED)} has deleted what is older than its `retention.ms`",
                "let the topic keep records for longer than a session lasts",
            )
            return ExitCode.INVALID
        written = str(text)
        if is_terminal(sys.stdout):
            written = "\n".join(visible(line) for line in written.split("\n"))
        write(written, end="")
        if text.specification is not None:
            place = "in front of it" if text.specification is Part.SPECIFICATION else "behind the body"
            complain(
                f"this text is not enough: give the model the full specification of PAIRL as well, {place}",
                "no legend explains:",
                *map(visible, text.unexplained.split("\n")),
            )
        return ExitCode.OK

    raise typer.Exit(run_async(work()))


async def _read(settings: Settings, session: str) -> ModelText:
    """Return what the rendered topic has of the text of a session.

    Raises:
        Unreachable: Kafka does not answer, or there is no such topic.

    """
    partition = owner_partition(session, await partition_count(settings, [RENDERED]))
    text = ModelText()
    async for records, _, _ in read_to_end(settings, settings.topic(RENDERED), partition, 0):
        for record in records:
            if record.key != session.encode() or record.value is None:
                continue
            part = _PARTS.get(headers.last(record.headers, headers.PART))
            if part is not None:
                text.add(part, record.value.decode("utf-8", "replace"))
    return text
