"""Records in a partition that is not their session's: passed on, judged there, or refused where they are."""

from __future__ import annotations

import msgspec
import pytest
from aiokafka.partitioner import DefaultPartitioner
from hypothesis import given
from hypothesis import strategies as st

from schemas import headers
from schemas.changelog import bounded
from schemas.topics import LARGEST_INBOUND_RECORD
from schemas.verdict import Rejected
from tests.unit.partitions import (
    BROKEN,
    NOW,
    PARTITION,
    STRICT,
    Arrived,
    block,
    codes,
    codes_by_offset,
    said,
    verdicts,
    written,
)
from workers.adapters.kafka_partitioner import owner_partition
from workers.processors.conversation import Patience
from workers.processors.outcome import Outcome, OutputRecord, Turn
from workers.processors.reading import size_of
from workers.processors.validator import Validator

ELSEWHERE = 7


def _take(*records: Arrived) -> Outcome:
    """Decide on records at their own offsets; sessions called `far…` belong to another partition."""
    validator = Validator(STRICT, Patience())
    batch = validator.read(records, lambda name: ELSEWHERE if name.startswith("far") else PARTITION)
    states = {name: validator.load(name, ()) for name in batch.sessions}
    assert not any(name.startswith("far") for name in states)
    return batch.decide(states, Turn("pairl.inbound", PARTITION, NOW))


@given(st.binary(max_size=64), st.integers(1, 200))
def test_the_owner_is_where_the_default_partitioner_puts_the_key(key: bytes, partitions: int) -> None:
    session = key.decode("utf-8", "replace")
    there = list(range(partitions))
    assert owner_partition(session, partitions) == DefaultPartitioner()(session.encode(), there, there)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), st.integers(1, 20))
def test_a_key_of_text_is_in_its_partition_already(session: str, partitions: int) -> None:
    # Only names so long that they are kept as digests are not where their key puts them.
    there = list(range(partitions))
    put = DefaultPartitioner()(session.encode(), there, there)
    assert bounded(session) != session or owner_partition(bounded(session), partitions) == put


def test_the_owner_is_the_one_that_kafka_gives() -> None:
    # Known answers of Kafka's own murmur2, from its unit tests.
    known = {"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536}
    for session, hashed in known.items():
        assert owner_partition(session, 1 << 31) == hashed & 0x7FFFFFFF


def test_a_record_goes_to_its_sessions_partition_as_it_arrived_and_is_not_judged() -> None:
    record = Arrived(
        written("m1", "m0", BROKEN), b"far", (("h", None), ("pairl-hash", b"1")), offset=5, timestamp=77
    )
    near = msgspec.structs.replace(said("m1"), offset=6)
    outcome = _take(record, near)
    assert outcome.rerouted == {
        ELSEWHERE: [
            OutputRecord(
                b"far", record.value, [*record.headers, ("pairl-rerouted", b"pairl.inbound/2/5")], 77
            )
        ]
    }
    assert not outcome.is_empty
    assert {change.session for change in outcome.changes} == {"s"}
    assert set(verdicts(outcome)) == {6}
    moved, judged = block(outcome).entries
    assert (moved.offset, moved.verdict, moved.to, moved.id, moved.session) == (
        5,
        "rerouted",
        ELSEWHERE,
        "m1",
        "far",
    )
    assert (judged.verdict, judged.to) == ("accepted", None)
    assert outcome.counts == {"accepted": 1, "rejected": 0, "parked": 0, "rerouted": 1}
    assert outcome.chain.next_offset == 7


def test_a_batch_of_nothing_but_strays_is_not_empty() -> None:
    outcome = _take(said("m1", key=b"far"))
    assert not outcome.is_empty
    assert outcome.changes == []


@pytest.mark.parametrize(
    "record",
    [
        Arrived(written("m1", more_headers="@sid far\n"), b"s"),
        Arrived(written("m1"), None, (("pairl-session", b"far"),)),
        Arrived(b"\xff", b"far"),
        Arrived(None, b"far"),
    ],
    ids=["@sid", "header", "not readable", "no value"],
)
def test_where_a_record_belongs_does_not_depend_on_where_its_session_is_named(record: Arrived) -> None:
    ((partition, (copy,)),) = _take(record).rerouted.items()
    assert (partition, copy.key, copy.value) == (ELSEWHERE, record.key, record.value)
    # The owner reads the same session from the copy.
    again = Arrived(copy.value, copy.key, copy.headers)
    assert list(_take(again).rerouted) == [ELSEWHERE]


def test_a_record_without_a_session_is_judged_where_it_is() -> None:
    outcome = _take(Arrived(written("m1"), None))
    assert outcome.rerouted == {}
    assert [entry.verdict for entry in block(outcome).entries] == ["accepted"]


@pytest.mark.parametrize(("room", "is_passed_on"), [(64 * 1024, True), (64 * 1024 - 1, False)])
def test_what_is_too_large_to_be_passed_on_is_refused(room: int, is_passed_on: bool) -> None:
    record = said("m1", key=b"far")
    record.headers = (("h", b""),)
    record.headers = (("h", b"x" * (LARGEST_INBOUND_RECORD - room - size_of(record))),)
    outcome = _take(record)
    assert bool(outcome.rerouted) is is_passed_on
    if not is_passed_on:
        judged = verdicts(outcome)[0]
        assert isinstance(judged, Rejected)
        assert (judged.codes, judged.session, judged.source) == (("SES",), "far", "pairl.inbound/2/0")
        assert codes(judged) == ["SES/wrong-partition"]
        assert "its session's is 7" in judged.diagnostics[0].message
        assert outcome.changes == []


def test_what_frames_headers_counts_where_a_record_is_passed_on() -> None:
    record = said("m1", key=b"far")
    record.headers = (("", None),) * (LARGEST_INBOUND_RECORD // 10)
    assert codes_by_offset(_take(record)) == {0: ["SES/wrong-partition"]}


def test_a_message_that_was_passed_on_says_so_where_it_is_judged() -> None:
    record = Arrived(written("m1"), b"s", ((headers.REROUTED, b"pairl.inbound/0/3"),))
    ((_, (accepted,)), *_) = _take(record).outputs
    assert headers.last(accepted.headers, headers.REROUTED) == b"pairl.inbound/0/3"
