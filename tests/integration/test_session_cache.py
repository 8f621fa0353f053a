"""Sessions in memory: a worker that keeps none gives the verdicts of one that keeps all.

Knows two settings and a conversation in which every kind of state matters. Does not know its verdicts,
but that they are many.
"""

from __future__ import annotations

import pytest

from tests.integration.bus import Bus, Sent, message

pytestmark = pytest.mark.integration

BROKEN = "#fact twice=1 @rid=f1\n"


def _spent(cost: str) -> str:
    return f"#cost val={cost} cur=USD\n"


def _conversation(session: bytes) -> list[Sent]:
    """Return messages in no good order, with duplicates, conflicts, a budget, and what never comes."""
    budget = message("m1", more=_spent("0.1")).replace(b"@ts", b"@budget 1USD\n@ts")
    values = [
        message("m4", "m3", more=_spent("0.4")),
        message("m3", "m2", more=_spent("0.4")),
        budget,
        message("m6", "m9"),
        message("m2", "m1", more=_spent("0.05")),
        message("m5", "m4", more=_spent("0.06")),
        message("m5", "m4", more=_spent("0.05")),
        message("m3", "m2", more=_spent("0.4")),
        message("m3", "m1"),
        message("m7", more=BROKEN),
        message("m8", "m7"),
        message("m10", "m11"),
        message("m11", "m12"),
        message("m12", "m10"),
        message("m13", "m5", more="#evid claim=f1 src=@m4#f9 conf=0.5\n"),
    ]
    return [Sent(value, session) for value in values]


async def test_what_is_kept_in_memory_changes_no_verdict(bus: Bus) -> None:
    verdicts: dict[str, list[tuple[str | None, str, tuple[str, ...]]]] = {}
    for name, cached_messages in (("none", 1), ("all", 50_000)):
        # Several sessions, so that each throws the others out; the last thread is cut into many batches.
        worker = bus.start_worker(cached_messages=cached_messages, batch_records=4, wait_seconds=1)
        sessions = [f"{name}-{number}".encode() for number in range(3)]
        threads = [_conversation(session) for session in sessions]
        sent = [record for abreast in zip(*threads, strict=True) for record in abreast]
        judged = await bus.judge(*sent)
        assert worker.terminate() == 0
        for session in sessions:
            verdicts[session.decode()] = [
                (one.entry.id, one.outcome, tuple(one.findings))
                for one in judged
                if one.verdict.session == session.decode()
            ]
    assert len({tuple(found) for found in verdicts.values()}) == 1
    outcomes = [outcome for _, outcome, _ in verdicts["none-0"]]
    assert outcomes == [
        "accepted",
        "accepted",
        "accepted",
        "V4",
        "accepted",
        "V8",
        "accepted",
        "accepted",
        "SES",
        "V6",
        "V4",
        "V4",
        "V4",
        "V7",
        "accepted",
    ]
