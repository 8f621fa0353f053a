"""Counting what a body keeps takes time linear in the turns and in the body, whatever they hold.

Times are processor time and the best of three; what is quadratic needs sixteen times as long for four times
as much.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pairl.encode.history import Call, Result, Said, Turn
from pairl.encode.kept import kept
from pairl.encode.plain_form import plain_text

SMALL, LARGE = 600, 2_400
GROWTH = 9.0
QUICK = 0.03
"""Below this many seconds for the large conversation nothing quadratic can have happened."""

Conversation = tuple[list[Turn], str]


def many_turns(count: int) -> Conversation:
    turns = [Turn("user", (Said(f"Pump {number} at 300 EUR."),)) for number in range(count)]
    return turns, "".join(f'#u{number}\n#req content="Pump {number}"\n' for number in range(1, count))


def one_turn(count: int) -> Conversation:
    text = " ".join(f"Pump {number} costs {number} EUR." for number in range(count))
    return [Turn("user", (Said(text),))], f'#u1\n#req content="{text}"\n'


def one_word(count: int) -> Conversation:
    text = "Pump" * count
    return [Turn("user", (Said(text),))], f'#u1\n#req content="{text}"\n'


def one_name(count: int) -> Conversation:
    text = "I met " + "Ola " * count
    return [Turn("user", (Said(text),))], f'#u1\n#req content="{text}"\n'


def many_results(count: int) -> Conversation:
    parts = [Call(1, "look", {"paths": [f"/srv/{number}.txt" for number in range(count)]})]
    results = [Result(1, f"Error: no /srv/{number}.txt\nExit code 2") for number in range(count)]
    return [Turn("assistant", (*parts, *results))], "#a1\n" + "#ret call=c1 status=err exit=2\n" * count


def seconds(conversation: Conversation) -> float:
    turns, body = conversation
    times = []
    for _ in range(3):
        began = time.process_time()
        kept(turns, body)
        plain_text(turns)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize("make", [many_turns, one_turn, one_word, one_name, many_results])
def test_counting_is_linear(make: Callable[[int], Conversation]) -> None:
    large = seconds(make(LARGE))
    assert large < QUICK or large < GROWTH * max(seconds(make(SMALL)), QUICK / 10)
