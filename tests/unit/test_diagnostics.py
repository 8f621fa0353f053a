"""Findings and diagnostics: what they say on one line, and how many of them."""

from __future__ import annotations

import pytest

from pairl import Diagnostic, Severity, parse, validate
from pairl.diagnostics import Finding, Findings, excerpt, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("naïve 東京 🜚", "naïve 東京 🜚"),
        ("two\nlines", r"two\nlines"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\u2028b", r"a\u2028b"),
        ("a\u202eb", r"a\u202eb"),
        ("a\ud800b", r"a\ud800b"),
        ("a\u00a0b", r"a\xa0b"),
    ],
)
def test_what_could_move_a_cursor_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_an_excerpt_is_short() -> None:
    assert excerpt("x" * 60) == "x" * 60
    assert excerpt("x" * 61) == "x" * 59 + "…"
    assert excerpt("x" * 1_000_000, 10) == "x" * 9 + "…"


def test_a_diagnostic_is_one_line() -> None:
    found = Diagnostic("V9/status", Severity.ERROR, "a\nb", 3, 1, 1, "help")
    assert str(found) == r"V9/status: line 3: a\nb"
    assert found.rule == "V9"
    assert str(Diagnostic("HDR/missing-header", Severity.ERROR, "no id")) == "HDR/missing-header: no id"


@pytest.mark.parametrize("evil", ["\x1b]0;title\x07", "\u202e", "\u2028", "\ud800", "\x00", "\x85"])
def test_no_report_line_can_be_broken_by_a_message(evil: str) -> None:
    lines = [
        *[f"{evil}", f"#fact a={evil} b", f"{evil}=x", f"ack{{{evil}}}", f"#u1 {evil}", f"#memo{evil} a=1"],
        *[
            f'#ref a="{evil}"',
            f"#ret call={evil} status={evil}",
            f"#fact a=1 @m={evil} @rid={evil}",
            f"#{evil}",
        ],
    ]
    text = (
        f"@v {evil}\n@id {evil}\n@ts {evil}\n@sid {evil}\n@p {evil} x\n@budget {evil}\n@{evil} x\n\n"
        + "\n".join(lines)
    )
    for strict in (True, False):
        report = validate(parse(text), strict)
        assert len(report.diagnostics) > 10
        for line in [*report.errors, *report.warnings, *parse(text).errors]:
            assert line.isprintable()


def test_of_each_code_only_so_many_findings_are_listed() -> None:
    findings = Findings(Finding("A/x", "many", line) for line in range(1, 1_001))
    findings.add(Finding("B/y", "one"))
    listed = findings.listing()
    assert [finding.code for finding in listed] == ["A/x"] * 20 + ["B/y", "A/x"]
    assert listed[-1].message == "980 more findings of this kind are not listed"


def test_as_many_findings_as_are_listed_are_all_of_them() -> None:
    findings = Findings(Finding("A/x", "many", line) for line in range(20))
    assert len(findings.listing()) == 20
    findings.add(Finding("A/x", "one more"))
    assert findings.listing()[-1].message == "1 more is not listed"


def test_a_message_lists_what_the_parser_found_wrong() -> None:
    message = parse("@v 1\n\n#fact a=50%\nnot a record\n")
    assert message.errors == [
        "SYN/free-text: line 4: `not a record` is neither a record nor an intent",
    ]
    assert parse("").errors == ["HDR/no-headers: the message is empty"]
