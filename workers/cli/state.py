"""`pairl bus state …`: whether Redis has what the changelogs say, and bringing that about.

This module knows these commands' exit codes and what people are told. How Redis is read and compared is
`workers.runtime.inspection`'s, how it is filled `workers.runtime.restore`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import typer

from pairl.diagnostics import excerpt
from schemas.topics import Topic
from workers.adapters.kafka_admin import cluster_id, partition_count
from workers.adapters.redis_client import redis_client
from workers.adapters.redis_view import Position
from workers.cli.console import counted, paint, write
from workers.cli.environment import command_settings, run_async
from workers.cli.progress import Bar
from workers.cli.worker import PROCESSORS
from workers.exit_codes import ExitCode
from workers.logs import get_log
from workers.processors.outcome import Processor
from workers.runtime.inspection import Condition, inspect_partition
from workers.runtime.restore import restore_sessions
from workers.runtime.sessions import session_view
from workers.settings import Settings, variable

_MOST_NAMED = 5
_ADVICE = """\
  Where it has no position, or is behind, workers restore it before they need it.
  What else differs, rebuild with `pairl bus state rebuild`, also while workers run; then start them again:
  they may have read it already."""


class _Keeper(msgspec.Struct, frozen=True):
    """A worker that keeps something of sessions, and the changelog in which it does."""

    processor: Processor
    changelog: Topic
    partitions: int


def verify() -> None:
    """Compare what Redis has of all sessions with the changelogs; workers may run meanwhile."""
    settings = command_settings()

    async def work() -> ExitCode:
        cluster = await cluster_id(settings)
        partitions = different = 0
        async with redis_client(settings.redis_url) as redis:
            for keeper in await _keepers(settings):
                write(_heading(keeper))
                for partition in range(keeper.partitions):
                    view = session_view(settings, keeper.processor, redis, partition)
                    log = get_log(worker=keeper.processor.name, partition=partition)
                    with Bar(0, "reading", "records") as bar:
                        condition = await inspect_partition(
                            settings, keeper.changelog, view, partition, cluster, log, bar.step
                        )
                    write("\n".join(_described(partition, condition)))
                    partitions += 1
                    different += not condition.is_equal
        if not different:
            write("Redis has what the changelogs say")
            return ExitCode.OK
        write(f"Redis differs from the changelogs in {different} of {counted(partitions, 'partition')}")
        write(_ADVICE)
        return ExitCode.INVALID

    raise typer.Exit(run_async(work()))


def rebuild() -> None:
    """Clear what Redis has of all sessions, and restore it from the changelogs; workers may run meanwhile."""
    settings = command_settings()

    async def work() -> ExitCode:
        nothing_known = Position(await cluster_id(settings), 0)
        async with redis_client(settings.redis_url) as redis:
            for keeper in await _keepers(settings):
                write(_heading(keeper))
                for partition in range(keeper.partitions):
                    view = session_view(settings, keeper.processor, redis, partition)
                    log = get_log(worker=keeper.processor.name, partition=partition)
                    await view.clear()
                    restored = await restore_sessions(
                        settings, keeper.changelog, view, partition, nothing_known, log
                    )
                    records = counted(restored.entries, "record")
                    write(f"  partition {partition}: rebuilt from {records} in {restored.seconds:.2f} s")
        return ExitCode.OK

    raise typer.Exit(run_async(work()))


async def _keepers(settings: Settings) -> list[_Keeper]:
    """Return the workers that keep something of sessions under these settings.

    Raises:
        Unreachable: Kafka does not answer, or a changelog is missing.

    """
    processors = [make(settings) for make in PROCESSORS.values()]
    keepers = [
        _Keeper(processor, changelog, await partition_count(settings, [changelog]))
        for processor in processors
        if (changelog := processor.changelog) is not None
    ]
    for processor in processors:
        if processor.changelog is None:
            write(f"{processor.name}: knows no sessions under these settings ({variable('profiles')})")
    return keepers


def _heading(keeper: _Keeper) -> str:
    return paint("1", f"{keeper.processor.name}, from {keeper.changelog.name}")


def _described(partition: int, condition: Condition) -> Iterator[str]:
    """Yield the lines that describe how Redis stands to a partition of a changelog."""
    found = paint("32", "equal") if condition.is_equal else paint("31", "different")
    if condition.obstacle is not None:
        yield f"  partition {partition}: {found}: {condition.obstacle}"
    else:
        place = "nothing yet" if condition.position is None else f"position {condition.position.offset}"
        yield (
            f"  partition {partition}: {found}, {counted(condition.sessions, 'session')}, "
            f"{counted(condition.entries, 'entry', 'entries')}, {place} of {condition.end}"
        )
    if condition.behind:
        yield f"    Redis is {counted(condition.behind, 'record')} behind"
    for kind, sessions in condition.differences.items():
        yield f"    {counted(len(sessions), 'session')} {kind}: {_named(sessions)}"
    if condition.changed:
        yield f"    {counted(condition.changed, 'session')} not compared: changed meanwhile"


def _named(sessions: Sequence[str]) -> str:
    shown = ", ".join(map(excerpt, sessions[:_MOST_NAMED]))
    return shown if len(sessions) <= _MOST_NAMED else f"{shown} and {len(sessions) - _MOST_NAMED:,} more"
