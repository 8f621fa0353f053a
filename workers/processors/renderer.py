"""The renderer's decisions: every validated message becomes Markdown for people.

This module knows the key and headers of a rendered record. It does not know how a message is
rendered (`pairl.render`), and does not read or write anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairl.canonical import compute_hash
from pairl.parser import parse
from pairl.render import render
from schemas import headers
from schemas.rendering import Rendering
from schemas.topics import LARGEST_INBOUND_RECORD, RENDERED, VALIDATED, Topic
from workers.processors.outcome import (
    InputRecord,
    MessageName,
    Outcome,
    OutputRecord,
    Owner,
    SessionState,
    Turn,
)


class Renderer:
    """Renders messages that were accepted."""

    name = "renderer"
    source: Topic = VALIDATED
    targets: tuple[Topic, ...] = (RENDERED,)
    changelog: Topic | None = None

    def read(self, records: Sequence[InputRecord], owner: Owner) -> RendererBatch:  # noqa: ARG002
        """Take the records as they are; rendering needs to know nothing else."""
        return RendererBatch(records)

    def load(self, session: str, entries: Sequence[tuple[str, bytes]]) -> SessionState:
        """Refuse: there are no sessions here."""
        raise NotImplementedError


class RendererBatch:
    """Accepted messages of one partition, in order, about to be rendered."""

    def __init__(self, records: Sequence[InputRecord]) -> None:
        """Hold the records."""
        self.sessions: set[str] = set()
        self._records = records

    def foreign(self, states: Mapping[str, Any]) -> set[MessageName]:  # noqa: ARG002
        """Return nothing: what a message mentions is rendered as it is written."""
        return set()

    def decide(self, states: Mapping[str, Any], turn: Turn) -> Outcome:  # noqa: ARG002
        """Render the messages in order."""
        rendered = [_render(record) for record in self._records]
        return Outcome(outputs=((RENDERED, rendered),), counts={"rendered": len(rendered)})


def _render(record: InputRecord) -> OutputRecord:
    # The validator has enforced its limits; under another policy they may be larger than ours.
    message = parse(record.value or b"", max_bytes=LARGEST_INBOUND_RECORD, max_records=LARGEST_INBOUND_RECORD)
    digest = headers.last(record.headers, headers.HASH)
    rendering = Rendering(digest.decode("ascii", "replace") if digest else compute_hash(message))
    key = headers.last(record.headers, headers.SESSION) or record.key
    return OutputRecord(key, render(message).encode(), rendering.as_headers(), record.timestamp)
