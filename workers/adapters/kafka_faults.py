"""Kafka's faults in our words: who can mend them, and how.

This module knows which of the client's exceptions mean that Kafka is away, and which that another
worker has taken over. It decides nothing; the runtime does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiokafka import errors

from workers.faults import Fenced, Unreachable

_TAKEN_OVER = (errors.ProducerFenced, errors.InvalidProducerEpoch)
_TOO_LARGE = (errors.MessageSizeTooLargeError, errors.RecordListTooLargeError)
_SECONDS_OF_PATIENCE = 30.0
_CLOSED = "the handler is closed"
"""What uvloop's connections say, in a RuntimeError, when they are closed; those of asyncio raise nothing."""


@asynccontextmanager
async def reaching_kafka(what: str, seconds: float = _SECONDS_OF_PATIENCE) -> AsyncIterator[None]:
    """Run the block for at most `seconds`, and raise what goes wrong in it as our own exceptions.

    Raises:
        Fenced: another worker has the partition now.
        Unreachable: anything else that Kafka, or the way to it, can do.

    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except _TAKEN_OVER as fault:
        raise Fenced(f"another worker took over while this one tried to {what}") from fault
    except _TOO_LARGE as fault:
        raise Unreachable(
            f"Kafka refuses to {what} ({fault}): a topic's max.message.bytes is smaller than the one "
            "that `pairl bus topics` sets; raise it"
        ) from fault
    except errors.UnknownTopicOrPartitionError as fault:
        raise Unreachable(
            f"Kafka cannot {what}: a topic is missing; create the topics with `pairl bus topics`"
        ) from fault
    except (errors.TopicAuthorizationFailedError, errors.GroupAuthorizationFailedError) as fault:
        raise Unreachable(f"Kafka does not allow this client to {what} ({fault}); check its ACLs") from fault
    except TimeoutError as fault:
        raise Unreachable(
            f"Kafka did not {what} within {seconds:.0f} s; check that its brokers run and are in sync"
        ) from fault
    except (errors.KafkaError, OSError, RuntimeError) as fault:
        if not isinstance(fault, errors.KafkaError | OSError) and _CLOSED not in str(fault):
            raise
        reason = str(fault) or type(fault).__name__
        raise Unreachable(
            f"Kafka cannot {what} ({reason}); check that it runs and that "
            "PAIRL_KAFKA_BOOTSTRAP_SERVERS names it"
        ) from fault


def is_an_echo(fault: BaseException | None) -> bool:
    """Say whether an exception that nobody waited for was certainly raised somewhere else as well.

    The client sets its errors on several futures at once, and some of them nobody can reach.
    """
    return isinstance(fault, errors.KafkaError)
