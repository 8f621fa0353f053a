"""The audit trail of a bus while it grows: which blocks there are once something has been entered.

Knows how long to wait for an entry. Does not know what should stand in it.
"""

from __future__ import annotations

import asyncio
from itertools import groupby

from schemas.audit import PARKED, AuditBlock
from schemas.topics import AUDIT
from tests.integration.bus import Bus, Sent
from tests.integration.trail import check_chain


async def blocks(bus: Bus) -> list[AuditBlock]:
    """Return the blocks of every partition, one partition after the other."""
    records = await bus.read(AUDIT)
    return [
        block
        for _, trail in groupby(records, key=lambda record: record.partition)
        for block in check_chain(trail)
    ]


async def entered(bus: Bus, word: str, count: int, session: bytes, seconds: float = 30.0) -> None:
    """Wait until the trail has `count` entries of a session with this verdict."""
    async with asyncio.timeout(seconds):
        while await _count(bus, word, session.decode()) < count:
            pass


async def park(bus: Bus, *records: Sent) -> None:
    """Send records of one session, and wait until all of them wait."""
    sessions = {record.key for record in records}
    (session,) = sessions
    assert session is not None
    before = await _count(bus, PARKED, session.decode())
    await bus.send(*records)
    await entered(bus, PARKED, before + len(records), session)


async def _count(bus: Bus, word: str, session: str) -> int:
    return sum(
        (entry.verdict, entry.session) == (word, session)
        for block in await blocks(bus)
        for entry in block.entries
    )
