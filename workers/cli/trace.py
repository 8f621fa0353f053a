"""`pairl bus trace`: one conversation as it stands, with what it has cost.

This module knows the command's arguments, what is said where there is nothing to show, and its exit codes.
Reading, placing and drawing are done elsewhere.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, NoReturn

import typer

from pairl.diagnostics import printable
from pairl.nearest import did_you_mean, nearest
from pairl.thread import Status
from schemas.session_state import Entry
from schemas.topics import THREADS
from workers.adapters.kafka_admin import partition_count
from workers.cli.console import colored, counted, give_up, is_terminal, paint, write
from workers.cli.environment import command_settings, run_async
from workers.cli.sessions import as_text, possible_names, read_sessions, sessions_with
from workers.exit_codes import ExitCode
from workers.settings import Settings, variable
from workers.trace.document import write_document
from workers.trace.forest import Forest, grow
from workers.trace.graph import write_dot, write_mermaid
from workers.trace.ledger import Ledger, add_up
from workers.trace.messages import TracedSession
from workers.trace.statement import draw_ledger
from workers.trace.tree import draw_tree

_MOST_LISTED = 20


def trace(
    name: Annotated[
        str,
        typer.Argument(metavar="SESSION|MESSAGE", help="A session, a message as SESSION/ID, or just its ID."),
    ],
    as_dot: Annotated[bool, typer.Option("--dot", help="A graph for Graphviz.")] = False,
    as_mermaid: Annotated[bool, typer.Option("--mermaid", help="A flowchart for Mermaid.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Show a conversation as a tree, with the state of every message, and what was spent.

    Of a message: what it goes back to, and what goes back to it.
    """
    if as_dot + as_mermaid + as_json > 1:
        raise typer.BadParameter("--dot, --mermaid and --json exclude each other: choose one")
    settings = command_settings()
    wanted = as_text(name)

    async def work() -> ExitCode:
        session, marked = await _find(settings, wanted)
        forest = grow(session, marked)
        ledger = add_up(session.messages)
        if as_dot:
            write(write_dot(session, forest))
        elif as_mermaid:
            write(write_mermaid(session, forest))
        elif as_json:
            messages = [branch.message for branch in forest.branches if branch.message is not None]
            write(write_document(session, messages, ledger, marked))
        else:
            write("\n".join(_lines(session, forest, marked, ledger)))
        return ExitCode.OK

    raise typer.Exit(run_async(work()))


async def _find(settings: Settings, wanted: str) -> tuple[TracedSession, str | None]:
    """Return the session that somebody names, and the id of the message in it, if one is meant.

    Raises:
        typer.Exit: there is none, or more than one; standard error says so.

    """
    partitions = await partition_count(settings, [THREADS])
    meanings = list(possible_names(wanted))
    found = await read_sessions(settings, [session for session, _ in meanings], partitions)
    sessions = {name: TracedSession(name, entries) for name, entries in found.items() if entries}
    for name, message_id in meanings:
        if name in sessions and (message_id is None or sessions[name].is_known(message_id)):
            return sessions[name], message_id
    for name, message_id in meanings:
        if name in sessions and message_id is not None:
            _no_such_message(sessions[name], message_id)
    return await _find_by_id(settings, wanted, partitions)


async def _find_by_id(
    settings: Settings, message_id: str, partitions: int
) -> tuple[TracedSession, str | None]:
    names = await sessions_with(settings, message_id, partitions)
    if not names:
        give_up(
            ExitCode.INVALID,
            f"there is neither a session {printable(message_id)} nor a message with this id",
            "either none came through this bus, or its session was idle for so long that it was forgotten "
            f"({variable('session_idle_seconds')})",
            f"look at {variable('topic_prefix')}, and what `pairl bus send` or `pairl bus tail threads "
            "--from-beginning` shows: a message is named SESSION/ID",
        )
    if len(names) > 1:
        listed = [
            f"pairl bus trace {shlex.quote(printable(f'{name}/{message_id}'))}"
            for name in names[:_MOST_LISTED]
        ]
        if len(names) > _MOST_LISTED:
            listed.append(f"… and {len(names) - _MOST_LISTED:,} more")
        give_up(
            ExitCode.USAGE,
            f"{len(names):,} sessions have a message {printable(message_id)}; choose one:",
            *listed,
        )
    entries: dict[str, list[Entry]] = await read_sessions(settings, names, partitions)
    return TracedSession(names[0], entries[names[0]]), message_id


def _no_such_message(session: TracedSession, message_id: str) -> NoReturn:
    ids = dict.fromkeys(message.id for message in session.messages)
    what = f"session {printable(session.name)} has no message {printable(message_id)}"
    namers = [message.id for message in session.messages if message_id in message.parents]
    give_up(
        ExitCode.INVALID,
        did_you_mean(what, nearest(message_id, ids)),
        *([f"it is named by {printable(namers[0])}, but has not come"] if namers else []),
        f"see all of it with `pairl bus trace {shlex.quote(printable(session.name))}`",
    )


def _lines(session: TracedSession, forest: Forest, marked: str | None, ledger: Ledger) -> Iterator[str]:
    """Yield what people are shown: a heading, the tree, and the ledger of the whole session."""
    yield _heading(session, forest, marked)
    yield ""
    width = shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None
    yield from draw_tree(session, forest, color=colored(sys.stdout), width=width)
    sums = list(draw_ledger(ledger, color=colored(sys.stdout)))
    if sums:
        yield "" if marked is None else "\nin the whole session:"
        yield from sums


def _heading(session: TracedSession, forest: Forest, marked: str | None) -> str:
    total = len(session.messages)
    counts = Counter(message.status for message in session.messages)
    states = ", ".join(f"{counts[status]:,} {status}" for status in Status if counts[status])
    title = f"{paint('1', f'session {printable(session.name)}')}: {counted(total, 'message')}, {states}"
    if marked is None:
        return title
    shown = sum(branch.message is not None for branch in forest.branches)
    return f"{title}; {shown:,} shown, around {printable(marked)}"
