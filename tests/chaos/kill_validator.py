"""Kill the validator in the middle of its work, again and again, and see that nobody can tell.

Sends conversations to Apache Kafka, ends the validator with SIGKILL at random moments, starts it again,
and then reads the topics as any consumer would. By hand, from the top of the repository:

    python -m tests.chaos.kill_validator --messages 20000 --kills 3 [--seed 7]

Knows the conversations and, from a model of its own that shares no code with the validator, the verdict
that each message must get. That every record is judged once, unchanged and accounted for is checked by
`tests.integration.trail`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from schemas.topics import AUDIT, INBOUND, REJECTED, VALIDATED
from tests.chaos.watcher import VerdictWatcher
from tests.integration.bus import Bus, Sent, WorkerProcess, message
from tests.integration.stacks import Stack, StackMissing, running_apache_stack
from tests.integration.trail import match

NUMBER = "chaos-number"
"""The header by which a message is recognised in what comes out."""

BATCH_RECORDS = 100
_LONGEST_HESITATION = 0.1


class Plan(msgspec.Struct, frozen=True):
    """A message to be sent, and the outcome that it must have."""

    sent: Sent
    expected: str


class Recovery(msgspec.Struct, frozen=True):
    """How long a validator took that was started in place of a killed one, in seconds."""

    visible_at_kill: int
    until_ready: float
    until_first_commit: float


class Result(msgspec.Struct, frozen=True):
    """What a run has come to, after everything was checked."""

    messages: int
    sessions: int
    outcomes: dict[str, int]
    blocks: int
    seconds: float
    recoveries: list[Recovery]


def plan(messages: int, sessions: int, chance: random.Random) -> list[Plan]:
    """Return conversations, interleaved: mostly answers, and every kind of mistake now and then.

    A message answers the last accepted one of its session, so one parent forgotten after a kill is a
    wrong V4; repeated and conflicting ids show whether a message was forgotten, or taken in twice.
    """
    last: dict[int, tuple[str, bytes]] = {}
    refused: dict[int, str] = {}
    planned: list[Plan] = []
    for number in range(messages):
        session = chance.randrange(sessions)
        name, (parent, said) = f"m{number}", last.get(session, (None, b""))
        kind = chance.choices(
            ("answer", "broken", "orphan", "answer to a refused one", "repetition", "conflict"),
            (80, 4, 4, 4, 4, 4),
        )[0]
        value, expected = message(name, parent, fact=number), "accepted"
        if kind == "broken":
            value, expected = message(name, parent, number, "#fact again=1 @rid=F1\n"), "V6"
            refused[session] = name
        elif kind == "orphan":
            value, expected = message(name, f"x{number}", fact=number), "V4"
        elif kind == "answer to a refused one" and session in refused:
            value, expected = message(name, refused[session], fact=number), "V4"
        elif kind == "repetition" and parent is not None:
            value = said
        elif kind == "conflict" and parent is not None:
            value, expected = message(parent, fact="conflicting"), "SES"
        else:
            last[session] = name, value
        headers = ((NUMBER, str(number).encode()),)
        planned.append(Plan(Sent(value, f"session-{session}".encode(), headers), expected))
    return planned


async def run(bus: Bus, messages: int, sessions: int, kills: int, seed: int) -> Result:
    """Send, kill, restart and check; return what there is to report."""
    chance = random.Random(seed)
    planned = plan(messages, sessions, chance)
    # Each kill in a part of the run of its own, and well before the end.
    part = messages * 0.9 / kills
    moments = [int(part * (number + chance.uniform(0.1, 0.9))) for number in range(kills)]

    watcher = VerdictWatcher(bus, NUMBER)
    watching = asyncio.create_task(watcher.watch())
    began = time.monotonic()
    validator = bus.start_worker("validator", batch_records=BATCH_RECORDS)
    sending = asyncio.create_task(bus.send(*(one.sent for one in planned)))
    recoveries = []
    try:
        for moment in moments:
            await watcher.until_seen(moment, 120.0)
            await asyncio.sleep(chance.uniform(0.0, _LONGEST_HESITATION))
            validator.kill()
            validator, recovery = await _replace(bus, watcher)
            assert recovery.visible_at_kill < messages, "the validator was killed too late to disturb it"
            recoveries.append(recovery)
        await sending
        await watcher.until_seen(messages, 300.0)
        seconds = time.monotonic() - began
        assert validator.terminate() == 0
    finally:
        watching.cancel()
        sending.cancel()
        await asyncio.gather(watching, sending, return_exceptions=True)

    outcomes, blocks = await _check(bus, planned, watcher)
    return Result(messages, sessions, outcomes, blocks, seconds, recoveries)


async def _replace(bus: Bus, watcher: VerdictWatcher) -> tuple[WorkerProcess, Recovery]:
    """Start a validator in place of the one that was killed, and take the time."""
    # What was committed before the kill may still be on its way to the watcher.
    visible = -1
    while visible != watcher.seen.total():
        visible = watcher.seen.total()
        await asyncio.sleep(0.3)
    started = time.monotonic()
    validator = bus.launch("validator", batch_records=BATCH_RECORDS)
    await asyncio.to_thread(validator.wait_ready, 60.0)
    ready = time.monotonic() - started
    await watcher.until_seen(visible + 1, 60.0)
    return validator, Recovery(visible, ready, time.monotonic() - started)


async def _check(bus: Bus, planned: list[Plan], watcher: VerdictWatcher) -> tuple[dict[str, int], int]:
    """Check everything that can be seen; return how often there was which outcome, and the blocks."""
    inbound, validated, rejected, trail = [
        await bus.read(topic) for topic in (INBOUND, VALIDATED, REJECTED, AUDIT)
    ]
    judged = match(inbound, validated, rejected, trail)
    numbers = {str(number).encode() for number in range(len(planned))}
    for seen in (
        watcher.seen,
        Counter(dict(record.headers)[NUMBER] for record in inbound),
        Counter(dict(record.headers)[NUMBER] for record in [*validated, *rejected]),
    ):
        assert seen.keys() == numbers
        assert set(seen.values()) == {1}
    for one in judged:
        expected = planned[int(dict(one.inbound.headers)[NUMBER])]
        assert (one.output.key, one.output.value) == (expected.sent.key, expected.sent.value)
        assert one.outcome == expected.expected, one.entry
    return dict(Counter(one.outcome for one in judged)), len(trail)


def report(result: Result) -> Iterator[str]:
    """Yield the lines of a report."""
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(result.outcomes.items()))
    yield f"{result.messages:,} messages in {result.sessions} sessions: {outcomes}"
    yield f"every record judged exactly once, unchanged, as expected; {result.blocks:,} audit blocks in chain"
    yield f"{result.seconds:.1f} s from start to last verdict, with {len(result.recoveries)} kills"
    for number, recovery in enumerate(result.recoveries, 1):
        yield (
            f"kill {number} after {recovery.visible_at_kill:,} verdicts: ready after "
            f"{recovery.until_ready:.2f} s, first commit after {recovery.until_first_commit:.2f} s"
        )


@contextmanager
def open_bus(stack: Stack, directory: Path) -> Iterator[Bus]:
    """Yield a bus with topics on a running stack."""
    with Bus(stack, directory) as bus:
        bus.create_topics()
        yield bus


def main() -> int:
    """Run as the command line says, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    arguments = parser.parse_args()
    sys.stdout.write(f"seed {arguments.seed}\n")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="pairl-chaos-") as name,
            running_apache_stack(Path(name)) as stack,
            open_bus(stack, Path(name)) as bus,
        ):
            result = asyncio.run(
                run(bus, arguments.messages, arguments.sessions, arguments.kills, arguments.seed)
            )
    except StackMissing as fault:
        sys.stderr.write(f"{fault}\n")
        return 3
    sys.stdout.writelines(f"{line}\n" for line in report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
