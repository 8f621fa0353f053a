"""The fastest bare copy that the client gives: what the validator's throughput is measured against.

For each partition a transactional producer and a task: read, append each record with two more headers
to a batch, add an audit record and the offset, commit. No parsing, no look-up, no verdict.

    python -m tests.bench.copy_loop RECORDS    (reads PAIRL_* settings; prints records per second)
"""

from __future__ import annotations

import asyncio
import os
import sys
import time

from schemas.topics import AUDIT, INBOUND, VALIDATED
from workers.adapters.kafka_admin import partition_count
from workers.adapters.kafka_reader import partition_reader
from workers.adapters.kafka_writer import TransactionalWriter
from workers.cli.environment import run_async
from workers.exit_codes import ExitCode
from workers.processors.outcome import OutputRecord
from workers.settings import Settings, read_settings

_GROUP = "copy-loop"
_RECORDS_IN_A_TRANSACTION = 2_000
_LONGEST_READ = 1_000


async def _copy(settings: Settings, partition: int, progress: list[int], total: int) -> None:
    topic = settings.topic(INBOUND)
    writer = TransactionalWriter(settings, f"{_GROUP}.{topic}.{partition}")
    await writer.start()
    async with partition_reader(settings, topic, partition, _GROUP) as reader:
        await reader.start_offset(0)
        while sum(progress) < total:
            records = await reader.read(_RECORDS_IN_A_TRANSACTION, _LONGEST_READ)
            if not records:
                continue
            copies = [
                OutputRecord(
                    record.key,
                    record.value,
                    [*record.headers, ("pairl-verdict", b"accepted"), ("pairl-hash", b"0" * 64)],
                    record.timestamp,
                )
                for record in records
            ]
            await writer.begin()
            await writer.write(settings.topic(VALIDATED), partition, copies)
            await writer.write(settings.topic(AUDIT), partition, [OutputRecord(None, b"x" * 1000)])
            await writer.commit_offset(topic, partition, records[-1].offset + 1, _GROUP)
            await writer.settle()
            await writer.commit()
            progress[partition] += len(records)
    await writer.stop()


async def _run(total: int) -> ExitCode:
    settings = read_settings(os.environ)
    partitions = await partition_count(settings, (INBOUND, VALIDATED, AUDIT))
    progress = [0] * partitions
    began = time.perf_counter()
    await asyncio.gather(*(_copy(settings, number, progress, total) for number in range(partitions)))
    sys.stdout.write(f"{sum(progress) / (time.perf_counter() - began):.0f}\n")
    return ExitCode.OK


if __name__ == "__main__":
    sys.exit(run_async(_run(int(sys.argv[1]))))
