"""`pairl bus trace`: conversations as the changelog on a running bus has them.

Knows which session is found under which name, and what is said where there is none. How a tree, a graph and a
ledger look is tested without a bus.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from schemas.topics import THREADS
from tests.integration.bus import Bus, Sent, message
from tests.integration.stacks import Stack
from workers.exit_codes import ExitCode

pytestmark = pytest.mark.integration

SESSION = "01KQ5A7T"
SLASHED = "team/7 a"

_TOLD = re.compile(r"(\W*[mx][0-9](?: ◄)?) +(accepted|rejected|waiting|not here)")


def spending(name: str, parent: str | None, cost: str, headers: str = "") -> bytes:
    """Return a valid message with further headers that has cost something."""
    text = message(name, parent, more=f"#cost val={cost} cur=EUR @rid=k1\n")
    return text.replace(b"\n\n", f"\n{headers}\n".encode(), 1)


RECORDS = [
    *(
        Sent(value, SESSION.encode())
        for value in (
            spending("m1", None, "0.12", "@budget 0.50EUR\n"),
            spending("m2", "m1", "0.03"),
            message("m3", "m1", more="#fact again=1 @rid=f1\n"),
            spending("m4", "m2", "0.10", "@deps m1\n"),
            message("m5", "m9"),
        )
    ),
    *(Sent(message(name, parent), SLASHED.encode()) for name, parent in (("m1", None), ("x1", "m1"))),
]


@pytest.fixture(scope="module")
def traced_bus(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bus]:
    """A bus with two sessions, in one of which a message waits."""
    with Bus(stack, tmp_path_factory.mktemp("bus")) as bus:
        bus.create_topics()
        bus.start_worker("validator", wait_seconds=3600)
        send(bus, *RECORDS)
        yield bus


def send(bus: Bus, *records: Sent) -> None:
    """Send records, and wait until the changelog has something of all that were ever sent."""

    async def work() -> None:
        await bus.send(*records)
        await bus.read(THREADS, until=bus.sent)

    asyncio.run(work())


def trace(bus: Bus, *arguments: str) -> str:
    """Return what a trace that succeeds prints."""
    done = bus.pairl("bus", "trace", *arguments)
    assert (done.returncode, done.stderr) == (ExitCode.OK, "")
    return done.stdout


def states(text: str) -> list[tuple[str, str]]:
    """Return the ids of a tree with the bars before them, and what is told first of each."""
    found = [_TOLD.match(line) for line in text.split("\n")]
    return [(match[1], match[2]) for match in found if match]


@pytest.mark.parametrize("name", [SESSION, f"ref:sess:{SESSION}"])
def test_a_session_is_drawn_with_what_was_judged_what_waits_and_what_was_spent(
    traced_bus: Bus, name: str
) -> None:
    text = trace(traced_bus, name)
    lines = text.split("\n")
    assert lines[0] == f"session {SESSION}: 5 messages, 3 accepted, 1 rejected, 1 waiting"
    assert states(text) == [
        ("● m1", "accepted"),
        ("├─ m2", "accepted"),
        ("│  ↓ m4", "accepted"),
        ("└─ m3", "rejected"),
        ("○ m9", "not here"),
        ("↓ m5", "waiting"),
    ]
    assert re.search(r"^● m1 .* [0-9:]{8}Z  0\.12 EUR  budget 0\.50 EUR$", text, re.MULTILINE)
    assert re.search(r"^│  ↓ m4 .* \+[0-9.]+ s  0\.10 EUR  \+ m1$", text, re.MULTILINE)
    assert re.search(r"^       V6/duplicate-rid: ", text, re.MULTILINE)
    assert re.search(r"^↓ m5 .*  waits for m9 until ", text, re.MULTILINE)
    assert [line.split() for line in lines[-4:-2]] == [
        ["budget", "of", "limit", "spent", "left"],
        ["m1", "0.50", "EUR", "0.25", "EUR", "0.25", "EUR"],
    ]
    assert lines[-2] == "costs: 0.25 EUR"


def test_a_message_is_shown_with_its_ancestors_and_descendants(traced_bus: Bus) -> None:
    text = trace(traced_bus, f"{SESSION}/m2")
    assert states(text) == [("● m1", "accepted"), ("↓ m2 ◄", "accepted"), ("↓ m4", "accepted")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (SLASHED, ["● m1", "↓ x1"]),
        (f"{SLASHED}/m1", ["● m1 ◄", "↓ x1"]),
        ("x1", ["● m1", "↓ x1 ◄"]),
        ("m5", ["○ m9", "↓ m5 ◄"]),
    ],
)
def test_a_message_is_found_by_its_id_and_a_session_may_hold_slashes(
    traced_bus: Bus, name: str, expected: list[str]
) -> None:
    assert [bars for bars, _ in states(trace(traced_bus, name))] == expected


def test_an_id_that_several_sessions_have_is_to_be_chosen(traced_bus: Bus) -> None:
    done = traced_bus.pairl("bus", "trace", "m1")
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert done.stderr.split("\n") == [
        "pairl: 2 sessions have a message m1; choose one:",
        f"  pairl bus trace {SESSION}/m1",
        f"  pairl bus trace '{SLASHED}/m1'",
        "",
    ]


@pytest.mark.parametrize(
    ("name", "complaints"),
    [
        ("nobody", ["neither a session nobody nor a message", "PAIRL_TOPIC_PREFIX", "was forgotten"]),
        ("a/\x1b[2J", ["neither a session a/\\x1b[2J nor a message"]),
        (f"{SESSION}/m44", [f"session {SESSION} has no message m44; did you mean `m4`?"]),
        (f"{SESSION}/m9", ["has no message m9", "named by m5, but has not come"]),
    ],
)
def test_what_is_not_there_is_said_not_to_be_there(traced_bus: Bus, name: str, complaints: list[str]) -> None:
    done = traced_bus.pairl("bus", "trace", name)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, "")
    assert [complaint for complaint in complaints if complaint not in done.stderr] == []
    assert "\x1b" not in done.stderr


def test_other_programs_get_a_document_or_a_graph(traced_bus: Bus) -> None:
    document: dict[str, Any] = json.loads(trace(traced_bus, f"{SESSION}", "--json"))
    assert [(one["id"], one["status"], one["depth"], one["root"]) for one in document["messages"]] == [
        ("m1", "accepted", 0, "m1"),
        ("m2", "accepted", 1, "m1"),
        ("m3", "rejected", 1, "m1"),
        ("m4", "accepted", 2, "m1"),
    ]
    assert [(one["id"], one["waits_for"]) for one in document["waiting"]] == [("m5", ["m9"])]
    assert [line["left"] for line in document["ledger"]["budgets"]] == ["0.25"]
    assert [len(one["hash"]) for one in document["messages"] if one["status"] == "accepted"] == [64] * 3
    assert trace(traced_bus, SESSION, "--dot").startswith("digraph conversation {\n")
    assert trace(traced_bus, SESSION, "--mermaid").startswith("flowchart TD\n")


def test_one_form_at_a_time(traced_bus: Bus) -> None:
    done = traced_bus.pairl("bus", "trace", SESSION, "--dot", "--json")
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")


def test_what_waited_moves_below_its_parent_once_that_comes(traced_bus: Bus) -> None:
    late = b"late"
    send(traced_bus, Sent(message("m2", "m1"), late))
    assert states(trace(traced_bus, "late")) == [("○ m1", "not here"), ("↓ m2", "waiting")]
    send(traced_bus, Sent(message("m1"), late))
    assert states(trace(traced_bus, "late")) == [("● m1", "accepted"), ("↓ m2", "accepted")]


def test_without_topics_it_says_what_to_do(bare_bus: Bus) -> None:
    done = bare_bus.pairl("bus", "trace", SESSION)
    assert (done.returncode, done.stdout) == (ExitCode.UNREACHABLE, "")
    assert "create it with `pairl bus topics`" in done.stderr
