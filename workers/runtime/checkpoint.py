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

from schemas.changelog import Change
from workers.adapters.kafka_writer import TransactionalWriter, offsets
from workers.processors.outcome import Outcome, OutputRecord, Processor
from workers.settings import Settings


async def checkpoint(
    writer: TransactionalWriter,
    settings: Settings,
    processor: Processor,
    partition: int,
    next_offset: int | None,
    outcome: Outcome,
) -> list[tuple[int, Change]]:
    """Commit an outcome, and return its changes, each with its offset in the changelog.

    `next_offset` is the input offset behind the batch, None where it has no records. Step 6 is the
    caller's: the changes are to be applied to Redis.

    Raises:
        Fenced, Unreachable: the transaction is not known to be committed; the writer is spent.

    """
    source = settings.topic(processor.source)
    # 1. Begin.
    await writer.begin()
    # 2. Write outputs and changelog: all topics at once, so that they join the transaction together.
    for target, records in outcome.outputs:
        await writer.write(settings.topic(target), partition, records)
    for home, records in outcome.rerouted.items():
        await writer.write(source, home, records)
    changed = []
    if processor.changelog is not None:
        changelog = [OutputRecord(change.key, change.value) for change in outcome.changes]
        changed = await writer.write(settings.topic(processor.changelog), partition, changelog)
    # 3. Add the input offset. From here on, "committed" means "this batch is done".
    if next_offset is not None:
        await writer.commit_offset(source, partition, next_offset, settings.consumer_group(processor.name))
    # 4. Wait until every record is on its brokers.
    await writer.settle()
    # 5. Commit.
    await writer.commit()
    return list(zip(await offsets(changed), outcome.changes, strict=True))
