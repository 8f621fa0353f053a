"""Edits: which findings carry one, what is safe, and how a text is changed by them."""

from __future__ import annotations

import msgspec
import pytest

from pairl import compute_hash, parse, validate
from pairl.diagnostics import LONGEST_EDIT, Edit
from pairl.edits import apply_edits, mend
from pairl.rules import Policy

HEAD = "@v 1\n@id m1\n@ts 2026-05-04T10:00:00Z\n\n"
STRICT = Policy(strict=True)


def _mended(text: str, policy: Policy = STRICT) -> str:
    return mend(text.encode(), policy).data.decode()


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("#fact share=50%", '#fact share="50%"'),
        ('#fact said=a"b', r'#fact said="a\"b"'),
        ("#fact a=50%,b=60% @rid=f1", '#fact a="50%",b="60%" @rid=f1'),
        ("ack{ }", "ack{}"),
        ("upd{ t=pool,  s=f }", "upd{t=pool,s=f}"),
        ("upd{t=pool s=f}", "upd{t=pool,s=f}"),
        ("upd{t=pool}@rid=a1", "upd{t=pool} @rid=a1"),
        ("#cost[val,cur]\n0.02 USD%", '#cost[val,cur]\n0.02 "USD%"'),
        ("  #fact share=50%  ", '  #fact share="50%"  '),
    ],
)
def test_what_is_safe_is_mended(line: str, mended: str) -> None:
    assert _mended(HEAD + line) == HEAD + mended
    assert validate(parse(HEAD + mended), strict=True).valid


@pytest.mark.parametrize(
    "line",
    [
        "#fact amount=1,000",
        "#fact a = 1",
        "#fact a= b=2",
        "upd{t=some words}",
        "upd{t=pool ,s=f}",
        "frob{t=x}",
        "#fcat a=1",
        "look here",
        "#cost[val,cur]\n0.02 USD\nack{ }",
        "#call tool=x @rid=c1\n#ret call=c2 status=ok",
        f"#fact long={'%' * LONGEST_EDIT}",
    ],
)
def test_what_could_have_been_meant_otherwise_is_left_alone(line: str) -> None:
    result = mend((HEAD + line).encode(), STRICT)
    assert (result.data.decode(), result.count) == (HEAD + line, 0)
    assert result.report.diagnostics


@pytest.mark.parametrize(
    "line",
    [
        "#fact rows=1@rid=f1",
        "#call tool=a@rid=c1",
        '#fact rows="1"@rid=f1',
        "#fact name='orders table'",
        "#fact name=\u201corders\u201d",
        "#fact share=50% of all",
        '#evid claim="x" src=@m2 conf=95%',
    ],
)
def test_a_value_that_was_most_likely_meant_otherwise_is_not_quoted(line: str) -> None:
    assert _mended(f"{HEAD}{line}\n") == f"{HEAD}{line}\n"


def test_the_layout_around_the_headers_is_mended_as_the_file_is_written() -> None:
    text = "\ufeff@v 1.6\r\n@id m1\r\n@ts 2026-05-04T10:00:00Z\r\n#fact a=1\r\n"
    assert _mended(text) == HEAD.replace("\n", "\r\n") + "#fact a=1\r\n"


def test_a_message_that_is_valid_or_carries_its_hash_keeps_its_version() -> None:
    text = HEAD.replace("@v 1", "@v 1.6") + "#fact a=1\n"
    assert _mended(text, Policy(strict=False)) == text
    hashed = text.replace("\n\n", f"\n@hash ref:hash:sha256:{compute_hash(parse(text))}\n\n")
    assert _mended(hashed) == hashed


def test_an_edit_that_would_bring_another_error_to_light_is_not_made() -> None:
    text = HEAD.replace("\n\n", f"\n@hash ref:hash:sha256:{'0' * 64}\n\n") + "ack{}@rid=a1\n"
    assert not any("V5/mismatch" in line for line in validate(parse(text), strict=True).errors)
    assert _mended(text) == text


def test_more_faults_than_are_listed_are_mended_too() -> None:
    result = mend((HEAD + "#fact share=50%\n" * 70).encode(), STRICT)
    assert (result.count, result.report.diagnostics) == (70, [])


def test_bytes_that_are_no_text_are_left_alone() -> None:
    data = HEAD.encode() + b"#fact share=50% a=\xff\n"
    assert mend(data, STRICT).data == data


@pytest.mark.parametrize(
    ("edits", "text", "made"),
    [
        ([Edit(1, 1, 1, "A"), Edit(1, 3, 1, "C")], "AbC\nxyz", 2),
        ([Edit(1, 2, 2, "-"), Edit(1, 3, 1, "C")], "a-\nxyz", 1),
        ([Edit(2, 4, 0, "!")], "abc\nxyz!", 1),
        ([Edit(2, 1, 0, "\n")], "abc\n\nxyz", 1),
        ([Edit(2, 1, 0, "1"), Edit(2, 1, 0, "2")], "abc\n1xyz", 1),
        ([Edit(1, 0, 1, ""), Edit(9, 1, 1, ""), Edit(1, 3, 9, ""), Edit(0, 0, 0, "x")], "abc\nxyz", 0),
    ],
)
def test_edits_that_overlap_or_lie_outside_are_not_made(edits: list[Edit], text: str, made: int) -> None:
    assert apply_edits("abc\nxyz", edits) == (text, made)


@pytest.mark.parametrize(
    ("text", "code", "edited"),
    [
        ("frob{}\nupt{t=x}", "SYN/unknown-intent", "upd{t=x}"),
        ("#fcat a=1", "SYN/unknown-record", "#fact a=1"),
        ("#req content=x mode=cnod", "SYN/unknown-mode", "#req content=x mode=cond"),
        ("#call tool=x @rid=c1\n#ret call=c2 status=ok", "V9/orphan-ret", "#ret call=c1 status=ok"),
        ("#call tool=x @rid=c1\n#ret call=c1 status=failed", "V9/status", "#ret call=c1 status=err"),
        ("#u1\n#fact a=1 @m=u2", "V11/undeclared-turn", "#fact a=1 @m=u1"),
        (
            '#ref report=ref:a:b\n#evid claim="x" src=reprot conf=0.5',
            "V2/undeclared-source",
            '#evid claim="x" src=report conf=0.5',
        ),
        ("#fact amount=1,000", "SYN/comma", '#fact amount="1,000"'),
        ("#fact a= 1", "SYN/spaces-around-equals", "#fact a=1"),
        ("#fact a  =  1", "SYN/spaces-around-equals", "#fact a=1"),
        ("#fact a= b=2", "SYN/empty-value", '#fact a="" b=2'),
        ('see "this"', "SYN/free-text", r'#fact note="see \"this\""'),
        ("#fact desc=orders of yesterday a=1", "SYN/bare-token", '#fact desc="orders of yesterday" a=1'),
        ("#fact name='orders table'", "SYN/bare-token", '#fact name="orders table"'),
    ],
)
def test_a_guess_is_offered_and_not_called_safe(text: str, code: str, edited: str) -> None:
    source = HEAD + text
    [edit] = [
        found.edit
        for found in validate(parse(source), strict=True).diagnostics
        if found.code == code and found.edit is not None
    ]
    assert not edit.safe
    assert apply_edits(source, [edit])[0].split("\n")[-1] == edited


@pytest.mark.parametrize(
    ("header", "code", "edited"),
    [
        ("@ts 2026-05-04 10:00:00z", "HDR/timestamp", "@ts 2026-05-04T10:00:00Z"),
        ("@budgte 1USD", "HDR/unknown-header", "@budget 1USD"),
        ("@root: m0", "HDR/malformed-header", "@root m0"),
        ("@root=m0", "HDR/malformed-header", "@root m0"),
    ],
)
def test_a_header_is_guessed_at(header: str, code: str, edited: str) -> None:
    name = header[:3]
    source = "\n".join([*[line for line in HEAD.rstrip().split("\n") if not line.startswith(name)], header])
    found = validate(parse(f"{source}\n\n#fact a=1\n"), strict=True).diagnostics
    [edit] = [each.edit for each in found if each.code == code]
    assert edit is not None
    assert apply_edits(source, [edit])[0].split("\n")[-1] == edited


def test_the_hash_of_the_message_is_offered_for_a_wrong_one() -> None:
    text = HEAD.replace("\n\n", f"\n@hash ref:hash:sha256:{'0' * 64}\n\n") + "#fact a=1\n"
    [found] = validate(parse(text), strict=True).diagnostics
    assert found.edit is not None
    assert not found.edit.safe
    assert validate(parse(apply_edits(text, [found.edit])[0]), strict=True).diagnostics == []


@pytest.mark.parametrize("odd", ["\ud800%", "%" * (LONGEST_EDIT - 1)])
def test_a_text_that_cannot_travel_is_no_edit(odd: str) -> None:
    [found] = [each for each in parse(f"{HEAD}#fact a={odd}\n").findings if each.code == "SYN/unquoted-value"]
    assert found.edit is None


def test_a_flood_of_edits_stays_small() -> None:
    value = "%" * (LONGEST_EDIT - 10)
    lines = [
        *[f"#fact a={value} b= c=1,{value}", f"please {value}", f"upd{{ t={value} }}"],
        *[
            f"#ret call={value} status={value}",
            f"#call tool=x @rid={value}",
            f"#fact a= {value}",
            "#zact a=1",
        ],
    ]
    report = validate(parse(HEAD + "\n".join(lines * 100)), strict=True)
    assert len(report.diagnostics) > 150
    assert len(msgspec.json.encode(report)) < 300_000
