"""V8 budget: decision 29."""

from __future__ import annotations

import pytest

from pairl import parse, validate
from tests.unit.messages import ERROR, WARNING, Weights, place, weights, with_body

OVER = {"V8/over-budget": ERROR}
PROJECTED = {"V8/projected-over-budget": WARNING}


def costs(*values: str, unit: str = "USD") -> str:
    return "\n".join(f"#cost val={value} cur={unit}" for value in values)


@pytest.mark.parametrize(
    ("budget", "body", "found"),
    [
        pytest.param("0.30USD", costs("0.1", "0.2"), {}, id="just_enough_where_floats_say_more"),
        pytest.param("0.30USD", costs("0.1", "0.2", "0"), {}, id="a_free_one"),
        pytest.param("0.30USD", costs("0.1", "0.2", f"0.{'0' * 28}1"), OVER, id="a_trifle_too_much"),
        pytest.param("1USD", costs(*["0.001"] * 999), {}, id="many"),
        pytest.param("1USD", costs(*["0.001"] * 998, "0.002", "0.0001"), OVER, id="many_and_a_bit"),
        pytest.param("0.10USD", costs("0.42"), OVER, id="over"),
        pytest.param("5USD", costs("1e1"), OVER, id="exponent"),
        pytest.param("5USD", costs("1E-99"), {}, id="negative_exponent"),
        pytest.param("1000000000000000000000USD", costs("1000000000000000000000", "1e-30"), OVER, id="exact"),
        pytest.param("5000tokens", costs("5000", unit="tokens"), {}, id="another_unit_alike"),
        pytest.param("0.001BTC", costs("0.0011", unit="BTC"), OVER, id="bitcoin"),
        pytest.param("0.10USD", "ack", {}, id="no_costs"),
        pytest.param("0USD", costs("0.00"), {}, id="nothing_for_nothing"),
    ],
)
def test_decision_29_the_sum_is_exact(budget: str, body: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(body, f"@budget {budget}\n")) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param(f"bid{{t=x}}\n{costs('9')}", PROJECTED, id="bid"),
        pytest.param(f"ref{{m=-}}\n#fact reason=budget_exceeded\n{costs('9')}", PROJECTED, id="refusal"),
        pytest.param(f"ref{{m=-}}\n{costs('9')}", OVER, id="refusal_for_another_reason"),
        pytest.param(f"#fact reason=budget_exceeded\n{costs('9')}", OVER, id="reason_without_refusal"),
        pytest.param(f"#ref bid=@m1#a1\n{costs('9')}", OVER, id="reference_to_a_bid"),
        pytest.param(f"fin{{t=x}}\n{costs('9')}", OVER, id="report"),
    ],
)
def test_decision_29_costs_of_a_bid_or_a_refusal_are_projections(
    body: str, found: dict[str, Weights]
) -> None:
    assert weights(with_body(body, "@budget 5.00USD\n")) == found


@pytest.mark.parametrize(
    "value", ["-0.5", "nan", "inf", "1,5", "1_000", "free", "0x10", "1.", ".5", "٣", "1e999", "9" * 5_000]
)
def test_decision_29_a_cost_that_cannot_be_summed_is_an_error(value: str) -> None:
    found = weights(with_body(costs(value), "@budget 5.00USD\n"))
    assert found["V8/cost-form"] == ERROR
    assert "V8/over-budget" not in found


def test_decision_29_a_cost_that_cannot_be_summed_is_no_error_without_a_budget() -> None:
    assert weights(with_body(costs("-0.5"))) == {}


@pytest.mark.parametrize("unit", ["EUR", "usd", "tokens"])
def test_decision_29_another_unit_is_not_counted_and_a_warning(unit: str) -> None:
    found = weights(with_body(costs("9", unit=unit), "@budget 5.00USD\n"))
    assert found == {"V8/other-unit": WARNING}


@pytest.mark.parametrize("budget", ["USD", "5", "5.USD", "-1USD", "1e3USD", "5 USD", ".5USD", "1,000USD"])
def test_decision_29_a_budget_that_is_none_is_an_error(budget: str) -> None:
    assert weights(with_body("ack", f"@budget {budget}\n")) == {"V8/budget-form": ERROR}


def test_a_number_is_told_in_full() -> None:
    (line,) = validate(parse(with_body(costs("1e20", "0.01"), "@budget 5.00USD\n"))).errors
    assert "100000000000000000000.01 USD exceed the budget of 5.00 USD" in line


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("#cost cur=USD", "V8/incomplete-cost"),
        ("#cost val=1", "V8/incomplete-cost"),
        ('#cost val="" cur=USD', "V8/incomplete-cost"),
        ("#quota type=tokens", "V8/incomplete-quota"),
        ("#quota total=5", "V8/incomplete-quota"),
    ],
)
def test_an_incomplete_cost_or_quota_is_a_warning(line: str, code: str) -> None:
    assert weights(with_body(line)) == {code: WARNING}


def test_rows_of_a_block_are_costs_too() -> None:
    assert weights(with_body("#cost[val,cur]\n3 USD\n2.01 USD", "@budget 5.00USD\n")) == OVER


def test_the_place_of_a_cost_and_of_a_budget() -> None:
    assert place(with_body(costs("1", "x"), "@budget 5.00USD\n"), "V8/cost-form") == (7, 7, 5)
    assert place(with_body(costs("9"), "@budget 5.00USD\n"), "V8/over-budget") == (4, 9, 7)
