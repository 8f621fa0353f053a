"""Units: what of a text is quoted or left out as one, from sentences to the words around a value."""

from __future__ import annotations

import pytest

from pairl.encode.quoting.lined_text import lined
from pairl.encode.quoting.spans import Span, sentences
from pairl.encode.quoting.units import coarse_units, fine_units
from pairl.encode.quoting.weights import read_words
from pairl.quotation import normalise


def cut(text: str, *, finely: bool = False) -> list[str]:
    said, normalised = lined(text), normalise(text)
    words = read_words(said)
    units = coarse_units(said, sentences(said, words.restrictions), words)
    units = fine_units(normalised, units, words) if finely else units
    return [normalised[unit.start : unit.end] for unit in units]


def test_a_sentence_without_a_value_is_one_unit_however_long_it_is() -> None:
    text = "We went for a walk along the shore, because it was so warm, and then we had a good rest."
    assert cut(text) == [text]
    assert cut(text, finely=True) == [text]


def test_one_with_values_is_cut_into_clauses() -> None:
    assert cut("We went for a walk along the shore, because the boat left at 14:05 and all came.") == [
        "We went for a walk along the shore,",
        "because the boat left at 14:05",
        "and all came.",
    ]


def test_a_short_one_is_not_cut() -> None:
    assert cut("We left at 5, and it was cold and wet.") == ["We left at 5, and it was cold and wet."]


def test_nothing_is_cut_within_a_value() -> None:
    units = cut("We leave for the old island on May 5, 2026 before the tide turns again, as it always does")
    assert units == [
        "We leave for the old island on May 5, 2026 before the tide turns again,",
        "as it always does",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The boat that Ann had built by hand in the yard behind her house left pier 3 with 40 people",
            [
                "The boat that Ann had",
                "built by hand in the yard behind her",
                "house left pier 3 with 40 people",
            ],
        ),
        (
            "Row 5 miles over the wide sea and the sand, then 7 miles inland if the tide is low over there",
            ["Row 5 miles over the wide sea and the sand, then 7 miles inland if the tide is low over there"],
        ),
    ],
)
def test_what_stands_far_from_any_value_is_a_unit_of_its_own(text: str, expected: list[str]) -> None:
    said = lined(text)
    assert [
        said[unit.start : unit.end] for unit in fine_units(said, [Span(0, len(said))], read_words(said))
    ] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The boat that was built by hand in 1987 does not take any dogs or bicycles or anything over 2 m",
        "| the boat that was built by hand in the old yard | 1987 | sold to somebody in Kiel |",
    ],
)
def test_what_is_bound_and_rows_of_tables_stay_whole(text: str) -> None:
    assert cut(text, finely=True) == [text]


def test_units_know_whether_they_are_bound() -> None:
    text = "We do not ship 5 boats on Friday, as Ann told you, but Monday 7 May is fine with all of us"
    words = read_words(text)
    units = coarse_units(text, sentences(text, words.restrictions), words)
    assert units == [Span(0, 50, is_bound=True), Span(51, len(text))]
