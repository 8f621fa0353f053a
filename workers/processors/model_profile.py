"""Messages for models: each becomes parts of a text that only grows, session by session.

This module knows what is remembered of a session between its messages, and which records a message
becomes. It does not know how a message is written below others (`pairl.increment`), or how a reader puts
the parts together (`schemas.model_text`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from pairl.increment import Increment, MaintainedBody, append
from pairl.legend import FullSpecification, Legend
from pairl.model import Message
from schemas import verdict
from schemas.changelog import Change
from schemas.rendering import Part
from schemas.session_legend import SessionLegend, decode
from schemas.verdict import Accepted

_MOST_LISTED = 20
_REPEATED = "SES/duplicate"
_WEIGHT = 4


class GrowingText:
    """What is remembered of a session's text: enough to append to it."""

    weight = _WEIGHT
    """It takes as much memory as some messages do, however many there are in the session."""

    def __init__(self, session: str) -> None:
        """Start with nothing."""
        self.session = session
        self.kept: SessionLegend | None = None

    @classmethod
    def load(cls, session: str, entries: Iterable[tuple[str, bytes]]) -> GrowingText:
        """Return the session that the entries of its state describe.

        Entries that are none, because another program has written there, are passed over.
        """
        text = cls(session)
        for name, value in entries:
            try:
                text.kept = decode(name, value)
            except msgspec.DecodeError:
                continue
        return text

    def append(self, message: Message, speaker: str, now: int) -> Iterator[tuple[Part, str]]:
        """Append a message at `now`, in milliseconds since 1970, and return what that adds, in order."""
        increment = append(message, self._body, speaker)
        self.kept = SessionLegend(self.session, increment.grown, now)
        return parts(increment)

    @property
    def _body(self) -> MaintainedBody | None:
        return None if self.kept is None else self.kept.body

    def forget_if_idle(self, before: int) -> Change | None:
        """Forget the session, and return what says so, unless something was appended since `before`."""
        if self.kept is None or self.kept.at >= before:
            return None
        kept, self.kept = self.kept, None
        return kept.as_removal()


def parts(increment: Increment) -> Iterator[tuple[Part, str]]:
    """Yield the parts that an increment becomes, in the order in which they are written."""
    if isinstance(increment.legend, Legend):
        yield Part.LEGEND, increment.legend.text
    elif increment.legend is not None:
        yield Part.SPECIFICATION, _listed(increment.legend)
    yield Part.BODY, increment.body
    if isinstance(increment.addendum, FullSpecification):
        yield Part.MORE_SPECIFICATION, _listed(increment.addendum)
    elif increment.addendum is not None:
        yield Part.ADDENDUM, increment.addendum
    if increment.state is not None:
        yield Part.STATE, increment.state


def is_repeated(decision: bytes | None) -> bool:
    """Say whether a verdict tells that the message was accepted before: it would say nothing new."""
    if decision is None or _REPEATED.encode() not in decision:
        return False
    try:
        accepted = verdict.decode(decision)
    except msgspec.DecodeError:
        return False
    return isinstance(accepted, Accepted) and any(found.code == _REPEATED for found in accepted.diagnostics)


def _listed(needed: FullSpecification) -> str:
    """Return what only the specification explains, a line each."""
    unexplained = needed.unexplained
    lines = [str(construct) for construct in islice(unexplained, _MOST_LISTED)]
    if len(unexplained) > _MOST_LISTED:
        lines.append(f"and {len(unexplained) - _MOST_LISTED:,} more")
    return "\n".join(lines)
