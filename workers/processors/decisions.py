"""What the verdicts of a batch leave behind: records, audit entries, and changes of sessions.

This module knows what goes into a verdict and into an entry of the trail. It does not know how a verdict is
reached, or what is added to a record that goes on (`workers.processors.forwarding`).
"""

from __future__ import annotations

from collections.abc import Mapping

from pairl.diagnostics import Severity, excerpt
from pairl.thread import ThreadNode
from pairl.validator import Report
from schemas import audit, headers, verdict
from schemas.audit import AuditBlock, AuditEntry, ChainHead
from schemas.changelog import Change
from schemas.session_state import SessionNode
from schemas.topics import AUDIT, REJECTED, VALIDATED
from schemas.verdict import Accepted, Rejected
from workers.processors.conversation import Waiting
from workers.processors.forwarding import dead_letter, passed_on, rerouted
from workers.processors.outcome import Outcome, OutputRecord, Turn
from workers.processors.reading import Reading

_ERRORS_KEPT = 5
_LENGTH_OF_AN_ERROR = 300
_ENTRIES_OF_A_BLOCK = 3_000
"""An entry may have 3.5 kB: id and session have 256 characters each, and JSON has six bytes for some of them.
A message can release a thousand others, so all that one batch judges need not fit into a record."""


class Decisions:
    """The decisions on the records of a batch, in the order in which they are made."""

    def __init__(self, mode: str, policy: str, now: int) -> None:
        """Start without any; `policy` is the digest of the policy, `now` in milliseconds since 1970."""
        self._mode = mode
        self._policy = policy
        self._now = now
        self._validated: list[OutputRecord] = []
        self._rejected: list[OutputRecord] = []
        self._rerouted: dict[int, list[OutputRecord]] = {}
        self._changes: list[Change] = []
        self._entries: list[AuditEntry] = []
        self._parked: dict[int, Waiting] = {}

    def accept(self, reading: Reading, report: Report, digest: str, waiting: Waiting | None) -> None:
        """Pass a message on as valid; `waiting` is it where it had waited."""
        accepted = Accepted(
            hash=digest,
            id=reading.id or "",
            mode=self._mode,
            policy=self._policy,
            session=reading.session,
            diagnostics=report.diagnostics,
            not_evaluated=report.not_evaluated,
            waited_ms=self._end_wait(waiting),
        )
        added = [
            (headers.VERDICT, verdict.encode(accepted)),
            (headers.HASH, digest.encode()),
            (headers.ID, accepted.id.encode()),
        ]
        if reading.session is not None:
            added.append((headers.SESSION, reading.session.encode()))
        self._validated.append(passed_on(reading.record, added))
        self._enter(reading, audit.ACCEPTED, digest=digest)

    def reject(self, reading: Reading, report: Report, waiting: Waiting | None) -> None:
        """Make a dead letter of a message; `waiting` is it where it had waited."""
        codes = _broken_rules(report)
        rejection = Rejected(
            codes=codes,
            source=reading.place,
            mode=self._mode,
            policy=self._policy,
            id=reading.id,
            session=reading.session,
            diagnostics=report.diagnostics,
            not_evaluated=report.not_evaluated,
            waited_ms=self._end_wait(waiting),
        )
        self._rejected.append(dead_letter(reading.record, rejection))
        self._enter(reading, audit.REJECTED, codes=codes)

    def park(self, waiting: Waiting) -> None:
        """Let a message wait. Where it waits no longer at the end of the batch, nothing is left of that."""
        self._parked[waiting.record.offset] = waiting

    def reroute(self, reading: Reading, partition: int) -> None:
        """Pass a record on to the partition of its session."""
        self._rerouted.setdefault(partition, []).append(rerouted(reading.record))
        self._enter(reading, audit.REROUTED, to=partition)

    def keep(self, session: str, node: ThreadNode, reading: Reading, report: Report) -> None:
        """Add a message to its session."""
        lines = report.errors if report.diagnostics else []
        errors = [excerpt(line, _LENGTH_OF_AN_ERROR) for line in lines[:_ERRORS_KEPT]]
        self._changes.append(SessionNode(session, node, reading.place, self._now, tuple(errors)).as_change())

    def forget(self, changes: list[Change]) -> None:
        """Take a session out of the changelog."""
        self._changes += changes

    def outcome(self, turn: Turn, next_offset: int) -> Outcome:
        """Return what all that comes to; records before `next_offset` have been decided on."""
        for waiting in self._parked.values():
            self._changes.append(waiting.record.as_change())
            self._enter(waiting.reading, audit.PARKED)
        blocks, head = self._blocks(turn, next_offset)
        return Outcome(
            outputs=((VALIDATED, self._validated), (REJECTED, self._rejected), (AUDIT, blocks)),
            rerouted=self._rerouted,
            changes=self._changes,
            counts=self._counts(),
            chain=head,
        )

    def _counts(self) -> Mapping[str, int]:
        return {
            "accepted": len(self._validated),
            "rejected": len(self._rejected),
            "parked": len(self._parked),
            "rerouted": sum(map(len, self._rerouted.values())),
        }

    def _end_wait(self, waiting: Waiting | None) -> int | None:
        """Take note that a message waits no longer; return for how many milliseconds it did, if at all."""
        if waiting is None:
            return None
        if self._parked.pop(waiting.record.offset, None) is None:
            self._changes.append(waiting.record.as_removal())
        return max(0, self._now - waiting.record.at)

    def _enter(
        self,
        reading: Reading,
        word: str,
        digest: str | None = None,
        codes: tuple[str, ...] = (),
        to: int | None = None,
    ) -> None:
        record = reading.record
        digest_of_record = audit.record_digest(record.key, record.value, record.headers)
        self._entries.append(
            AuditEntry(record.offset, word, digest_of_record, reading.id, reading.session, digest, codes, to)
        )

    def _blocks(self, turn: Turn, next_offset: int) -> tuple[list[OutputRecord], ChainHead]:
        entries = sorted(self._entries, key=lambda entry: entry.offset)
        blocks: list[OutputRecord] = []
        head = turn.chain
        for first in range(0, len(entries), _ENTRIES_OF_A_BLOCK):
            some = tuple(entries[first : first + _ENTRIES_OF_A_BLOCK])
            is_last = first + len(some) == len(entries)
            block = AuditBlock(
                topic=turn.topic,
                partition=turn.partition,
                sequence=head.sequence,
                previous=head.digest,
                policy=self._policy,
                entries=some,
                next_offset=next_offset if is_last else max(head.next_offset, some[-1].offset + 1),
            )
            value = audit.encode(block)
            blocks.append(OutputRecord(str(turn.partition).encode(), value))
            head = audit.head_after(block, value)
        return blocks, head


def _broken_rules(report: Report) -> tuple[str, ...]:
    """Return the codes of the rules with errors, each once, in the order of the message."""
    errors = (found for found in report.diagnostics if found.severity is Severity.ERROR)
    return tuple(dict.fromkeys(found.rule for found in errors))
