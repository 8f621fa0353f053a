"""Bringing Redis up to the changelog, and finding the end of the audit chain.

This module knows what a partition's new owner must catch up on before it may judge anything. It is
done after the owner's producer has started: from then on nobody else can add to the changelog.
"""

from __future__ import annotations

import time

import msgspec
from structlog.typing import FilteringBoundLogger

from schemas import audit
from schemas.audit import ChainHead
from schemas.changelog import Change, read_change
from schemas.topics import AUDIT, Topic
from workers.adapters.kafka_reader import last_record, read_to_end
from workers.adapters.redis_view import Agenda, Position, RedisView
from workers.faults import Unreachable
from workers.processors.outcome import InputRecord
from workers.settings import Settings

_SECONDS_BETWEEN_PROGRESS_LINES = 5.0


class Restored(msgspec.Struct, frozen=True):
    """How far Redis has the changelog now, what is due, and what it took to get there.

    `rebuilt` tells whether Redis had nothing to build on, `entries` how many were applied, and `seconds`
    how long that took.
    """

    position: Position
    agenda: Agenda
    rebuilt: bool
    entries: int
    seconds: float


async def restore_sessions(
    settings: Settings,
    changelog: Topic,
    view: RedisView,
    partition: int,
    known: Position,
    log: FilteringBoundLogger,
) -> Restored:
    """Apply the changelog to Redis from where Redis has it to its end.

    `known` is how far this worker knows the changelog to go. Where Redis has nothing, or something of
    another cluster or of a topic that was made anew, it is cleared and rebuilt from the beginning.

    Raises:
        Unreachable: Kafka or Redis does not answer.

    """
    have = await view.position()
    if have is not None and have.cluster != known.cluster:
        have = None
    rebuilt = have is None
    if rebuilt:
        await view.clear()
    began = reported = time.monotonic()
    applied = 0
    agenda: Agenda | None = None
    start = 0 if have is None else have.offset
    async for records, offset, end in read_to_end(
        settings, settings.topic(changelog), partition, start, least=known.offset
    ):
        if start > end:
            log.warning("changelog_is_new", applied=start, end=end)
            await view.clear()
            return await restore_sessions(settings, changelog, view, partition, known, log)
        changes = [change for record in records if (change := change_in(record, log)) is not None]
        position = Position(known.cluster, offset)
        agenda = await view.apply(changes, have, position)
        have = position
        applied += 0 if agenda is None else len(changes)
        if time.monotonic() - reported > _SECONDS_BETWEEN_PROGRESS_LINES:
            reported = time.monotonic()
            log.info("restoring", offset=offset, end=end, entries=applied)
    seconds = round(time.monotonic() - began, 3)
    if have is None or agenda is None:
        # Somebody else has changed Redis meanwhile: another flush, or `pairl bus state rebuild`.
        rest = await restore_sessions(settings, changelog, view, partition, known, log)
        return Restored(
            rest.position,
            rest.agenda,
            rebuilt or rest.rebuilt,
            applied + rest.entries,
            seconds + rest.seconds,
        )
    return Restored(have, agenda, rebuilt, applied, seconds)


async def find_chain_head(settings: Settings, partition: int) -> ChainHead:
    """Return where the audit chain of a partition ends.

    Raises:
        Unreachable: Kafka does not answer, or the trail ends in something that is no block.

    """
    record = await last_record(settings, settings.topic(AUDIT), partition)
    if record is None:
        return ChainHead()
    try:
        return audit.head_after(audit.decode(record.value), record.value)
    except (msgspec.DecodeError, TypeError, IndexError) as fault:
        raise Unreachable(
            f"the last record of {record.topic}/{partition}, at offset {record.offset}, is no block of the "
            "audit trail: some other program has written there; take its right to, and delete the record"
        ) from fault


def change_in(record: InputRecord, log: FilteringBoundLogger) -> tuple[int, Change] | None:
    """Return the change in a record of the changelog with its offset; None for what others have put there."""
    try:
        return record.offset, read_change(record.key, record.value)
    except ValueError as fault:
        log.warning("not_a_change", topic=record.topic, offset=record.offset, reason=str(fault))
        return None
