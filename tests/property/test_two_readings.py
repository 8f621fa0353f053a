"""A well-formed line is read by one regular expression; the slow reading must find the same in it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairl import grammar
from pairl.columnar import _read_odd_row, open_block, read_row
from pairl.diagnostics import Findings
from pairl.headers import _read_odd_block, read_headers
from pairl.lines import read_line
from pairl.scanner import Scanner
from pairl.well_formed import find_lines, read_special, read_well_formed
from tests.property.texts import ATOMS, FRAGMENTS, FREE_TEXT, INTENTS, QUOTED, RECORDS, TAGS

LINES = st.one_of(
    RECORDS,
    INTENTS,
    st.sampled_from(
        ["ack", "ack{}", "org.a.b", "#s done", "#s x @rid=s1", "ack{m=!}", "#ref a=@m1#a2 b=ref:a:b?c=d"]
    ),
    st.lists(st.one_of(FRAGMENTS, FREE_TEXT), min_size=1, max_size=6).map("".join),
).map(lambda text: text.replace("\n", "").replace("\r", "").strip(" \t"))


@settings(max_examples=500)
@given(LINES)
@example("#fact a=1 @m=u1 @rid=f1")
@example('#fact a="x \\" y" b=""')
@example("3.5")
def test_the_slow_reading_agrees_with_the_quick_one(line: str) -> None:
    (parts,) = find_lines(line)
    quick = read_well_formed(parts, 7) or read_special(line, 7)
    if quick is None or quick.kind == "marker":
        return
    findings = Findings()
    assert read_line(line, 7, 0, findings) == quick
    assert findings.listing() == []


ROWS = st.one_of(
    st.lists(
        st.one_of(ATOMS, QUOTED, st.sampled_from(["@m1#a2", "ref:url:x?y=z"])), min_size=1, max_size=4
    ).map(" ".join),
    LINES,
)


@settings(max_examples=300)
@given(ROWS, TAGS, st.integers(1, 4))
def test_both_readings_of_a_row_agree(row: str, tags: str, columns: int) -> None:
    text = row + tags
    header = f"#call[{','.join('abcd'[:columns])}]"
    quick_block, slow_block = open_block(header, 1), open_block(header, 1)
    assert quick_block is not None
    assert slow_block is not None
    quick_findings, slow_findings = Findings(), Findings()
    quick = read_row(quick_block, text, 2, 0, quick_findings)
    slow = _read_odd_row(slow_block, Scanner(text, 2, 0, slow_findings))
    assert (quick, quick_block) == (slow, slow_block)
    assert quick_findings.listing() == slow_findings.listing()
    if grammar.ROW.fullmatch(text):
        assert {finding.code for finding in slow_findings.listing()} <= {"V12/field-count"}


HEADER_LINES = st.lists(
    st.one_of(
        st.builds("@{} {}".format, st.sampled_from(["v", "id", "ts", "p", "x"]), st.one_of(ATOMS, FREE_TEXT)),
        st.sampled_from(
            ["@v 1", "@id  m1", " @p m1", "@p m1 ", "@v", "", "---", "#fact a=1", "free text", "\t"]
        ),
    ),
    max_size=6,
).map("\n".join)


@settings(max_examples=300)
@given(HEADER_LINES)
def test_both_readings_of_a_header_block_agree(block: str) -> None:
    text = block + "\n\n#fact a=1\n"
    quick_findings, slow_findings = Findings(), Findings()
    quick, slow = read_headers(text, quick_findings), _read_odd_block(text, slow_findings)
    assert quick[0] == slow[0]
    assert list(quick[0]) == list(slow[0])
    assert quick_findings.listing() == slow_findings.listing()
    assert text[quick[1] :].lstrip("\n") == text[slow[1] :].lstrip("\n")
    # The body's first line may be counted from the blank line or behind it, but it is the same line.
    assert text.count("\n", 0, quick[1]) + 1 == quick[2]
    assert min(text.count("\n", 0, slow[1]) + 1, slow[2]) == slow[2]


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n", "a\n\nb", "\n\n", " \n#fact a=1\n"])
def test_every_line_has_parts(text: str) -> None:
    lines = text.split("\n")
    assert [parts[0] or parts[-1] for parts in find_lines(text)] == lines
