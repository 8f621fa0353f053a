"""Reading a recorded conversation takes time linear in its size, whatever it holds.

Quadratic readers need sixteen times as long for four times the items. Times are processor time and the best
of three, so that a busy machine does not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from pairl.encode.importers import anthropic, claude_code, langchain, swe_agent
from pairl.encode.importers.format import Format, Lines, NotATranscript

SMALL, LARGE = 1_500, 6_000
GROWTH = 9.0
QUICK = 0.03
"""Below this many seconds for the large record nothing quadratic can have happened."""

Json = dict[str, object]


def use(call_id: str) -> Json:
    return {"type": "tool_use", "id": call_id, "name": "x", "input": {}}


def returned(call_id: str) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "y"}


def said(role: str, *blocks: Json) -> Json:
    return {"role": role, "content": list(blocks)}


def session(count: int, line: Callable[[int], Json]) -> Lines:
    """Return a session in which each line follows the one before, unless `line` says otherwise."""
    items: list[object] = []
    for number in range(count):
        kind = "assistant" if number % 2 else "user"
        message: Json = {"role": kind, "content": "a", "id": f"m{number}"}
        usual = {"type": kind, "uuid": f"u{number}", "parentUuid": f"u{number - 1}", "message": message}
        items.append({**usual, **line(number)})
    return Lines(items)


def exchanges(count: int) -> object:
    """Return exchanges of many conversations, each repeated once."""
    requests = [
        {"messages": [said("user", {"type": "text", "text": f"{number // 2}"})]} for number in range(count)
    ]
    return {"exchanges": [{"request": request, "response": said("assistant")} for request in requests]}


SHAPES: dict[str, tuple[Format, Callable[[int], object]]] = {
    "calls of one id": (
        anthropic.FORMAT,
        lambda n: [said("assistant", *[use("a")] * n), said("user", *[returned("a")] * n)],
    ),
    "results of no call": (anthropic.FORMAT, lambda n: [said("user", returned(f"r{i}")) for i in range(n)]),
    "conversations": (anthropic.FORMAT, exchanges),
    "a long chain": (claude_code.FORMAT, lambda n: session(n, lambda _: {})),
    "a circle": (claude_code.FORMAT, lambda n: session(n, lambda i: {"parentUuid": f"u{(i + 1) % n}"})),
    "roots": (claude_code.FORMAT, lambda n: session(n, lambda _: {"parentUuid": None})),
    "branches": (claude_code.FORMAT, lambda n: session(n, lambda i: {"parentUuid": f"u{i // 2}"})),
    "agents": (
        claude_code.FORMAT,
        lambda n: session(n, lambda i: {"isSidechain": i > 0, "agentId": f"a{i}"}),
    ),
    "one message": (
        claude_code.FORMAT,
        lambda n: session(
            n, lambda _: {"type": "assistant", "message": said("assistant", use("a")) | {"id": "m"}}
        ),
    ),
    "opened objects": (langchain.FORMAT, lambda n: "  {\n" * n),
    "closed objects": (langchain.FORMAT, lambda n: "{\n}\n" * n),
    "spaces": (langchain.FORMAT, lambda n: " " * n * 20),
    "messages": (langchain.FORMAT, lambda n: [{"type": "ai", "content": "a", "tool_calls": [{}]}] * n),
    "fences": (
        swe_agent.FORMAT,
        lambda n: {"history": [{"role": "assistant", "content": "```\na\n" * n, "action": "b"}]},
    ),
    "actions": (
        swe_agent.FORMAT,
        lambda n: {"history": [{"role": "assistant", "content": "```\na\n```", "action": "a"}] * n},
    ),
}


def seconds(form: Format, value: object) -> float:
    """Return how long recognising and reading takes, of three times the best."""
    times = []
    for _ in range(3):
        start = time.process_time()
        form.recognise(value)
        with suppress(NotATranscript):
            form.read(value)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear(shape: str) -> None:
    form, make = SHAPES[shape]
    large = seconds(form, make(LARGE))
    assert large < QUICK or large < GROWTH * seconds(form, make(SMALL))
