"""The validator's decisions: every inbound record becomes a validated one or a dead letter.

This module knows which session a record belongs to, what goes into a verdict, and what a verdict
leaves behind in the audit trail and the session. It does not know any rule (`pairl.rules`), and
does not read or write anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pairl.canonical import compute_hash
from pairl.diagnostics import Severity
from pairl.model import Message
from pairl.parser import parse
from pairl.rules import Policy
from pairl.thread import Status, message_id, parent_ids, session_id
from pairl.validator import Report, policy_digest, validate
from schemas import audit, headers, verdict
from schemas.audit import AuditBlock, AuditEntry, ChainHead
from schemas.session_node import SessionNode, bounded
from schemas.topics import AUDIT, INBOUND, REJECTED, THREADS, VALIDATED, Topic
from schemas.verdict import Accepted, Rejected
from workers.processors.outcome import InputRecord, Outcome, OutputRecord
from workers.processors.session_view import Lookup, SessionView


class Validator:
    """Judges messages under a policy."""

    name = "validator"
    source: Topic = INBOUND
    targets: tuple[Topic, ...] = (VALIDATED, REJECTED, AUDIT, THREADS)
    keeps_state = True

    def __init__(self, policy: Policy) -> None:
        """Judge under `policy`."""
        self.policy = policy

    def read(self, records: Sequence[InputRecord]) -> ValidatorBatch:
        """Parse the records, and find out which messages of which sessions they need to know."""
        return ValidatorBatch([self._read(record) for record in records], self.policy)

    def _read(self, record: InputRecord) -> _Reading:
        message = parse(
            record.value or b"",
            max_bytes=self.policy.max_bytes,
            max_records=self.policy.max_records,
        )
        own_id = message_id(message)
        return _Reading(
            record=record,
            message=message,
            session=_session(record, message),
            id=None if own_id is None else bounded(own_id),
            parents=tuple(map(bounded, parent_ids(message))),
        )


class _Reading(msgspec.Struct, frozen=True):
    """A record, the message in it, and the names by which its session knows them."""

    record: InputRecord
    message: Message
    session: str | None
    id: str | None
    parents: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.record.topic}/{self.record.partition}/{self.record.offset}"


class ValidatorBatch:
    """Messages of one partition, in order, about to be judged."""

    def __init__(self, readings: list[_Reading], policy: Policy) -> None:
        """Gather what must be looked up for `readings`."""
        self._readings = readings
        self._policy = policy
        self._digest = policy_digest(policy)
        self._mode = "strict" if policy.strict else "loose"
        needed: dict[str, tuple[set[str], set[str]]] = {}
        for reading in readings:
            if reading.session is not None:
                own, named = needed.setdefault(reading.session, (set(), set()))
                if reading.id is not None:
                    own.add(reading.id)
                named.update(reading.parents)
        self.lookup: Lookup = needed

    def decide(self, sessions: Mapping[str, SessionView], chain: ChainHead) -> Outcome:
        """Judge the messages in order, each knowing the ones before it."""
        validated: list[OutputRecord] = []
        rejected: list[OutputRecord] = []
        entries: list[AuditEntry] = []
        nodes: list[SessionNode] = []
        for reading in self._readings:
            view = None if reading.session is None else sessions[reading.session]
            report = validate(reading.message, policy=self._policy, thread=view)
            codes: tuple[str, ...] = ()
            digest = ""
            if report.valid:
                digest = compute_hash(reading.message)
                validated.append(self._accept(reading, report, digest))
            else:
                codes = _broken_rules(report)
                rejected.append(self._reject(reading, report, codes))
            record = reading.record
            entries.append(
                AuditEntry(
                    offset=record.offset,
                    verdict="rejected" if codes else "accepted",
                    record=audit.record_digest(record.key, record.value, record.headers),
                    id=reading.id,
                    session=reading.session,
                    hash=digest or None,
                    codes=codes,
                )
            )
            node = _node(reading, view, digest)
            if node is not None and view is not None and view.add(node):
                nodes.append(node)
        block, head = self._block(entries, chain)
        return Outcome(
            outputs=((VALIDATED, validated), (REJECTED, rejected), (AUDIT, [block])),
            nodes=nodes,
            counts={"accepted": len(validated), "rejected": len(rejected)},
            chain=head,
        )

    def _accept(self, reading: _Reading, report: Report, digest: str) -> OutputRecord:
        accepted = Accepted(
            hash=digest,
            id=reading.id or "",
            mode=self._mode,
            policy=self._digest,
            session=reading.session,
            diagnostics=report.diagnostics,
            not_evaluated=report.not_evaluated,
        )
        added = [
            (headers.VERDICT, verdict.encode(accepted)),
            (headers.HASH, digest.encode()),
            (headers.ID, accepted.id.encode()),
        ]
        if reading.session is not None:
            added.append((headers.SESSION, reading.session.encode()))
        return _passed_on(reading.record, added)

    def _reject(self, reading: _Reading, report: Report, codes: tuple[str, ...]) -> OutputRecord:
        rejection = Rejected(
            codes=codes,
            source=reading.place,
            mode=self._mode,
            policy=self._digest,
            id=reading.id,
            session=reading.session,
            diagnostics=report.diagnostics,
            not_evaluated=report.not_evaluated,
        )
        added = [
            (headers.VERDICT, verdict.encode(rejection)),
            (headers.CODES, ",".join(codes).encode()),
            (headers.SOURCE, reading.place.encode()),
        ]
        return _passed_on(reading.record, added)

    def _block(self, entries: list[AuditEntry], chain: ChainHead) -> tuple[OutputRecord, ChainHead]:
        record = self._readings[0].record
        block = AuditBlock(
            topic=record.topic,
            partition=record.partition,
            sequence=chain.sequence,
            previous=chain.digest,
            policy=self._digest,
            entries=tuple(entries),
        )
        value = audit.encode(block)
        return OutputRecord(str(record.partition).encode(), value), audit.head_after(block, value)


def _session(record: InputRecord, message: Message) -> str | None:
    """Return the session: `@sid`, else the record's key, else the `pairl-session` header, else None."""
    declared = session_id(message)
    if declared:
        return bounded(declared)
    name = record.key or headers.last(record.headers, headers.SESSION)
    if not name:
        return None
    try:
        return bounded(name.decode())
    except UnicodeDecodeError:
        return bounded(f"bytes:{name.hex()}")


def _node(reading: _Reading, view: SessionView | None, digest: str) -> SessionNode | None:
    """Return what the session keeps of a message; None where it has no session or no id."""
    if view is None or reading.session is None or reading.id is None:
        return None
    accepted = bool(digest)
    return SessionNode(
        session=reading.session,
        id=reading.id,
        status=Status.ACCEPTED if accepted else Status.REJECTED,
        source=reading.place,
        hash=digest,
        parents=reading.parents,
        missing=view.missing(reading.parents) if accepted else (),
    )


def _broken_rules(report: Report) -> tuple[str, ...]:
    """Return the codes of the rules with errors, each once, in the order of the message."""
    errors = (found for found in report.diagnostics if found.severity is Severity.ERROR)
    return tuple(dict.fromkeys(found.rule for found in errors))


def _passed_on(record: InputRecord, added: list[tuple[str, bytes]]) -> OutputRecord:
    """Return the record as it arrived, with what the bus adds behind its own headers."""
    return OutputRecord(record.key, record.value, [*record.headers, *added], record.timestamp)
