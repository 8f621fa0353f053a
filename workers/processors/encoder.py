"""The encoder's decisions: what transcripts of agents that do not speak PAIRL become.

This module knows keys, headers and dead letters. Each transcript of a session holds its conversation from the
beginning; what it adds to the one before becomes the next message of the session. It does not know how
transcripts are read or encoded (`pairl.encode`), or what is remembered of a session
(`workers.processors.encoded_session`).

A transcript that belongs to no session is a conversation of its own, which does not go on: its session is
called by the place of its record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pairl.diagnostics import Finding
from pairl.encode.encoding import Options
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.formats import import_history
from pairl.rules import Policy
from pairl.validator import judge, policy_digest
from schemas import headers
from schemas.topics import ENCODINGS, INBOUND, REJECTED, TRANSCRIPTS, Topic
from schemas.verdict import Rejected
from workers.processors.encoded_session import EncodedSession, StateUnreadable
from workers.processors.forwarding import can_be_rerouted, dead_letter, in_wrong_partition, rerouted
from workers.processors.outcome import InputRecord, MessageName, Outcome, OutputRecord, Owner, Turn
from workers.processors.reading import given_session, place_of, session_called
from workers.processors.transcript_findings import (
    history_changed,
    left_out,
    not_a_transcript,
    state_unreadable,
)

_BYTES_OF_A_MESSAGE = 64
"""A transcript takes about as long to encode as a validator takes for one message in so many of its bytes."""


class Encoder:
    """Makes messages of transcripts."""

    name = "encoder"
    source: Topic = TRANSCRIPTS
    targets: tuple[Topic, ...] = (INBOUND, REJECTED, ENCODINGS)
    changelog: Topic | None = ENCODINGS

    def __init__(self, options: Options, policy: Policy) -> None:
        """Encode with `options`, and refuse what cannot be encoded under `policy`."""
        self.options = options
        self.policy = policy
        self.digest = policy_digest(policy)

    def read(self, records: Sequence[InputRecord], owner: Owner) -> EncoderBatch:
        """Find out which sessions the records belong to."""
        return EncoderBatch(self, [_Transcript(record, given_session(record)) for record in records], owner)

    def load(self, session: str, entries: Sequence[tuple[str, bytes]]) -> EncodedSession:
        """Return what is remembered of a session."""
        return EncodedSession.load(session, entries)


class _Transcript(msgspec.Struct, frozen=True):
    """A record, and how it calls its session, if it has one."""

    record: InputRecord
    given: bytes | None

    @property
    def session(self) -> str | None:
        """The session."""
        return None if self.given is None else session_called(self.given)


class EncoderBatch:
    """Transcripts of one partition, in order, about to be encoded."""

    def __init__(self, encoder: Encoder, transcripts: list[_Transcript], owner: Owner) -> None:
        """Find out which of `transcripts` belong to this partition."""
        self._encoder = encoder
        self._transcripts = transcripts
        self._astray: dict[int, int] = {}
        self.sessions: set[str] = set()
        for transcript in transcripts:
            session, record = transcript.session, transcript.record
            if session is None:
                continue
            home = owner(session)
            if home == record.partition:
                self.sessions.add(session)
            else:
                self._astray[record.offset] = home

    def foreign(self, states: Mapping[str, EncodedSession]) -> set[MessageName]:  # noqa: ARG002  # the protocol has it
        """Return nothing: a transcript mentions no messages."""
        return set()

    def most_verdicts(self, states: Mapping[str, EncodedSession]) -> int:  # noqa: ARG002  # the protocol has it
        """Return how many messages could be judged in the time that the transcripts take."""
        return sum(
            1 + len(transcript.record.value or b"") // _BYTES_OF_A_MESSAGE for transcript in self._transcripts
        )

    def decide(self, states: Mapping[str, EncodedSession], turn: Turn) -> Outcome:
        """Encode the transcripts in order, and forget what is remembered of sessions that are idle."""
        outgoing = _Outgoing(self._encoder, states, turn.now)
        for transcript in self._transcripts:
            home = self._astray.get(transcript.record.offset)
            if home is None:
                outgoing.take(transcript)
            else:
                outgoing.pass_on(transcript, home)
        return outgoing.outcome(turn)


class _Outgoing:
    """What a batch comes to, as far as its transcripts were encoded."""

    def __init__(self, encoder: Encoder, states: Mapping[str, EncodedSession], now: int) -> None:
        self._encoder = encoder
        self._states = states
        self._now = now
        self._messages: list[OutputRecord] = []
        self._rejected: list[OutputRecord] = []
        self._rerouted: dict[int, list[OutputRecord]] = {}
        self._went_on: dict[str, None] = {}
        self._unchanged = 0

    def pass_on(self, transcript: _Transcript, home: int) -> None:
        """Send a record to the partition of its session; what is too large for that is refused."""
        record = transcript.record
        if can_be_rerouted(record):
            self._rerouted.setdefault(home, []).append(rerouted(record))
        else:
            self._reject(transcript, in_wrong_partition(record, home))

    def take(self, transcript: _Transcript) -> None:
        """Make messages of what a transcript adds to its session, or a dead letter of the transcript."""
        record, session, options = transcript.record, transcript.session, self._encoder.options
        if session is None:
            state = EncodedSession(place_of(record))
            options = msgspec.structs.replace(options, is_open=False)
        else:
            state = self._states[session]
        kept = state.kept
        try:
            history = import_history(record.value or b"", _format(record))
            messages, encoded = state.add(history, options, record.timestamp, self._now)
        except NotATranscript as fault:
            self._reject(transcript, not_a_transcript(fault))
            return
        except HistoryChanged as fault:
            self._reject(transcript, history_changed(fault))
            return
        except StateUnreadable:
            self._reject(transcript, state_unreadable())
            return
        key = transcript.given or state.session.encode()
        added = [(headers.SOURCE, place_of(record).encode())]
        for message in messages:
            more = left_out(encoded) if message is messages[0] else []
            value = message.source.encode()
            self._messages.append(OutputRecord(key, value, [*added, *more], record.timestamp))
        self._unchanged += not messages
        if session is not None and state.kept is not kept:
            self._went_on[session] = None

    def outcome(self, turn: Turn) -> Outcome:
        """Return what the batch comes to."""
        changes = [
            kept.as_change() for name in self._went_on if (kept := self._states[name].kept) is not None
        ]
        for name in turn.idle:
            forgotten = self._states[name].forget_if_idle(turn.idle_before)
            if forgotten is not None:
                changes.append(forgotten)
        return Outcome(
            outputs=((INBOUND, self._messages), (REJECTED, self._rejected)),
            rerouted=self._rerouted,
            changes=changes,
            counts={
                "messages": len(self._messages),
                "rejected": len(self._rejected),
                "unchanged": self._unchanged,
                "rerouted": sum(map(len, self._rerouted.values())),
            },
        )

    def _reject(self, transcript: _Transcript, finding: Finding) -> None:
        found = judge(finding, self._encoder.policy)
        rejection = Rejected(
            codes=(found.rule,),
            source=place_of(transcript.record),
            mode="strict" if self._encoder.policy.strict else "loose",
            policy=self._encoder.digest,
            session=transcript.session,
            diagnostics=[found],
        )
        self._rejected.append(dead_letter(transcript.record, rejection))


def _format(record: InputRecord) -> str | None:
    """Return the format that a record says its transcript is in, if it does."""
    named = headers.last(record.headers, headers.FORMAT)
    return named.decode("utf-8", "replace") if named else None
