"""Encoding is linear in the conversation: four times as much takes about four times as long.

Knows texts that a reader could go over again and again. Refuses to know how fast a machine is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pairl.encode.budget import Budget
from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Thought, Turn
from pairl.encode.messages import as_messages
from pairl.encode.reread import reread
from tests.skeletons import skeleton

SMALL, LARGE = 6_000, 24_000
GROWTH = 9.0
QUICK = 0.1
"""Below this many seconds for the large one nothing quadratic can have happened."""

NOW = datetime(2026, 3, 4, tzinfo=UTC)
REPEATED = [
    *[
        "error ",
        "error\n",
        "/",
        "/a",
        "a/",
        "/a/b\n",
        "C:\\a ",
        "\\",
        '"',
        "exit code 1 ",
        "[exit code ",
        "E99 ",
    ],
    *[
        "[",
        "\r",
        "\n",
        "\x1b[",
        "\x1b]",
        "\ud800",
        "12\terror\n",
        "x: ",
        "[...] ",
        "not ",
        ". ",
        "A",
        "\u0130",
    ],
    *['"/a b', '"/a b" ', "\\\\ab\\cd ", "a\\ /", '"\\/', "file:///a ", "://", "--- a/b ", "--- a/b\n"],
    *[
        "E999 ",
        "*** [",
        "no error ",
        "0 failed ",
        "if a error ",
        "error=0 ",
        "1 failed, ",
        "(exit 1)",
        "a:1:error\n",
    ],
    *["Traceback (most recent call last):\n", "Error: x\n at y\n", '{"error": ', "/a.txt\u3042"],
]


def held(text: str) -> History:
    """Return a conversation that holds a text wherever it can hold one."""
    parts = (Said(text), Thought(text), Call(1, text, {text: text, "deep": [[text]]}), Result(1, text))
    return History("x", (Turn("assistant", parts, text),))


def chain(*parts: Part) -> History:
    return History("x", (Turn("assistant", parts),))


SHAPES: dict[str, Callable[[int], History]] = {
    "speakers": lambda size: History(
        "x",
        tuple(
            Turn("user", (Said("Hello."),), "!" * (index % 40 + 1) + str(index))
            for index in range(size // 40)
        ),
    ),
    "answers": lambda size: History(
        "x",
        tuple(Turn("user", (), str(index % 9), index // 2 if index else None) for index in range(size // 20)),
    ),
    "arguments": lambda size: chain(Call(1, "Bash", {f"Name {n}": f"/path/{n}" for n in range(size // 20)})),
    "calls": lambda size: chain(
        *[Call(number, "Bash", {"a": f"/x{number}"}) for number in range(size // 40)],
        *[Result(number, f"error {number}") for number in range(size // 40)],
    ),
    "edits": lambda size: chain(
        *[
            part
            for number in range(size // 40)
            for part in (Call(number, "Edit", {"file_path": f"/x{number // 3}"}), Result(number, "ok"))
        ]
    ),
    "same results": lambda size: chain(
        *[
            part
            for number in range(size // 80)
            for part in (Call(number, "Read", {"a": f"/x{number % 7}"}), Result(number, "the same text " * 4))
        ]
    ),
    "errors": lambda size: chain(
        Call(1, "Bash", {}),
        Result(1, "".join(f"error {number} in /x/{number}\n" for number in range(size // 20))),
    ),
}
for _piece in REPEATED:
    SHAPES[repr(_piece)] = lambda size, piece=_piece: held(piece * (size // len(piece)))  # type: ignore[misc]


def seconds(history: History) -> float:
    """Return the processor time that it takes to encode a conversation, and to read it back, at best."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        encoded = encode(history, Options(window=0))
        encode(history, Options(Budget(share=0.3), 0))
        skeleton(reread(as_messages(encoded, id="m1", ts=NOW)))
        best = min(best, time.process_time() - start)
        if best < QUICK:
            break
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_conversation_and_no_faster(shape: str) -> None:
    large = seconds(SHAPES[shape](LARGE))
    if large > QUICK:
        assert large < GROWTH * seconds(SHAPES[shape](SMALL))
