"""Whether a trial came out right: each record judged once, as by the model, and Redis as the changelog.

Knows how the judgements of a session are put in the order in which the model needs its messages. What the
topics must look like by themselves is `tests.integration.trail`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from schemas import headers
from schemas.changelog import bounded, read_change
from schemas.topics import AUDIT, INBOUND, REJECTED, THREADS, VALIDATED
from schemas.verdict import Rejected
from tests.integration.trail import Judgement, match
from tests.model.circumstances import Circumstances
from tests.model.conversations import Conversation, topological
from tests.model.model import Said, Session
from tests.model.trial import PARTITIONS, Result
from tests.model.writing import NUMBER, Sent
from workers.adapters.kafka_partitioner import owner_partition

Codes = frozenset[str]


class Difference(msgspec.Struct, frozen=True):
    """A message on which model and validators do not agree, in the conversation with this seed."""

    seed: int
    number: int
    expected: Codes
    found: Codes
    how: str


class Judged(msgspec.Struct, frozen=True):
    """A record that was sent, and where and how it was judged."""

    sent: Sent
    phase: int
    judgement: Judgement

    @property
    def codes(self) -> Codes:
        """The rules that the message breaks, as it was found; none: it was accepted."""
        verdict = self.judgement.verdict
        return frozenset(verdict.codes) if isinstance(verdict, Rejected) else frozenset()


def judged_records(result: Result, conversations: Sequence[Conversation]) -> dict[int, list[Judged]]:
    """Return by seed what was judged, in the order of partitions and offsets.

    Checks on the way that every record that was sent is judged once, and by the owner of its session.
    """
    topics = (INBOUND, VALIDATED, REJECTED, AUDIT)
    found: dict[bytes, Judgement] = {}
    for judgement in match(*(result.records[topic.name] for topic in topics)):
        number = headers.last(judgement.inbound.headers, NUMBER) or b""
        assert number not in found, f"{number!r} was judged twice"
        found[number] = judgement
    by_seed: dict[int, list[Judged]] = {}
    for one in conversations:
        judged = [
            Judged(sent, phase, found.pop(f"{one.seed}/{sent.said.number}".encode()))
            for phase, part in enumerate(one.phases)
            for sent in part
        ]
        judged.sort(key=lambda each: (each.judgement.inbound.partition, each.judgement.inbound.offset))
        by_seed[one.seed] = judged
        if one.session is not None:
            home = owner_partition(bounded(one.session), PARTITIONS)
            assert all(each.judgement.inbound.partition == home for each in judged)
            assert [each.phase for each in judged] == sorted(each.phase for each in judged)
    assert not found, "records were judged that nobody sent"
    return by_seed


def differences(one: Conversation, judged: Sequence[Judged], how: Circumstances) -> list[Difference]:
    """Return the messages of a conversation that the model judges otherwise."""
    expected = _by_arrival(one, judged, how)
    found = {each.sent.said.number: each.codes for each in judged}
    wrong = [
        Difference(one.seed, number, expected[number], codes, "in this order")
        for number, codes in found.items()
        if expected[number] != codes
    ]
    if one.is_orderless and how.most_waiting > len(judged):
        in_order = _verdicts(topological(one), how)
        wrong += [
            Difference(one.seed, number, in_order[number], codes, "in whatever order")
            for number, codes in found.items()
            if _own(in_order[number]) != _own(codes)
        ]
    return wrong


def _by_arrival(one: Conversation, judged: Sequence[Judged], how: Circumstances) -> dict[int, Codes]:
    """Return the model's verdicts on messages in the order in which they came to their partition."""
    if one.session is None:
        return {
            each.sent.said.number: _verdicts([each.sent.said], how)[each.sent.said.number] for each in judged
        }
    session = Session(strict=how.strict, most_waiting=how.most_waiting)
    for phase in range(len(one.phases)):
        for each in judged:
            if each.phase == phase:
                session.receive(each.sent.said)
        session.reach_deadlines()
        if phase == how.forgotten_after:
            session.expire()
    return session.verdicts


def _verdicts(messages: Sequence[Said], how: Circumstances) -> dict[int, Codes]:
    session = Session(strict=how.strict)
    for said in messages:
        session.receive(said)
    session.reach_deadlines()
    return session.verdicts


def _own(codes: Codes) -> Codes:
    """Leave V4 out where there is more: who is broken in itself is not asked for parents that are late."""
    return codes - {"V4"} or codes


def verdict_counts(judged: dict[int, list[Judged]]) -> Counter[str]:
    """Return how often each outcome was found."""
    outcomes = (",".join(sorted(each.codes)) or "accepted" for part in judged.values() for each in part)
    return Counter(outcomes)


def check_redis(result: Result) -> None:
    """Make sure that Redis holds what the changelog says, and nothing else."""
    expected: dict[bytes, dict[bytes, bytes]] = {}
    for number in range(PARTITIONS):
        entries: dict[tuple[str, str], tuple[bytes, int]] = {}
        for record in result.records[THREADS.name]:
            if record.partition == number:
                change = read_change(record.key, record.value)
                entries.pop((change.session, change.entry), None)
                if change.value is not None:
                    stored = f"{record.offset} ".encode() + change.value
                    entries[change.session, change.entry] = (stored, change.at)
                    assert change.due is None or "/" in change.entry
        tag = f"{{g/validator/{number}}}"
        for (session, entry), (stored, _) in entries.items():
            expected.setdefault(f"{tag}:session:{session}".encode(), {})[entry.encode()] = stored
        if entries:
            idle = expected.setdefault(f"{tag}:idle".encode(), {})
            idle.update({session.encode(): b"" for session, _ in entries})
    found: dict[bytes, dict[bytes, Any]] = {}
    for key, value in result.redis.items():
        if b":session:" in key:
            found[key] = {name: text for name, text in value.items() if name != b"@offset"}
        elif key.endswith(b":idle"):
            found[key] = dict.fromkeys(value, b"")
        elif key.endswith(b":due"):
            found[key] = value
    for key in {**found, **expected}:
        there, right = found.get(key, {}), expected.get(key, {})
        wrong = [field for field in {**there, **right} if there.get(field) != right.get(field)]
        assert not wrong, [(key, field, there.get(field), right.get(field)) for field in wrong]
