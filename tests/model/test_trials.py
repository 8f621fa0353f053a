"""Two hundred random conversations, the same ones in every run; `python -m tests.model` tries any number."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.model.search import RedisMissing, attempt, running_redis, trials
from workers.adapters.redis_view import RedisView
from workers.processors.conversation import Conversation

pytestmark = pytest.mark.integration


@pytest.fixture
async def client() -> AsyncIterator[Any]:
    """The client of a Redis that the test alone uses."""
    try:
        async with running_redis() as running:
            yield running
    except RedisMissing as fault:
        pytest.skip(str(fault))


async def test_two_hundred_conversations_are_judged_as_the_model_judges_them(client: Any) -> None:  # noqa: ANN401  # the client has no types
    verdicts: Counter[str] = Counter()
    incidents: Counter[str] = Counter()
    for seed, how, conversations in trials(0, 200):
        outcome = await attempt(client, seed, how, conversations)
        lines = [line for failure in outcome.failures.values() for line in failure]
        repeat = f"python -m tests.model --seed {seed} --conversations {len(conversations)}"
        assert not lines, "\n  ".join([repeat, *lines])
        verdicts += outcome.verdicts
        incidents += outcome.incidents
    # Otherwise there was little to judge, or to survive.
    assert {"accepted", "V4", "V6", "V7", "V8", "SES"} <= verdicts.keys()
    for step in ("begin", "offsets", "settle", "commit", "hear of the commit", "apply", "restore"):
        assert incidents[f"killed before {step}"], step
    assert incidents["flush"]
    assert incidents["fenced"]


@pytest.mark.parametrize(
    ("owner", "name", "instead"),
    [
        pytest.param(Conversation, "settle", lambda *_: [], id="nobody_is_freed"),
        pytest.param(RedisView, "_expect", lambda *_: None, id="a_flush_is_not_noticed"),
    ],
)
async def test_a_validator_that_errs_is_found_out(
    client: Any,  # noqa: ANN401  # nor here
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    instead: object,
) -> None:
    monkeypatch.setattr(owner, name, instead)
    for seed, how, conversations in trials(0, 150):
        if (await attempt(client, seed, how, conversations)).failures:
            return
    pytest.fail("no conversation came out differently")
