"""What a session has spent, under which budgets, and which quotas it has reported."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from pairl.budget import Quota
from schemas.session_state import Entry
from tests.unit.traced import judged, session, waiting
from workers.trace import ledger as ledger_module
from workers.trace.ledger import Ledger, add_up
from workers.trace.statement import draw_ledger


def added(*entries: Entry) -> Ledger:
    return add_up(session(*entries).messages)


def spent(*entries: Entry) -> dict[str, str]:
    return {line.id: str(line.spent) for line in added(*entries).budgets}


def test_a_budget_is_for_its_message_and_all_that_go_back_to_it() -> None:
    assert spent(
        judged("m0", costs={"EUR": "7"}),
        judged("m1", "m0", budget="0.50 EUR", costs={"EUR": "0.1"}),
        judged("m2", "m1", costs={"EUR": "0.2", "USD": "9"}),
        judged("m3", "m2", costs={"EUR": "0.20"}, budget="1 EUR"),
        judged("m4", None, "m2", costs={"EUR": "0.01"}),
    ) == {"m1": "0.51", "m3": "0.20"}


def test_what_is_reached_in_two_ways_counts_once() -> None:
    diamond = [judged("m1", budget="1 EUR"), judged("m2", "m1"), judged("m3", "m1")]
    diamond += [judged("m4", "m2", "m3", costs={"EUR": "0.3"}), judged("m5", "m4", costs={"EUR": "0.4"})]
    assert spent(*diamond) == {"m1": "0.7"}


def test_a_message_that_came_before_its_parent_counts_too() -> None:
    assert spent(judged("m2", "m1", costs={"EUR": "0.3"}), judged("m1", budget="1 EUR")) == {"m1": "0.3"}


def test_in_a_circle_all_budgets_are_for_all_of_it() -> None:
    circle = [judged("m1", "m2", budget="1 EUR", costs={"EUR": "0.1"})]
    circle += [judged("m2", "m1", budget="2 EUR", costs={"EUR": "0.2"})]
    assert spent(*circle, judged("m3", "m2", costs={"EUR": "1"})) == {"m1": "1.3", "m2": "1.3"}


def test_only_accepted_messages_spend_and_pass_on() -> None:
    ledger = added(
        judged("m1", budget="1 EUR"),
        judged("m2", "m1", costs={"EUR": "0.3"}, budget="1 EUR", errors=("V8",)),
        judged("m3", "m2", costs={"EUR": "0.2"}),
        waiting("m4", "m1", "m9"),
    )
    assert [(line.id, line.spent, line.left) for line in ledger.budgets] == [("m1", Decimal(0), Decimal(1))]
    assert ledger.costs == ledger.outside == {"EUR": Decimal("0.2")}


def test_outside_is_what_no_budget_in_its_unit_is_for() -> None:
    ledger = added(
        judged("m1", budget="1 EUR", costs={"EUR": "0.1", "USD": "0.2"}),
        judged("m2", "m1", budget="1 USD", costs={"USD": "0.3", "EUR": "0.4"}),
        judged("m3", costs={"EUR": "0.5", "tokens": "1200"}),
    )
    assert ledger.costs == {"EUR": Decimal(1), "USD": Decimal("0.5"), "tokens": Decimal(1200)}
    assert ledger.outside == {"EUR": Decimal("0.5"), "USD": Decimal("0.2"), "tokens": Decimal(1200)}


def test_no_digit_is_rounded_away() -> None:
    costs = ["1e-30", "123456789012345678901234567890", "1e20"]
    entries = [judged("m1", budget="1 EUR"), *(judged(f"x{c}", "m1", costs={"EUR": c}) for c in costs)]
    (line,) = added(*entries).budgets
    assert f"{line.spent:f}" == "123456789112345678901234567890.000000000000000000000000000001"


def test_the_last_report_on_a_quota_is_the_one_that_is_told() -> None:
    first, second, other = Quota("tokens", "900", "100"), Quota("tokens", "900", "", "3"), Quota("calls", "5")
    ledger = added(judged("m1", quotas=(first, other)), judged("m2", "m1", quotas=(second,)))
    assert [(line.id, line.quota) for line in ledger.quotas] == [("m1", other), ("m2", second)]


def test_a_long_chain_of_budgets_is_added_up_in_one_pass() -> None:
    count = 20_000
    entries = [judged("m0", budget="1 EUR", costs={"EUR": "0.1"})]
    entries += [judged(f"m{n}", f"m{n - 1}", budget="1 EUR", costs={"EUR": "0.1"}) for n in range(1, count)]
    messages = session(*entries).messages
    before = time.process_time()
    ledger = add_up(messages)
    assert time.process_time() - before < 5  # Quadratic, it would be minutes.
    assert ledger.budgets[0].spent == Decimal("2000.0")
    assert ledger.budgets[-1].spent == Decimal("0.1")


def test_what_would_take_too_long_is_said_not_to_be_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_module, "_FREE_STEPS", 0)
    monkeypatch.setattr(ledger_module, "_STEPS_FOR_EACH_MESSAGE", 2)
    circle = [judged(f"m{n}", f"m{(n + 1) % 9}", budget="1 EUR", costs={"EUR": "1"}) for n in range(9)]
    ledger = added(*circle, judged("x", costs={"USD": "1"}, budget="1 USD"))
    assert ledger.outside == {}
    assert {line.id: line.spent is None for line in ledger.budgets} == {
        "m0": False,
        **{f"m{n}": True for n in range(1, 9)},
        "x": False,
    }
    assert sum("not added up" in line for line in draw_ledger(ledger)) == 8


def test_a_ledger_is_told_in_lines() -> None:
    ledger = added(
        judged(
            "m1", budget="0.50 EUR", costs={"EUR": "0.12"}, quotas=(Quota("tokens", "5000", "120", "4880"),)
        ),
        judged("m20", "m1", budget="0.10 EUR", costs={"EUR": "0.15", "USD": "1"}),
        judged("m3", quotas=(Quota("calls", "7"),)),
    )
    assert list(draw_ledger(ledger)) == [
        "budget of     limit     spent              left",
        "m1         0.50 EUR  0.27 EUR          0.23 EUR",
        "m20        0.10 EUR  0.15 EUR  over by 0.05 EUR",
        "costs: 0.27 EUR, 1 USD",
        "of these under no budget: 1 USD",
        "quota: tokens: 120 of 5000 used, 4880 left, as m1 says",
        "quota: calls: 7 in all, as m3 says",
    ]
    assert "\x1b[1;31mm20" in "\n".join(draw_ledger(ledger, color=True))


def test_a_session_without_money_has_no_lines() -> None:
    assert list(draw_ledger(added(judged("m1"), judged("m2", "m1")))) == []


def test_nothing_in_a_ledger_moves_a_cursor() -> None:
    odd = "\x1b[2J\n\u202e"
    ledger = added(judged(odd, budget="1 EUR", costs={odd: "1"}, quotas=(Quota(odd, odd, odd, odd),)))
    assert all(line.isprintable() for line in draw_ledger(ledger))
