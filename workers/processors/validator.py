"""The validator's decisions: every inbound record becomes a validated one or a dead letter, in its time.

This module knows when a message is judged: at once, when its parents have been, or when it has waited
for too long. It does not know any rule (`pairl.rules`), what a verdict leaves behind
(`workers.processors.decisions`), or who waits for whom (`workers.processors.conversation`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from pairl.canonical import compute_hash
from pairl.diagnostics import Diagnostic, Finding, Severity, excerpt
from pairl.rules import Policy
from pairl.thread import Status
from pairl.validator import Report, judge, policy_digest, validate
from schemas.topics import AUDIT, INBOUND, REJECTED, THREADS, VALIDATED, Topic
from workers.processors.conversation import Conversation, Patience, Waiting
from workers.processors.decisions import Decisions
from workers.processors.forwarding import can_be_rerouted, in_wrong_partition
from workers.processors.outcome import InputRecord, MessageName, Outcome, Owner, Turn
from workers.processors.reading import Reading, can_be_kept, read
from workers.processors.session_view import SessionView, is_accepted

_UNRESOLVED = frozenset({"V4/unresolved-parent", "V4/unresolved-dependency"})
_NO_USE_IN_WAITING = frozenset({"SES/duplicate", "V7/cycle"})


class Validator:
    """Judges messages under a policy."""

    name = "validator"
    source: Topic = INBOUND
    targets: tuple[Topic, ...] = (VALIDATED, REJECTED, AUDIT, THREADS)
    changelog: Topic | None = THREADS

    def __init__(self, policy: Policy, patience: Patience) -> None:
        """Judge under `policy`, and wait for parents with `patience`."""
        self.policy = policy
        self.patience = patience
        self.digest = policy_digest(policy)

    def read(self, records: Sequence[InputRecord], owner: Owner) -> ValidatorBatch:
        """Parse the records, and find out which sessions they belong to."""
        return ValidatorBatch(self, [read(record, self.policy) for record in records], owner)

    def load(self, session: str, entries: Sequence[tuple[str, bytes]]) -> Conversation:
        """Return a session from the entries of its state."""
        return Conversation.load(session, entries, lambda record: read(record, self.policy))


class ValidatorBatch:
    """Messages of one partition, in order, about to be judged."""

    def __init__(self, validator: Validator, readings: list[Reading], owner: Owner) -> None:
        """Find out which of `readings` belong to this partition."""
        self._validator = validator
        self._readings = readings
        self._astray = {
            reading.record.offset: home
            for reading in readings
            if reading.session is not None and (home := owner(reading.session)) != reading.record.partition
        }
        self.sessions = {
            reading.session
            for reading in readings
            if reading.session is not None and reading.record.offset not in self._astray
        }

    def foreign(self, states: Mapping[str, Conversation]) -> set[MessageName]:
        """Return the messages of sessions not in `states` that those of the batch, or that wait, mention."""
        mentioned: set[MessageName] = set()
        for reading in self._readings:
            mentioned |= reading.foreign
        for conversation in states.values():
            for waiting in conversation.waiting():
                mentioned |= waiting.reading.foreign
        return {name for name in mentioned if name[0] not in states}

    def most_verdicts(self, states: Mapping[str, Conversation]) -> int:
        """Return how many messages may have to be judged, those that wait among them."""
        return len(self._readings) + sum(conversation.waiting_count for conversation in states.values())

    def decide(self, states: Mapping[str, Conversation], turn: Turn) -> Outcome:
        """Judge the messages in order, each knowing the ones before it; then those that waited too long."""
        judging = _Judging(self._validator, states, turn)
        for reading in self._readings:
            home = self._astray.get(reading.record.offset)
            if home is not None:
                judging.pass_on(reading, home)
            else:
                judging.take(reading)
        for session in turn.overdue:
            judging.end_waiting(states[session])
        for session in turn.idle:
            judging.forget_if_idle(states[session])
        next_offset = self._readings[-1].record.offset + 1 if self._readings else turn.chain.next_offset
        return judging.decisions.outcome(turn, next_offset)


class _Judging:
    """The judging of one batch."""

    def __init__(self, validator: Validator, states: Mapping[str, Conversation], turn: Turn) -> None:
        self._policy = validator.policy
        self._patience = validator.patience
        self._states = states
        self._turn = turn
        self._elsewhere = {name: is_accepted(name, entry) for name, entry in turn.elsewhere.items()}
        mode = "strict" if validator.policy.strict else "loose"
        self.decisions = Decisions(mode, validator.digest, turn.now)

    def pass_on(self, reading: Reading, home: int) -> None:
        """Send a record to the partition of its session; what is too large for that is refused."""
        if can_be_rerouted(reading.record):
            self.decisions.reroute(reading, home)
            return
        report = validate(reading.message, policy=self._policy)
        found = judge(in_wrong_partition(reading.record, home), self._policy)
        self.decisions.reject(reading, _with(report, found), None)

    def take(self, reading: Reading) -> None:
        """Judge a message that has arrived, or let it wait; then judge those that waited for it."""
        if reading.session is None:
            report = validate(reading.message, policy=self._policy, legend=reading.legend)
            if report.valid:
                self.decisions.accept(reading, report, compute_hash(reading.message), None)
            else:
                self.decisions.reject(reading, report, None)
            return
        conversation = self._states[reading.session]
        self._release(conversation, self._judge(conversation, reading, None))

    def end_waiting(self, conversation: Conversation) -> None:
        """Judge the messages that have waited for too long as they are."""
        for waiting in conversation.overdue(self._turn.due_before):
            self._release(conversation, self._judge(conversation, waiting.reading, waiting, is_due=True))

    def forget_if_idle(self, conversation: Conversation) -> None:
        """Forget a session, unless something has happened in it after all."""
        if conversation.changed_at < self._turn.idle_before and not conversation.waiting_count:
            self.decisions.forget(conversation.forget())

    def _release(self, conversation: Conversation, freed: list[Waiting]) -> None:
        """Judge messages that wait no longer, and those that these set free, in the order of arrival."""
        ready: list[tuple[int, Waiting]] = []
        while True:
            for waiting in freed:
                heappush(ready, (waiting.record.offset, waiting))
            if not ready:
                return
            _, next_one = heappop(ready)
            freed = self._judge(conversation, next_one.reading, next_one)

    def _judge(
        self, conversation: Conversation, reading: Reading, waiting: Waiting | None, *, is_due: bool = False
    ) -> list[Waiting]:
        """Judge a message, or let it wait; return those that wait no longer because of that."""
        missing = conversation.missing(reading)
        view = SessionView(conversation, self._states, self._elsewhere)
        report = validate(reading.message, policy=self._policy, thread=view, legend=reading.legend)
        if missing and not is_due:
            final = self._without_parents(conversation, reading, waiting, report, missing)
            if final is None:
                return []
            report = final
        elif missing and waiting is not None:
            seconds = (self._turn.now - waiting.record.at) / 1000
            report = _with(report, self._gave_up(f"waited {seconds:.0f} s for {_listed(missing)}"))
        digest = ""
        if report.valid:
            digest = compute_hash(reading.message)
            self.decisions.accept(reading, report, digest, waiting)
        else:
            self.decisions.reject(reading, report, waiting)
        if reading.id is None:
            return []
        status = Status.ACCEPTED if digest else Status.REJECTED
        node = conversation.thread.node_for(reading.message, status, digest)
        if conversation.add(node, self._turn.now):
            self.decisions.keep(conversation.session, node, reading, report)
        return conversation.settle(reading.id)

    def _without_parents(
        self,
        conversation: Conversation,
        reading: Reading,
        waiting: Waiting | None,
        report: Report,
        missing: set[str],
    ) -> Report | None:
        """Return the report on a message that lacks parents, or None where it is to wait for them."""
        others = [found for found in report.diagnostics if found.code not in _UNRESOLVED]
        if any(found.severity is Severity.ERROR for found in others):
            # It cannot be said that the parents will not come, only that it does not matter any more.
            return Report(others, report.not_evaluated)
        if any(found.code in _NO_USE_IN_WAITING for found in others):
            return report
        if waiting is not None:
            conversation.park_again(waiting)
            return None
        patience = self._patience
        if not patience.milliseconds or reading.id is None:
            return report
        if not can_be_kept(reading.record):
            return _with(
                report,
                self._gave_up(f"did not wait for {_listed(missing)}: its record is too large to be kept"),
            )
        if not conversation.has_room(reading, patience):
            taken = f"{conversation.waiting_count:,} messages of {conversation.waiting_bytes:,} bytes"
            return _with(
                report,
                self._gave_up(f"did not wait for {_listed(missing)}: {taken} of the session wait already"),
            )
        now = self._turn.now
        self.decisions.park(conversation.park(reading, reading.id, now, now + patience.milliseconds))
        return None

    def _gave_up(self, message: str) -> Diagnostic:
        return self._finding(
            "SES/gave-up-waiting",
            message,
            "send parents first; PAIRL_WAIT_SECONDS, _MESSAGES and _BYTES say how many wait and how long",
        )

    def _finding(self, code: str, message: str, advice: str) -> Diagnostic:
        return judge(Finding(code, message, help=advice), self._policy)


def _with(report: Report, found: Diagnostic) -> Report:
    """Return a report with one diagnostic more, which is about the message as a whole."""
    return Report([found, *report.diagnostics], report.not_evaluated)


def _listed(names: set[str]) -> str:
    """Return the first of some ids, as they can be shown."""
    first, *others = sorted(names)
    more = f" and {len(others):,} more" if others else ""
    return f"`{excerpt(first, 40)}`{more}"
