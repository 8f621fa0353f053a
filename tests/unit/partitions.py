"""A partition of the bus without Kafka and Redis: the validator's batches, and what is kept between them.

Knows how records are numbered, how changes become the entries of a session, and what is due. Does not know
what the right verdict on a record is.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pairl import Policy
from schemas import audit, headers, verdict
from schemas.audit import AuditBlock, ChainHead
from schemas.changelog import Change, named
from schemas.headers import Headers
from schemas.topics import AUDIT, REJECTED, VALIDATED
from schemas.verdict import Verdict
from workers.processors.conversation import Conversation, Patience
from workers.processors.outcome import MessageName, Outcome, OutputRecord, Turn
from workers.processors.validator import Validator

STRICT = Policy(strict=True)
LOOSE = Policy(strict=False)
PARTITION = 2
NOW = 1_777_000_000_000
BROKEN = "#fact b=2 @rid=f1\n"


class Arrived(msgspec.Struct):
    """A record as the client hands it over."""

    value: bytes | None
    key: bytes | None = b"s"
    headers: Headers = ()
    offset: int = 0
    topic: str = "pairl.inbound"
    partition: int = PARTITION
    timestamp: int = NOW


def written(name: str | None, parents: str = "", more: str = "", more_headers: str = "") -> bytes:
    """Return a message; of several parents, with commas between them, the first is `@p`."""
    own = f"@id {name}\n" if name else ""
    parent, _, deps = parents.partition(",")
    answers = (f"@p {parent}\n" if parent else "") + (f"@deps {deps}\n" if deps else "")
    return f"@v 1\n{own}@ts 2026-05-04T10:00:00Z\n{answers}{more_headers}\n#fact a=1 @rid=f1\n{more}".encode()


def said(name: str, parents: str = "", more: str = "", key: bytes = b"s") -> Arrived:
    """Return a record with a message."""
    return Arrived(written(name, parents, more), key)


class Partition:
    """The sessions of a partition, and the changelog from which they can be built again."""

    def __init__(
        self, policy: Policy = STRICT, patience: Patience | None = None, *, first_offset: int = 0
    ) -> None:
        """Begin with nothing."""
        self.validator = Validator(policy, patience or Patience())
        self.now = NOW
        self.chain = ChainHead()
        self.entries: dict[str, dict[str, Change]] = {}
        self.states: dict[str, Conversation] = {}
        self.elsewhere: dict[MessageName, bytes | None] = {}
        self._offset = first_offset

    def take(self, *records: Arrived, idle_before: int = 0) -> Outcome:
        """Decide on records, which get the next offsets, and on what is due now or has been idle."""
        for record in records:
            record.offset, self._offset = self._offset, self._offset + 1
        due = sorted(
            (change.due, change.entry, name)
            for name, kept in self.entries.items()
            for change in kept.values()
            if change.due is not None and change.due <= self.now
        )
        overdue = list(dict.fromkeys(name for _, _, name in due))
        idle = [
            name
            for name, kept in self.entries.items()
            if max(change.at for change in kept.values()) <= idle_before
        ]
        batch = self.validator.read(records, lambda _: PARTITION)
        states = {name: self._state(name) for name in batch.sessions.union(overdue, idle)}
        elsewhere = {name: self._find(name) for name in batch.foreign(states)}
        turn = Turn(
            "pairl.inbound", PARTITION, self.now, self.chain, overdue, self.now, idle, idle_before, elsewhere
        )
        outcome = batch.decide(states, turn)
        for change in outcome.changes:
            self._keep(change)
        for name in idle:
            self.states.pop(name, None)
        self.chain = outcome.chain
        return outcome

    def wait(self, milliseconds: int) -> Outcome:
        """Let time pass, without records."""
        self.now += milliseconds
        return self.take()

    def forget_memory(self) -> None:
        """Keep nothing of the sessions but what is in the changelog."""
        self.states.clear()

    def _find(self, name: MessageName) -> bytes | None:
        kept = self.entries.get(name[0], {}).get(named(name[1]))
        return self.elsewhere.get(name) if kept is None else kept.value

    def _state(self, name: str) -> Conversation:
        if name not in self.states:
            kept = self.entries.get(name, {})
            entries = [(entry, change.value or b"") for entry, change in kept.items()]
            self.states[name] = self.validator.load(name, entries)
        return self.states[name]

    def _keep(self, change: Change) -> None:
        kept = self.entries.setdefault(change.session, {})
        # What was written last stands last, as in the changelog.
        kept.pop(change.entry, None)
        if change.value is not None:
            kept[change.entry] = change
        elif not kept:
            del self.entries[change.session]


def decide(*records: Arrived, policy: Policy = STRICT) -> Outcome:
    """Judge records as the first batch of a partition."""
    return Partition(policy).take(*records)


def outputs(outcome: Outcome, name: str) -> Sequence[OutputRecord]:
    """Return the records for a topic."""
    (records,) = [records for topic, records in outcome.outputs if topic.name == name]
    return records


def block(outcome: Outcome) -> AuditBlock:
    """Return the block that a batch adds to the audit trail."""
    (record,) = outputs(outcome, AUDIT.name)
    return audit.decode(record.value or b"")


def words(outcome: Outcome) -> dict[int, str]:
    """Return what the audit trail says of each offset."""
    return {entry.offset: entry.verdict for entry in block(outcome).entries}


def verdicts(outcome: Outcome) -> dict[int, Verdict]:
    """Return the verdicts by offset, in the order in which they were given on each topic."""
    offsets: dict[str, list[int]] = {}
    for entry in block(outcome).entries if outputs(outcome, AUDIT.name) else ():
        if entry.verdict in (audit.ACCEPTED, audit.REJECTED):
            offsets.setdefault(entry.record, []).append(entry.offset)
    given: dict[int, Verdict] = {}
    for output in (*outputs(outcome, VALIDATED.name), *outputs(outcome, REJECTED.name)):
        names = [name for name, _ in output.headers]
        arrived = output.headers[: len(names) - 1 - names[::-1].index(headers.VERDICT)]
        digest = audit.record_digest(output.key, output.value, arrived)
        decision = headers.last(output.headers, headers.VERDICT) or b""
        given[offsets[digest].pop(0)] = verdict.decode(decision)
    return given


def codes(judged: Verdict) -> list[str]:
    """Return the diagnostic codes of a verdict."""
    return [found.code for found in judged.diagnostics]


def codes_by_offset(outcome: Outcome) -> dict[int, list[str]]:
    """Return the diagnostic codes of all verdicts."""
    return {offset: codes(judged) for offset, judged in verdicts(outcome).items()}
