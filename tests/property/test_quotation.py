"""Quotations against a second reading of the rule: a search for the fragments with anything between them.

Knows regular expressions and positions one by one, and nothing of how fragments are found.
"""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pairl.quotation import ELISION, Fault, SourceText, normalise, verify

WRITTEN = st.lists(
    st.sampled_from(["a", "b", "ab", "7", "é", ".", "_", " ", "  ", "\n", "\t \u2028", "[...]", " [...] "]),
    max_size=14,
).map("".join)
LOST = {Fault.NOT_IN_SOURCE, Fault.OUT_OF_ORDER}


def split(content: str) -> list[str]:
    """Return the fragments, read word by word: where an elision ends the content an empty one is left."""
    parts: list[list[str]] = [[]]
    for word in [word for word in re.split(" +", normalise(content)) if word]:
        if word == "[...]":
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(part) for part in parts]


def is_there(parts: list[str], text: str, edge: str) -> bool:
    """Say whether the parts stand in the text in order; `edge` is what must hold at their ends."""
    pattern = ".*".join(edge + re.escape(part) + edge if part else "" for part in parts)
    return re.search(pattern, normalise(text), re.DOTALL) is not None


@given(WRITTEN, WRITTEN)
@settings(max_examples=1_000, deadline=None)
def test_a_content_is_a_quotation_where_a_search_finds_it(content: str, text: str) -> None:
    parts = split(content)
    found = {flaw.fault for flaw in verify(content, SourceText(text))}
    assert bool(found & LOST) == (not is_there(parts, text, ""))
    within_a_word = r"(?:(?<=[^\W_])(?=[^\W_]))"
    if not found & LOST:
        assert (Fault.CUT_WORD in found) == (not is_there(parts, text, f"(?!{within_a_word})"))
    assert bool(found - LOST - {Fault.CUT_WORD}) == (not all(parts))


@given(WRITTEN, st.lists(WRITTEN, max_size=4))
@settings(max_examples=1_000, deadline=None)
def test_passages_are_of_the_text_in_order_and_make_a_quotation(text: str, proposed: list[str]) -> None:
    source = SourceText(text)
    passages = source.passages(proposed)
    copies = [source.copy(passage) for passage in passages]
    ends = [0, *(place for passage in passages for place in (passage.start, passage.end))]
    assert ends == sorted(ends)
    wanted = [part for proposal in proposed for part in split(proposal)]
    for copy in copies:
        assert normalise(copy) in wanted
        wanted = wanted[wanted.index(normalise(copy)) + 1 :]
    if copies:
        assert verify(ELISION.join(copies), source) == ()
