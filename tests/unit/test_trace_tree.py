"""A conversation as lines on a terminal."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from pairl.diagnostics import printable
from schemas.session_state import Entry
from tests.unit.traced import judged, session, waiting
from workers.trace.forest import grow
from workers.trace.tree import draw_tree

HOSTILE = "\x1b[31m\n● m1  accepted\u202e\u2028"


def drawn(*entries: Entry, marked: str | None = None, color: bool = False, width: int | None = None) -> str:
    traced = session(*entries)
    return "\n".join(draw_tree(traced, grow(traced, marked), color=color, width=width))


def names(text: str) -> list[str]:
    """Return the lines without what is told of the messages."""
    return [re.sub(r"  +(accepted|not here|continued).*", "", line) for line in text.split("\n")]


def test_a_message_is_told_on_one_line() -> None:
    text = drawn(
        judged("m1", budget="0.50 EUR", costs={"EUR": "0.12", "USD": "1E+2"}),
        judged("m2", "m1", seconds=1.204),
        judged("m3", "m1", "m2", "m9", errors=("V6/duplicate-rid: line 5: twice", "V9: x"), seconds=200),
    )
    assert text.split("\n") == [
        "● m1   accepted  2026-11-30 09:00:00Z  0.12 EUR, 100 USD  budget 0.50 EUR",
        "├─ m2  accepted              +1.204 s",
        "└─ m3  rejected           +3 min 20 s  + m2, m9 (not here)",
        "       V6/duplicate-rid: line 5: twice",
        "       V9: x",
    ]


def test_what_waits_says_for_what_and_until_when() -> None:
    text = drawn(judged("m1"), waiting("m2", "m1", "m9", "m8", seconds=1), waiting("m3", "m2", seconds=3))
    assert text.split("\n")[1:] == [
        "○ m9  not here",
        "↓ m2  waiting   2026-11-30 09:00:01Z  waits for m9, m8 until 2026-11-30 09:00:11Z  + m1",
        "↓ m3  waiting               +2.000 s  waits for m2 until 2026-11-30 09:00:13Z",
    ]


def test_a_chain_is_a_column_and_only_branches_move_in() -> None:
    entries = [judged("m1"), judged("m2", "m1"), judged("m3", "m2"), judged("m4", "m2"), judged("m5", "m3")]
    assert names(drawn(*entries, judged("m6", "m5"), judged("m7", "m4"), judged("x"))) == [
        "● m1",
        "↓ m2",
        "├─ m3",
        "│  ↓ m5",
        "│  ↓ m6",
        "└─ m4",
        "   ↓ m7",
        "● x",
    ]


def test_the_reasons_for_a_rejection_stand_within_the_bars() -> None:
    text = drawn(judged("m1"), judged("m2", "m1", errors=("V6: no",)), judged("m3", "m1"))
    assert text.split("\n")[2] == "│      V6: no"


def test_a_marked_message_is_pointed_at() -> None:
    assert names(drawn(judged("m1"), judged("m2", "m1"), judged("m3", "m1"), marked="m2")) == [
        "● m1",
        "↓ m2 ◄",
    ]


def test_colours_come_only_when_they_are_asked_for() -> None:
    entries = (judged("m1"), judged("m2", "m1", errors=("V6: no",)), waiting("m3", "m9"))
    plain, colored = drawn(*entries), drawn(*entries, color=True)
    assert "\x1b" not in plain
    assert "\x1b[32maccepted\x1b[0m" in colored
    assert "\x1b[1;31mrejected\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


@pytest.mark.parametrize("width", [1, 7, 20, 40, 79])
def test_lines_are_cut_to_the_width_of_a_terminal(width: int) -> None:
    entries = (judged("m1"), judged("漢字" * 18, "m1", errors=("日本" * 50,)), waiting("x", "m9" * 70))
    for line in drawn(*entries, width=width).split("\n"):
        assert cell_len(line) <= width
        assert line.endswith("…") or line in drawn(*entries).split("\n")


def test_nothing_that_an_agent_wrote_moves_a_cursor_or_makes_a_line() -> None:
    text = drawn(
        judged(HOSTILE, HOSTILE + "p", errors=(HOSTILE,), costs={HOSTILE: "1"}),
        waiting("m2", HOSTILE.replace("\n", "")),
        marked=HOSTILE,
    )
    lines = text.split("\n")
    assert all(printable(line) == line for line in lines)
    assert len(lines) == 3


def test_a_deep_chain_and_a_deep_comb_stay_narrow_and_complete() -> None:
    count = 10_000
    chain = [judged("m0"), *(judged(f"m{n}", f"m{n - 1}") for n in range(1, count))]
    comb = [judged("m0")]
    for number in range(1, count, 2):
        comb += [judged(f"m{number}", f"m{number - 1}"), judged(f"m{number + 1}", f"m{number - 1}")]
    for entries in (chain, comb):
        text = drawn(*entries)
        assert max(map(len, text.split("\n"))) < 100
        told = re.findall(r"^[^\w…]*(m[0-9]+) +accepted", text, re.MULTILINE)
        assert sorted(told) == sorted(entry.node.id for entry in entries)


def test_what_is_drawn_further_down_is_announced_and_found_again() -> None:
    comb = [judged("m0")]
    for number in range(1, 60, 2):
        comb += [judged(f"m{number + 1}", f"m{number - 1}"), judged(f"m{number}", f"m{number - 1}")]
    text = drawn(*comb)
    announced = re.findall(r"2 answers, further down behind … (m[0-9]+)", text)
    assert announced == re.findall(r"^… (m[0-9]+) +continued$", text, re.MULTILINE)
    assert len(announced) == 2
