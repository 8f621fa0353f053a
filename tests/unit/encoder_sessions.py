"""Transcripts of one session on their way through an encoder, batch after batch, for the tests of it.

Knows how records are made and what is remembered between batches. It tests nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from pairl import Policy
from pairl.encode.encoding import Options
from schemas import headers, verdict
from schemas.headers import Headers
from schemas.topics import INBOUND, REJECTED
from schemas.verdict import Rejected
from workers.processors.encoder import Encoder
from workers.processors.outcome import Outcome, OutputRecord, Turn

PARTITION = 1
NOW = 1_777_000_000_000
WRITTEN_AT = 1_776_999_999_250
TOPIC = "pairl.transcripts"

ASKED = {"role": "user", "content": "How many boats lie in the harbour tonight?"}
COUNTING = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "k1",
            "type": "function",
            "function": {"name": "count_boats", "arguments": '{"berth": "west"}'},
        }
    ],
}
COUNTED = {"role": "tool", "tool_call_id": "k1", "content": "17 boats"}
TOLD = {"role": "assistant", "content": "There are 17 of them."}
THANKED = {"role": "user", "content": "Thank you, no more for today."}


class Written(msgspec.Struct):
    """A record of the transcripts topic as the client hands it over."""

    value: bytes | None
    key: bytes | None = b"s"
    headers: Headers = ()
    offset: int = 0
    topic: str = TOPIC
    partition: int = PARTITION
    timestamp: int = WRITTEN_AT


def transcript(*messages: object, key: bytes | None = b"s", more: Headers = ()) -> Written:
    """Return a record with a conversation."""
    return Written(json.dumps(messages).encode(), key, more)


class Sessions:
    """What an encoder remembers, kept as the changelog keeps it."""

    def __init__(self, options: Options | None = None, policy: Policy | None = None) -> None:
        options = options or Options(window=0, is_open=True)
        self.encoder = Encoder(options, policy or Policy(strict=True))
        self.entries: dict[str, list[tuple[str, bytes]]] = {}
        self._offset = 0

    def take(
        self,
        *records: Written,
        idle: Sequence[str] = (),
        idle_before: int = 0,
        now: int = NOW,
        home: int = PARTITION,
    ) -> Outcome:
        """Encode records, which get the next offsets, each session loaded from its entries."""
        for record in records:
            record.offset, self._offset = self._offset, self._offset + 1
        batch = self.encoder.read(records, lambda _: home)
        states = {
            name: self.encoder.load(name, self.entries.get(name, ())) for name in batch.sessions.union(idle)
        }
        turn = Turn(TOPIC, PARTITION, now, idle=idle, idle_before=idle_before)
        assert batch.foreign(states) == set()
        assert batch.most_verdicts(states) >= len(records)
        outcome = batch.decide(states, turn)
        for change in outcome.changes:
            self.entries[change.session] = [] if change.value is None else [(change.entry, change.value)]
        return outcome


def made(outcome: Outcome) -> Sequence[OutputRecord]:
    """Return the messages of an outcome."""
    ((inbound, records), (rejected, _)) = outcome.outputs
    assert (inbound, rejected) == (INBOUND, REJECTED)
    return records


def texts(outcome: Outcome) -> list[str]:
    """Return the text of each message."""
    return [(record.value or b"").decode() for record in made(outcome)]


def bodies(outcome: Outcome) -> str:
    """Return the bodies of all messages, one behind the other."""
    return "".join(text.partition("\n\n")[2] for text in texts(outcome))


def refusals(outcome: Outcome) -> list[Rejected]:
    """Return the verdict of each dead letter."""
    _, (_, records) = outcome.outputs
    found = [verdict.decode(headers.last(record.headers, headers.VERDICT) or b"") for record in records]
    assert all(isinstance(one, Rejected) for one in found)
    return [one for one in found if isinstance(one, Rejected)]


def refused(outcome: Outcome) -> list[str]:
    """Return why each dead letter was refused."""
    return [found.code for one in refusals(outcome) for found in one.diagnostics]
