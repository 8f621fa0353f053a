"""Records that go on as they arrived: to the partition of their session, or as dead letters.

This module knows what the bus adds to a record that it passes on, and when it cannot. It does not know why a
record is passed on.
"""

from __future__ import annotations

from collections.abc import Iterable

from pairl.diagnostics import Finding
from schemas import headers, verdict
from schemas.topics import LARGEST_INBOUND_RECORD
from schemas.verdict import Rejected
from workers.processors.outcome import InputRecord, OutputRecord
from workers.processors.reading import place_of, size_of

_ROOM_TO_PASS_ON = 64 * 1024
"""Bytes that a record may lack to the largest one and still be passed on, whatever its framing takes."""


def can_be_rerouted(record: InputRecord) -> bool:
    """Say whether a record is sure to fit into another partition of its topic, with what is added to it."""
    return size_of(record) + _ROOM_TO_PASS_ON <= LARGEST_INBOUND_RECORD


def rerouted(record: InputRecord) -> OutputRecord:
    """Return a record for the partition of its session."""
    return passed_on(record, [(headers.REROUTED, place_of(record).encode())])


def in_wrong_partition(record: InputRecord, home: int) -> Finding:
    """Return what is found of a record that would have to be passed on to partition `home`, and cannot be."""
    return Finding(
        "SES/wrong-partition",
        f"the record is in partition {record.partition}, its session's is {home}, and it is too large to be "
        "passed on",
        help="send records keyed by their session, with Kafka's own (murmur2) partitioner",
    )


def dead_letter(record: InputRecord, rejection: Rejected) -> OutputRecord:
    """Return a record with the reasons why it was refused."""
    return passed_on(
        record,
        [
            (headers.VERDICT, verdict.encode(rejection)),
            (headers.CODES, ",".join(rejection.codes).encode()),
            (headers.SOURCE, rejection.source.encode()),
        ],
    )


def passed_on(record: InputRecord, added: Iterable[tuple[str, bytes]]) -> OutputRecord:
    """Return the record as it arrived, with what the bus adds behind its own headers."""
    return OutputRecord(record.key, record.value, [*record.headers, *added], record.timestamp)
