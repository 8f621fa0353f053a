"""The renderer's decisions: every validated message becomes Markdown for people.

This module knows the key and headers of a rendered record. It does not know how a message is
rendered (`pairl.render`), and does not read or write anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pairl.canonical import compute_hash
from pairl.parser import parse
from pairl.render import render
from schemas import headers
from schemas.audit import ChainHead
from schemas.rendering import Rendering
from schemas.topics import LARGEST_INBOUND_RECORD, RENDERED, VALIDATED, Topic
from workers.processors.outcome import InputRecord, Outcome, OutputRecord
from workers.processors.session_view import Lookup, SessionView


class Renderer:
    """Renders messages that were accepted."""

    name = "renderer"
    source: Topic = VALIDATED
    targets: tuple[Topic, ...] = (RENDERED,)
    keeps_state = False

    def read(self, records: Sequence[InputRecord]) -> RendererBatch:
        """Take the records as they are; rendering needs no look-up."""
        return RendererBatch(records)


class RendererBatch:
    """Accepted messages of one partition, in order, about to be rendered."""

    def __init__(self, records: Sequence[InputRecord]) -> None:
        """Hold the records."""
        self.lookup: Lookup = {}
        self._records = records

    def decide(self, sessions: Mapping[str, SessionView], chain: ChainHead) -> Outcome:  # noqa: ARG002
        """Render the messages in order."""
        rendered = [_render(record) for record in self._records]
        return Outcome(outputs=((RENDERED, rendered),), counts={"rendered": len(rendered)}, chain=chain)


def _render(record: InputRecord) -> OutputRecord:
    # The validator has enforced its limits; under another policy they may be larger than ours.
    message = parse(record.value or b"", max_bytes=LARGEST_INBOUND_RECORD, max_records=LARGEST_INBOUND_RECORD)
    digest = headers.last(record.headers, headers.HASH)
    rendering = Rendering(digest.decode("ascii", "replace") if digest else compute_hash(message))
    key = headers.last(record.headers, headers.SESSION) or record.key
    return OutputRecord(key, render(message).encode(), rendering.as_headers(), record.timestamp)
