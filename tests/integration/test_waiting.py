"""Messages that come before the ones they answer: they wait, and are judged with them or when time is up.

Knows orders of arrival, and what the trail, the verdicts and the topics must say of them. Workers that die
while something waits are in `test_deadlines`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from schemas.audit import AuditBlock
from schemas.topics import VALIDATED
from tests.integration.blocks import blocks, entered, park
from tests.integration.bus import Bus, Sent, chain, message, outcomes
from tests.integration.stacks import Stack
from tests.integration.trail import Judgement

pytestmark = pytest.mark.integration

BROKEN = "#fact twice=1 @rid=f1\n"


@pytest.fixture(scope="module")
def loose_bus(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bus]:
    """A bus whose validator lets much pass, and waits for two seconds."""
    with Bus(stack, tmp_path_factory.mktemp("bus")) as bus:
        bus.create_topics()
        bus.start_worker(mode="loose", wait_seconds=2)
        yield bus


@pytest.fixture(params=["strict", "loose"])
def hasty_bus(request: pytest.FixtureRequest, stack: Stack) -> Bus:  # noqa: ARG001  # the other two are on it
    """A bus in each mode, whose validator waits for a second or two."""
    chosen: Bus = request.getfixturevalue("running_bus" if request.param == "strict" else "loose_bus")
    return chosen


def _session() -> bytes:
    """Return a session that no other test uses."""
    return f"session-{secrets.token_hex(4)}".encode()


async def _judged(bus: Bus, session: bytes) -> dict[str, Judgement]:
    """Return the judgements of a session by id, once everything that was sent has one."""
    judged = [one for one in await bus.judgements(bus.sent) if one.verdict.session == session.decode()]
    by_id = {one.entry.id or "": one for one in judged}
    assert len(by_id) == len(judged)
    return by_id


async def _blocks(bus: Bus, session: bytes) -> list[list[tuple[str | None, str]]]:
    """Return what each block says of a session: ids and verdicts, in the order of offsets."""
    found = [_entries(block, session.decode()) for block in await blocks(bus)]
    return [entries for entries in found if entries]


def _entries(block: AuditBlock, session: str) -> list[tuple[str | None, str]]:
    return [(entry.id, entry.verdict) for entry in block.entries if entry.session == session]


async def _order(bus: Bus, session: bytes) -> list[str]:
    """Return the ids of a session's accepted messages in the order in which they came out."""
    headers: list[dict[str, Any]] = [dict(record.headers) for record in await bus.read(VALIDATED)]
    return [found["pairl-id"].decode() for found in headers if found["pairl-session"] == session]


async def test_a_message_waits_for_its_parent(patient_bus: Bus) -> None:
    session = _session()
    await park(patient_bus, Sent(message("m2", "m1"), session))
    await patient_bus.send(Sent(message("m1"), session))
    judged = await _judged(patient_bus, session)
    assert await _blocks(patient_bus, session) == [
        [("m2", "parked")],
        [("m2", "accepted"), ("m1", "accepted")],
    ]
    assert await _order(patient_bus, session) == ["m1", "m2"]
    assert (judged["m1"].has_waited, judged["m2"].has_waited) == (False, True)
    assert judged["m1"].verdict.waited_ms is None
    assert 0 < (judged["m2"].verdict.waited_ms or 0) < 120_000
    assert judged["m2"].findings == []


async def test_a_chain_that_comes_backwards_comes_out_forwards(patient_bus: Bus) -> None:
    session = _session()
    first, *others = chain(12)
    await park(patient_bus, *(Sent(value, session) for value in reversed(others)))
    await patient_bus.send(Sent(first, session))
    judged = await _judged(patient_bus, session)
    assert {one.outcome for one in judged.values()} == {"accepted"}
    *_, last = await _blocks(patient_bus, session)
    assert last == [(f"m{number}", "accepted") for number in range(12, 0, -1)]
    assert await _order(patient_bus, session) == [f"m{number}" for number in range(1, 13)]


async def test_those_that_wait_for_one_message_come_out_in_the_order_of_arrival(patient_bus: Bus) -> None:
    session = _session()
    arrivals = [("c", "b"), ("z", "m1"), ("b", "m1"), ("a", "m1"), ("y", "z")]
    await park(patient_bus, *(Sent(message(name, parent), session) for name, parent in arrivals))
    await patient_bus.send(Sent(message("m1"), session), Sent(message("later", "m1"), session))
    await _judged(patient_bus, session)
    # `c` came before all of them, and is free as soon as `b` is.
    assert await _order(patient_bus, session) == ["m1", "z", "b", "c", "a", "y", "later"]
    assert len([block for block in await _blocks(patient_bus, session) if ("m1", "accepted") in block]) == 1


async def test_a_message_waits_for_all_that_it_names(patient_bus: Bus) -> None:
    session = _session()
    joint = message("m3", "m1").replace(b"@p m1\n", b"@p m1\n@deps m2,m4\n")
    await park(patient_bus, Sent(joint, session))
    for number, name in enumerate(("m1", "m4"), 1):
        await patient_bus.send(Sent(message(name), session))
        await entered(patient_bus, "accepted", number, session)
    await patient_bus.send(Sent(message("m2"), session))
    judged = await _judged(patient_bus, session)
    assert judged["m3"].outcome == "accepted"
    assert await _order(patient_bus, session) == ["m1", "m4", "m2", "m3"]


async def test_what_waits_for_a_message_that_is_refused_is_refused_with_it(patient_bus: Bus) -> None:
    session = _session()
    await park(patient_bus, *(Sent(value, session) for value in chain(3, first=2)))
    await patient_bus.send(Sent(message("m1", more=BROKEN), session))
    judged = await _judged(patient_bus, session)
    assert [judged[f"m{number}"].outcome for number in (1, 2, 3, 4)] == ["V6", "V4", "V4", "V4"]
    assert [judged[f"m{number}"].findings for number in (2, 3, 4)] == [["V4/rejected-parent"]] * 3
    assert all(judged[f"m{number}"].verdict.waited_ms is not None for number in (2, 3, 4))
    *_, last = await _blocks(patient_bus, session)
    assert last == [(f"m{number}", "rejected") for number in (2, 3, 4, 1)]


async def test_a_message_with_errors_of_its_own_does_not_wait(patient_bus: Bus) -> None:
    session = _session()
    (judged,) = await patient_bus.judge(Sent(message("m2", "m1", more=BROKEN), session))
    assert (judged.outcome, judged.has_waited, judged.verdict.waited_ms) == ("V6", False, None)
    assert judged.findings == ["V6/duplicate-rid"]


async def test_an_id_belongs_to_the_first_that_is_accepted_not_to_the_first_that_waits(
    patient_bus: Bus,
) -> None:
    session = _session()
    await park(
        patient_bus,
        Sent(message("m2", "m1", fact="first"), session),
        Sent(message("m2", "m1", fact="second"), session),
        Sent(message("m2", "m1", fact="first"), session),
    )
    places = await patient_bus.send(Sent(message("m2", fact="third"), session), Sent(message("m1"), session))
    judged = {one.origin: one for one in await patient_bus.judgements(patient_bus.sent)}
    ours = [one for one in judged.values() if one.verdict.session == session.decode()]
    assert outcomes(ours) == ["SES", "SES", "SES", "accepted", "accepted"]
    assert judged[places[0]].findings == []


async def test_a_parent_that_never_comes_is_waited_for_in_vain(hasty_bus: Bus) -> None:
    session = _session()
    child, grandchild = await hasty_bus.judge(
        Sent(message("m2", "m1"), session), Sent(message("m3", "m2"), session)
    )
    waited = child.verdict.waited_ms or 0
    assert 1_000 <= waited < 15_000
    assert child.findings == ["SES/gave-up-waiting", "V4/unresolved-parent"]
    assert f"waited {waited / 1000:.0f} s for `m1`" in child.verdict.diagnostics[0].message
    if child.verdict.mode == "strict":
        assert outcomes([child, grandchild]) == ["V4", "V4"]
        assert grandchild.findings == ["V4/rejected-parent"]
    else:
        assert outcomes([child, grandchild]) == ["accepted", "accepted"]
        assert grandchild.findings == []
    # Both were judged together, the child first: whoever waited for it need not give up.
    assert len(await _blocks(hasty_bus, session)) == 2
    (late,) = await hasty_bus.judge(Sent(message("m1"), session))
    assert (late.outcome, late.findings) == ("accepted", [])


async def test_no_more_wait_than_the_settings_allow(bus: Bus) -> None:
    bus.start_worker(wait_seconds=120, wait_messages=2, wait_bytes=3_000)
    await park(bus, Sent(message("m2", "m1"), b"many"), Sent(message("m3", "m1"), b"many"))
    await park(bus, Sent(message("m2", "m1", fact="9" * 1_500), b"large"))
    await bus.send(Sent(message("m4", "m1"), b"many"), Sent(message("m3", "m1", fact="9" * 500), b"large"))
    await bus.send(Sent(message("m1"), b"many"), Sent(message("m1"), b"large"))
    # Now there is room again.
    await bus.judgements(bus.sent)
    await park(bus, Sent(message("m6", "m5"), b"many"), Sent(message("m7", "m5"), b"many"))
    await bus.send(Sent(message("m5"), b"many"))
    judged = {(one.verdict.session, one.entry.id): one for one in await bus.judgements(bus.sent)}
    turned_away = [judged.pop(name) for name in (("many", "m4"), ("large", "m3"))]
    for one in turned_away:
        assert (one.outcome, one.has_waited, one.verdict.waited_ms) == ("V4", False, None)
        assert one.findings == ["SES/gave-up-waiting", "V4/unresolved-parent"]
    assert {one.outcome for one in judged.values()} == {"accepted"}


async def test_a_bus_that_does_not_wait_judges_at_once(bus: Bus) -> None:
    bus.start_worker(wait_seconds=0)
    child, parent = await bus.judge(*(Sent(value, b"session") for value in reversed(chain(2))))
    assert (child.outcome, parent.outcome) == ("V4", "accepted")
    assert child.findings == ["V4/unresolved-parent"]
    assert (child.has_waited, child.verdict.waited_ms) == (False, None)


CIRCLE = [("m1", "m3"), ("m2", "m1"), ("m3", "m2")]


async def test_a_circle_of_messages_that_wait_is_cut_where_it_closes(patient_bus: Bus) -> None:
    session = _session()
    await park(patient_bus, *(Sent(message(name, parent), session) for name, parent in CIRCLE[:2]))
    await patient_bus.send(Sent(message(*CIRCLE[2]), session))
    judged = await _judged(patient_bus, session)
    assert [judged[name].findings for name, _ in CIRCLE] == [
        ["V4/rejected-parent"],
        ["V4/rejected-parent"],
        ["V7/cycle"],
    ]
    assert [judged[name].has_waited for name, _ in CIRCLE] == [True, True, False]
    *_, last = await _blocks(patient_bus, session)
    assert last == [(name, "rejected") for name, _ in CIRCLE]


async def test_a_circle_is_let_pass_in_loose_mode(loose_bus: Bus) -> None:
    session = _session()
    judged = await loose_bus.judge(*(Sent(message(name, parent), session) for name, parent in CIRCLE))
    assert outcomes(judged) == ["accepted"] * 3
    assert all("V7/cycle" in one.findings for one in judged)
    assert (judged[2].has_waited, judged[2].verdict.waited_ms) == (False, None)
