"""A conversation as a graph for Graphviz and for Mermaid, whatever its ids hold."""

from __future__ import annotations

import html
import re

import pytest

from pairl.diagnostics import excerpt
from tests.unit.traced import judged, session, waiting
from workers.trace.forest import grow
from workers.trace.graph import write_dot, write_mermaid

ODD = [
    '"]-->x["',
    "ends in \\",
    '\\N\\"',
    "&lt;b&gt;",
    "<b onclick=x>",
    "two\nlines",
    "%%{init: {}}%%",
    "end",
    "`**md**`",
    "1. list",
    "عربي",
    "\u202eabc",
    "\x1b[31m",
    "#quot;",
    "a;b|c{d}",
    "💩",
    "$$x$$",
]

_DOT_LINE = re.compile(
    r'  (?:label="(?:[^"\\]|\\.)*"|node \[shape="box"\]'
    r'|n[0-9]+ \[(?:[a-z]+="(?:[^"\\]|\\.)*"(?:, )?)+\]|n[0-9]+ -> n[0-9]+(?: \[style="dashed"\])?);'
)
_MERMAID_LINE = re.compile(
    r'  (?:n[0-9]+\["(?:[^\W_]|[ ]|#[0-9]+;|<br/>)*"\]:::[a-z]+|n[0-9]+ (?:-->|-\.->) n[0-9]+'
    r"|style n[0-9]+ stroke-width:6px|classDef [a-z]+ [a-z0-9#:, -]+)"
)


def written(marked: str | None = None) -> tuple[list[str], list[str]]:
    """Return a session with odd ids in both languages, line by line."""
    entries = [judged(ODD[0], errors=(ODD[0],), costs={ODD[1]: "1"})]
    entries += [judged(name, ODD[0], ODD[1]) for name in ODD[1:]]
    traced = session(*entries)
    forest = grow(traced, marked)
    return write_dot(traced, forest).split("\n"), write_mermaid(traced, forest).split("\n")


@pytest.mark.parametrize("marked", [None, *ODD[:3]])
def test_every_line_is_one_of_the_language_whatever_ids_hold(marked: str | None) -> None:
    dot, mermaid = written(marked)
    assert (dot[0], dot[-1], mermaid[0]) == ("digraph conversation {", "}", "flowchart TD")
    assert [line for line in dot[1:-1] if not _DOT_LINE.fullmatch(line)] == []
    assert [line for line in mermaid[1:] if not _MERMAID_LINE.fullmatch(line)] == []


def test_both_show_the_ids_as_they_are_printed() -> None:
    dot, mermaid = written()
    for number, name in enumerate(ODD):
        in_dot = next(line for line in dot if line.startswith(f"  n{number} [label="))
        label = re.sub(r"\\(.)", r"\1", in_dot.partition('"')[2])
        assert html.unescape(label).startswith(excerpt(name))
        in_mermaid = next(line for line in mermaid if line.startswith(f'  n{number}["'))
        label = re.sub("#([0-9]+);", lambda match: chr(int(match[1])), in_mermaid.partition('"')[2])
        assert label.startswith(f"{excerpt(name)}<br/>")


def test_every_parent_is_shown_answers_apart_from_dependencies() -> None:
    traced = session(judged("m1"), judged("m2", "m1"), judged("m3", "m2", "m1"), waiting("m4", "m9", "m1"))
    forest = grow(traced)
    dot, mermaid = write_dot(traced, forest).split("\n"), write_mermaid(traced, forest).split("\n")
    assert [line.strip() for line in dot if " -> " in line] == [
        "n0 -> n1;",
        "n1 -> n2;",
        'n0 -> n2 [style="dashed"];',
        "n4 -> n3;",
        'n0 -> n3 [style="dashed"];',
    ]
    assert [line.strip() for line in mermaid if re.search(r"-.*> n", line)] == [
        "n0 --> n1",
        "n1 --> n2",
        "n0 -.-> n2",
        "n4 --> n3",
        "n0 -.-> n3",
    ]
    assert '  n4["m9<br/>not here"]:::missing' in mermaid


def test_around_a_marked_message_others_are_left_out() -> None:
    traced = session(judged("m1"), judged("m2", "m1"), judged("m3", "m1"), judged("m4", "m2", "m3"))
    dot = write_dot(traced, grow(traced, "m2"))
    assert "m3" not in dot
    assert dot.count(" -> ") == 2
    assert dot.count("penwidth") == 1
