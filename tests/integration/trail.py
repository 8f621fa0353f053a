"""What the topics must look like together: every input record judged once, unchanged, and accounted for.

Knows the contracts of the topics, and recomputes their digests itself. Does not know how records are
read, nor which verdict would be right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec

from schemas import audit, verdict
from schemas.audit import AuditBlock, AuditEntry
from schemas.verdict import Accepted, Rejected


class Judgement(msgspec.Struct, frozen=True):
    """An input record, what the validator made of it, and its entry in the audit trail."""

    inbound: Any
    output: Any
    entry: AuditEntry
    verdict: Accepted | Rejected

    @property
    def outcome(self) -> str:
        """`accepted`, or the codes of the rules that the message breaks, in their order: `V6,V9`."""
        return ",".join(self.verdict.codes) if isinstance(self.verdict, Rejected) else "accepted"

    @property
    def findings(self) -> list[str]:
        """The codes of all diagnostics."""
        return [found.code for found in self.verdict.diagnostics]


def entry_count(trail: Sequence[Any]) -> int:
    """Return how many entries there are in the blocks of the trail's records."""
    return sum(len(block.entries) for _, records in _by_partition(trail) for block in check_chain(records))


def match(
    inbound: Sequence[Any], validated: Sequence[Any], rejected: Sequence[Any], trail: Sequence[Any]
) -> list[Judgement]:
    """Return the judgement of every inbound record, after checking that there is exactly one of each.

    Each topic's records are given partition by partition, in the order of offsets.
    """
    outputs = {
        (name, partition): list(records)
        for name, topic in (("accepted", validated), ("rejected", rejected))
        for partition, records in _by_partition(topic)
    }
    entries = {
        partition: [entry for block in check_chain(records) for entry in block.entries]
        for partition, records in _by_partition(trail)
    }
    judged: list[Judgement] = []
    for partition, records in _by_partition(inbound):
        accounted = entries.pop(partition, [])
        assert [entry.offset for entry in accounted] == [record.offset for record in records]
        for record, entry in zip(records, accounted, strict=True):
            output = outputs[entry.verdict, partition].pop(0)
            judged.append(_judgement(record, output, entry))
    assert not any(outputs.values()), "there are verdicts on records that nobody sent"
    assert not any(entries.values()), "there are audit entries for records that nobody sent"
    return judged


def check_chain(records: Iterable[Any]) -> list[AuditBlock]:
    """Return the blocks of one partition's trail, after checking that none is missing or changed."""
    blocks: list[AuditBlock] = []
    previous = "0" * 64
    for number, record in enumerate(records):
        block = audit.decode(record.value)
        assert record.key == str(record.partition).encode()
        assert (block.partition, block.sequence, block.previous) == (record.partition, number, previous)
        assert block.entries
        previous = hashlib.sha256(record.value).hexdigest()
        blocks.append(block)
    return blocks


def _judgement(record: Any, output: Any, entry: AuditEntry) -> Judgement:  # noqa: ANN401  # the client has no types
    arrived = list(record.headers)
    added = list(output.headers[len(arrived) :])
    assert (output.key, output.value, output.timestamp) == (record.key, record.value, record.timestamp)
    assert list(output.headers[: len(arrived)]) == arrived
    content = msgspec.msgpack.encode([record.key, record.value, [list(header) for header in arrived]])
    assert entry.record == hashlib.sha256(content).hexdigest()

    by_name = dict(added)
    assert len(by_name) == len(added), "the bus adds each header once"
    decision = verdict.decode(by_name.pop("pairl-verdict"))
    judged = Judgement(record, output, entry, decision)
    assert (entry.id, entry.session) == (decision.id or None, decision.session)
    match decision:
        case Accepted():
            assert entry.verdict == "accepted"
            assert (entry.hash, entry.codes) == (decision.hash, ())
            expected = {"pairl-hash": decision.hash, "pairl-id": decision.id}
            if decision.session is not None:
                expected["pairl-session"] = decision.session
        case Rejected():
            assert entry.verdict == "rejected"
            assert (entry.hash, entry.codes) == (None, decision.codes)
            assert decision.codes
            assert decision.source == f"{record.topic}/{record.partition}/{record.offset}"
            expected = {"pairl-codes": ",".join(decision.codes), "pairl-source": decision.source}
    assert by_name == {name: text.encode() for name, text in expected.items()}
    return judged


def _by_partition(records: Iterable[Any]) -> list[tuple[int, list[Any]]]:
    return [
        (partition, list(group)) for partition, group in groupby(records, key=lambda record: record.partition)
    ]
