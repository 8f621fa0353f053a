"""A thread kept in memory: what is added, what is awaited, and that it stays quick when it is long."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from pairl import Message, compute_hash, parse
from pairl.budget import Budget, Tally
from pairl.thread import Status, ThreadNode
from pairl.thread_memory import Thread


def message(name: str, headers: str = "", body: str = "ack") -> Message:
    return parse(f"@v 1\n@id {name}\n@ts 2026-05-01T10:00:00Z\n{headers}\n{body}\n")


def test_a_message_that_was_added_is_known() -> None:
    thread = Thread()
    added = message("m2", "@p m1\n@deps m0\n")
    thread.add(added)
    assert thread.node("m2") == ThreadNode(
        "m2", Status.ACCEPTED, compute_hash(added), ("m1", "m0"), parent="m1", rids=""
    )
    assert thread.node("m1") is None


def test_a_rejected_message_does_not_displace_an_accepted_one() -> None:
    thread = Thread()
    thread.add(message("m1", body="nothing good"), Status.REJECTED)
    node = thread.node("m1")
    assert node is not None
    assert node.status is Status.REJECTED
    for status in (Status.ACCEPTED, Status.REJECTED, Status.ACCEPTED):
        thread.add(message("m1", body=f"#fact is={status}"), status)
    node = thread.node("m1")
    assert node is not None
    assert (node.status, node.hash) == (
        Status.ACCEPTED,
        compute_hash(message("m1", body="#fact is=accepted")),
    )


def test_a_status_may_be_given_as_text() -> None:
    for text, status in (("accepted", Status.ACCEPTED), ("rejected", Status.REJECTED)):
        thread = Thread()
        thread.add(message("m1"), text)  # type: ignore[arg-type]
        node = thread.node("m1")
        assert node is not None
        assert node.status is status


@pytest.mark.parametrize("status", ["acepted", "", True, None])
def test_what_is_no_status_raises_and_adds_nothing(status: object) -> None:
    thread = Thread()
    with pytest.raises(ValueError, match="is not a valid Status"):
        thread.add(message("m1"), status)  # type: ignore[arg-type]
    assert thread.node("m1") is None


def test_a_message_without_an_id_is_left_out() -> None:
    thread = Thread()
    nameless = parse("@v 1\n@budget 1USD\n\nack\n")
    thread.add(nameless)
    assert thread.budgets_over(nameless) == ()


def test_awaited_is_what_an_accepted_message_named_too_early() -> None:
    thread = Thread()
    thread.add(message("m1"))
    thread.add(message("m3", "@p m1\n@deps m2\n"))
    thread.add(message("m5", "@p m4\n"), Status.REJECTED)
    assert [name for name in ("m1", "m2", "m3", "m4") if thread.is_awaited(name)] == ["m2"]


def test_a_tally_tells_what_was_spent_and_what_joins() -> None:
    thread = Thread()
    thread.add(message("m1", "@budget 2USD\n", "#cost val=0.50 cur=USD"))
    thread.add(message("m3", "@p m2\n", "#cost val=0.25 cur=USD\n#cost val=7 cur=EUR"))
    m2 = message("m2", "@p m1\n@budget 9EUR\n")
    expected = (
        Tally("m1", Budget(Decimal(2), "USD"), Decimal("0.50"), Decimal("0.25")),
        Tally("m2", Budget(Decimal(9), "EUR"), Decimal(0), Decimal(7)),
    )
    assert thread.budgets_over(m2) == expected
    assert thread.budgets_over(m2) == expected, "asking changes nothing"
    thread.add(m2)
    assert thread.budgets_over(m2) == ()
    below = message("m4", "@p m3\n")
    assert {tally.id: tally.spent for tally in thread.budgets_over(below)} == {
        "m1": Decimal("0.75"),
        "m2": Decimal(7),
    }


def test_costs_go_round_a_circle_once() -> None:
    thread = Thread()
    thread.add(message("m1", "@p m3\n@budget 9USD\n", "#cost val=1 cur=USD"))
    thread.add(message("m2", "@p m1\n@budget 9USD\n", "#cost val=1 cur=USD"))
    thread.add(message("m3", "@p m2\n@budget 9USD\n", "#cost val=1 cur=USD"))
    thread.add(message("m4", "@p m4\n@deps m3\n@budget 9USD\n", "#cost val=1 cur=USD"))
    spent = {tally.id: tally.spent for tally in thread.budgets_over(message("m5", "@p m4\n"))}
    assert spent == {"m1": 4, "m2": 4, "m3": 4, "m4": 1}


def test_a_long_thread_stays_quick() -> None:
    start = time.process_time()
    thread = Thread()
    for number in range(1, 10_000):
        thread.add(message(f"n{number}", f"@p n{number - 1}\n", "#cost val=0.01 cur=USD"))
    thread.add(message("n0", "@budget 500USD\n"))
    [tally] = thread.budgets_over(message("x", "@p n9999\n"))
    assert tally.spent == Decimal("99.99")
    assert time.process_time() - start < 10
