"""Conversations in plain text, recognised only where two roles take turns, or a user has begun.

All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.plain_text import FORMAT
from tests.unit.outlines import notices, outline

OUTLINE = [("user", "Is it far?"), ("assistant", "Two hours.\n\nBy boat, one."), ("user", "Thanks.")]


@pytest.mark.parametrize(
    "text",
    [
        "user: Is it far?\nassistant: Two hours.\n\nBy boat, one.\nuser: Thanks.\n",
        "User: Is it far?\n\nAssistant: Two hours.\n\nBy boat, one.\n\nUser: Thanks.",
        "**User:** Is it far?\n\n**Assistant:** Two hours.\n\nBy boat, one.\n\n**User**: Thanks.",
        "## User\n\nIs it far?\n\n## Assistant:\n\nTwo hours.\n\nBy boat, one.\n\n## **User**\nThanks.",
        "# A talk\n\n---\n\nHuman: Is it far?\nAI: Two hours.\n\nBy boat, one.\nHuman:\nThanks.",
    ],
)
def test_every_style_says_the_same(text: str) -> None:
    assert FORMAT.recognise(text)
    history = FORMAT.read(text)
    assert outline(history) == OUTLINE
    assert len(history.items) == 3
    assert not history.notices


@pytest.mark.parametrize("text", ["user: Is it far?", "User: Far?\nI am at the quay.", "user: a\nuser: b"])
def test_a_user_who_has_no_answer_yet_is_recognised(text: str) -> None:
    assert FORMAT.recognise(text)


def test_line_ends_inside_a_text_stay_as_they_are() -> None:
    history = FORMAT.read("user: one\r\n  two\r\n\r\nassistant: three\r\n")
    assert outline(history) == [("user", "one\r\n  two"), ("assistant", "three")]


def test_a_text_keeps_to_the_style_that_it_begins_with() -> None:
    text = "**User:** Write YAML.\n**Assistant:** Here:\nuser: root\nsystem: linux\n**User:** Good."
    assert outline(FORMAT.read(text)) == [
        ("user", "Write YAML."),
        ("assistant", "Here:\nuser: root\nsystem: linux"),
        ("user", "Good."),
    ]


def test_what_stands_in_a_block_of_code_names_nobody() -> None:
    text = "user: Write YAML.\nassistant: Here:\n```yaml\nuser: root\n```\nDone.\nuser: Good."
    assert outline(FORMAT.read(text)) == [
        ("user", "Write YAML."),
        ("assistant", "Here:\n```yaml\nuser: root\n```\nDone."),
        ("user", "Good."),
    ]


def test_a_block_of_code_that_does_not_end_hides_nobody() -> None:
    assert len(FORMAT.read("user: a\nassistant: ```\ncode\nuser: b").turns) == 3
    assert len(FORMAT.read("user: a\nassistant: x\n```\ncode\nuser: b").turns) == 3


def test_other_words_with_a_colon_are_text() -> None:
    text = "user: a\nNote: b\nhttp://user:x\nassistant: c\nuserland: d"
    assert outline(FORMAT.read(text)) == [
        ("user", "a\nNote: b\nhttp://user:x"),
        ("assistant", "c\nuserland: d"),
    ]


def test_an_empty_turn_is_a_turn() -> None:
    assert outline(FORMAT.read("user:\nassistant: Yes?")) == [("user",), ("assistant", "Yes?")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Just prose.",
        "assistant: alone",
        "user: root\nhost: quay\nport: 3",
        "A long story.\nuser: a\nassistant: b",
        "Anna: a\nBen: b",
        "https://user:pass@host\nassistant",
    ],
)
def test_other_texts_are_not_recognised(text: str) -> None:
    assert not FORMAT.recognise(text)


def test_text_above_is_told_where_the_format_is_asked_for() -> None:
    history = FORMAT.read("A long story.\nuser: a\nassistant: b")
    assert outline(history) == [("user", "a"), ("assistant", "b")]
    assert notices(history) == {"text above the first that is said": (1, 13)}


@pytest.mark.parametrize("value", ["", "Just prose.", None, {}, Lines([])])
def test_a_text_that_names_nobody_is_refused(value: object) -> None:
    with pytest.raises(NotATranscript, match="no line of the text says who speaks"):
        FORMAT.read(value)


@pytest.mark.parametrize(
    ("text", "unfinished"),
    [
        ("user: Is it far?\nassistant: Two", 1),
        ("user: Like this?\n```\nassistant: Two hours.\n```\nassistant: Yes.", 1),
        ("user: Like this?\n```\nassistant: Two hours.\nassistant: Yes.", 0),
    ],
)
def test_the_last_turn_or_that_of_an_open_fence_is_not_finished(text: str, unfinished: int) -> None:
    turns = FORMAT.read(text).turns
    assert [index for index, turn in enumerate(turns) if turn.is_unfinished] == [unfinished]
