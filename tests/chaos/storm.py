"""Steady traffic, and one fault after the other: see that nobody who reads the topics can tell.

Runs Apache Kafka with three brokers, Redis, and two validators. While messages come at a steady rate,
workers, brokers and Redis are killed, suspended, emptied and moved, in random order; each fault waits for
the recovery from the one before. Then the topics are read as any consumer would. By hand, from the top
of the repository:

    python -m tests.chaos.storm --messages 100000 --rate 300 --faults 5 [--seed 7] [--assignment static]

Knows how a run goes. What is done is in `tests.chaos.faults`, what is said in `tests.chaos.scenes`, and
what must have become of it in `tests.chaos.verdicts`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from aiokafka import AIOKafkaProducer

from schemas.topics import AUDIT, INBOUND, REJECTED, VALIDATED
from tests.chaos import brokers
from tests.chaos.conversations import Said
from tests.chaos.crew import Crew
from tests.chaos.faults import FAULTS, Field, Recovery
from tests.chaos.traffic import NUMBER, Traffic
from tests.chaos.verdicts import check, is_rerouted
from tests.chaos.watcher import VerdictWatcher
from tests.integration.bus import Bus
from tests.integration.stacks import ApacheStack, StackMissing, running_apache_stack
from tests.integration.trail import match
from workers.adapters.kafka_admin import create_topics

_TURN_SECONDS = 0.4
"""How long a conversation is silent, on average, between two messages. A late parent comes up to thirty
times as long after the messages that wait for it, which must be well within the time that they wait."""

_CACHED_OF_EACH = 4
"""How many messages of each conversation fit into a worker's memory: so few that sessions are forgotten
and looked up all the time."""

_GIVE_UP_SECONDS = 120

_QUIET_BEFORE = 200
"""Verdicts that must have come before the first fault."""

_END_SECONDS = 120.0


class Plan(msgspec.Struct, frozen=True):
    """What is to be done: at least so many messages, so many a second, and each fault so often.

    `wait_seconds` is how long a message waits for its parents: longer than any fault lasts.
    """

    messages: int
    rate: float
    faults: int
    seed: int
    assignment: str
    wait_seconds: int


class Result(msgspec.Struct, frozen=True):
    """What a run has come to, after everything was checked."""

    messages: int
    sessions: int
    outcomes: dict[str, int]
    rerouted: int
    waited: int
    blocks: int
    seconds: float
    recoveries: list[Recovery]


async def run(bus: Bus, stack: ApacheStack, plan: Plan) -> Result:
    """Send, do harm and check; return what there is to report."""
    chance = random.Random(plan.seed)
    at_once = round(plan.rate * _TURN_SECONDS)
    traffic = Traffic(plan.seed, at_once, orphans_until=plan.messages // 2)
    watcher = VerdictWatcher(bus, NUMBER)
    crew = Crew(
        bus,
        plan.assignment,
        wait_seconds=plan.wait_seconds,
        cached_messages=at_once * _CACHED_OF_EACH,
        give_up_seconds=_GIVE_UP_SECONDS,
    )
    field = Field(bus, stack, crew, watcher, chance, [])
    watching = asyncio.create_task(watcher.watch())
    await crew.start()
    began = time.monotonic()
    are_over = asyncio.Event()
    sending = asyncio.create_task(_send(bus, traffic, plan, are_over))
    try:
        await watcher.until_seen(_QUIET_BEFORE, 60.0)
        for fault in chance.sample(FAULTS * plan.faults, len(FAULTS) * plan.faults):
            await asyncio.sleep(chance.uniform(0.0, 1.0))
            assert not sending.done(), "the producer has failed"
            await fault(field)
        are_over.set()
        await sending

        def all_seen() -> bool:
            crew.check()
            return len(watcher.seen) >= len(traffic.said)

        # Whatever has not come by then is missed by the checks, which know what it is.
        with suppress(TimeoutError):
            await watcher.until(all_seen, plan.wait_seconds + _END_SECONDS)
        seconds = time.monotonic() - began
        for member in crew.members:
            assert await asyncio.to_thread(member.terminate, 30.0) == 0
        replicated = await brokers.all_in_sync(stack.bootstrap_servers)
        assert replicated >= {"__transaction_state", "__consumer_offsets"}
    finally:
        watching.cancel()
        sending.cancel()
        await asyncio.gather(watching, sending, return_exceptions=True)

    inbound, validated, rejected, trail = [
        await bus.read(topic, seconds=_END_SECONDS) for topic in (INBOUND, VALIDATED, REJECTED, AUDIT)
    ]
    judged = match(inbound, validated, rejected, trail)
    check(traffic.said, judged, watcher.seen, plan.wait_seconds)
    return Result(
        messages=len(traffic.said),
        sessions=len({said.session for said in traffic.said if said.session}),
        outcomes=dict(Counter(one.outcome for one in judged)),
        rerouted=sum(is_rerouted(one) for one in judged),
        waited=sum(one.has_waited for one in judged),
        blocks=len(trail),
        seconds=seconds,
        recoveries=field.recoveries,
    )


async def _send(bus: Bus, traffic: Traffic, plan: Plan, are_over: asyncio.Event) -> None:
    """Send at a steady rate until there were enough messages, and all faults."""
    producer = AIOKafkaProducer(
        bootstrap_servers=bus.stack.bootstrap_servers,
        enable_idempotence=True,
        # While a partition is without leader its messages gather here, and do not hold up the others.
        max_batch_size=4_000_000,
        max_request_size=8_000_000,
        request_timeout_ms=120_000,
    )

    def messages() -> Iterator[Said]:
        while len(traffic.said) < plan.messages or not are_over.is_set():
            yield traffic.next()
        yield from traffic.rest()

    began = time.monotonic()
    async with producer:
        deliveries = []
        for number, said in enumerate(messages()):
            pause = began + number / plan.rate - time.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
            delivery = await producer.send(
                bus.prefix + INBOUND.name,
                said.sent.value,
                key=said.sent.key,
                partition=said.sent.partition,
                headers=list(said.sent.headers),
                # Of the time of sending, and so is that of the verdict: it tells what came after a fault.
                timestamp_ms=int(1000 * time.time()),
            )
            deliveries.append(delivery)
        await asyncio.gather(*deliveries)


def report(result: Result) -> Iterator[str]:
    """Yield the lines of a report."""
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(result.outcomes.items()))
    yield f"{result.messages:,} messages in {result.sessions:,} sessions, {result.seconds:.0f} s: {outcomes}"
    yield f"each judged exactly once, unchanged, as expected; {result.blocks:,} audit blocks in chain"
    yield f"{result.waited:,} had to wait for a parent; {result.rerouted:,} came to a wrong partition"
    yield "seconds until each partition had new verdicts (until the backlog was gone): least, median, most"
    by_fault: dict[str, list[Recovery]] = defaultdict(list)
    for recovery in result.recoveries:
        by_fault[recovery.fault].append(recovery)
    for fault, recoveries in sorted(by_fault.items()):
        verdicts = _spread([one.until_verdicts for one in recoveries])
        caught_up = _spread([one.until_caught_up for one in recoveries])
        yield f"{fault:21} {len(recoveries):3} times  {verdicts}  ({caught_up})"


def _spread(seconds: list[float]) -> str:
    return f"{min(seconds):6.2f} {statistics.median(seconds):6.2f} {max(seconds):6.2f}"


def storm(directory: Path, plan: Plan) -> Result:
    """Start everything, run, and end everything.

    Raises:
        StackMissing: Redis, Java or Maven is not installed.

    """
    with (
        running_apache_stack(directory, brokers.BROKERS) as stack,
        Bus(stack, directory) as bus,
    ):
        asyncio.run(create_topics(bus.settings(replication_factor=brokers.BROKERS)))
        return asyncio.run(run(bus, stack, plan))


def main() -> int:
    """Run as the command line says, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=100_000, help="at least so many; default: 100000")
    parser.add_argument("--rate", type=float, default=300.0, help="messages a second; default: 300")
    parser.add_argument("--faults", type=int, default=5, help="how often each fault comes; default: 5")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--assignment", choices=("group", "static"), default="group")
    parser.add_argument("--wait", type=int, default=90, help="PAIRL_WAIT_SECONDS of the validators")
    given = parser.parse_args()
    # The client says again and again that it cannot reach a broker, which is what we are here for.
    logging.getLogger("aiokafka").addHandler(logging.NullHandler())
    plan = Plan(given.messages, given.rate, given.faults, given.seed, given.assignment, given.wait)
    sys.stdout.write(f"seed {plan.seed}\n")
    try:
        with tempfile.TemporaryDirectory(prefix="pairl-storm-") as name:
            result = storm(Path(name), plan)
    except StackMissing as fault:
        sys.stderr.write(f"{fault}\n")
        return 3
    sys.stdout.writelines(f"{line}\n" for line in report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
