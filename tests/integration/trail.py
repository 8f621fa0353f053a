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

Place = tuple[int, int]
"""A partition of the inbound topic, and an offset in it."""

_VERDICTS = ("accepted", "rejected")


class Judgement(msgspec.Struct, frozen=True):
    """An input record, what the validator made of it, and its entry in the audit trail.

    A record that was passed on to another partition is the one that was judged there; `origin` is where
    it arrived first. `has_waited` says that there is an entry about its waiting as well.
    """

    inbound: Any
    output: Any
    entry: AuditEntry
    verdict: Accepted | Rejected
    origin: Place
    has_waited: bool

    @property
    def outcome(self) -> str:
        """`accepted`, or the codes of the rules that the message breaks, in their order: `V6,V9`."""
        return ",".join(self.verdict.codes) if isinstance(self.verdict, Rejected) else "accepted"

    @property
    def findings(self) -> list[str]:
        """The codes of all diagnostics."""
        return [found.code for found in self.verdict.diagnostics]


def verdict_count(trail: Sequence[Any]) -> int:
    """Return how many verdicts there are in the blocks of the trail's records."""
    return sum(
        entry.verdict in _VERDICTS
        for _, records in _by_partition(trail)
        for block in check_chain(records)
        for entry in block.entries
    )


def match(
    inbound: Sequence[Any], validated: Sequence[Any], rejected: Sequence[Any], trail: Sequence[Any]
) -> list[Judgement]:
    """Return the judgement of every record that was sent, after checking that there is exactly one of each.

    Each topic's records are given partition by partition, in the order of offsets. So are the judgements,
    by where they were given.
    """
    entries: dict[Place, list[AuditEntry]] = {}
    for partition, records in _by_partition(trail):
        for block in check_chain(records):
            for entry in block.entries:
                entries.setdefault((partition, entry.offset), []).append(entry)
    places = [(record.partition, record.offset) for record in inbound]
    assert sorted(entries) == places, "records and audit entries do not correspond"

    origins = _check_rerouted(inbound, entries)
    # Messages that have waited come out behind later ones: what was judged is recognised by its content.
    outputs: dict[tuple[str, int, str], list[Any]] = {}
    for word, topic in (("accepted", validated), ("rejected", rejected)):
        for output in topic:
            outputs.setdefault((word, output.partition, _digest(output, _count_arrived(output))), []).append(
                output
            )
    judged: list[Judgement] = []
    for place, record in zip(places, inbound, strict=True):
        *before, final = entries[place]
        if final.verdict == "rerouted":
            continue
        output = outputs[final.verdict, record.partition, final.record].pop(0)
        judged.append(_judgement(record, output, final, origins.get(place, place), has_waited=bool(before)))
    assert not any(outputs.values()), "there are verdicts on records that nobody sent"
    return judged


def check_chain(records: Iterable[Any]) -> list[AuditBlock]:
    """Return the blocks of one partition's trail, after checking that none is missing or changed."""
    blocks: list[AuditBlock] = []
    previous = "0" * 64
    reached = 0
    for number, record in enumerate(records):
        block = audit.decode(record.value)
        assert record.key == str(record.partition).encode()
        assert (block.partition, block.sequence, block.previous) == (record.partition, number, previous)
        offsets = [entry.offset for entry in block.entries]
        assert offsets
        assert offsets == sorted(offsets)
        assert max(reached, offsets[-1] + 1) == block.next_offset
        previous, reached = hashlib.sha256(record.value).hexdigest(), block.next_offset
        blocks.append(block)
    return blocks


def _check_rerouted(inbound: Sequence[Any], entries: dict[Place, list[AuditEntry]]) -> dict[Place, Place]:
    """Return where copies come from, after checking that each record passed on has exactly one."""
    by_name = {f"{record.topic}/{record.partition}/{record.offset}": record for record in inbound}
    copies: dict[str, Any] = {}
    for record in inbound:
        source = next((value for name, value in reversed(record.headers) if name == "pairl-rerouted"), None)
        if source is not None and source.decode() in by_name:
            assert source.decode() not in copies, "a record was passed on twice"
            copies[source.decode()] = record
    origins: dict[Place, Place] = {}
    for name, record in by_name.items():
        words = [entry.verdict for entry in entries[record.partition, record.offset]]
        if words[-1] == "rerouted":
            copy = copies.pop(name)
            assert words == ["rerouted"]
            assert entries[record.partition, record.offset][0].to == copy.partition
            assert (copy.key, copy.value, copy.timestamp) == (record.key, record.value, record.timestamp)
            assert list(copy.headers[:-1]) == list(record.headers)
            origins[copy.partition, copy.offset] = (record.partition, record.offset)
        else:
            assert words in (["accepted"], ["rejected"], ["parked", words[-1]]), (name, words)
    assert not copies, "records bear a header of the bus that nobody has passed on"
    return origins


def _judgement(record: Any, output: Any, entry: AuditEntry, origin: Place, *, has_waited: bool) -> Judgement:  # noqa: ANN401  # the client has no types
    arrived = list(record.headers)
    added = list(output.headers[len(arrived) :])
    assert (output.key, output.value, output.timestamp) == (record.key, record.value, record.timestamp)
    assert list(output.headers[: len(arrived)]) == arrived
    assert entry.record == _digest(record, len(arrived))

    by_name = dict(added)
    assert len(by_name) == len(added), "the bus adds each header once"
    decision = verdict.decode(by_name.pop("pairl-verdict"))
    judged = Judgement(record, output, entry, decision, origin, has_waited)
    assert (entry.id, entry.session) == (decision.id or None, decision.session)
    assert not has_waited or decision.waited_ms is not None
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


def _count_arrived(output: Any) -> int:  # noqa: ANN401  # the client has no types
    """Return how many headers of a judged record it had when it arrived: the verdict stands behind those."""
    names = [name for name, _ in output.headers]
    return len(names) - 1 - names[::-1].index("pairl-verdict")


def _digest(record: Any, count: int) -> str:  # noqa: ANN401  # the client has no types
    """Return the digest of a record with the first `count` of its headers."""
    content = [record.key, record.value, [list(header) for header in record.headers[:count]]]
    return hashlib.sha256(msgspec.msgpack.encode(content)).hexdigest()


def _by_partition(records: Iterable[Any]) -> list[tuple[int, list[Any]]]:
    return [
        (partition, list(group)) for partition, group in groupby(records, key=lambda record: record.partition)
    ]
