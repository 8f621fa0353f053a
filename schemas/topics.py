"""The topics: what each carries, how it is keyed, and how the broker must keep it.

This module is a table. Names are without the prefix that the settings put before them; partition
counts and replication are the settings' too, since all topics of a bus have the same ones: output
partition n belongs to input partition n.
"""

from __future__ import annotations

import msgspec

LARGEST_INBOUND_RECORD = 8 * 1024 * 1024
"""Bytes that one inbound record may have. More than a valid message may, so that an oversized one
is refused with a reason instead of failing at its producer."""

_ROOM_FOR_HEADERS = 4 * 1024 * 1024
"""Bytes by which what the bus adds can make a record larger: the diagnostics of a verdict, mostly."""

_FOREVER = "-1"


class Topic(msgspec.Struct, frozen=True):
    """A topic: its name without prefix, what is in it, and the broker settings it is made with."""

    name: str
    key: str
    value: str
    purpose: str
    config: dict[str, str]


INBOUND = Topic(
    "inbound",
    "the session, or none",
    "a PAIRL message",
    "what agents say",
    # Unpacked at the broker: its limit then counts what the workers will have to hold, and they need no
    # codec that a producer may choose.
    {"max.message.bytes": str(LARGEST_INBOUND_RECORD), "compression.type": "uncompressed"},
)
TRANSCRIPTS = Topic(
    "transcripts",
    "the session, or none",
    "a recorded conversation",
    "what agents that do not speak PAIRL have said, from its beginning, again each time it goes on",
    {"max.message.bytes": str(LARGEST_INBOUND_RECORD), "compression.type": "uncompressed"},
)
VALIDATED = Topic(
    "validated",
    "as it arrived",
    "as it arrived",
    "messages that were accepted, with their verdict in headers",
    {"max.message.bytes": str(LARGEST_INBOUND_RECORD + _ROOM_FOR_HEADERS)},
)
REJECTED = Topic(
    "rejected",
    "as it arrived",
    "as it arrived",
    "dead letters: messages and transcripts that were refused, with the reasons in headers",
    {"max.message.bytes": str(LARGEST_INBOUND_RECORD + _ROOM_FOR_HEADERS), "retention.ms": _FOREVER},
)
RENDERED = Topic(
    "rendered",
    "the session",
    "Markdown, or a part of a text for models",
    "accepted messages as people and models read them",
    {"max.message.bytes": str(4 * LARGEST_INBOUND_RECORD)},
)
AUDIT = Topic(
    "audit",
    "the input partition",
    "JSON of AuditBlock",
    "a hash-chained trail of every verdict",
    {"max.message.bytes": str(LARGEST_INBOUND_RECORD + _ROOM_FOR_HEADERS), "retention.ms": _FOREVER},
)
THREADS = Topic(
    "threads",
    "session/<session>/<id>, and session/<session>/<id>/<offset> of a message that waits",
    "JSON of SessionNode, of WaitingMessage",
    "changelog of the sessions' state, from which Redis is rebuilt",
    {"cleanup.policy": "compact", "max.message.bytes": str(LARGEST_INBOUND_RECORD + _ROOM_FOR_HEADERS)},
)
LEGENDS = Topic(
    "legends",
    "session/<session>/legend",
    "JSON of SessionLegend",
    "changelog of what the renderer has explained to models, from which Redis is rebuilt",
    {"cleanup.policy": "compact", "max.message.bytes": str(1024 * 1024)},
)
ENCODINGS = Topic(
    "encodings",
    "session/<session>/encoding",
    "JSON of SessionEncoding",
    "changelog of how far the encoder has come with transcripts, from which Redis is rebuilt",
    {"cleanup.policy": "compact", "max.message.bytes": str(1024 * 1024)},
)

TOPICS: tuple[Topic, ...] = (
    TRANSCRIPTS,
    INBOUND,
    VALIDATED,
    REJECTED,
    RENDERED,
    AUDIT,
    THREADS,
    LEGENDS,
    ENCODINGS,
)


def find_topic(name: str) -> Topic | None:
    """Return the topic with this name, which has no prefix."""
    return next((topic for topic in TOPICS if topic.name == name), None)
