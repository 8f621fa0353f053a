"""Content stays content: whatever a message holds, a Markdown renderer shows just that.

What is rendered here is rendered once more, to tokens, by an independent CommonMark parser.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import pairl
from pairl.model import Message, Record
from pairl.render import render
from pairl.render.escape import code, first, last_in_heading, text
from pairl.render.visible import visible

HEAD = "@v 1\n@id m3\n@ts 2026-05-04T08:00:00Z\n\n"
SAMPLE = Path(__file__).parents[2] / "workers" / "sample"
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = frozenset({"text", "text_special", "code_inline"}) | {
    f"{style}_{end}" for style in ("em", "strong") for end in ("open", "close")
}
"""What the renderer uses within a line. A link, an image or HTML would be the content's doing."""


def tokens(document: str) -> list[Token]:
    return [child for token in COMMONMARK.parse(document) for child in (token, *(token.children or ()))]


def lines(document: str) -> list[str]:
    """Return the text that a reader sees of each paragraph, heading and item."""
    return [
        "".join(child.content for child in token.children or ())
        for token in COMMONMARK.parse(document)
        if token.type == "inline"
    ]


def assert_only_our_markup(document: str, headings: int = 1) -> None:
    found = tokens(document)
    inline = {child.type for token in found for child in token.children or ()}
    assert inline <= OURS
    kinds = [token.type for token in found]
    assert kinds.count("heading_open") == headings
    assert not {"html_block", "fence", "code_block", "hr", "table_open", "ordered_list_open"} & set(kinds)


HOSTILE = (
    "*bold* _it_ __b__ **x** ~~gone~~ `code` ``",
    "# heading",
    "- item",
    "+ item",
    "1. item",
    "2) item",
    "> quote",
    "---",
    "===",
    "***",
    "```sh",
    "    indented code",
    "\tindented code",
    "<b>bold</b><!-- --><script>alert(1)</script>",
    "<https://evil.example> <x@evil.example>",
    "https://evil.example/a_b_(c)?q=`x`. And www.evil.example, too",
    "[text](https://evil.example) ![img](javascript:alert(1)) [ref][x] [^1]",
    "[x]: https://evil.example",
    "javascript:alert(1) JAVASCRIPT://%0aalert(1) data:text/html,x",
    "&amp; &#60;b&#62; &nosuch; AT&T",
    "| a | b |",
    "C:\\temp\\*x \\_ \\",
    "a\\`https://evil.example`",
    "snake_case __init__ _private trailing_",
    "  spaces around  ",
    "\u00a0no-break\u3000",
    "ends in #",
    "## ##",
    "\x1b[31mred\x1b[0m \x00 \x0b \x0c \x85 \r \r\n# heading",
    "\u202etxt.exe\u2066\u2069 \u2028# heading\u2029 \ufeff \U000e0041",
    "\ud800",
    "5 < 6 and 7 > 6 && 1 * 2",
)


@pytest.mark.parametrize("value", HOSTILE)
def test_every_place_shows_exactly_the_value(value: str) -> None:
    pairs = {"claim": value, "src": value, "conf": value, "x": value}
    message = Message(
        headers={"v": value, "id": value, "sid": value, "deps": value, "budget": value, "odd": value},
        records=[
            Record("fact", "fact", {"k": value}, rid=value, m=value),
            Record("evid", "evid", pairs),
            Record("cost", "cost", {"val": value, "cur": value, "model": value}),
            Record("quota", "quota", {"type": value, "total": value, "used": value, "rem": value}),
            Record("call", "call", {"tool": value, "cmd": value}),
            Record("odd", "odd", {"k": value}),
            Record("intent", value, {"t": value, "m": value, "odd": value}),
            Record("req", "req", {"content": value}),
            Record("rpt", "rpt", {"content": value, "mode": "cond"}),
            Record("s", "s", arg=value),
            Record("unknown", raw=value, malformed=True),
            Record("marker", value, role=value, parent=value),
        ],
    )
    document = render(message)
    document.encode()
    assert_only_our_markup(document, headings=2)
    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", document) is None
    seen = lines(document)
    exact = visible(value)
    assert seen[0] == f"Message {exact}"
    assert seen[1].startswith(f"Version: {exact} · Session: {exact} · Depends on: {exact} · Budget: ")
    for line in (
        f"According to {exact}: {exact} (confidence: {exact}; x: {exact})",
        f"Called {exact} (cmd: {exact})",
        f"Record #odd (k: {exact})",
        exact,
        f"Line not understood: {exact}",
        f"State: {exact}",
        f"Summary of what Assistant said, not a quotation: {exact}",
    ):
        assert line in seen


def test_plain_values_stay_plain() -> None:
    for value in ("snake_case", "a-b", "1.5", "(x)", "50%", "R&D", "C:\\temp", "#1", "x < y", "“é”", "m=+"):
        assert text(value) == value


def test_a_web_address_is_code_and_never_a_link() -> None:
    assert text("see https://a.example/x_y, please") == "see `https://a.example/x_y`, please"
    assert text("www.a.example.") == "`www.a.example`."
    assert text("ask crew_1@a.example, or @m1#f2") == "ask `crew_1@a.example`, or @m1#f2"


# --- properties ----------------------------------------------------------------------------------

ANY = st.text(st.characters(exclude_categories=())) | st.text("\\`*_[]<>&;#!-+=~|() \tax1.:/w\n")


@given(ANY)
def test_text_shows_exactly_the_value(value: str) -> None:
    for document, prefix in ((f"- k: {text(value)} x", "k: "), (f"> {first(value)}~", "")):
        assert_only_our_markup(document, headings=0)
        assert [line[:-2] if prefix else line[:-1] for line in lines(document)] == [prefix + visible(value)]


@given(ANY.filter(bool))
def test_code_shows_exactly_the_value(value: str) -> None:
    document = f"- k {code(value)}"
    assert_only_our_markup(document, headings=0)
    assert lines(document) == [f"k {visible(value)}"]


@given(ANY.filter(bool))
def test_a_heading_shows_exactly_the_value(value: str) -> None:
    document = f"# Message {last_in_heading(value)}\n"
    assert_only_our_markup(document)
    assert lines(document) == [f"Message {visible(value)}"]


@given(st.dictionaries(st.from_regex("[a-z][a-z0-9_]{0,9}", fullmatch=True), ANY, min_size=1, max_size=4))
def test_every_fact_is_seen_by_the_reader(facts: dict[str, str]) -> None:
    document = render(Message(records=[Record("fact", "fact", {key: value}) for key, value in facts.items()]))
    assert lines(document)[1:] == [f"{key}: {visible(value) or 'empty'}" for key, value in facts.items()]


@given(st.binary() | ANY | ANY.map(lambda noise: HEAD + noise))
def test_whatever_was_parsed_can_be_rendered(source: str | bytes) -> None:
    document = render(pairl.parse(source))
    document.encode()
    assert document.endswith("\n")
    assert not document.endswith("\n\n")


@pytest.mark.parametrize("path", sorted(SAMPLE.glob("*.pairl")), ids=lambda path: path.stem)
def test_the_sample_conversation_is_shown_in_full(path: Path) -> None:
    for source in pairl.split_messages(path.read_bytes()):
        message = pairl.parse(source)
        document = render(message)
        turns = {record.name if record.kind == "marker" else record.m for record in message.records}
        assert_only_our_markup(document, headings=1 + len(turns - {None}))
        seen = "\n".join(lines(document))
        for record in message.records:
            if record.kind in ("fact", "evid", "ref", "rule", "call", "think", "edit"):
                assert [value for value in record.kv.values() if value not in seen] == []
            assert record.malformed or record.rid is None or f"`#{record.rid}`" in document


def test_damaged_samples_can_be_rendered() -> None:
    chance = random.Random(16)
    sources = [
        source for path in SAMPLE.glob("*.pairl") for source in pairl.split_messages(path.read_bytes())
    ]
    for _ in range(1_000):
        damaged = bytearray(chance.choice(sources))
        for _ in range(chance.randrange(1, 12)):
            start = chance.randrange(len(damaged))
            noise = chance.choice(
                (b'"', b"\n", b"\n#u1\n", b"\n#msg ", b"@m=", b"[", b"`", b"\\", b"\x1b", b"")
            )
            damaged[start : start + chance.randrange(6)] = noise
        assert render(pairl.parse(bytes(damaged))).endswith("\n")
