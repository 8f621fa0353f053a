"""Try many random conversations, and say what was tried and what came out wrong.

    python -m tests.model [--conversations 10000] [--seed 1]

The exit status is 1 if anything came out wrong. Whatever did is shown with the seed that repeats it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.model.search import Outcome, attempt, running_redis, smallest, trials


def main() -> None:
    """Read the arguments, and try."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--conversations", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    sys.exit(asyncio.run(_try(options.seed, options.conversations)))


async def _try(first: int, count: int) -> int:
    began = time.monotonic()
    outcomes: list[Outcome] = []
    async with running_redis() as client:
        for seed, how, conversations in trials(first, count):
            outcome = await attempt(client, seed, how, conversations)
            outcomes.append(outcome)
            if not outcome.failures:
                continue
            print(f"\nfailed, repeat with --seed {seed} --conversations {len(conversations)}\n{how}")
            for failure in outcome.failures.values():
                print(*failure, sep="\n  ")
            # Where the trial failed as a whole, any of its conversations may be to blame.
            suspects = [one for one in conversations if not {one.seed, -1}.isdisjoint(outcome.failures)]
            for one in suspects:
                alone = await smallest(client, how, one)
                if alone is not None:
                    print(f"\nthe smallest part of {one.seed} that fails alone:")
                    print(*(line for failure in alone.failures.values() for line in failure), sep="\n  ")
                    print(*alone.history, sep="\n    ", flush=True)
    print(*_summary(outcomes, time.monotonic() - began), sep="\n")
    return 1 if any(outcome.failures for outcome in outcomes) else 0


def _summary(outcomes: list[Outcome], seconds: float) -> Iterator[str]:
    verdicts: Counter[str] = sum((outcome.verdicts for outcome in outcomes), Counter())
    incidents: Counter[str] = sum((outcome.incidents for outcome in outcomes), Counter())
    failed = sum(len(outcome.failures) for outcome in outcomes)
    conversations = sum(outcome.conversations for outcome in outcomes)
    messages = sum(outcome.messages for outcome in outcomes)
    yield f"{conversations:,} conversations, {messages:,} messages, {seconds:.0f} s, {failed} failed"
    yield "verdicts"
    yield from (f"  {count:9,} {name}" for name, count in verdicts.most_common())
    yield "incidents"
    yield from (f"  {count:9,} {name}" for name, count in sorted(incidents.items()))


if __name__ == "__main__":
    main()
