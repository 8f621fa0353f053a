"""Diagnostics for programs: JSON lines, GitHub's workflow commands, and SARIF 2.1.0."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pairl import Diagnostic, Severity, parse, validate
from pairl.diagnostics import Edit
from pairl.rules import RULES, checks
from pairl.show import OUTPUTS, Located

EVIL = 'a\x1b[31m\r\n::error::b%,:\u2028\udcff"\\'
HEAD = "@v 1\n@id m1\n@ts 2026-05-04T10:00:00Z\n\n"


def _located(text: str, file: str = "deep/m.pairl", first_line: int = 10) -> list[Located]:
    message = parse(text)
    return [
        Located(found, file, message.source, first_line, 2, message.msg_id)
        for found in validate(message, strict=True).diagnostics
    ]


def _evil(edit: Edit | None = None) -> Located:
    found = Diagnostic("V9/status", Severity.ERROR, EVIL, 3, 2, 4, EVIL, edit)
    return Located(found, EVIL, EVIL, 5, 1, EVIL)


def _whole(name: str, all_located: list[Located]) -> str:
    output = OUTPUTS[name]
    return output.begin() + output.between.join(map(output.show, all_located)) + output.end


def test_json_has_an_object_a_line() -> None:
    [line] = _whole("json", _located(HEAD + "#fact share=50%\n")).splitlines()
    assert json.loads(line) == {
        "file": "deep/m.pairl",
        "message_number": 2,
        "message_id": "m1",
        "code": "SYN/unquoted-value",
        "severity": "warning",
        "message": "`50%` has characters that call for quotation marks",
        "line": 14,
        "column": 13,
        "length": 3,
        "help": 'write `share="50%"`',
        "edit": {"line": 14, "column": 13, "length": 3, "text": '"50%"', "safe": True},
    }


def test_json_is_one_line_of_ascii_whatever_it_carries() -> None:
    text = _whole("json", [_evil(Edit(3, 2, 4, EVIL))] * 2)
    assert text.isascii()
    assert text.count("\n") == 2
    assert "\x1b" not in text
    assert json.loads(text.splitlines()[0])["message"] == EVIL


@pytest.mark.parametrize("output", ["json", "github"])
def test_the_name_of_a_file_is_text_for_every_reader(output: str) -> None:
    found = Diagnostic("V9/status", Severity.ERROR, "text")
    text = _whole(output, [Located(found, "z\udcff\x1b[31m.pairl")])
    text.encode()
    assert "\x1b" not in text
    if output == "json":
        assert json.loads(text)["file"] == "z\\udcff\x1b[31m.pairl"
    else:
        assert "file=z\\udcff\\x1b[31m.pairl,line=1," in text


def test_github_reads_file_line_column_and_title() -> None:
    [line] = _whole("github", _located(HEAD + "#fact share=50%\n")).splitlines()
    assert line == (
        "::warning file=deep/m.pairl,line=14,col=13,endColumn=16,title=SYN/unquoted-value::"
        '`50%25` has characters that call for quotation marks%0Ahelp: write `share="50%25"`'
    )


def test_no_message_can_end_a_github_command_or_begin_one() -> None:
    text = _whole("github", [_evil()])
    assert text.count("\n") == 1
    assert "\r" not in text
    assert "\x1b" not in text
    properties = text.removeprefix("::error ").partition("::")[0]
    assert [pair.partition("=")[0] for pair in properties.split(",")] == [
        "file", "line", "col", "endColumn", "title",
    ]  # fmt: skip


def _log(located: list[Located]) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(_whole("sarif", located))
    return log


@pytest.mark.parametrize("count", [0, 1, 3])
def test_sarif_is_a_log_with_a_run(count: int) -> None:
    log = _log([_evil()] * count)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert len(run["results"]) == count


def test_sarif_describes_every_check() -> None:
    driver = _log([])["runs"][0]["tool"]["driver"]
    assert driver["name"] == "pairl"
    assert [row["id"] for row in driver["rules"]] == list(checks())
    assert len(driver["rules"]) == sum(len(rule.checks) for rule in RULES)
    for row in driver["rules"]:
        assert row["shortDescription"]["text"]
        # The text of a rule is long, and would stand there once for each of its checks.
        assert row["help"]["text"].startswith(f"`pairl explain {row['id']}` ")
        assert row["defaultConfiguration"]["level"] in ("error", "warning")


def test_a_sarif_result_has_what_the_format_asks_for() -> None:
    text = "\ufeff" + HEAD + "#fact share=50%\n#call tool=x @rid=c1\n#ret call=c2 status=ok\n"
    log = _log(_located(text, "deep dir/ü%.pairl", 1))
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        assert result["message"]["text"]
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "deep%20dir/%C3%BC%25.pairl"
        region = place["region"]
        assert region["startLine"] >= 1
        assert 1 <= region["startColumn"] < region["endColumn"]
        for fix in result["fixes"]:
            assert fix["description"]["text"]
            [change] = fix["artifactChanges"]
            assert change["artifactLocation"] == place["artifactLocation"]
            [replacement] = change["replacements"]
            assert replacement["deletedRegion"].keys() & {"startLine", "byteOffset"}
            assert isinstance(replacement["insertedContent"]["text"], str)
    assert [result["ruleId"] for result in run["results"]] == [
        "SYN/byte-order-mark",
        "SYN/unquoted-value",
        "V9/orphan-ret",
    ]


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b.pairl", "a%20b.pairl"),
        ("/srv/a.pairl", "file:///srv/a.pairl"),
        ("z\udcff.pairl", "z%FF.pairl"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_a_file_name_becomes_a_uri(name: str, uri: str) -> None:
    located = Located(Diagnostic("V9/status", Severity.ERROR, "wrong"), name)
    [result] = _log([located])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_text_and_its_coloured_form_differ_in_colours_only() -> None:
    drawn = _whole("text", _located(HEAD + "#fact share=50%\n"))
    assert drawn.startswith("warning[SYN/unquoted-value]: ")
    assert drawn.endswith("\n\n")
    assert drawn.isprintable() or set(drawn) & {"\n"}
