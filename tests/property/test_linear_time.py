"""Time is linear in the input, whatever it holds: four times the text takes about four times as long.

Quadratic readers need sixteen times as long, and for these texts soon minutes. The bound between the two is
wide, and times are processor time and the best of two, so that a busy machine does not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pairl import Policy, canonicalize, compute_hash, parse, render, validate
from tests.fuzz.mutations import SEEDS

HEADERS = "@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n"
SMALL, LARGE = 24_576, 98_304
GROWTH = 9.0
QUICK = 0.03
"""Below this many seconds for the large text nothing quadratic can have happened."""

LINES = [
    "#fact a=b",
    "ack{t=x}",
    "ack{t=",
    "#evid[a,b]\nx",
    "#s x",
    "#u1",
    "#msg x",
    "@a",
    "",
    "#cost[a,",
    ">>>\n",
]
REPEATED = [
    *[
        " ",
        " @rid=a",
        '"',
        "\\",
        "{",
        "}",
        ' a="',
        ",",
        "=",
        "@",
        "#",
        "\t",
        " a=b",
        " a= ",
        '\\"',
        "[",
        "a",
        ".x",
    ],
    *[' a=\\"', '"x" ', " @m=", "é", " = ", ",b=", ", ", "-", "\u00a0"],
]


def numbered(template: str) -> Callable[[int], str]:
    """Return a function that fills a text with the template, numbered through."""

    def fill(size: int) -> str:
        count = size // len(template.format(100_000))
        return "".join([template.format(100_000 + number) for number in range(count)])

    return fill


SHAPES: dict[str, Callable[[int], str]] = {
    "columns": lambda size: HEADERS + "#cost[" + numbered("a{},")(size) + "z]\nx",
    "columns_and_rows": lambda size: (
        HEADERS + "#cost[" + numbered("a{},")(size // 2) + "z]\n" + "x\n" * (size // 4)
    ),
    "parameters": lambda size: HEADERS + "ack{" + numbered("a{}=1,")(size) + "z=1}",
    "references": lambda size: HEADERS + "#ref z=1" + numbered(" a{}=1")(size),
    "long_keys": lambda size: HEADERS + "#fact z=1" + numbered(" " + "a" * 40 + "{}=1")(size),
    "duplicate_keys": lambda size: HEADERS + "#fact" + " a=1" * (size // 4),
    "one_letter_lines": lambda size: HEADERS + "x\n" * (size // 2),
    "hashes": lambda size: HEADERS + "#\n" * (size // 2),
    "blank_lines": lambda size: HEADERS + "\n" * size,
    "tool_output": lambda size: HEADERS + ">>>\n" * (size // 4),
    "after_the_end": lambda size: HEADERS + "---\n" * (size // 4),
    "broken_blocks": lambda size: HEADERS + "#cost[\nx\n" * (size // 9),
    "same_headers": lambda size: "@a b\n" * (size // 5) + "\nack",
    "headers": lambda size: numbered("@a{} b\n")(size) + "\nack",
    "header_lines_that_are_none": lambda size: "x\n" * (size // 2) + "@v 1\n\nack",
    "dependencies": lambda size: "@v 1\n@id m1\n@p m1\n@root m1\n@deps " + "m1," * (size // 3) + "m1\n\nack",
    "long_version": lambda size: f"@v {'1' * size}\n@id m1\n@ts {'1' * size}\n@budget {'1' * size}USD\n\nack",
    "control_characters": lambda size: HEADERS + "\x00" * size,
    "carriage_returns": lambda size: HEADERS + "\r" * size,
    "surrogates": lambda size: HEADERS + "\ud800" * size,
    "turns": lambda size: HEADERS + numbered("#msg t{} r=u parent=t999999\n")(size),
    "tags": lambda size: HEADERS + "#u1\n" + numbered("ack @m=t{} @rid=x\n")(size),
    "orphans": lambda size: (
        HEADERS
        + "".join(map(numbered("#call tool=x @rid=c{}\n"), [9_000]))
        + numbered("#ret call=d{} status=ok\n")(size)
    ),
    "hash": lambda size: (
        HEADERS.replace("\n\n", f"\n@hash ref:hash:sha256:{'0' * 64}\n\n")
        + "#fact z=1"
        + numbered(" a{}=1")(size)
    ),
}
for _line in LINES:
    for _piece in REPEATED:
        SHAPES[f"{_line!r} + {_piece!r}"] = lambda size, line=_line, piece=_piece: (  # type: ignore[misc]
            HEADERS + line + piece * (size // len(piece)) + "!"
        )

COSTLY = {1_000: 6.0, 10**6: 20.0}
"""How much more than a byte of the sample one of another text may take, by the most records that are read.

On a quiet machine it is 3 at the usual limit. Where more records are read, one of two characters costs as
much as one of sixty.
"""

_LONG = 262_000
LONG_TEXTS: dict[str, str] = {
    "spaces": HEADERS + "#fact a=1" + " " * _LONG + "x",
    "tags": HEADERS + "#fact a=1" + " @rid=a" * (_LONG // 7),
    "quotation_marks": HEADERS + "#fact a=" + '"' * _LONG,
    "backslashes": HEADERS + "#fact a=" + "\\" * _LONG,
    "braces": HEADERS + "ack" + "{" * _LONG,
    "commas": HEADERS + "ack{" + "," * _LONG,
    "equal_signs": HEADERS + "#fact a" + "=" * _LONG,
    "columns": SHAPES["columns"](_LONG),
    "headers": SHAPES["headers"](_LONG),
    "same_headers": SHAPES["same_headers"](_LONG),
    "dependencies": SHAPES["dependencies"](_LONG),
    "one_letter_lines": HEADERS + "a\n" * (_LONG // 2),
    "one_letter_records": HEADERS + "#a\n" * (_LONG // 3),
    "markers": HEADERS + "#u1\n" * (_LONG // 4),
    "orphans": HEADERS + "#ret call=a status=ok\n" * (_LONG // 22),
    "tool_output": HEADERS + ">>>\n" * (_LONG // 4),
    "facts": HEADERS + numbered("#fact a=1 @rid=r{}\n")(_LONG),
}


def chain(text: str, most_records: int) -> float:
    """Return the processor time that all that can be done with `text` takes."""
    start = time.process_time()
    message = parse(text, max_records=most_records)
    validate(message, policy=Policy(strict=True, max_records=most_records))
    compute_hash(message)
    render(message)
    canonicalize(message)
    return time.process_time() - start


@pytest.fixture(scope="module")
def ordinary() -> float:
    """Return the processor time that a byte of the sample takes."""
    messages = [message.decode() for message in SEEDS]
    best = min(sum(chain(message, 1_000) for message in messages) for _ in range(3))
    return best / sum(map(len, messages))


@pytest.mark.parametrize("most_records", COSTLY)
@pytest.mark.parametrize("name", LONG_TEXTS)
def test_a_byte_of_a_long_text_takes_little_more_than_one_of_the_sample(
    name: str, most_records: int, ordinary: float
) -> None:
    text = LONG_TEXTS[name]
    assert chain(text, most_records) < COSTLY[most_records] * ordinary * len(text)


def seconds(text: str) -> float:
    """Return the processor time that reading, judging and hashing `text` takes, at best."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        message = parse(text)
        validate(message, strict=True)
        compute_hash(message)
        best = min(best, time.process_time() - start)
        if best < QUICK:
            break
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text_and_no_faster(shape: str) -> None:
    large = seconds(SHAPES[shape](LARGE))
    if large > QUICK:
        assert large < GROWTH * seconds(SHAPES[shape](SMALL))
