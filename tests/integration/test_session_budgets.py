"""Budgets over a conversation on the bus: what was spent under each is known exactly, whatever happens.

Knows costs, orders of arrival and restarts. What comes under a budget is tested with the rules.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.blocks import park
from tests.integration.bus import Bus, Sent, message, outcomes
from tests.integration.stacks import RedisServer, Stack
from tests.integration.trail import Judgement

pytestmark = pytest.mark.integration


@pytest.fixture
def server(stack: Stack, tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server that the test alone uses."""
    with stack.redis_server(tmp_path / "redis") as running:
        yield running


def _session() -> bytes:
    """Return a session that no other test uses."""
    return f"session-{secrets.token_hex(4)}".encode()


def _spending(name: str, parent: str | None, *costs: str, budget: str = "", more: str = "") -> bytes:
    """Return a message that has spent `costs`, in USD, and may have a budget."""
    spent = "".join(f"#cost val={cost} cur=USD\n" for cost in costs)
    value = message(name, parent, more=more + spent)
    return value.replace(b"@ts", f"@budget {budget}\n@ts".encode()) if budget else value


def _complaint(judged: Judgement) -> str:
    """Return what the one diagnostic of a message that overspends says."""
    assert judged.findings == ["V8/over-thread-budget"]
    return judged.verdict.diagnostics[0].message


async def test_a_budget_is_for_all_that_goes_back_to_it(patient_bus: Bus) -> None:
    session = _session()
    judged = await patient_bus.judge(
        Sent(_spending("m1", None, "0.10", budget="1.00USD"), session),
        Sent(_spending("m2", "m1", "0.10", "0.20"), session),
        Sent(_spending("m3", "m1", "0.3"), session),
        Sent(_spending("m4", "m2", "0.300000000000000000000000000001"), session),
        Sent(_spending("m5", "m2", "0.3"), session),
        Sent(_spending("m6", "m5", "0.01"), session),
        Sent(_spending("m6", "m4", "0"), session),
    )
    assert outcomes(judged) == ["accepted", "accepted", "accepted", "V8", "accepted", "V8", "V4"]
    assert _complaint(judged[3]) == (
        "1.000000000000000000000000000001 USD exceed the budget of 1.00 USD that `m1` was given: "
        "0.70 USD spent before, 0.300000000000000000000000000001 USD by this message"
    )
    assert _complaint(judged[5]) == (
        "1.01 USD exceed the budget of 1.00 USD that `m1` was given: "
        "1.00 USD spent before, 0.01 USD by this message"
    )


async def test_what_is_only_projected_is_not_spent(patient_bus: Bus) -> None:
    session = _session()
    declined = "ref{t=analysis}\n#fact reason=budget_exceeded @rid=f2\n"
    judged = await patient_bus.judge(
        Sent(_spending("m1", None, "0.40", budget="1USD"), session),
        Sent(_spending("m2", "m1", "5", more="bid{t=analysis}\n"), session),
        Sent(_spending("m3", "m1", "7", more=declined), session),
        Sent(_spending("m4", "m2", "0.60"), session),
        Sent(_spending("m5", "m3", "0.01"), session),
    )
    assert outcomes(judged) == ["accepted"] * 4 + ["V8"]
    assert "1.00 USD spent before, 0.01 USD by this message" in _complaint(judged[4])


async def test_messages_that_waited_spend_in_the_order_in_which_they_are_released(patient_bus: Bus) -> None:
    session = _session()
    late = [("m4", "m3", "0.30"), ("m3", "m2", "0.30"), ("m2", "m1", "0.30"), ("m5", "m1", "0.30")]
    await park(patient_bus, *(Sent(_spending(*one), session) for one in late))
    (first,) = await patient_bus.judge(Sent(_spending("m1", None, "0.05", budget="1USD"), session))
    assert first.outcome == "accepted"
    ours = {
        one.entry.id: one
        for one in await patient_bus.judgements(patient_bus.sent)
        if one.verdict.session == session.decode()
    }
    assert [ours[f"m{number}"].outcome for number in (2, 3, 4, 5)] == [
        "accepted",
        "accepted",
        "accepted",
        "V8",
    ]
    assert "0.95 USD spent before, 0.30 USD by this message" in _complaint(ours["m5"])


async def test_a_budget_that_comes_late_covers_what_did_not_wait_for_it(bus: Bus) -> None:
    bus.start_worker(mode="loose", wait_seconds=0)
    judged = await bus.judge(
        Sent(_spending("m3", "m2", "0.50"), b"s"),
        Sent(_spending("m2", "m1", "0.25"), b"s"),
        Sent(_spending("m1", None, "0.26", budget="1USD"), b"s"),
        Sent(_spending("m1", None, "0.25", budget="1USD"), b"s"),
        Sent(_spending("m4", "m3", "0.01"), b"s"),
    )
    assert outcomes(judged) == ["accepted", "accepted", "V8", "accepted", "V8"]
    assert _complaint(judged[2]) == (
        "1.01 USD exceed the budget of 1 USD that `m1` was given: 0 USD spent before, "
        "0.26 USD by this message, and 0.75 USD of messages that waited for it"
    )
    assert "1.00 USD spent before" in _complaint(judged[4])


async def test_what_was_spent_is_known_after_a_flush_and_a_restart(bus: Bus, server: RedisServer) -> None:
    settings: dict[str, Any] = {"redis_url": server.url, "wait_seconds": 120}
    worker = bus.start_worker(**settings)
    await bus.judge(
        Sent(_spending("m1", None, "0.10", budget="1USD"), b"s"),
        Sent(_spending("m2", "m1", "0.20", budget="0.50USD"), b"s"),
        Sent(_spending("m3", "m2", "0.15"), b"s"),
    )
    # Waits until it has a parent, and spends only then.
    await park(bus, Sent(_spending("m5", "m4", "0.10"), b"s"))
    worker.kill()
    with server.client() as client:
        client.flushall()
    worker = bus.start_worker(**settings)
    await bus.send(Sent(_spending("m6", "m3", "0.16"), b"s"), Sent(_spending("m4", "m1", "0.35"), b"s"))
    await bus.judgements(6)
    assert worker.terminate() == 0
    with server.client() as client:
        client.flushall()
    bus.start_worker(**settings)
    await bus.judge(Sent(_spending("m7", "m5", "0.11"), b"s"))
    judged = {one.entry.id: one for one in await bus.judgements(7)}
    assert {name for name, one in judged.items() if one.outcome == "accepted"} == {
        "m1",
        "m2",
        "m3",
        "m4",
        "m5",
    }
    assert _complaint(judged["m6"]) == (
        "0.51 USD exceed the budget of 0.50 USD that `m2` was given: "
        "0.35 USD spent before, 0.16 USD by this message"
    )
    assert "0.90 USD spent before, 0.11 USD by this message" in _complaint(judged["m7"])
