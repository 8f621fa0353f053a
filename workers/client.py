"""An agent's side of the bus: send messages, and wait for their verdicts.

This module knows how a sent record is recognised again on the streams that come out of the bus. It
does not know files, terminals or Kafka's client. Each record gets a header of its own, which the
bus passes on like any other.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence

import msgspec

from schemas import headers, verdict
from schemas.topics import REJECTED, VALIDATED
from schemas.verdict import Accepted, Rejected
from workers.adapters.kafka_streams import Follower, open_follower, open_sender
from workers.faults import Unreachable
from workers.settings import Settings

_POLL_SECONDS = 0.5


def request(run: str, index: int) -> bytes:
    """Return what that header says of message `index` of a run."""
    return f"{run}/{index}".encode()


class Outgoing(msgspec.Struct, frozen=True):
    """A message to be sent: its bytes, and the session it belongs to if that is known."""

    value: bytes
    session: str | None = None


class NotSent(msgspec.Struct, frozen=True):
    """Kafka did not take the message, for a reason that trying again does not change."""

    reason: str


Answer = Accepted | Rejected | NotSent


async def send(
    settings: Settings, messages: Sequence[Outgoing], seconds: float
) -> AsyncIterator[tuple[int, Answer]]:
    """Send messages in order, and yield the answer to each, with its index, as it comes.

    Raises:
        Unreachable: Kafka does not answer, or verdicts are missing `seconds` after the last one came.

    """
    run = uuid.uuid4().hex
    waiting = {request(run, index): index for index in range(len(messages))}
    async with open_follower(settings, (VALIDATED, REJECTED)) as follower:
        async with open_sender(settings) as sender:
            for index, message in enumerate(messages):
                key = message.session.encode() if message.session else None
                refusal = await sender.send(key, message.value, [(headers.REQUEST, request(run, index))])
                if refusal is not None:
                    del waiting[request(run, index)]
                    yield index, NotSent(f"{refusal}; keep large content elsewhere and send a `#ref` to it")
        async for index, answer in _verdicts(follower, waiting, seconds):
            yield index, answer


async def _verdicts(
    follower: Follower, waiting: dict[bytes, int], seconds: float
) -> AsyncIterator[tuple[int, Accepted | Rejected]]:
    """Yield the verdicts on the messages of this run until none is waited for any more."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while waiting:
        for _, record in await follower.read(_POLL_SECONDS):
            asked = headers.last(record.headers, headers.REQUEST)
            decision = headers.last(record.headers, headers.VERDICT)
            if asked is not None and asked in waiting and decision is not None:
                deadline = clock() + seconds
                yield waiting.pop(asked), verdict.decode(decision)
        if waiting and clock() > deadline:
            raise Unreachable(
                f"{len(waiting)} of the messages have no verdict after {seconds:.0f} s; is a validator "
                "running (`pairl bus run validator`) with the same PAIRL_TOPIC_PREFIX?"
            )
