"""Budgets of an encoder: how they are written, and what a turn gets."""

from __future__ import annotations

import pytest

from pairl.encode.budget import (
    LEAST_CHARACTERS,
    LEAST_TOKENS,
    Budget,
    NotABudget,
    read_budget,
    write_budget,
)
from pairl.encode.rooms import room_for


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("50%", Budget(share=0.5)),
        ("100%", Budget(share=1.0)),
        ("12.5%", Budget(share=0.125)),
        ("0.1%", Budget(share=0.001)),
        ("0.000001%", Budget(share=0.00000001)),
        ("2000c", Budget(characters=2_000)),
        ("800t", Budget(tokens=800)),
    ],
)
def test_a_budget_is_a_share_or_characters_or_tokens(text: str, budget: Budget) -> None:
    assert read_budget(text) == budget
    assert write_budget(budget) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("50", "the unit is missing"),
        ("0.5", "the unit is missing"),
        ("%", "no number with a unit"),
        ("half", "no number with a unit"),
        ("1e3c", "no number with a unit"),
        ("\u0665%", "no number with a unit"),
        ("50 %", "no blank"),
        ("-5%", "no sign"),
        ("+5%", "no sign"),
        ("0%", "nothing would remain"),
        ("0c", "nothing would remain"),
        ("101%", "100% at most"),
        ("1.5c", "only a share"),
        ("0,5%", "no comma"),
        ("800T", "the unit is another one"),
        ("800tt", "the unit is another one"),
        ("9" * 16 + "c", "too many digits"),
        ("0.1234567%", "too many digits"),
    ],
)
def test_what_is_no_budget_is_refused_with_what_is_wrong_and_advice(text: str, reason: str) -> None:
    with pytest.raises(NotABudget, match=r"`50%`.*`2000c`.*`800t`") as refusal:
        read_budget(text)
    assert reason in refusal.value.reason


@pytest.mark.parametrize(
    ("share", "characters", "tokens"),
    [(None, None, None), (0.5, 20, None), (None, 20, 20), (1.5, None, None), (float("nan"), None, None)],
)
def test_a_budget_is_one_thing_that_can_remain(
    share: float | None, characters: int | None, tokens: int | None
) -> None:
    with pytest.raises(NotABudget):
        Budget(share, characters, tokens)


@pytest.mark.parametrize(
    ("size", "share", "room"), [(1_000, 0.5, 500), (999, 0.5, 499), (60, 0.5, 40), (12, 0.5, 12), (0, 0.5, 0)]
)
def test_a_turn_gets_its_share_and_a_short_one_everything(size: int, share: float, room: int) -> None:
    assert room_for(size, share) == room


def test_the_least_in_tokens_is_about_the_least_in_characters() -> None:
    assert room_for(100, 0.01, least=LEAST_TOKENS) == LEAST_TOKENS
    assert LEAST_CHARACTERS == 4 * LEAST_TOKENS
