"""The validator's decisions, without Kafka or Redis: sessions, verdicts, audit entries, and what is kept.

Knows records and outcomes. Does not test the rules; a few of them serve as examples. Who waits is in
`test_workers_waiting`.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal

import msgspec
import pytest

from pairl import Policy, compute_hash, parse
from pairl.budget import Budget
from pairl.thread import Status, ThreadNode
from schemas import audit, headers, session_state
from schemas.audit import ChainHead
from schemas.session_state import SessionNode
from schemas.topics import AUDIT, REJECTED, TOPICS, VALIDATED
from schemas.verdict import Accepted, Rejected
from tests.unit.partitions import (
    BROKEN,
    LOOSE,
    NOW,
    STRICT,
    Arrived,
    Partition,
    block,
    codes,
    codes_by_offset,
    decide,
    outputs,
    said,
    verdicts,
    written,
)
from workers.processors.conversation import Patience
from workers.processors.outcome import Outcome
from workers.processors.validator import Validator


def _nodes(outcome: Outcome) -> list[SessionNode]:
    """Return the messages that a batch adds to sessions."""
    entries = [session_state.decode(change.entry, change.value) for change in outcome.changes if change.value]
    return [entry for entry in entries if isinstance(entry, SessionNode)]


def test_an_accepted_record_is_passed_on_with_four_headers_behind_its_own() -> None:
    arrived = Arrived(
        written("m1"), headers=(("a", b"1"), ("pairl-hash", b"spoofed"), ("a", b"2"), ("empty", None))
    )
    outcome = decide(arrived)
    (output,) = outputs(outcome, VALIDATED.name)
    digest = compute_hash(parse(arrived.value or b""))
    assert (output.key, output.value, output.timestamp) == (arrived.key, arrived.value, arrived.timestamp)
    assert tuple(output.headers[:4]) == arrived.headers
    assert {name for name, _ in output.headers[4:]} == _documented("validated")
    assert dict(output.headers[4:]) | {"pairl-verdict": b""} == {
        "pairl-verdict": b"",
        "pairl-hash": digest.encode(),
        "pairl-id": b"m1",
        "pairl-session": b"s",
    }
    assert outcome.counts == {"accepted": 1, "rejected": 0, "parked": 0, "rerouted": 0}
    (judged,) = verdicts(outcome).values()
    assert isinstance(judged, Accepted)
    assert (judged.hash, judged.id, judged.mode, judged.waited_ms) == (digest, "m1", "strict", None)


def test_a_rejected_record_is_passed_on_with_its_codes_and_its_place() -> None:
    partition = Partition(first_offset=16)
    arrived = Arrived(written("m2", "m9", BROKEN + "#cost amount=x usd\n"), headers=(("a", b"1"),))
    outcome = partition.take(Arrived(written("m9", more=BROKEN)), arrived)
    output = outputs(outcome, REJECTED.name)[1]
    assert (output.key, output.value, output.timestamp) == (arrived.key, arrived.value, arrived.timestamp)
    assert tuple(output.headers[:1]) == arrived.headers
    added = dict(output.headers[1:])
    assert added.keys() == _documented("rejected")
    # The codes stand in the order of the message: its headers come first.
    assert (added["pairl-codes"] or b"").startswith(b"V4,V6,")
    assert added["pairl-source"] == b"pairl.inbound/2/17"
    judged = verdicts(outcome)[17]
    assert isinstance(judged, Rejected)
    assert ",".join(judged.codes).encode() == added["pairl-codes"]
    assert (judged.source, judged.id) == ("pairl.inbound/2/17", "m2")
    assert {"V4/rejected-parent", "V6/duplicate-rid"} < set(codes(judged))


def _documented(topic: str) -> set[str]:
    """Return the headers that the bus adds on a topic to what was not passed on before."""
    return {header.name for header in headers.HEADERS if topic in header.topics} - {headers.REROUTED}


@pytest.mark.parametrize("value", [None, b"", b"\xff\xfe", b"\n", b"{}", b"@v 1\n" * 3, b"---\n"])
def test_what_is_no_message_is_rejected_and_kept_out_of_the_session(value: bytes | None) -> None:
    outcome = decide(Arrived(value))
    (output,) = outputs(outcome, REJECTED.name)
    assert output.value == value
    assert outcome.changes == []
    assert block(outcome).entries[0].id is None


def test_messages_of_a_batch_see_the_ones_before_them() -> None:
    outcome = decide(
        said("m1"),
        said("m2", "m1"),
        said("m3", more=BROKEN),
        said("m4", "m3"),
        said("m3", key=b"other"),
        said("m5", "m4,m1"),
        said("m3"),
        said("m6", "m3"),
    )
    assert [entry.codes for entry in block(outcome).entries] == [
        (),
        (),
        ("V6",),
        ("V4",),
        (),
        ("V4",),
        (),
        (),
    ]
    kept = [(node.session, node.node.id, node.node.status) for node in _nodes(outcome)]
    assert kept == [
        ("s", "m1", Status.ACCEPTED),
        ("s", "m2", Status.ACCEPTED),
        ("s", "m3", Status.REJECTED),
        ("s", "m4", Status.REJECTED),
        ("other", "m3", Status.ACCEPTED),
        ("s", "m5", Status.REJECTED),
        ("s", "m3", Status.ACCEPTED),
        ("s", "m6", Status.ACCEPTED),
    ]


@pytest.mark.parametrize("from_memory", [True, False])
def test_what_was_kept_is_as_good_as_what_the_batch_brought(from_memory: bool) -> None:
    partition = Partition()
    partition.take(said("m1"), said("m2", more=BROKEN))
    if not from_memory:
        partition.forget_memory()
    second = partition.take(said("m3", "m1"), said("m4", "m2"))
    assert [entry.codes for entry in block(second).entries] == [(), ("V4",)]


def test_duplicates_and_conflicts_in_one_batch_leave_one_node() -> None:
    outcome = decide(said("m1"), said("m1"), said("m1", more="#fact c=3\n"), said("m1"))
    assert codes_by_offset(outcome) == {
        0: [],
        1: ["SES/duplicate"],
        2: ["SES/id-conflict"],
        3: ["SES/duplicate"],
    }
    assert [entry.verdict for entry in block(outcome).entries] == [
        "accepted",
        "accepted",
        "rejected",
        "accepted",
    ]
    (kept,) = _nodes(outcome)
    assert (kept.node.id, kept.source) == ("m1", "pairl.inbound/2/0")


def test_a_message_without_a_session_or_an_id_leaves_no_node() -> None:
    outcome = decide(Arrived(written("m1", "m0"), None), Arrived(written(None, "m0")))
    assert outcome.changes == []
    alone, nameless = verdicts(outcome).values()
    assert isinstance(alone, Accepted)
    assert "V4" in alone.not_evaluated
    assert isinstance(nameless, Rejected)
    assert nameless.codes == ("HDR",)


def test_a_node_says_what_later_messages_need() -> None:
    partition = Partition(LOOSE)
    partition.take(said("m0"), said("m1", "m0"))
    spent = "#cost val=0.25 cur=USD\n"
    record = Arrived(written("m2", "m1,m0", spent, "@budget 2USD\n"))
    (kept,) = _nodes(partition.take(record))
    assert (kept.session, kept.source, kept.at, kept.errors) == ("s", "pairl.inbound/2/2", NOW, ())
    node = kept.node
    assert isinstance(node, ThreadNode)
    assert (node.id, node.status, node.hash) == (
        "m2",
        Status.ACCEPTED,
        compute_hash(parse(record.value or b"")),
    )
    assert (node.parents, node.parent, node.root, node.depth, node.rids) == (
        ("m1", "m0"),
        "m1",
        "m0",
        2,
        "f1",
    )
    assert (node.costs, node.budget) == ({"USD": Decimal("0.25")}, Budget(Decimal(2), "USD"))


def test_a_rejected_node_keeps_the_first_reasons_for_people() -> None:
    (kept,) = _nodes(decide(said("m1", more="#fact a=1 @rid=f1\n" * 9)))
    assert len(kept.errors) == 5
    assert all(line.startswith("V6/duplicate-rid") for line in kept.errors)


def test_the_block_has_an_entry_for_each_record_and_continues_the_chain() -> None:
    records = [
        Arrived(written("m1"), b"\xff", (("h", b"\x00"), ("h", b""), ("h", None))),
        Arrived(None, None),
        Arrived(written("m2", more=BROKEN)),
    ]
    partition = Partition(first_offset=7)
    partition.chain = ChainHead(sequence=4, digest="a" * 64, next_offset=7)
    outcome = partition.take(*records)
    (record,) = outputs(outcome, AUDIT.name)
    added = block(outcome)
    assert (record.key, record.headers) == (b"2", [])
    assert (added.topic, added.partition, added.sequence, added.previous, added.next_offset) == (
        "pairl.inbound",
        2,
        4,
        "a" * 64,
        10,
    )
    assert [entry.offset for entry in added.entries] == [7, 8, 9]
    assert [entry.verdict for entry in added.entries] == ["accepted", "rejected", "rejected"]
    assert [entry.record for entry in added.entries] == [
        hashlib.sha256(
            msgspec.msgpack.encode([one.key, one.value, [list(header) for header in one.headers]])
        ).hexdigest()
        for one in records
    ]
    assert outcome.chain == ChainHead(5, hashlib.sha256(record.value or b"").hexdigest(), 10)


def test_entries_that_would_not_fit_into_one_block_are_spread_over_several() -> None:
    key, filler = b"\1" * 256, "y" * 250
    partition = Partition(patience=Patience(messages=10_000, bytes=1 << 30), first_offset=10)
    partition.take(*(said(f"{number:06}{filler}", "m1", key=key) for number in range(6_500)))
    outcome = partition.take(said("m2", key=key), said("m1", key=key), said("m3", key=key))
    records = outputs(outcome, AUDIT.name)
    blocks = [audit.decode(record.value or b"") for record in records]
    assert max(len(record.value or b"") for record in records) < int(AUDIT.config["max.message.bytes"])
    assert [entry.offset for one in blocks for entry in one.entries] == list(range(10, 6_513))
    # The first ones are about messages that waited, and come no further than the trail had come before.
    assert [(one.sequence, one.next_offset) for one in blocks] == [(3, 6_510), (4, 6_510), (5, 6_513)]
    digests = [hashlib.sha256(record.value or b"").hexdigest() for record in records]
    assert [one.previous for one in blocks[1:]] == digests[:-1]
    assert outcome.chain == ChainHead(6, digests[-1], 6_513)


def test_a_batch_without_anything_to_say_adds_no_block() -> None:
    partition = Partition()
    partition.take(said("m1"))
    outcome = partition.take()
    assert outcome.is_empty
    assert outcome.chain == ChainHead(1, partition.chain.digest, 1)


def test_verdicts_and_blocks_name_the_policy_that_gave_them() -> None:
    digests = set()
    for policy in (STRICT, LOOSE, Policy(strict=True, max_records=5)):
        outcome = decide(said("m1"), policy=policy)
        (judged,) = verdicts(outcome).values()
        assert judged.policy == block(outcome).policy
        assert judged.mode == ("strict" if policy.strict else "loose")
        digests.add(judged.policy)
    assert len(digests) == 3


def test_a_verdict_that_was_waited_for_tells_its_policy_and_evidence() -> None:
    partition = Partition()
    partition.take(said("m2", "m1"))
    judged = verdicts(partition.take(said("m1")))[0]
    assert isinstance(judged, Accepted)
    assert (judged.session, judged.id, judged.policy) == ("s", "m2", partition.validator.digest)
    assert "V4" not in judged.not_evaluated


def test_all_targets_are_topics_of_the_bus() -> None:
    assert {topic.name for topic in Validator.targets} < {topic.name for topic in TOPICS}
    outcome = decide(said("m1"))
    assert {topic.name for topic, _ in outcome.outputs} < {topic.name for topic in Validator.targets}
