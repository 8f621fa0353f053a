"""Diagnostics as a terminal shows them: carets below the place, whatever the line holds."""

from __future__ import annotations

import pytest

from pairl import Diagnostic, Severity, parse, validate
from pairl.rules import RULES, find_rule
from pairl.show import show_diagnostic, show_rule

HEAD = "@v 1\n@id m1\n@ts 2026-05-04T10:00:00Z\n\n"


def _found(line: int, column: int, length: int) -> Diagnostic:
    return Diagnostic("V9/status", Severity.ERROR, "wrong", line, column, length, "do it right")


def test_a_diagnostic_looks_like_this() -> None:
    text = HEAD + "#call tool=x @rid=c1\n#call tool=y @rid=c2\n#ret call=c7 status=ok @rid=r3\n"
    [found] = validate(parse(text), strict=True).diagnostics
    assert show_diagnostic(found, text, "m42.pairl", first_line=10).split("\n") == [
        "error[V9/orphan-ret]: `#ret` answers call `c7`, which no `#call` in this message declares",
        "  --> m42.pairl:16:6",
        "   |",
        "16 | #ret call=c7 status=ok @rid=r3",
        "   |      ^^^^^^^",
        "   help: declared calls are c1, c2; did you mean `call=c1`?",
    ]


@pytest.mark.parametrize(
    ("line", "word", "shown", "carets"),
    [
        ("#fact a=b", "a=b", "#fact a=b", "      ^^^"),
        ("#fact a=東京 b", "b", "#fact a=東京 b", "             ^"),
        ("#fact a=東京 b", "東京", "#fact a=東京 b", "        ^^^^"),
        ("cafe\u0301 x", "x", "cafe\u0301 x", "     ^"),
        ("\u2764\ufe0f x", "x", "\u2764\ufe0f x", "  ^"),
        ("a\tb", "b", r"a\tb", "   ^"),
        ("\x1b[31m x", "x", r"\x1b[31m x", "         ^"),
    ],
)
def test_carets_stand_below_the_place(line: str, word: str, shown: str, carets: str) -> None:
    drawn = show_diagnostic(_found(1, line.index(word) + 1, len(word)), line, "f").split("\n")
    assert drawn[3:5] == [f"1 | {shown}", f"  | {carets}"]


@pytest.mark.parametrize("filler", ["x", "東", "\x00", "e\u0301"])
@pytest.mark.parametrize("before", [0, 10, 5_000])
def test_a_long_line_is_cut_around_the_place(filler: str, before: int) -> None:
    line = f"{filler * before}HERE{filler * 5_000}"
    drawn = show_diagnostic(_found(1, len(filler) * before + 1, 4), line, "f").split("\n")
    assert "HERE" in drawn[3]
    assert len(drawn[3]) < 250
    assert drawn[4].count("^") == 4


@pytest.mark.parametrize(
    ("line", "column", "length"), [(1, 1, 10**6), (1, 10**6, 1), (10**6, 1, 1), (1, 0, 0), (2, 5, 3)]
)
def test_a_place_that_is_not_there_does_no_harm(line: int, column: int, length: int) -> None:
    drawn = show_diagnostic(_found(line, column, length), "short\n", "f").split("\n")
    assert len(drawn) == 6
    assert "^" in drawn[4]
    assert len(drawn[4]) < 250


def test_windows_line_ends_and_a_byte_order_mark_do_not_move_the_caret() -> None:
    plain = HEAD + "#fact a=50%\n"
    odd = "\ufeff" + plain.replace("\n", "\r\n")
    source = parse(odd.encode()).source
    mark, found = validate(parse(odd.encode()), strict=True).diagnostics
    assert found == validate(parse(plain), strict=True).diagnostics[0]
    assert "\r" not in show_diagnostic(found, source, "f")
    assert show_diagnostic(mark, source, "f").split("\n")[1] == " --> f:1:1"


def test_a_finding_about_a_whole_message_says_where_the_message_begins() -> None:
    drawn = show_diagnostic(_found(0, 0, 0), "", "two\n.pairl", first_line=12)
    assert drawn.split("\n") == ["error[V9/status]: wrong", r" --> two\n.pairl:12", "  help: do it right"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_check_of_every_rule_is_explained_and_can_be_pointed_at(rule: object) -> None:
    for row in RULES:
        if row is not rule:
            continue
        for check in row.checks:
            code = f"{row.code}/{check.slug}"
            lines = show_rule(row, code).split("\n")
            assert [line.split()[1] for line in lines if line.startswith("> ")] == [code]
            assert any(code in line and check.summary in line for line in lines)


def test_a_rule_without_a_code_points_at_nothing() -> None:
    rule = find_rule("V9")
    assert rule is not None
    assert "\n> " not in show_rule(rule)
