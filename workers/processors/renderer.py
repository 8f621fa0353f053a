"""The renderer's decisions: what every validated message becomes for people, for models, or for both.

This module knows the keys and headers of rendered records. It does not know how a message is rendered
(`pairl.render`) or made a part of a text for models (`workers.processors.model_profile`), and does not
read or write anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from pairl.canonical import compute_hash
from pairl.increment import UNKNOWN_SPEAKER, append
from pairl.model import Message
from pairl.parser import parse
from pairl.render import render
from schemas import headers
from schemas.changelog import Change, bounded
from schemas.rendering import PLAIN_TEXT, Part, Profile, Rendering
from schemas.topics import LARGEST_INBOUND_RECORD, LEGENDS, RENDERED, VALIDATED, Topic
from workers.processors.model_profile import GrowingText, is_repeated, parts
from workers.processors.outcome import InputRecord, MessageName, Outcome, OutputRecord, Owner, Turn


class Renderer:
    """Renders messages that were accepted."""

    name = "renderer"
    source: Topic = VALIDATED

    def __init__(self, profiles: Collection[Profile]) -> None:
        """Render for these profiles; only for models anything has to be remembered of sessions."""
        self.profiles = frozenset(profiles)
        remembers = Profile.MODEL in self.profiles
        self.changelog: Topic | None = LEGENDS if remembers else None
        self.targets: tuple[Topic, ...] = (RENDERED, LEGENDS) if remembers else (RENDERED,)

    def read(self, records: Sequence[InputRecord], owner: Owner) -> RendererBatch:  # noqa: ARG002  # the protocol has it
        """Take the messages as they are: the validator has put them where their session belongs."""
        return RendererBatch(self.profiles, [_read(record) for record in records])

    def load(self, session: str, entries: Sequence[tuple[str, bytes]]) -> GrowingText:
        """Return what is remembered of a session."""
        return GrowingText.load(session, entries)


class _Reading(msgspec.Struct, frozen=True):
    """A record, the message in it, its hash, and its session if it has one."""

    record: InputRecord
    message: Message
    hash: str
    key: bytes | None
    session: str | None


class RendererBatch:
    """Accepted messages of one partition, in order, about to be rendered."""

    def __init__(self, profiles: Collection[Profile], readings: list[_Reading]) -> None:
        """Hold the messages."""
        self._profiles = profiles
        self._readings = readings
        self.sessions: set[str] = set()
        if Profile.MODEL in profiles:
            self.sessions.update(each.session for each in readings if each.session is not None)

    def foreign(self, states: Mapping[str, GrowingText]) -> set[MessageName]:  # noqa: ARG002  # the protocol has it
        """Return nothing: what a message mentions is rendered as it is written."""
        return set()

    def most_verdicts(self, states: Mapping[str, GrowingText]) -> int:  # noqa: ARG002  # the protocol has it
        """Return how many messages there are: none waits here."""
        return len(self._readings)

    def decide(self, states: Mapping[str, GrowingText], turn: Turn) -> Outcome:
        """Render the messages in order, and forget what is remembered of sessions that are idle."""
        rendered: list[OutputRecord] = []
        appended: dict[str, None] = {}
        for reading in self._readings:
            if Profile.HUMAN in self._profiles:
                rendered.append(_output(reading, render(reading.message), Rendering(reading.hash)))
            if Profile.MODEL in self._profiles and not is_repeated(
                headers.last(reading.record.headers, headers.VERDICT)
            ):
                rendered += _for_models(reading, states, turn.now)
                if reading.session is not None:
                    appended[reading.session] = None
        return Outcome(
            outputs=((RENDERED, rendered),),
            changes=_changes(states, appended, turn),
            counts={"rendered": len(self._readings)},
        )


def _read(record: InputRecord) -> _Reading:
    # The validator has enforced its limits; under another policy they may be larger than ours.
    message = parse(record.value or b"", max_bytes=LARGEST_INBOUND_RECORD, max_records=LARGEST_INBOUND_RECORD)
    digest = headers.last(record.headers, headers.HASH)
    key = headers.last(record.headers, headers.SESSION) or record.key
    return _Reading(
        record=record,
        message=message,
        hash=digest.decode("ascii", "replace") if digest else compute_hash(message),
        key=key,
        session=bounded(key.decode("utf-8", "replace")) if key else None,
    )


def _for_models(reading: _Reading, states: Mapping[str, GrowingText], now: int) -> Iterator[OutputRecord]:
    """Yield the parts that a message adds to the text of its session, or the text that it is by itself."""
    said_by = headers.last(reading.record.headers, headers.SPEAKER)
    speaker = UNKNOWN_SPEAKER if said_by is None else said_by.decode("utf-8", "replace")
    added: Iterable[tuple[Part, str]]
    if reading.session is None:
        added = parts(append(reading.message, None, speaker))
    else:
        added = states[reading.session].append(reading.message, speaker, now)
    for part, text in added:
        yield _output(reading, text, Rendering(reading.hash, Profile.MODEL, PLAIN_TEXT, part))


def _changes(states: Mapping[str, GrowingText], appended: Iterable[str], turn: Turn) -> list[Change]:
    """Return what is remembered of the sessions that were appended to, and which ones are forgotten."""
    changes = [kept.as_change() for name in appended if (kept := states[name].kept) is not None]
    for name in turn.idle:
        forgotten = states[name].forget_if_idle(turn.idle_before)
        if forgotten is not None:
            changes.append(forgotten)
    return changes


def _output(reading: _Reading, text: str, rendering: Rendering) -> OutputRecord:
    return OutputRecord(reading.key, text.encode(), rendering.as_headers(), reading.record.timestamp)
