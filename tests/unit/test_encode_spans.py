"""What a text is cut into: sentences, items, lines, clauses; and what a restriction keeps together."""

# ruff: noqa: RUF001  # punctuation of Chinese and Japanese is what is tested

from __future__ import annotations

import pytest

from pairl.encode.quoting.clauses import clause_ends
from pairl.encode.quoting.lined_text import lined
from pairl.encode.quoting.restrictions import RESTRICTIONS, Restrictions, is_restricting
from pairl.encode.quoting.spans import pieces, sentences
from pairl.encode.quoting.weights import read_words

SPACES = str.maketrans("\n\v", "  ")


def cut(text: str) -> list[str]:
    said = lined(text)
    spans = sentences(said, read_words(said).restrictions)
    return [said[span.start : span.end].translate(SPACES) for span in spans]


def cut_finer(text: str) -> list[str]:
    said = lined(text)
    words = read_words(said)
    parts = [
        part
        for one in sentences(said, words.restrictions)
        for part in pieces(
            said, clause_ends(said, one, words.restrictions, words.conditions), one.start, one.end
        )
    ]
    return [said[part.start : part.end].translate(SPACES) for part in parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two. Three four! Five six? Seven", ["One two.", "Three four!", "Five six? Seven"]),
        ('She said "go." Then she went.', ['She said "go."', "Then she went."]),
        ("Wait... and see. Good.", ["Wait... and see.", "Good."]),
        ("Ask Dr. Orr, e.g. Ann, at 3.5 m. Then row.", ["Ask Dr. Orr, e.g. Ann, at 3.5 m.", "Then row."]),
        (
            "Am 5. Mai fahren wir z. B. ans Meer. Kommst du?",
            ["Am 5. Mai fahren wir z. B. ans Meer.", "Kommst du?"],
        ),
        ("Ann J. Orr came. We left.", ["Ann J. Orr came.", "We left."]),
        ("Tea:\n- black\n- green\n\nMilk", ["Tea:", "- black", "- green", "Milk"]),
        ("1. Boil it.\n2) Pour it.\na) Stir", ["1. Boil it.", "2) Pour it.", "a) Stir"]),
        ("* one\n\u2022 two\n+ three", ["* one", "\u2022 two", "+ three"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "|---|---|", "| 1 | 2 |"]),
        ("x = 1\nprint(x)\n", ["x = 1 print(x)"]),
        ("X = 1\nPrint(X)\n", ["X = 1", "Print(X)"]),
        ("The ferry that goes\r\nto the island is late.", ["The ferry that goes to the island is late."]),
        ("One line\n\nand another", ["One line", "and another"]),
        (
            "今日は三月。明日は四月！「はい。」と言う",
            ["今日は三月。", "明日は四月！", "「はい。」", "と言う"],
        ),
        ("你好，世界。再见", ["你好，世界。", "再见"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_text_is_cut_into_sentences_items_and_lines(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "We leave early on Friday, because the tide is low; bring your boots (rubber)",
            ["We leave early on Friday,", "because the tide is low;", "bring your boots (rubber)"],
        ),
        ("In short, go", ["In short, go"]),
        ("1,000 boats at 14:05 sharp", ["1,000 boats at 14:05 sharp"]),
        (
            "我们星期五出发去岛上看日出，带上靴子和雨衣吧我的朋友们",
            ["我们星期五出发去岛上看日出，", "带上靴子和雨衣吧我的朋友们"],
        ),
    ],
)
def test_a_sentence_is_cut_into_clauses_that_say_something(text: str, expected: list[str]) -> None:
    assert cut_finer(text) == expected


NEGATED = [
    ("We do not ship on Friday, Saturday or Sunday.", ["We do not ship on Friday, Saturday or Sunday."]),
    ("Shipping, as we said in March, is not possible.", ["Shipping, as we said in March, is not possible."]),
    (
        "Never delete the data, because it is the only copy",
        ["Never delete the data, because it is the only copy"],
    ),
    ("It isn\u2019t late, and not cold, and windy", ["It isn\u2019t late, and not cold, and windy"]),
    ("Everything ships on Friday, but not the books", ["Everything ships on Friday, but not the books"]),
    ("We don't ship on Friday, but Monday is fine.", ["We don't ship on Friday,", "but Monday is fine."]),
    ("No boat goes to the island; take the bridge", ["No boat goes to the island;", "take the bridge"]),
    ("It is not ready today, so we wait for Ann", ["It is not ready today,", "so we wait for Ann"]),
    ("Go without water, bread and salt today", ["Go without water, bread and salt today"]),
    ("Do not ship to e.g. Oslo, Bergen or Narvik", ["Do not ship to e.g. Oslo, Bergen or Narvik"]),
    ("Do not: delete the files; move the data", ["Do not: delete the files; move the data"]),
    ("Do not\ndelete the data", ["Do not delete the data"]),
    ("You must never ship to\nOslo or Bergen\nWe do", ["You must never ship to Oslo or Bergen", "We do"]),
    (
        "Never do this:\n- delete it\n- move it\n\nDo that",
        ["Never do this: - delete it - move it", "Do that"],
    ),
    ("Never do this:\n\n1. delete it\n2. move it", ["Never do this: 1. delete it 2. move it"]),
    (
        "> We do not ship to\n> Oslo or\n> Bergen.\n> We do",
        ["> We do not ship to > Oslo or > Bergen.", "> We do"],
    ),
    ("# do not ship to\n# Oslo\nShip()", ["# do not ship to # Oslo", "Ship()"]),
    ("Please do not... Ship it today", ["Please do not... Ship it today"]),
    ('Never say "Stop!" to Ada, or "Go!" to Bo', ['Never say "Stop!" to Ada, or "Go!" to Bo']),
    ("- no salt\n- two eggs\n- milk", ["- no salt", "- two eggs", "- milk"]),
    ("We ship. Not on Friday. On Monday.", ["We ship. Not on Friday.", "On Monday."]),
    ("Delete it at 18:00. Just kidding! Don't.", ["Delete it at 18:00. Just kidding! Don't."]),
    ("Q: Is the quay lit?\nA: No.\nQ: Is it wet?", ["Q: Is the quay lit? A: No.", "Q: Is it wet?"]),
    ("Is the quay lit? Yes. It is wet.", ["Is the quay lit? Yes.", "It is wet."]),
    (
        "Ann paid 20 EUR, we were told, but the bank has no record",
        ["Ann paid 20 EUR, we were told, but the bank has no record"],
    ),
    (
        "We thought of moving to Kiel, which Ann proposed, but decided against it",
        ["We thought of moving to Kiel, which Ann proposed, but decided against it"],
    ),
    ("The order of 5 boats was cancelled, as Ann says", ["The order of 5 boats was cancelled, as Ann says"]),
    ("Sink the old boat, and only if Ann agrees", ["Sink the old boat, and only if Ann agrees"]),
    ("Wait at the quay, unless the bell rings", ["Wait at the quay, unless the bell rings"]),
    (
        "If the tide is low, walk to the island; otherwise take the boat",
        ["If the tide is low, walk to the island; otherwise take the boat"],
    ),
    (
        "If the tide is low today, walk over there, where the bell hangs",
        ["If the tide is low today, walk over there, where the bell hangs"],
    ),
    (
        "Walk to the island, if the tide is low, where the bell hangs",
        ["Walk to the island, if the tide is low, where the bell hangs"],
    ),
    (
        "We left at dawn, as planned, and walk to the island if the tide is low, and row back",
        ["We left at dawn,", "as planned,", "and walk to the island if the tide is low, and row back"],
    ),
    ("Sink it once Ann has signed, and call Bo", ["Sink it once Ann has signed, and call Bo"]),
    ("It failed on all boats, but only for new ones", ["It failed on all boats, but only for new ones"]),
    ("The trip of 3 May, a Sunday, was called off", ["The trip of 3 May, a Sunday, was called off"]),
    ("| sink the boat | no |\n| row, and row | yes |", ["| sink the boat | no |", "| row, and row | yes |"]),
    (
        "Wir liefern am Freitag, wie gesagt, nicht nach Kiel.",
        ["Wir liefern am Freitag, wie gesagt, nicht nach Kiel."],
    ),
    (
        "Kein Boot fährt heute, aber morgen fahren drei.",
        ["Kein Boot fährt heute,", "aber morgen fahren drei."],
    ),
    ("Ohne Salz, Pfeffer und Öl kochen wir heute", ["Ohne Salz, Pfeffer und Öl kochen wir heute"]),
    ("Nous ne partons pas, comme prévu, vendredi", ["Nous ne partons pas, comme prévu, vendredi"]),
    (
        "Nunca salimos el viernes, el sábado o el domingo",
        ["Nunca salimos el viernes, el sábado o el domingo"],
    ),
    (
        "Мы не едем в пятницу, в субботу или в воскресенье",
        ["Мы не едем в пятницу, в субботу или в воскресенье"],
    ),
    (
        "我们星期五不出发去岛上看日出，星期六也一样在家里",
        ["我们星期五不出发去岛上看日出，星期六也一样在家里"],
    ),
    (
        "金曜日には島へ出発しません、土曜日も同じですよ皆さん",
        ["金曜日には島へ出発しません、土曜日も同じですよ皆さん"],
    ),
]
"""What is negated in each, and the smallest parts that may be quoted on their own."""


@pytest.mark.parametrize(("text", "expected"), NEGATED)
def test_a_restriction_keeps_together_what_it_may_be_about(text: str, expected: list[str]) -> None:
    assert cut_finer(text) == expected


@pytest.mark.parametrize("row", RESTRICTIONS, ids=[row.language for row in RESTRICTIONS])
def test_every_word_of_the_table_restricts_where_it_stands(row: Restrictions) -> None:
    words = f"{row.negations} {row.limits} {row.reversals} {row.pieces}".split()
    assert words
    for word in [*words, *(word.upper() for word in words)]:
        found = read_words(f"x {word}, y")
        assert list(found.restrictions)[:1] == [2]
    for word in row.conditions.split():
        assert list(read_words(f"x {word}, y").conditions) == [2]


@pytest.mark.parametrize(
    "text",
    [
        "It can't",
        "it CAN\u2019T be",
        "l'eau n'est",
        "if a != b",
        "na\u0303o vai",
        "nu\u0308r nie",
        "す\u3099に",
    ],
)
def test_a_restriction_is_seen_in_what_is_joined_and_decomposed(text: str) -> None:
    assert read_words(text).restrictions or is_restricting(text)


@pytest.mark.parametrize("text", ["notable knots", "a nonet", "Anna's", "", "5 + 5", "only three"])
def test_other_words_restrict_nothing(text: str) -> None:
    assert read_words(text).restrictions == []
