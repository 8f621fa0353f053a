"""Sessions as the changelog keeps them, and the ways in which somebody names one on the command line.

This module knows what an argument can mean, and which partition to read for a session. It shows nothing but a
progress bar.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Iterator

import msgspec

from pairl.thread import SESSION_PREFIX
from schemas.changelog import Change, bounded, named, read_change
from schemas.session_state import Entry, decode
from schemas.topics import THREADS
from workers.adapters.kafka_partitioner import owner_partition
from workers.adapters.kafka_reader import read_to_end
from workers.cli.progress import Bar
from workers.logs import get_log
from workers.processors.outcome import InputRecord
from workers.settings import Settings


def as_text(argument: str) -> str:
    """Return an argument as it can be part of a name: bytes in it that are no text are replaced."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def possible_names(argument: str) -> Iterator[tuple[str, str | None]]:
    """Yield what `SESSION` or `SESSION/ID` can mean, as (session, message id), the likeliest first.

    Sessions and ids may hold slashes themselves. Names are as the changelog has them.
    """
    text = argument.removeprefix(SESSION_PREFIX)
    yield bounded(text), None
    slash = text.rfind("/")
    while slash > 0:
        if slash + 1 < len(text):
            yield bounded(text[:slash]), bounded(text[slash + 1 :])
        slash = text.rfind("/", 0, slash)


async def read_sessions(settings: Settings, names: Iterable[str], partitions: int) -> dict[str, list[Entry]]:
    """Return what the changelog keeps of the sessions `names`, in its order; nothing of those it has not.

    Raises:
        Unreachable: Kafka does not answer.

    """
    latest: dict[str, dict[str, InputRecord]] = {name: {} for name in names}
    async for record, change in _changes(
        settings, sorted({owner_partition(name, partitions) for name in latest})
    ):
        entries = latest.get(change.session)
        if entries is None:
            continue
        entries.pop(change.entry, None)
        if record.value is not None:
            # It goes to the end: what is written anew takes its place in the order anew.
            entries[change.entry] = record
    return {name: list(_decoded(entries)) for name, entries in latest.items()}


async def sessions_with(settings: Settings, message_id: str, partitions: int) -> list[str]:
    """Return the sessions that have a message with this id, in the order of their names.

    Raises:
        Unreachable: Kafka does not answer.

    """
    wanted = named(bounded(message_id))
    found: dict[str, set[str]] = {}
    async for record, change in _changes(settings, range(partitions)):
        if change.entry.partition("/")[0] != wanted:
            continue
        entries = found.setdefault(change.session, set())
        if record.value is None:
            entries.discard(change.entry)
        else:
            entries.add(change.entry)
    return sorted(name for name, entries in found.items() if entries)


async def _changes(
    settings: Settings, partitions: Collection[int]
) -> AsyncIterator[tuple[InputRecord, Change]]:
    """Yield the records of these partitions of the changelog with what their keys say."""
    topic = settings.topic(THREADS)
    with Bar(0, "reading", "records") as bar:
        for partition in partitions:
            before = 0
            async for records, offset, end in read_to_end(settings, topic, partition, 0):
                bar.step(offset - before, more=0 if before else end)
                before = offset
                for record in records:
                    try:
                        change = read_change(record.key, None)
                    except ValueError:
                        continue  # Some other program has written there.
                    yield record, change


def _decoded(entries: dict[str, InputRecord]) -> Iterator[Entry]:
    for name, record in entries.items():
        try:
            yield decode(name, record.value or b"")
        except msgspec.DecodeError:
            get_log().warning(
                "not_an_entry", topic=record.topic, partition=record.partition, offset=record.offset
            )
