"""V8 budget: decision 29."""

from __future__ import annotations

import pytest

from pairl import parse, validate
from pairl.thread import Status
from pairl.thread_memory import Thread
from tests.unit.messages import ERROR, WARNING, DictThread, Weights, accepted, place, weights, with_body

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
    "value",
    ["-0.5", "nan", "inf", "1,5", "1_000", "free", "0x10", "1.", ".5", "٣", "-1e-9", "1e999", "9" * 5_000],
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


THREAD_OVER = {"V8/over-thread-budget": ERROR}


def thread_of(*messages: tuple[str, str, str]) -> Thread:
    """Return a thread of (id, headers, body)."""
    thread = Thread()
    for name, headers, body in messages:
        thread.add(parse(f"@v 1\n@id {name}\n@ts 2026-05-01T10:00:00Z\n{headers}\n{body}\n"))
    return thread


OTHER_UNIT = {"V8/other-unit": WARNING}
GIVEN = ("m1", "@budget 1.00USD\n", "ack")
SPENT = ("m2", "@p m1\n", costs("0.30", "0.30"))


@pytest.mark.parametrize(
    ("messages", "headers", "body", "found"),
    [
        pytest.param((GIVEN,), "@p m1\n", costs("1.00"), {}, id="all_of_it"),
        pytest.param((GIVEN,), "@p m1\n", costs("1.00", "0.001"), THREAD_OVER, id="a_trifle_too_much"),
        pytest.param((GIVEN, SPENT), "@p m2\n", costs("0.40"), {}, id="what_was_left"),
        pytest.param((GIVEN, SPENT), "@p m2\n", costs("0.41"), THREAD_OVER, id="more_than_was_left"),
        pytest.param((GIVEN, SPENT), "@p m1\n", costs("0.41"), THREAD_OVER, id="spent_beside_it"),
        pytest.param((GIVEN, SPENT), "@deps m2\n", costs("0.41"), THREAD_OVER, id="by_dependency"),
        pytest.param((GIVEN, SPENT), "@p m2\n@deps m1\n", costs("0.40"), {}, id="counted_once"),
        pytest.param((GIVEN, SPENT), "", costs("9"), {}, id="not_under_it"),
        pytest.param((GIVEN, SPENT), "@p m2\n", "ack", {}, id="free"),
        pytest.param((GIVEN, SPENT), "@p m2\n", costs("9", unit="EUR"), OTHER_UNIT, id="another_unit"),
        pytest.param((GIVEN, SPENT), "@p m2\n", costs("9", unit="usd"), OTHER_UNIT, id="another_case"),
        pytest.param(
            (GIVEN, SPENT),
            "@p m2\n",
            f"{costs('0.1')}\n{costs('9', unit='tokens')}",
            {},
            id="beside_one_that_counts",
        ),
        pytest.param((GIVEN, SPENT), "@p m2\n", f"bid{{t=x}}\n{costs('9')}", {}, id="bid"),
        pytest.param(
            (GIVEN, SPENT),
            "@p m2\n",
            f"ref{{m=-}}\n#fact reason=budget_exceeded\n{costs('9')}",
            {},
            id="refusal",
        ),
        pytest.param(
            (GIVEN, ("m2", "@p m1\n", f"bid{{t=x}}\n{costs('9')}")),
            "@p m2\n",
            costs("1"),
            {},
            id="after_a_bid",
        ),
        pytest.param(
            (GIVEN, ("m2", "@p m1\n@budget 0.50USD\n", "ack")),
            "@p m2\n",
            costs("0.60"),
            THREAD_OVER,
            id="nested",
        ),
        pytest.param(
            (("m1", "@budget 1.00USD\n", costs("0.9")),), "@p m1\n", costs("0.2"), THREAD_OVER, id="own"
        ),
        pytest.param((GIVEN,), "@p m1\n", costs("-0.5"), {"V8/cost-form": ERROR}, id="negative"),
        pytest.param((GIVEN,), "@p m1\n", costs("much"), {"V8/cost-form": ERROR}, id="no_decimal"),
        pytest.param((("m1", "@budget lots\n", "ack"),), "@p m1\n", costs("9"), {}, id="no_budget"),
    ],
)
def test_decision_29_a_budget_is_for_what_goes_back_to_it(
    messages: tuple[tuple[str, str, str], ...], headers: str, body: str, found: dict[str, Weights]
) -> None:
    assert weights(with_body(body, headers), thread_of(*messages)) == found


def test_decision_29_of_two_ways_to_a_message_one_is_counted() -> None:
    thread = thread_of(
        GIVEN,
        ("m2", "@p m1\n", costs("0.20")),
        ("m3", "@p m1\n", costs("0.20")),
        ("m4", "@p m2\n@deps m3,m1\n", costs("0.20")),
    )
    assert weights(with_body(costs("0.40"), "@p m4\n@deps m3\n"), thread) == {}
    assert weights(with_body(costs("0.41"), "@p m4\n@deps m3\n"), thread) == THREAD_OVER


def test_decision_29_what_waited_for_a_message_comes_under_its_budgets_with_it() -> None:
    thread = thread_of(GIVEN, ("m8", "@p m7\n", costs("0.70")), ("m9", "@p m8\n@deps m1\n", costs("0.20")))
    assert weights(with_body(costs("0.10"), "@p m1\n"), thread) == {}
    assert weights(with_body(costs("0.11"), "@p m1\n"), thread) == THREAD_OVER
    assert weights(with_body("ack", "@budget 0.90USD\n"), thread) == {}
    assert weights(with_body("ack", "@budget 0.89USD\n"), thread) == THREAD_OVER
    bid = with_body(f"bid{{t=x}}\n{costs('0.90')}", "@budget 0.89USD\n")
    assert weights(bid, thread) == {**PROJECTED, **THREAD_OVER}


def test_decision_29_of_an_exceeded_budget_those_are_told_who_exceed_it() -> None:
    thread = thread_of(GIVEN, ("m2", "@p m1\n", costs("9")))
    assert weights(with_body("ack", "@p m2\n"), thread) == {}
    assert weights(with_body(costs("0.01"), "@p m2\n"), thread) == THREAD_OVER


def test_decision_29_a_message_over_its_own_budget_is_told_so_once() -> None:
    assert weights(with_body(costs("9"), "@budget 5.00USD\n"), thread_of(GIVEN)) == OVER
    both = weights(with_body(costs("9"), "@p m1\n@budget 5.00USD\n"), thread_of(GIVEN))
    assert both == {**OVER, **THREAD_OVER}


def test_decision_29_the_same_message_again_spends_nothing_more() -> None:
    text = with_body(costs("0.60"), "@p m1\n")
    thread = thread_of(GIVEN)
    thread.add(parse(text))
    assert weights(text, thread) == {"SES/duplicate": WARNING}
    thread.add(parse(text))
    assert weights(with_body(costs("0.40"), "@p m1\n").replace("@id m7", "@id m8"), thread) == {}


def test_decision_29_what_was_rejected_is_not_spent() -> None:
    thread = thread_of(GIVEN)
    thread.add(parse(with_body(costs("0.90"), "@p m1\n").replace("@id m7", "@id m2")), Status.REJECTED)
    assert weights(with_body(costs("1.00"), "@p m1\n"), thread) == {}
    assert "V8/over-thread-budget" not in weights(with_body(costs("9"), "@p m2\n"), thread)


@pytest.mark.parametrize("touched", [False, True])
def test_decision_29_a_message_of_the_fast_case_is_held_against_the_thread_too(*, touched: bool) -> None:
    message = parse(with_body(costs("0.50"), "@p m2\n"))
    if touched:
        assert message.records
    (line,) = validate(message, thread=thread_of(GIVEN, SPENT)).errors
    assert "1.10 USD exceed the budget of 1.00 USD that `m1` was given" in line
    assert "0.60 USD spent before, 0.50 USD by this message" in line


def test_decision_29_a_thread_that_does_not_keep_costs_is_not_guessed_at() -> None:
    assert weights(with_body(costs("9"), "@p m1\n"), DictThread(accepted("m1"))) == {}
    assert weights(with_body(costs("9"), "@budget 5.00USD\n"), DictThread()) == OVER


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
