"""Sessions as the changelog keeps them, in the short form in which the tests of `trace` are written.

Knows how entries are made. Does not know what is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from pairl.budget import Budget, Quota
from pairl.thread import Status, ThreadNode
from schemas.session_state import Entry, SessionNode, WaitingMessage
from workers.trace.messages import TracedSession

BEGAN = 1_796_029_200_000
"""2026-11-30 09:00:00 UTC."""


def judged(
    name: str,
    parent: str | None = None,
    *deps: str,
    seconds: float = 0,
    errors: tuple[str, ...] = (),
    costs: Mapping[str, str] | None = None,
    budget: str | None = None,
    quotas: tuple[Quota, ...] = (),
) -> SessionNode:
    """Return a message that was accepted or, with `errors`, rejected; a budget is written `0.50 EUR`."""
    limit, _, unit = (budget or "").partition(" ")
    node = ThreadNode(
        name,
        Status.REJECTED if errors else Status.ACCEPTED,
        parents=((parent, *deps) if parent else deps),
        parent=parent or "",
        costs={unit: Decimal(cost) for unit, cost in (costs or {}).items()},
        budget=Budget(Decimal(limit), unit) if budget else None,
        quotas=quotas,
    )
    return SessionNode("s", node, f"pairl.inbound/0/{name}", BEGAN + round(seconds * 1000), errors)


def waiting(name: str, parent: str, *deps: str, seconds: float = 0, offset: int = 0) -> WaitingMessage:
    """Return a message that waits, for ten seconds at most."""
    headers = f"@v 1\n@id {name}\n@p {parent}\n@ts 2026-11-30T09:00:00Z\n"
    headers += f"@deps {','.join(deps)}\n" if deps else ""
    at = BEGAN + round(seconds * 1000)
    return WaitingMessage(
        *("s", name, at, at + 10_000), "pairl.inbound", 0, offset, at, value=f"{headers}\nack\n".encode()
    )


def session(*entries: Entry) -> TracedSession:
    """Return a session with these entries."""
    return TracedSession("s", entries)
