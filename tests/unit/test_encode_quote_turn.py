"""Quoting a turn: whole, or what is worth most of it; around what no value holds; by any measure; in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import pytest

from pairl.encode.quoting.heuristics import Heuristic
from pairl.encode.quoting.quote import Quotation, Quoting, quote, quote_a_sentence
from pairl.encode.quoting.weights import values_in
from pairl.quotation import ELISION, SourceText, verify

LETTER = (
    "Dear Ada, thank you so much for the long letter and for all the kind words in it. The ferry to"
    " Lunga leaves on 5 March 2026 at 14:05 from pier 3, as it does every spring when the weather allows"
    " for it. It was lovely to hear from everybody, and I hope that all of you are well and happy at"
    " home. We decided to take the late boat, because Bo Lind has to be in Oslo until noon and the train"
    " takes 95 minutes. The weather has been mild and pleasant of late, and the garden is full of the"
    " small blue flowers that you liked so much. Tickets cost 20 EUR each, and the boat does not take"
    " dogs, bicycles or anything that is longer than 2 m. Could you bring the map of Lunga? I am looking"
    " forward to it very much and so does everybody else here in the old house."
)


def content(text: str, room: int | None = None, measure: Callable[[str], int] = len) -> str | None:
    quotation = quote(text, room, Quoting(measure))
    return None if quotation is None else quotation.content


@pytest.mark.parametrize("room", [None, 25, 1_000])
def test_a_text_that_fits_is_quoted_whole(room: int | None) -> None:
    assert quote(" Row to the\n\nold pier,  now ", room) == Quotation(
        "Row to the old pier, now", is_whole=True
    )


@pytest.mark.parametrize("text", ["", " \n", "\x00\x1b", "\ud83d", "\\", "\\ \\", " [...] ", "[...]\\"])
def test_where_there_is_nothing_to_quote_there_is_no_quotation(text: str) -> None:
    assert quote(text) is None


def test_where_not_even_a_part_fits_there_is_no_quotation() -> None:
    assert quote("incomprehensibilities", 20) is None
    assert quote("Do not row to the island in the dark, or at low tide", 40) is None
    assert quote("Row home", 0) is None


def test_half_of_a_letter_keeps_what_is_asked_for_later() -> None:
    said = content(LETTER, len(LETTER) // 2)
    assert said is not None
    assert len(said) <= len(LETTER) // 2
    values = values_in(LETTER)
    assert values == [
        *[
            "Ada",
            "Lunga",
            "5 March 2026",
            "14:05",
            "3",
            "Bo Lind",
            "Oslo",
            "noon",
            "95 minutes",
            "20 EUR",
            "2 m",
        ],
    ]
    assert [value for value in values if value not in said] == []
    assert "does not take dogs, bicycles or anything that is longer than 2 m." in said
    assert "because Bo Lind has to be in Oslo" in said


def test_whole_sentences_are_quoted_where_they_keep_the_values() -> None:
    text = (
        "Good morning to you all out there. The boat leaves at 14:05. It is a lovely day, and so on and on."
    )
    assert content(text, 70) == "Good morning to you all out there. The boat leaves at 14:05."


def test_the_first_sentence_is_favoured() -> None:
    assert content("We go rowing. We go sailing. We go fishing.", 15) == "We go rowing."


def test_what_stands_side_by_side_is_quoted_without_an_elision() -> None:
    text = "Say hello to the others for me. Ada left at 9:15. Bo left at 9:45. Then all was quiet for long."
    assert content(text, 45) == "Ada left at 9:15. Bo left at 9:45."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rows \x1b[31mred\x1b[0m boats", "rows [...] [31mred [...] [0m boats"),
        ("bell\x07 rang\r\ntwice", "bell [...] rang twice"),
        ("half \ud83d of it", "half [...] of it"),
        ("ends in C:\\boats\\", "ends in C:\\boats"),
        ("ends in \\ \\\\ ", "ends in"),
        ("x [...]\\", "x"),
        ("one [...] two", "one [...] two"),
        ("[...] two [...]", "two"),
        ("one [...] [...] two", "one [...] two"),
        ("a\u2028b\u0085c\vd", "a b c d"),
        ('say "\\"hi\\""', 'say "\\"hi\\""'),
    ],
)
def test_what_no_value_holds_is_cut_around(text: str, expected: str) -> None:
    quotation = quote(text)
    assert quotation is not None
    assert quotation.content == expected
    assert verify(quotation.content, SourceText(text)) == ()


def test_a_sentence_is_quoted_with_all_that_it_is_cut_into() -> None:
    text = "We talked at length about a lot of things. Do not \x1b[1mdelete\x1b[0m file 7. And so on it went."
    said = content(text, 60)
    assert said is not None
    assert "Do not [...] [1mdelete [...] [0m file 7." in said


def test_a_word_that_stands_in_others_before_is_not_mistaken() -> None:
    text = "\n\n".join([*["Area ab abc abcd."] * 60, "Take a 7.", "Bye."])
    said = content(text, 30)
    assert said is not None
    assert verify(said, SourceText(text)) == ()


def by_words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize("room", [4, 20, 60])
def test_the_room_is_in_what_the_caller_counts(room: int) -> None:
    said = content(LETTER, room, by_words)
    assert said is not None
    assert room // 2 < by_words(said) <= room


def test_a_measure_that_is_no_sum_is_kept_too() -> None:
    said = content(LETTER, 300, lambda text: len(text) + text.count("[") ** 2 * 10)
    assert said is not None
    assert len(said) + said.count("[") ** 2 * 10 <= 300


def test_a_measure_is_asked_for_little_more_than_the_text() -> None:
    asked = 0

    def count(text: str) -> int:
        nonlocal asked
        asked += len(text)
        return len(text)

    content(LETTER * 100, len(LETTER) * 50, count)
    assert asked < 12 * len(LETTER) * 100


def test_another_table_chooses_otherwise() -> None:
    flowers = (Heuristic("flower", "this is about the garden", "(?i:flowers?|garden)", 50, is_value=True),)
    said = quote(LETTER, 120, Quoting(heuristics=flowers))
    assert said is not None
    assert "the garden is full of the small blue flowers" in said.content


@pytest.mark.parametrize(
    ("proposed", "expected"),
    [
        (["from pier 3", "the late boat"], "from pier 3 [...] the late boat"),
        (["the late boat", "from pier 3"], "the late boat"),
        (["from  pier 3 [...] late\nboat"], "from pier 3 [...] late boat"),
        (["from pier 4", "Oslo"], "Oslo"),
        (["sl", "Oslo"], "Oslo"),
        (["Oslo until noon", "dogs, bicycles", "take dogs"], "Oslo until noon"),
    ],
)
def test_what_is_proposed_is_quoted_as_far_as_it_was_said(proposed: list[str], expected: str) -> None:
    quotation = quote(LETTER, 200, Quoting(propose=lambda *_: proposed))
    assert quotation == Quotation(expected, is_whole=False)


def test_what_is_proposed_is_quoted_as_far_as_it_fits() -> None:
    quotation = quote(
        LETTER, 30, Quoting(propose=lambda *_: [LETTER[:80], "from pier 3", "Lind", "Oslo until noon"])
    )
    assert quotation == Quotation(f"from pier 3{ELISION}Lind", is_whole=False)


@pytest.mark.parametrize("proposed", [[], ["nobody said so"], [""], ["x" * 1_000]])
def test_where_nothing_that_is_proposed_holds_the_heuristics_choose(proposed: Iterable[str]) -> None:
    assert quote(LETTER, 200, Quoting(propose=lambda *_: proposed)) == quote(LETTER, 200)


def test_a_negation_that_is_proposed_whole_is_quoted() -> None:
    said = LETTER[LETTER.index("Tickets") : LETTER.index(" Could")]
    quotation = quote(LETTER, 200, Quoting(propose=lambda *_: [said]))
    assert quotation == Quotation(said, is_whole=False)


NEGATIONS = [
    (
        "The plan is fine with us all. Do not ship it on Friday, Saturday or Sunday 7 May, please. Bye.",
        "Friday",
    ),
    (
        "The plan is fine with us all. Shipping on 7 May, as planned, is not possible. Good bye to you.",
        "7 May",
    ),
    (
        "Never do the following at home:\n\n- burn 7 boats\n- sink them\n\nThat is all that I have to say.",
        "7 boats",
    ),
    (
        "Der Plan ist gut, finden wir alle. Wir liefern am 7. Mai, wie gesagt, nicht. Bis bald, ihr Lieben!",
        "7. Mai",
    ),
    (
        "Le plan est bon pour nous tous. Nous ne partons, hélas, pas vendredi 7 mai 2026. À bientôt, alors.",
        "7 mai",
    ),
]
"""What must not be quoted without its negation."""


@pytest.mark.parametrize(("text", "negated"), NEGATIONS, ids=[negated for _, negated in NEGATIONS])
def test_at_no_room_a_negation_is_lost(text: str, negated: str) -> None:
    words = ("Do not ship", "not possible", "Never do", "nicht", "ne partons")
    for room in range(len(text)):
        said = content(text, room) or ""
        assert negated not in said or any(word in said for word in words)


@pytest.mark.parametrize(
    "piece",
    [
        *[
            "a",
            "a ",
            "a. ",
            "A. ",
            "a, ",
            "1 ",
            "not a ",
            "- not x\n- b\n",
            "not:\n- a\n",
            "Xa ",
            "5 March ",
            "\n",
            "a\n",
        ],
        *[
            "!",
            "。",
            ".\n",
            "\\",
            "[...] ",
            "[...]\\ ",
            "a\x00b ",
            "\x1b",
            '"',
            "!)",
            "x=y@",
            "今日は、三月。",
            "ab abc a ",
        ],
    ],
)
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    start = time.process_time()
    quote(text, 40_000)
    assert time.process_time() - start < 2


def test_a_long_text_takes_little_time() -> None:
    """On a quiet machine it is a quarter of a second for a million characters."""
    text = "\n\n".join([LETTER] * 1_000)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        quote(text, len(text) // 2)
        best = min(best, time.process_time() - start)
    assert best < 3 * len(text) / 1_000_000


def test_the_rest_of_a_text_is_not_quoted_for_the_sentence_that_it_is_about() -> None:
    text = "The boat to Lunga on 5 March at 14:05 is not one of ours, ask Bo Lind about it. Will you tell me?"
    assert content(text, 50) is None
    said = quote_a_sentence(text, 300)
    assert said is not None
    assert said.content == text[: text.index(" Will")]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "No. The boat of 5 March goes at 14:05 from pier 3, and that of 6 March at 15:20 from pier 4.",
            "No.",
        ),
        (
            "Ja, knapp. Das Boot fährt am 5. März um 14:05 Uhr von Steg 3, das am 6. März von Steg 4.",
            "Ja, knapp.",
        ),
        (
            "They can't. The boat of 5 March goes at 14:05 from pier 3, and that of 6 March from pier 4.",
            "They can't.",
        ),
        (
            "Pro:\n- it is cheap, 5 EUR\n- it is warm\n\nCon:\n- we sit in the rain\n- it is slow, 9 hours",
            "Con:",
        ),
    ],
)
def test_a_short_answer_and_a_heading_are_kept(text: str, kept: str) -> None:
    assert kept in (content(text, len(text) * 2 // 3) or "")
