"""The record headers that the bus reads and writes.

This module is a table, and the one way to look a header up. What arrived with a record is passed
on unchanged, even if it bears one of these names; what the bus adds stands behind it, so the last
header of a name is the one that counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

Headers = Sequence[tuple[str, bytes | None]]
"""Names and values, in order. A header may have no value."""


class Header(msgspec.Struct, frozen=True):
    """A header: its name, the topics whose records carry it, its form, and what it says."""

    name: str
    topics: tuple[str, ...]
    form: str
    meaning: str


VERDICT = "pairl-verdict"
HASH = "pairl-hash"
SESSION = "pairl-session"
ID = "pairl-id"
CODES = "pairl-codes"
SOURCE = "pairl-source"
PROFILE = "pairl-profile"
PART = "pairl-part"
CONTENT_TYPE = "content-type"

REQUEST = "pairl-request"
LEGEND = "pairl-legend"
REROUTED = "pairl-rerouted"
SPEAKER = "pairl-speaker"
FORMAT = "pairl-format"
LEFT_OUT = "pairl-left-out"

HEADERS: tuple[Header, ...] = (
    Header(
        FORMAT,
        ("transcripts",),
        "text",
        "the format of the transcript, as `pairl encode --format` names it; without it, it is recognised",
    ),
    Header(
        LEFT_OUT,
        ("inbound",),
        "JSON: how often, by what it is",
        "what of the transcript was left out or cut; on the first message that is made of it",
    ),
    Header(
        REQUEST,
        ("inbound",),
        "text",
        "what `pairl bus send` recognises its messages by; passed on like any other header",
    ),
    Header(
        LEGEND,
        ("inbound",),
        "text",
        "the legend that is delivered with the body; a message that brings one is judged by V13 and V14",
    ),
    Header(
        SPEAKER,
        ("inbound",),
        "1 to 64 of `a-z 0-9 _ -`",
        "whose words the message is, for models: messages themselves do not say",
    ),
    Header(
        REROUTED,
        ("transcripts", "inbound", "validated", "rejected"),
        "`topic/partition/offset`",
        "where the record arrived first, if not in the partition of its session; senders can forge it",
    ),
    Header(VERDICT, ("validated", "rejected"), "JSON of Accepted or Rejected", "the verdict"),
    Header(HASH, ("validated", "rendered"), "64 hex digits", "SHA-256 of the canonical message"),
    Header(
        SESSION,
        ("transcripts", "inbound", "validated"),
        "text",
        "the session; it is read where neither `@sid` nor the key gives one",
    ),
    Header(ID, ("validated",), "text", "the message's id within its session"),
    Header(CODES, ("rejected",), "`V6,V9`", "the rules that were broken"),
    Header(
        SOURCE,
        ("inbound", "rejected"),
        "`topic/partition/offset`",
        "where the record was read; on inbound, the transcript that the message is made of",
    ),
    Header(PROFILE, ("rendered",), "`human` or `model`", "for whom the message was rendered"),
    Header(
        PART,
        ("rendered",),
        "`legend`, `specification`, `body`, `addendum`, `more-specification` or `state`",
        "for models: which part of the session's text the value is",
    ),
    Header(
        CONTENT_TYPE,
        ("rendered",),
        "`text/markdown; charset=utf-8` or `text/plain; charset=utf-8`",
        "what the value is",
    ),
)


def last(headers: Headers, name: str) -> bytes | None:
    """Return the value of the last header called `name`, or None."""
    return next((value for found, value in reversed(headers) if found == name), None)
