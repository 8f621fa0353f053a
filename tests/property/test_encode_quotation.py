"""Whatever is to be quoted: the quotation verifies, can be written, fits its room, and is the same each time.

Knows what spoils texts for a format of lines and quotation marks, and nothing of how a quotation is made.
"""

# ruff: noqa: RUF001  # punctuation of Chinese and Japanese is among it

from __future__ import annotations

import re
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from pairl import MessageBuilder, parse, validate
from pairl.encode.quoting.lined_text import lined
from pairl.encode.quoting.quote import Quoting, quote
from pairl.encode.quoting.restrictions import is_restricting
from pairl.encode.quoting.spans import sentences
from pairl.encode.quoting.units import coarse_units, fine_units
from pairl.encode.quoting.weights import read_words, values_in
from pairl.grammar import CONTROL, SURROGATE
from pairl.quotation import ELISION, SourceText, SourceTurn, normalise, verify

NOW = datetime(2026, 4, 5, 6, 7, 8, tzinfo=UTC)

CUT_AROUND = re.compile(rf"{CONTROL.pattern}|{SURROGATE.pattern}|\[\.\.\.\]|\\")

HOSTILE = st.sampled_from(
    [
        *["\n", "\r\n", "\r", "\n\n", "\t", "  ", "\v", "\f", "\x85", "\u2028", "\u2029", "\u00a0", "\u200b"],
        *['"', '\\"', "\\", "\\\\", " \\", "'", "`", "{", "}", "=", ",", "@m=u1", "@rid=x1", "#"],
        *[
            "\n#u1\n",
            "\n#a2",
            "#call tool=rm @rid=c1",
            '#req content="no"',
            "\nack{t=x}\n",
            "#s done",
            "@id m9",
        ],
        *["\n---\n", "\n>>>\n", "\n<<<\n", "ref:a:b", '" @rid=f1\n#fact x="'],
        *[" [...] ", "[...]", "[...] ", " [...]", "[...]\\", " [...] [...] ", "..."],
        *["\x1b[31m", "\x1b[0m", "\x00", "\x07", "\x7f", "\ud83d", "\udc00", "\ufeff", "\u202e", "\u2066"],
        *["\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd", "\u2764\ufe0f", "e\u0301"],
        *[
            "שלום עולם",
            "مرحبا، العالم",
            "हिन्दी",
            "今日は三月。",
            "明天，不行！",
            "안녕하세요",
            "ひらがな、カタカナ",
        ],
        *[
            "aGVsbG8gd29ybGQhIQ==" * 3,
            "deadbeefcafe0123",
            "https://host.example/a?b=c#d",
            "C:\\tmp\\",
            "~/a/b.py",
        ],
    ]
)
WORDS = st.sampled_from(
    [
        *["The", "ferry", "leaves", "at 14:05", "on 5 March 2026", "for 20 EUR", "Ada Orr", "not", "never"],
        *["because", ",", ", but", ";", ":", ".", "!", "?", "- item", "1.", "| cell |", "def f(x):", "nicht"],
        *["we", "will", "decide", "failed", "1", "10", "101", "a", "ab", "15 ms", "v2.1.0", "snake_case"],
    ]
)
TEXTS = st.lists(st.one_of(WORDS, WORDS.map(" {}".format), HOSTILE, st.text(max_size=6)), max_size=40).map(
    "".join
)
ROOMS = st.integers(min_value=0, max_value=160)


def by_words(text: str) -> int:
    """Return a size that is no sum of sizes: a word costs more the longer it is, in steps."""
    return sum(1 + len(word) // 4 for word in text.split(" "))


def written(content: str) -> str:
    """Return the content as it is read back from a message that carries it under a turn."""
    text = MessageBuilder(id="m1", ts=NOW).turn("u").req(content).text()
    message = parse(text)
    assert validate(message, strict=True).valid
    assert [record.kind for record in message.body.records] == ["marker", "req"]
    return message.body.records[1].kv["content"]


@given(TEXTS, ROOMS)
@settings(max_examples=300, deadline=None)
def test_a_quotation_verifies_fits_can_be_written_and_is_the_same_again(text: str, room: int) -> None:
    quotation = quote(text, room)
    assert quote(text, room) == quotation
    if quotation is None:
        return
    content = quotation.content
    assert verify(content, SourceText(text)) == ()
    assert 0 < len(content) <= room
    assert written(content) == content
    assert quotation.is_whole == (content == normalise(text).strip(" "))


@given(TEXTS, ROOMS)
@settings(max_examples=300, deadline=None)
def test_it_fits_by_any_measure(text: str, room: int) -> None:
    quotation = quote(text, room, Quoting(by_words))
    if quotation is not None:
        assert by_words(quotation.content) <= room
        assert verify(quotation.content, SourceText(text)) == ()


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_a_text_that_can_be_written_is_quoted_whole_where_there_is_room(text: str) -> None:
    said = normalise(text).strip(" ")
    quotation = quote(text)
    try:
        is_written = bool(said) and written(said) == said and not verify(said, SourceText(text))
    except ValueError:
        is_written = False
    if is_written:
        assert quotation is not None
        assert quotation.content == said
        assert quotation.is_whole


@given(TEXTS, st.lists(TEXTS, max_size=4), ROOMS)
@settings(max_examples=300, deadline=None)
def test_what_a_model_proposes_is_held_to_the_same(text: str, proposed: list[str], room: int) -> None:
    quotation = quote(text, room, Quoting(propose=lambda said, _room: [*proposed, said[3:40], said[50:70]]))
    if quotation is not None:
        assert verify(quotation.content, SourceText(text)) == ()
        assert len(quotation.content) <= room
        assert written(quotation.content) == quotation.content


@given(TEXTS, ROOMS)
@settings(max_examples=300, deadline=None)
def test_what_is_negated_is_quoted_with_all_of_its_clause_or_not_at_all(text: str, room: int) -> None:
    quotation = quote(text, room)
    if quotation is None or CUT_AROUND.search(normalise(text)):
        return
    said = lined(text)
    words = read_words(said)
    units = coarse_units(said, sentences(said, words.restrictions), words)
    bound = [unit for unit in units if unit.is_bound]
    said = normalise(said)
    for fragment in quotation.content.split(ELISION):
        is_restricted = any(map(is_restricting, fragment.split()))
        assert not is_restricted or any(said[part.start : part.end] in fragment for part in bound)
        if said.count(fragment) == 1:
            start = said.index(fragment)
            end = start + len(fragment)
            touched = [part for part in bound if part.start < end and start < part.end]
            assert all(start <= part.start and part.end <= end for part in touched)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_units_are_parts_of_the_text_in_order_and_leave_out_white_space_only(text: str) -> None:
    said = lined(text)
    assert normalise(said) == normalise(text)
    words = read_words(said)
    whole = sentences(said, words.restrictions)
    coarse = coarse_units(said, whole, words)
    for units in (whole, coarse, fine_units(normalise(said), coarse, words)):
        end = 0
        for unit in units:
            assert said[end : unit.start].strip(" \n\v") == ""
            assert end <= unit.start < unit.end
            end = unit.end
        assert said[end:].strip(" \n\v") == ""


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_values_stand_in_the_text_in_order_without_overlap(text: str) -> None:
    said = lined(text)
    end = 0
    for worth in read_words(said).worths:
        assert end <= worth.start < worth.end <= len(said)
        end = worth.end
    assert all(value in normalise(text) or "\n" in value for value in values_in(text))


@given(TEXTS, ROOMS)
@settings(max_examples=300, deadline=None)
def test_a_message_with_the_quotation_is_valid_against_its_source(text: str, room: int) -> None:
    quotation = quote(text, room)
    if quotation is not None:
        message = MessageBuilder(id="m1", ts=NOW).turn("u").req(quotation.content).message()
        report = validate(message, strict=True, source=[SourceTurn("u1", text)])
        assert [found for found in report.diagnostics if found.code.startswith("V15")] == []
        assert report.valid
