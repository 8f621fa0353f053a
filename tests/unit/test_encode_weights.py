"""What in a text is worth quoting: values of each kind, names where no sentence begins, cues, own tables."""

from __future__ import annotations

import re
import time

import pytest

from pairl.encode.quoting.heuristics import HEURISTICS, Heuristic
from pairl.encode.quoting.weights import read_words, values_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we met on 2026-03-05, 5.3.2026 and 3/5/26", ["2026-03-05", "5.3.2026", "3/5/26"]),
        ("from 2026-03-05T14:05:00Z until then", ["2026-03-05T14:05:00Z"]),
        ("on 5 March 2026 or March 6, 2026", ["5 March 2026", "March 6, 2026"]),
        ("am 5. Mai 2026 um 14:05 Uhr", ["5. Mai 2026", "14:05 Uhr"]),
        ("next Friday at 9:30am, not at noon", ["Friday", "9:30am", "noon"]),
        ("since 1987 and in the 1990s, by Q3", ["1987", "1990s", "Q3"]),
        ("it is $20, 1.5k€ or 20 EUR", ["$20", "1.5k€", "20 EUR"]),
        ("about 12.5%, +3%, or ~40 percent", ["12.5%", "+3%", "~40 percent"]),
        ("takes 15 ms, 3x 200MB in 1,000 files", ["15 ms", "3x", "200MB", "1,000 files"]),
        ("that is 5 boats (3 of them new)", ["5", "3"]),
        (
            "see https://host.example/a?b=c. Or mail a.orr@host.example!",
            ["https://host.example/a?b=c", "a.orr@host.example"],
        ),
        ("edit /srv/app/main.py, ./a.sh and ~/notes", ["/srv/app/main.py", "./a.sh", "~/notes"]),
        (
            r"edit C:\srv\app.ini or src/app/main.ts or `hello.py`",
            [r"C:\srv\app.ini", "src/app/main.ts", "hello.py"],
        ),
        ("either and/or both, he or she", []),
        (
            "commit deadbeef01 of 123e4567-e89b-12d3-a456-426614174000",
            ["deadbeef01", "123e4567-e89b-12d3-a456-426614174000"],
        ),
        ("run v2.1, 3.14.0rc1 and >=2.0", ["v2.1", "3.14.0rc1", ">=2.0"]),
        ("a KeyError or json.JSONDecodeError, ENOENT", ["KeyError", "json.JSONDecodeError", "ENOENT"]),
        (
            "call read_all() with maxSize in FooBar or __init__",
            ["read_all()", "maxSize", "FooBar", "__init__"],
        ),
        ("use --force, -v and $HOME with #12", ["--force", "-v", "$HOME", "#12"]),
        ("the PID and the MPC-2 are on", ["PID", "MPC-2"]),
        ("we met Ada Orr, O'Hara and Émile", ["Ada Orr", "O'Hara", "Émile"]),
        ("we met Мария in Αθήνα", ["Мария", "Αθήνα"]),
        ("The boat left. It was late. Then Ada's came", ["Ada"]),
        ("Oslo is far. We go to Oslo by boat", ["Oslo"]),
        ("Lake Ene is far", ["Lake Ene"]),
        ("ask Dr. Orr", ["Dr", "Orr"]),
        ('**Bold** _it_ (Ada) "Ann"', ["Ada", "Ann"]),
        ("I think I'm late and I'll go", []),
        (
            "Do this:\n1. Row 5 miles.\n2) Rest, and then\n10. go on to pier 3.",
            ["1", "5 miles", "2", "10", "3"],
        ),
        ("会议在2026年3月5日来自カタカナ", ["2026", "3", "5", "カタカナ"]),
        ("", []),
    ],
)
def test_values_are_found_whole_and_once(text: str, expected: list[str]) -> None:
    assert values_in(text) == expected
    assert values_in(f"{text}\n{text}") == expected


def test_in_german_a_noun_is_no_name() -> None:
    text = "Die Firma hat das Boot und die Anlage in Kiel verkauft, und Inge Tamm ist mit 20 EUR dabei."
    assert values_in(text) == ["Kiel", "Inge Tamm", "20 EUR"]


def kinds(text: str) -> list[str]:
    return [worth.heuristic.name for worth in read_words(text).worths]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we decided it", ["decision"]),
        ("we row because we must", ["cause", "decision"]),
        ("it failed, an error", ["failure", "failure"]),
        ("can you come?", ["request", "question"]),
        ("is it Friday?", ["date", "question"]),
        ("please take two", ["request", "number word"]),
        ("wir haben entschieden, weil es kaputt ist", ["decision", "cause", "failure"]),
        ("a plain sentence", []),
    ],
)
def test_cues_weigh_and_are_no_values(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected
    assert [
        worth
        for worth in read_words(text).worths
        if worth.heuristic.is_value and worth.heuristic.name != "date"
    ] == []


def test_each_heuristic_has_a_name_a_reason_and_a_weight() -> None:
    assert len({row.name for row in HEURISTICS}) == len(HEURISTICS)
    for row in HEURISTICS:
        assert row.why
        assert row.weight > 0
        assert re.compile(row.pattern).groups == 0, "a group of its own would hide which row matched"


def test_another_table_can_be_given() -> None:
    fish = (Heuristic("fish", "what this is all about", "(?i:cod|ling)", 9, is_value=True),)
    assert values_in("Cod or ling, 5 EUR?", fish) == ["Cod", "ling"]


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "1",
        ".",
        "x=",
        "/a",
        "a.",
        "-",
        "a@",
        "_a",
        "(",
        "?",
        "a-",
        "0x",
        "5 March ",
        "Ann ",
        "\u30a2",
    ],
)
def test_looking_for_values_is_linear(piece: str) -> None:
    start = time.process_time()
    read_words(piece * (300_000 // len(piece)))
    assert time.process_time() - start < 3


def test_a_name_has_an_end() -> None:
    assert max(map(len, values_in("we met " + "Ann " * 1_000))) <= 80
