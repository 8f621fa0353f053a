"""The partition that a session belongs to: where producers that hash keys as Kafka's own do put it.

This module knows the hash. Other clients hash keys in other ways, so a session's records can arrive
anywhere; whoever reads them elsewhere passes them on.
"""

from __future__ import annotations

from functools import lru_cache

from aiokafka.partitioner import murmur2

_POSITIVE = 0x7FFFFFFF


@lru_cache(maxsize=16_384)
def owner_partition(session: str, partitions: int) -> int:
    """Return the partition, of `partitions`, that Kafka's default partitioner gives the key `session`."""
    return int((murmur2(session.encode()) & _POSITIVE) % partitions)
