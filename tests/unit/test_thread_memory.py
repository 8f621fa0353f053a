"""A thread kept in memory: what is added, what is awaited, and that it stays quick when it is long."""

from __future__ import annotations

import time
import tracemalloc
from decimal import Decimal

import pytest

from pairl import Message, compute_hash, parse
from pairl.budget import Budget, Quota, Tally
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


def placed(thread: Thread, name: str) -> tuple[str | None, int]:
    node = thread.node(name)
    assert node is not None
    return node.root, node.depth


def test_root_and_depth_of_a_message() -> None:
    thread = Thread()
    for name, headers in (
        ("m1", ""),
        ("m2", "@p m1\n"),
        ("m3", "@deps m2\n"),
        ("m4", "@p m1\n@deps m3\n"),
        ("m5", "@p m9\n"),
        ("m6", "@p m5\n@deps m4\n"),
        ("m7", "@p ref:msg:S:m1\n@deps m1\n"),
    ):
        thread.add(message(name, headers))
    assert placed(thread, "m1") == ("m1", 0)
    assert placed(thread, "m2") == ("m1", 1)
    assert placed(thread, "m3") == ("m3", 2)
    assert placed(thread, "m4") == ("m1", 3)
    assert placed(thread, "m5") == (None, 0)
    assert placed(thread, "m6") == (None, 4)
    assert placed(thread, "m7") == (None, 1)


BODY = (
    "fin{t=count} @rid=A1\n#cost val=0.10 cur=EUR @rid=k1\n#cost val=0.25 cur=EUR\n#cost val=7 cur=tokens\n"
    "#cost val=0 cur=USD\n#quota type=tokens total=500 used=7 @rid=q1\n#quota type=calls total=9\n"
)


def test_what_an_accepted_message_holds_is_kept() -> None:
    thread = Thread()
    thread.add(message("m1", "@budget 2EUR\n", BODY))
    node = thread.node("m1")
    assert node is not None
    assert node.rids == "a1 k1 q1"
    assert node.costs == {"EUR": Decimal("0.35"), "tokens": Decimal(7)}
    assert node.budget == Budget(Decimal(2), "EUR")
    assert node.quotas == (Quota("tokens", "500", "7"), Quota("calls", "9"))


def test_of_what_is_not_accepted_only_the_place_is_kept() -> None:
    for status in (Status.REJECTED, Status.WAITING):
        node = Thread().node_for(message("m2", "@p m1\n@budget 2EUR\n", BODY), status, "")
        assert node == ThreadNode("m2", status, parents=("m1",), parent="m1")


@pytest.mark.parametrize(
    "line",
    [
        f"#cost val=1 cur={'E' * 33}",
        f"#quota type=tokens total={'9' * 33}",
        "#quota type=tokens",
        'bid{t=x}\n#cost val=1 cur=EUR note="planned"',
        "#cost val=-1 cur=EUR",
    ],
)
def test_what_cannot_be_counted_is_not_kept(line: str) -> None:
    thread = Thread()
    thread.add(message("m1", "", line))
    node = thread.node("m1")
    assert node is not None
    assert (node.costs, node.quotas) == ({}, ())


def test_record_ids_of_unreasonable_length_are_not_kept() -> None:
    node = Thread().node_for(message("m1", "", f"ack @rid={'x' * 40_000}"), Status.ACCEPTED, "")
    assert node.rids is None


def test_what_replaces_what() -> None:
    thread = Thread()
    for status, is_taken in (
        (Status.REJECTED, True),
        (Status.WAITING, True),
        (Status.REJECTED, True),
        (Status.ACCEPTED, True),
        (Status.REJECTED, False),
        (Status.WAITING, False),
        (Status.ACCEPTED, False),
    ):
        assert thread.add_node(ThreadNode("m1", status)) is is_taken
    assert thread.add_node(ThreadNode("m2", Status.ACCEPTED))
    assert not thread.add_node(ThreadNode("", Status.ACCEPTED))
    assert [(node.id, node.status) for node in thread.nodes()] == [
        ("m1", Status.ACCEPTED),
        ("m2", Status.ACCEPTED),
    ]
    assert len(thread) == 2


def test_nodes_come_in_the_order_in_which_they_were_judged() -> None:
    thread = Thread()
    for node in (
        ThreadNode("m1", Status.REJECTED),
        ThreadNode("m2", Status.ACCEPTED),
        ThreadNode("m1", Status.ACCEPTED),
    ):
        thread.add_node(node)
    assert [node.id for node in thread.nodes()] == ["m2", "m1"]


def test_what_a_waiting_message_names_is_awaited() -> None:
    thread = Thread()
    thread.add(message("m2", "@p m1\n"), Status.WAITING)
    assert thread.is_awaited("m1")
    thread.add(message("m1", "@budget 1USD\n", "#cost val=1 cur=USD"))
    assert thread.budgets_over(message("m3", "@p m2\n")) == (), "what waits is nobody's parent"


def test_budgets_in_a_chain_take_memory_in_proportion() -> None:
    """Where each message keeps all budgets above it, memory is the square of the chain."""
    tracemalloc.start()
    thread = Thread()
    sizes = []
    for number in range(3_000):
        costs = {"USD": Decimal(1)} if number == 2_999 else {}
        thread.add_node(
            ThreadNode(
                f"n{number}",
                Status.ACCEPTED,
                parents=(f"n{number - 1}",) if number else (),
                costs=costs,
                budget=Budget(Decimal(9), "USD"),
            )
        )
        if number in (999, 2_998):
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[1] < 4 * sizes[0]
    assert sizes[1] / 3_000 < 3_000
    assert {tally.spent for tally in thread.budgets_over(message("x", "@p n2999\n"))} == {Decimal(1)}


def test_what_joins_many_budgets_takes_memory_in_proportion() -> None:
    thread = Thread()
    tracemalloc.start()
    for number in range(2_000):
        thread.add_node(ThreadNode(f"b{number}", Status.ACCEPTED, budget=Budget(Decimal(9), "USD")))
        parents = (f"n{number - 1}", f"b{number}") if number else ("b0",)
        thread.add_node(ThreadNode(f"n{number}", Status.ACCEPTED, parents=parents))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / 4_000 < 3_000
    assert len(thread.budgets_over(message("x", "@p n1999\n"))) == 2_000
