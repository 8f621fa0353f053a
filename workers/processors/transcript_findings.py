"""What the encoder says of a transcript: why it is refused, and what of it no message carries.

This module knows words, and how many of them fit. It does not know when a transcript is refused.
"""

from __future__ import annotations

from itertools import islice

import msgspec

from pairl.diagnostics import Finding, excerpt, printable
from pairl.encode.encoding import Encoded
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.format import NotATranscript
from schemas import headers

OVER_BUDGET = "characters over the budget"
"""What is kept in any case may take more than a budget: by how much is told with what was left out."""

_MOST_LISTED = 20


def not_a_transcript(fault: NotATranscript) -> Finding:
    """Return what is said of what is no transcript."""
    return Finding("ENC/not-a-transcript", printable(fault.reason), help=printable(fault.advice))


def history_changed(fault: HistoryChanged) -> Finding:
    """Return what is said of a transcript that does not go on where its session was encoded before."""
    return Finding(
        "ENC/history-changed",
        fault.reason,
        help=f"{fault.causes}; the session goes on as it was, and a conversation whose past is another one "
        "now goes on under another session, where it begins anew",
    )


def state_unreadable() -> Finding:
    """Return what is said of a transcript whose session is remembered in a way that cannot be read."""
    return Finding(
        "ENC/state-unreadable",
        "what was encoded of this session before was written by another version, or another program",
        help="send the conversation under another session; this one begins anew once it is forgotten, after "
        "`PAIRL_SESSION_IDLE_SECONDS` without a change",
    )


def left_out(encoded: Encoded) -> list[tuple[str, bytes]]:
    """Return the header that says what of a transcript could not be carried; none if all could."""
    report = encoded.report
    counts = {notice.what: notice.count for notice in report.notices} | report.dropped
    if report.over:
        counts[OVER_BUDGET] = report.over
    if not counts:
        return []
    # What they are called can be a transcript's own words: both how many and how long is bounded.
    listed = {excerpt(what): counts[what] for what in islice(counts, _MOST_LISTED)}
    others = sum(counts.values()) - sum(listed.values())
    if others:
        listed["other things"] = others
    return [(headers.LEFT_OUT, msgspec.json.encode(listed))]
