"""Topics and clusters: creating what the bus needs, and checking that it is there.

This module knows how to ask a cluster about itself. It does not read or write records.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import msgspec
from aiokafka import errors
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from schemas.topics import TOPICS, Topic
from workers.adapters.kafka_faults import reaching_kafka
from workers.faults import Unreachable
from workers.settings import Settings


class TopicState(msgspec.Struct, frozen=True):
    """A topic of the bus: its full name, its partitions, and whether it was just created."""

    name: str
    partitions: int
    created: bool


@asynccontextmanager
async def _admin(settings: Settings) -> AsyncIterator[AIOKafkaAdminClient]:
    client = AIOKafkaAdminClient(
        bootstrap_servers=settings.kafka_bootstrap_servers, request_timeout_ms=10_000
    )
    async with reaching_kafka("answer"):
        await client.start()
    try:
        yield client
    finally:
        with suppress(errors.KafkaError, OSError):
            await client.close()


async def create_topics(settings: Settings) -> list[TopicState]:
    """Create the topics that are missing, and return all of them; what exists is left as it is.

    Raises:
        Unreachable: Kafka does not answer, or refuses to create a topic.

    """
    async with _admin(settings) as client, reaching_kafka("create the topics"):
        present = await _partition_counts(client, [settings.topic(topic) for topic in TOPICS])
        missing = [topic for topic in TOPICS if settings.topic(topic) not in present]
        if missing:
            response = await client.create_topics(
                [
                    NewTopic(
                        settings.topic(topic),
                        settings.partitions,
                        settings.replication_factor,
                        topic_configs=topic.config,
                    )
                    for topic in missing
                ]
            )
            for name, code, *reason in response.topic_errors:
                if code not in (0, errors.TopicAlreadyExistsError.errno):
                    raise Unreachable(
                        f"Kafka refuses to create {name} ({errors.for_code(code).__name__}: "
                        f"{reason[0] if reason else ''}); check PAIRL_REPLICATION_FACTOR against the "
                        "number of brokers, and the client's rights"
                    )
    return [
        TopicState(
            settings.topic(topic),
            present.get(settings.topic(topic), settings.partitions),
            settings.topic(topic) not in present,
        )
        for topic in TOPICS
    ]


async def partition_count(settings: Settings, topics: Sequence[Topic]) -> int:
    """Return how many partitions `topics` have.

    Raises:
        Unreachable: Kafka does not answer, a topic is missing, or their partitions are not as many.

    """
    names = [settings.topic(topic) for topic in topics]
    async with _admin(settings) as client, reaching_kafka("describe the topics"):
        counts = await _partition_counts(client, names)
    missing = [name for name in names if name not in counts]
    if missing:
        raise Unreachable(f"Kafka has no topic {', '.join(missing)}; create it with `pairl bus topics`")
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise Unreachable(
            f"the topics differ in their partitions ({listed}); output partition n belongs to input "
            "partition n, so they must have equally many"
        )
    return counts[names[0]]


async def cluster_id(settings: Settings) -> str:
    """Return the id of the cluster.

    Raises:
        Unreachable: Kafka does not answer.

    """
    async with _admin(settings) as client, reaching_kafka("describe the cluster"):
        return str((await client.describe_cluster()).get("cluster_id") or "-")


async def _partition_counts(client: AIOKafkaAdminClient, names: list[str]) -> dict[str, int]:
    """Return the partition counts of those topics that exist."""
    # Only what is listed is described: a broker may create a topic, badly, when it is asked about it.
    present = set(await client.list_topics())
    described = await client.describe_topics([name for name in names if name in present])
    return {
        topic["topic"]: len(topic["partitions"])
        for topic in described
        if topic["topic"] in present and topic["error_code"] == 0 and topic["partitions"]
    }
