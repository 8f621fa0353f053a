"""Many conversations in trials of some at a time, and of one that fails the smallest form that still does.

Knows how seeds make trials, so that each can be repeated. Does not know what is printed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
import structlog

from tests.integration.stacks import RedisServer
from tests.model.circumstances import Circumstances
from tests.model.comparison import check_redis, differences, judged_records, verdict_counts
from tests.model.conversations import Conversation, conversation
from tests.model.listing import listing, shown
from tests.model.trial import Trial
from workers.adapters.redis_client import redis_client
from workers.embedded import EmbeddedError
from workers.embedded.programs import VALKEY, find

_IN_A_TRIAL = 50
_OTHER_SCHEDULES = 8
_ATTEMPTS_OF_EACH = 3


class Outcome(msgspec.Struct):
    """What came of a trial: `failures` have the lines that show a conversation, by its seed.

    A failure of the trial as a whole has the seed -1. `history` is what went wrong on purpose.
    """

    conversations: int
    messages: int
    verdicts: Counter[str]
    incidents: Counter[str]
    failures: dict[int, list[str]]
    history: list[str]


class RedisMissing(Exception):  # noqa: N818  # a state of the machine, not an error
    """There is neither a Redis nor a Valkey on this machine."""


@asynccontextmanager
async def running_redis() -> AsyncIterator[Any]:
    """Yield the client of a Redis, or a Valkey, that nobody else uses.

    Raises:
        RedisMissing: there is neither.

    """
    try:
        program = Path(which("redis-server") or find(VALKEY))
    except EmbeddedError as fault:
        raise RedisMissing(str(fault)) from fault
    with tempfile.TemporaryDirectory() as directory, RedisServer(program, Path(directory)) as server:
        async with redis_client(server.url) as client:
            yield client


def trials(first: int, count: int) -> Iterator[tuple[int, Circumstances, list[Conversation]]]:
    """Yield seed, circumstances and conversations of each trial.

    A conversation's circumstances depend on its seed alone, whichever others are in the trial.
    """
    for block, seeds in groupby(range(first, first + count), lambda seed: seed // _IN_A_TRIAL):
        how = Circumstances.drawn(block)
        conversations = [conversation(seed, strict=how.strict) for seed in seeds]
        yield conversations[0].seed, how, conversations


async def attempt(
    client: Any,  # noqa: ANN401  # as in Trial
    seed: int,
    how: Circumstances,
    conversations: Sequence[Conversation],
) -> Outcome:
    """Try conversations together, and compare what became of them with the model."""
    quiet = structlog.make_filtering_bound_logger(50)
    structlog.configure(wrapper_class=quiet)
    messages = sum(len(one.sent) for one in conversations)
    outcome = Outcome(len(conversations), messages, Counter(), Counter(), {}, [])
    trial = Trial(seed, how, client)
    try:
        result = await trial.run(conversations)
        outcome.incidents, outcome.history = Counter(result.counts), result.history
        judged = judged_records(result, conversations)
        outcome.verdicts = verdict_counts(judged)
        check_redis(result)
    except Exception as fault:  # noqa: BLE001  # whatever it is, it is what was searched for
        outcome.history = trial.history
        outcome.failures[-1] = [f"{type(fault).__name__}: {fault}"[:2_000]]
        if len(conversations) == 1:
            outcome.failures[-1] += [
                f"seed {one.seed}: {shown(sent.said)}" for one in conversations for sent in one.sent
            ]
        return outcome
    for one in conversations:
        wrong = differences(one, judged[one.seed], how)
        if wrong:
            outcome.failures[one.seed] = [*listing(one, judged[one.seed], wrong)]
    return outcome


async def smallest(client: Any, how: Circumstances, one: Conversation) -> Outcome | None:  # noqa: ANN401  # as above
    """Return how the smallest part of a conversation fails alone; None if it does not fail alone."""
    failed = await _failing(client, how, one, _OTHER_SCHEDULES)
    if failed is None:
        return None
    for number in [sent.said.number for sent in one.sent]:
        phases = tuple(tuple(sent for sent in part if sent.said.number != number) for part in one.phases)
        # What is left may depend on the order still, where the whole did not.
        smaller = msgspec.structs.replace(one, phases=phases)
        still = await _failing(client, how, smaller, _ATTEMPTS_OF_EACH)
        if still is not None:
            one, failed = smaller, still
    return failed


async def _failing(client: Any, how: Circumstances, one: Conversation, attempts: int) -> Outcome | None:  # noqa: ANN401  # as above
    for seed in (one.seed, *range(attempts)):
        outcome = await attempt(client, seed, how, [one])
        if outcome.failures:
            return outcome
    return None
