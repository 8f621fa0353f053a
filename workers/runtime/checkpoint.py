"""The one transaction of a batch, step by step.

This module knows the order in which a batch's outcome becomes visible, and what is left behind by
a crash at each point. Everything that is written to Kafka for a batch is written here.

| crash after | Kafka, for `read_committed` readers | Redis | the next owner |
|---|---|---|---|
| 1 begin | nothing | as before | reads the batch again |
| 2 write | nothing: the records are in the log, uncommitted | as before | its start aborts them; the same |
| 3 offset | nothing | as before | the same |
| 4 settle | nothing | as before | the same |
| 5 commit | the whole batch, once | behind the changelog | restores it before its first verdict |
| 6 apply | the whole batch, once | complete | goes on |

Between sending the commit and its answer nobody knows whether it happened. The writer is given up;
the next one's start waits until Kafka has decided, and the committed offset tells.
"""

from __future__ import annotations

from schemas import session_node
from schemas.session_node import SessionNode
from schemas.topics import THREADS
from workers.adapters.kafka_writer import TransactionalWriter, offsets
from workers.processors.outcome import Outcome, OutputRecord
from workers.settings import Settings


async def checkpoint(
    writer: TransactionalWriter,
    settings: Settings,
    group: str,
    source: tuple[str, int, int],
    outcome: Outcome,
) -> list[tuple[int, SessionNode]]:
    """Commit an outcome, and return its nodes, each with its offset in the changelog.

    `source` is the input's topic, its partition, and the offset behind the batch. Step 6 is the
    caller's: the nodes are to be applied to Redis.

    Raises:
        Fenced, Unreachable: the transaction is not known to be committed; the writer is spent.

    """
    topic, partition, next_offset = source
    changelog = [
        OutputRecord(session_node.changelog_key(node.session, node.id), session_node.encode(node))
        for node in outcome.nodes
    ]
    # 1. Begin.
    await writer.begin()
    # 2. Write outputs and changelog: all topics at once, so that they join the transaction together.
    for target, records in outcome.outputs:
        await writer.write(settings.topic(target), partition, records)
    changed = await writer.write(settings.topic(THREADS), partition, changelog)
    # 3. Add the input offset. From here on, "committed" means "this batch is done".
    await writer.commit_offset(topic, partition, next_offset, group)
    # 4. Wait until every record is on its brokers.
    await writer.settle()
    # 5. Commit.
    await writer.commit()
    return list(zip(await offsets(changed), outcome.nodes, strict=True))
