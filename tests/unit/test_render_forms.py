"""Plain text and HTML say what Markdown says, and content is only ever text in them."""

from __future__ import annotations

import html
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import pairl
from pairl.model import Message, Record
from pairl.render import Form, render
from pairl.render.visible import visible
from tests.unit.test_render_escape import ANY, HOSTILE, SAMPLE, lines
from workers.cli import app

HEAD = "@v 1\n@id m3\n@ts 2026-05-04T08:00:00Z\n\n"
ELEMENTS = frozenset({"article", "h1", "h2", "p", "ul", "li", "blockquote", "code", "em", "strong"})
BLOCKS = frozenset({"h1", "h2", "p", "li"})
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
BRACKETS = ("</article><article onload=alert(1)>", "<li class='x'>", "'\"><img src=x onerror=alert(1)>")


class Reader(HTMLParser):
    """Reads a fragment strictly: every element must be one of ours, without attributes, and be closed."""

    def __init__(self, fragment: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.blocks: list[str] = []
        self.kinds: list[str] = []
        self.feed(fragment)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS
        assert attrs == []
        assert (tag == "article") is (self.open == [])
        assert (tag == "li") is (self.open[-1:] == ["ul"])
        self.open.append(tag)
        self.kinds.append(tag)
        if tag in BLOCKS:
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if BLOCKS.isdisjoint(self.open):
            assert data == "\n"
        else:
            self.blocks[-1] += data

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)


def text_blocks(document: str) -> list[str]:
    """Return what each block of a plain text says, without what the form adds."""
    found = [line.removeprefix("- ") for line in document.split("\n") if line]
    return [line.removeprefix("> ") for line in found if not line or line.strip("=-")]


def body(records: str, form: Form) -> str:
    return render(pairl.parse(HEAD + dedent(records).strip("\n") + "\n"), form)


DIALOGUE = """
    upd{t=tide_table,m=!} @rid=a1
    #u1
    #req content="Is the ferry late? [...] Tell me."
    #msg v3 r=harbour_master parent=u1
    #rpt content="It is." mode=cond
    #evid claim="fog until noon" src=ref:log:mast conf=0.905
    #cost val=0.02 cur=USD
    #quota type=tokens total=100000 used=5000
    #quota type=tokens total=0 used=0
    """


def test_decision_40_plain_text() -> None:
    expected = """
        Message m3
        ==========

        Time: 2026-05-04T08:00:00Z

        Reports status: tide table — urgent #a1

        User (u1)
        ---------

        User asked:

        > Is the ferry late? [...] Tell me.

        harbour_master (v3, after u1)
        -----------------------------

        Summary of what harbour_master said, not a quotation: It is.

        - According to ref:log:mast: fog until noon (confidence: 0.905 (90.5%))
        - Cost: $0.02
        - Token usage: 5,000 / 100,000 (5%)
        - Token usage: 0 / 0
        """
    assert body(DIALOGUE, Form.TEXT) == dedent(expected).lstrip("\n")


def test_decision_40_html() -> None:
    expected = """
        <article>
        <h1>Message m3</h1>
        <p><em>Time:</em> 2026-05-04T08:00:00Z</p>
        <p><strong>Reports status:</strong> tide table — <em>urgent</em> <code>#a1</code></p>
        <h2>User (u1)</h2>
        <p><strong>User</strong> asked:</p>
        <blockquote><p>Is the ferry late? <em>[...]</em> Tell me.</p></blockquote>
        <h2>harbour_master (v3, after u1)</h2>
        <p><strong>Summary of what harbour_master said, not a quotation:</strong> It is.</p>
        <ul>
        <li>According to <code>ref:log:mast</code>: fog until noon (<em>confidence:</em> 0.905 (90.5%))</li>
        <li>Cost: $0.02</li>
        <li>Token usage: 5,000 / 100,000 (5%)</li>
        <li>Token usage: 0 / 0</li>
        </ul>
        </article>
        """
    assert body(DIALOGUE, Form.HTML) == dedent(expected).lstrip("\n")


@pytest.mark.parametrize(
    ("confidence", "shown"),
    [("0.9", "0.9 (90%)"), ("1", "1 (100%)"), ("0", "0 (0%)"), ("0.0004", "0.0004 (under 0.1%)")],
)
def test_confidence_is_shown_as_it_is_and_in_percent(confidence: str, shown: str) -> None:
    for form in Form:
        assert shown in body(f"#evid claim=c src=ref:a:b conf={confidence}", form)


@pytest.mark.parametrize("confidence", ["high", "9e-1", ".9", "1,0"])
def test_a_confidence_that_is_no_decimal_is_shown_as_it_is(confidence: str) -> None:
    for form in Form:
        assert "%" not in body(f'#evid claim=c src=ref:a:b conf="{confidence}"', form)


def all_values(value: str) -> Message:
    """Return a message that has `value` in every place in which content can stand."""
    kinds = ("fact", "ref", "rule", "evid", "cost", "quota", "call", "ret", "think", "edit", "odd")
    keys = ("claim", "src", "conf", "val", "cur", "type", "total", "used", "rem", "tool", "call", "status")
    pairs = {key: f"{key} {value}" for key in (*keys, "summary", "file", "other")}
    return Message(
        headers={name: f"{name} {value}" for name in ("v", "id", "sid", "deps", "budget", "odd", "hash")},
        records=[
            *[Record(kind, kind, pairs, rid=f"r {value}", m=f"m {value}") for kind in kinds],
            Record("intent", f"i {value}", {"t": f"t {value}".replace("_", "-"), "m": f"m {value}"}),
            Record("s", "s", arg=f"s {value}"),
            Record("unknown", raw=f"raw {value}", malformed=True),
            Record("marker", f"n {value}", role=f"role {value}", parent=f"p {value}"),
            Record("req", "req", {"content": f"content {value}", "mode": "cond"}),
            Record("rpt", "rpt", {"content": f"content {value}"}),
        ],
    )


def seen(document: str, form: Form) -> str:
    """Return what a reader of a document sees of it, without regard to blocks."""
    if form is Form.MARKDOWN:
        return "\n".join(lines(document))
    return document if form is Form.TEXT else "\n".join(Reader(document).blocks)


def values(message: Message) -> list[str]:
    """Return every value of a message, as it is to be seen."""
    found = list(message.headers.values())
    for record in message.records:
        others = (record.rid, record.m, record.arg, record.role, record.parent)
        found += [*record.kv.values(), *(value for value in others if value)]
    return [visible(value) for value in found if value != "cond"]


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("value", [*HOSTILE, *BRACKETS])
def test_every_value_is_seen_in_every_form(value: str, form: Form) -> None:
    message = all_values(f"{value}.")
    document = render(message, form)
    document.encode()
    assert CONTROLS.search(document) is None
    reading = seen(document, form)
    missing = [
        value for value in values(message) if value not in reading and _in_capitals(value) not in reading
    ]
    assert missing == []


def _in_capitals(value: str) -> str:
    """Return a quota's type as it is shown at the start of a line."""
    return value[:1].upper() + value[1:].replace("_", " ")


@given(st.lists(ANY, min_size=1, max_size=4))
def test_html_holds_exactly_the_values(facts: list[str]) -> None:
    records = [Record("fact", "fact", {"key": value}) for value in facts]
    records += [Record("rpt", "rpt", {"content": value}) for value in facts]
    reader = Reader(render(Message(records=records), Form.HTML))
    shown = [visible(value) or "empty" for value in facts]
    said = [line for value in shown for line in ("Assistant said:", value)]
    assert reader.blocks == ["Message", *[f"key: {value}" for value in shown], *said]


@given(st.lists(ANY, min_size=1, max_size=4))
def test_content_begins_no_line_of_a_plain_text(facts: list[str]) -> None:
    records = [Record("fact", "fact", {"key": value}) for value in facts]
    records += [Record("req", "req", {"content": value}) for value in facts]
    document = render(Message(records=records), Form.TEXT)
    shown = [visible(value) or "empty" for value in facts]
    items = "\n".join(f"- key: {value}" for value in shown)
    quotations = "\n\n".join(f"User asked:\n\n> {value}" for value in shown)
    assert document == f"Message\n=======\n\n{items}\n\n{quotations}\n"


@given(st.binary() | ANY.map(lambda noise: HEAD + noise))
def test_whatever_was_parsed_can_be_rendered_in_every_form(source: str | bytes) -> None:
    message = pairl.parse(source)
    Reader(render(message, Form.HTML))
    assert CONTROLS.search(render(message, Form.TEXT)) is None


@pytest.mark.parametrize("path", sorted(SAMPLE.glob("*.pairl")), ids=lambda path: path.stem)
def test_every_form_of_the_sample_says_the_same(path: Path) -> None:
    for source in pairl.split_messages(path.read_bytes()):
        message = pairl.parse(source)
        in_html = Reader(render(message, Form.HTML)).blocks
        assert in_html == lines(render(message))
        assert in_html == text_blocks(render(message, Form.TEXT))


def test_a_value_before_a_semicolon_is_no_entity() -> None:
    message = Message(records=[Record("fact", "fact", {"a": "&#35", "b": "R&D", "c": "&lt", "d": "x"})])
    assert lines(render(message))[1] == "a: &#35; b: R&D; c: &lt; d: x"


def test_a_speaker_of_markup_is_a_heading_all_the_same() -> None:
    for role in ("#", "a #", "- x", "  b  "):
        message = Message(records=[Record("marker", role=role)])
        assert lines(render(message)) == ["Message", role]


def test_an_omission_is_told_apart_without_changing_the_quotation() -> None:
    for content in ("a [...] b", "a [...]  [...] b", " [...] b", "a [...] ", "[...]", " [...] "):
        record = Record("rpt", "rpt", {"content": content})
        for form in Form:
            assert content in seen(render(Message(records=[record]), form), form)
    assert "<em>[...]</em>" in body('#rpt content="a [...] b"', Form.HTML)


@pytest.mark.parametrize("form", Form)
def test_time_is_linear_in_the_message(form: Form) -> None:
    """Ten times the message may take thirty times as long on a busy machine, and not a hundred times."""
    for piece in (
        "`",
        "&",
        "<",
        "\\",
        "_",
        "[...] ",
        " [...] ",
        "a://",
        "a@",
        "a@a.",
        "&#",
        "#",
        "\u202e",
        " ",
        "\\x",
    ):
        short, long = (_seconds(piece * size, form) for size in (4_000, 40_000))
        assert long < 30 * max(short, 0.002)


def _seconds(value: str, form: Form) -> float:
    records = [Record("fact", "fact", {"a": value}), Record("ref", "ref", {"a": value})]
    records.append(Record("rpt", "rpt", {"content": value}))
    message = Message(headers={"id": value}, records=records)
    started = time.process_time()
    render(message, form)
    return time.process_time() - started


def test_the_command_renders_to_each_form(tmp_path: Path) -> None:
    file = tmp_path / "two.pairl"
    file.write_text(f"{HEAD}#fact berth=7<8\n---\n{HEAD}ack\n", "utf-8")
    written = {form: CliRunner().invoke(app, ["render", "--to", form, str(file)]).stdout for form in Form}
    plain = CliRunner().invoke(app, ["render", str(file)]).stdout
    assert written[Form.MARKDOWN] == plain
    assert "- **berth:** 7\\<8\n" in plain
    assert "- berth: 7<8\n" in written[Form.TEXT]
    assert "<li><strong>berth:</strong> 7&lt;8</li>\n" in written[Form.HTML]
    assert written[Form.HTML].count("</article>") == 2
    assert html.unescape(written[Form.HTML]).count("7<8") == 1
