"""`pairl encode`: recorded conversations, and messages in JSON, as PAIRL.

This module knows the options, and what is printed. How a conversation is read and encoded is known to
`pairl.encode`, and what is refused to `workers.cli.encoding_refusals`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pairl.encode.importers.formats import FORMATS
from pairl.encode.window import DEFAULT_WINDOW
from pairl.nearest import did_you_mean, nearest
from workers.cli.console import write_bytes
from workers.cli.convert import messages_of_json
from workers.cli.encoding import DEFAULT_ID, Wanted, encode_conversation
from workers.cli.encoding_refusals import Refusal, refuse
from workers.cli.files import BETWEEN_MESSAGES, is_directory, read_files

MESSAGES_IN_JSON = "pairl-json"
"""The format of what `pairl decode` prints: messages, where all others are recorded conversations."""

_NAMES = [MESSAGES_IN_JSON, *(form.name for form in FORMATS)]


class _Marked(msgspec.Struct, frozen=True):
    """What tells a message in JSON from a conversation."""

    format: str = ""


def encode(
    files: Annotated[
        list[str],
        typer.Argument(
            help="A file with a recorded conversation, or - for standard input.", show_default=False
        ),
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format", help=f"What is read, where the file itself does not tell: {', '.join(_NAMES)}."
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            help="How much is kept: 50% of what is said and thought, or 2000c (characters) or 800t (tokens)."
            " Markers, calls, statuses, error lines, paths and a sentence of each text are kept in any case."
            " (default: everything where no tool is called, else about a fifth)",
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            min=0,
            help="Leave out so many of the last tool calls, and what follows them: a model is better given"
            f" those as they were. 0 puts everything into the body. (default: {DEFAULT_WINDOW})",
        ),
    ] = None,
    recent: Annotated[
        Path | None,
        typer.Option("--recent", help="Write what --window leaves out to this file, as JSON."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            help="Remember in this file how far the conversation was encoded. The first run makes it; each"
            " later one prints only what is new, to be appended to what was printed before. Without headers.",
        ),
    ] = None,
    end: Annotated[
        bool,
        typer.Option(
            "--end",
            help="With --state: the conversation is over. All that is left goes into the body, also calls"
            " that were never answered, and a last message that may not be whole.",
        ),
    ] = False,
    own_id: Annotated[
        str | None, typer.Option("--id", help=f"The id of the message. (default: {DEFAULT_ID})")
    ] = None,
    ts: Annotated[
        str | None,
        typer.Option("--ts", help="The time of the message. (default: when the conversation began, or now)"),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Show on standard error what it takes and what is kept.")
    ] = False,
) -> None:
    """Print a recorded conversation, such as the session file of an agent, as messages in PAIRL.

    What is left out is told on standard error. Messages in JSON, as `pairl decode` prints them, become
    messages again.
    """
    if form is not None and form not in _NAMES:
        advice = did_you_mean(f"name one of {', '.join(_NAMES)}, or leave it out", nearest(form, _NAMES))
        refuse(Refusal.UNKNOWN_FORMAT, text=form, advice=advice)
    for name in files:
        if is_directory(Path(name)):
            refuse(Refusal.IS_A_DIRECTORY, name=name)
    found = list(read_files(files))
    wanted = Wanted(
        form=form,
        budget=budget,
        window=window,
        recent=recent,
        state=state,
        end=end,
        id=own_id,
        ts=ts,
        report=report,
    )
    if form == MESSAGES_IN_JSON or (form is None and all(_is_of_messages(data) for _, data in found)):
        for name, value in msgspec.structs.asdict(wanted).items():
            if name != "form" and value is not None and value is not False:
                refuse(Refusal.ALREADY_PAIRL, option=f"--{name}")
        write_bytes(BETWEEN_MESSAGES.join(messages_of_json(found)).encode())
        return
    if len(found) > 1:
        refuse(Refusal.ONE_AT_A_TIME, count=len(found))
    source, data = found[0]
    encode_conversation(source, data, wanted)


def _is_of_messages(data: bytes) -> bool:
    """Say whether JSON says of itself that it is a message."""
    beginning = data.lstrip()
    for document in (beginning.partition(b"\n")[0], beginning):
        try:
            return msgspec.json.decode(document, type=_Marked).format.startswith(MESSAGES_IN_JSON)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
    return False
