"""Quotation: fragments, finding them in a turn, copying them, and verifying a content (decision 35)."""

from __future__ import annotations

import time

import pytest

from pairl.quotation import ELISION, Fault, Flaw, SourceText, fragments, normalise, verify

TURN = "The ferry  leaves\tat 14:05\r\nfrom pier 3.\n\nBring  two passports; a visa is not\u2028needed."


def faults(content: str, text: str = TURN) -> list[tuple[Fault, int]]:
    return [(flaw.fault, flaw.number) for flaw in verify(content, SourceText(text))]


@pytest.mark.parametrize("space", [" ", "\t", "\r\n", "\n\n", "\v", "\f", "\x85", "\u2028", "\u2029", " \t "])
def test_decision_35_white_space_is_one_space(space: str) -> None:
    assert normalise(f"a{space}b") == "a b"
    assert faults(f"a{space}b", "x a b y") == faults("a b", f"x a{space}b y") == []


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\x1f", "\u200b"])
def test_decision_35_no_other_character_is_white_space(space: str) -> None:
    assert normalise(f"a{space}b") == f"a{space}b"
    assert faults(f"a{space}b", "a b") == [(Fault.NOT_IN_SOURCE, 1)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a b", ["a b"]),
        ("a [...] b", ["a", "b"]),
        ("a  [...]\tb", ["a", "b"]),
        ("a [...] [...] b", ["a", "", "b"]),
        ("a[...]b", ["a[...]b"]),
        ("a [...]b", ["a [...]b"]),
        ("a [....] b", ["a [....] b"]),
        ("[...]", ["", ""]),
        (" [...] a", ["", "a"]),
        ("", [""]),
        ("  ", [""]),
    ],
)
def test_decision_35_fragments_are_what_stands_between_elisions(content: str, expected: list[str]) -> None:
    assert fragments(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("The ferry leaves at 14:05", [], id="verbatim"),
        pytest.param(normalise(TURN), [], id="the_whole_turn"),
        pytest.param("The ferry [...] from pier 3. [...] not needed.", [], id="extracts"),
        pytest.param("The ferry [...]  leaves", [], id="extracts_that_touch"),
        pytest.param("the ferry", [(Fault.NOT_IN_SOURCE, 1)], id="another_case"),
        pytest.param("The ferry departs", [(Fault.NOT_IN_SOURCE, 1)], id="another_word"),
        pytest.param("The ferry [...] pier 4", [(Fault.NOT_IN_SOURCE, 2)], id="another_number"),
        pytest.param("from pier 3. [...] The ferry", [(Fault.OUT_OF_ORDER, 2)], id="backwards"),
        pytest.param("ferry leaves [...] leaves at", [(Fault.OUT_OF_ORDER, 2)], id="overlapping"),
        pytest.param("visa [...] visa", [(Fault.OUT_OF_ORDER, 2)], id="twice"),
        pytest.param("", [(Fault.EMPTY_CONTENT, 1)], id="empty"),
        pytest.param(" \t", [(Fault.EMPTY_CONTENT, 1)], id="blank"),
        pytest.param("[...] two passports", [(Fault.STRAY_ELISION, 1)], id="leading_elision"),
        pytest.param("two passports [...]", [(Fault.STRAY_ELISION, 2)], id="trailing_elision"),
        pytest.param("[...]", [(Fault.STRAY_ELISION, 1), (Fault.STRAY_ELISION, 2)], id="just_an_elision"),
        pytest.param("The [...] [...] visa", [(Fault.EMPTY_FRAGMENT, 2)], id="nothing_between"),
    ],
)
def test_decision_35_what_is_a_quotation(content: str, expected: list[tuple[Fault, int]]) -> None:
    assert faults(content) == expected


def test_decision_35_a_literal_elision_of_the_source_may_be_quoted() -> None:
    assert faults("one [...] three", "zero one [...] three four") == []


@pytest.mark.parametrize(
    ("content", "text", "is_cut"),
    [
        ("cat", "concatenate", True),
        ("conc", "concatenate", True),
        ("enate", "concatenate", True),
        ("14", "at 140 degrees", True),
        ("14", "at 14:05", False),
        ("cat", "concatenate a cat", False),
        ("cat [...] cat", "concatenate a cat, and locate", True),
        ("cat [...] cat", "concatenate a cat, and a cat", False),
        ("pre_", "pre_fix", False),
        ("cafe", "cafe\u0301", True),
        ("हिन", "हिन्दी", True),
        ("x", "x", False),
    ],
)
def test_decision_35_cutting_a_word_is_a_flaw_if_it_cannot_be_avoided(
    content: str, text: str, is_cut: bool
) -> None:
    assert {flaw.fault for flaw in verify(content, SourceText(text))} == (
        {Fault.CUT_WORD} if is_cut else set()
    )


def test_a_flaw_says_which_fragment_and_why() -> None:
    flaws = verify("fer [...] pier 4", SourceText(TURN))
    assert flaws == (Flaw(Fault.CUT_WORD, 1, "fer"), Flaw(Fault.NOT_IN_SOURCE, 2, "pier 4"))


def test_passages_are_copied_as_they_were_written() -> None:
    source = SourceText(TURN)
    passages = source.passages(["ferry leaves at", "pier 3. Bring", "is not needed"])
    assert [source.copy(passage) for passage in passages] == [
        "ferry  leaves\tat",
        "pier 3.\n\nBring",
        "is not\u2028needed",
    ]
    assert faults(ELISION.join(map(source.copy, passages))) == []


def test_decision_35_what_cannot_be_located_whole_and_in_order_is_left_out() -> None:
    source = SourceText(TURN)
    passages = source.passages(["pier 3", "The ferry", "a Visa", "passp", "", " ", " visa "])
    assert [source.copy(passage) for passage in passages] == ["pier 3", "visa"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("x" * 200_000, "x" * 400_000 + " " + "x" * 199_999),
        ("ab " * 60_000 + "a", "ab " * 150_000),
        ("a [...] " * 40_000 + "b", "a " * 200_000),
        (" [...] " * 60_000, "[...] " * 60_000),
        ("z [...] " * 60_000, "a" * 400_000),
        ("a" * 99 + "b", "a" * 400_000),
        ("\t" * 400_000, " " * 400_000),
    ],
)
def test_verifying_is_linear(content: str, text: str) -> None:
    start = time.process_time()
    verify(content, SourceText(text))
    assert time.process_time() - start < 5
