"""What a value tells of itself: that it is the whole text it stands for, or that it is not."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from pairl.encode.carried import CUT, beginning, is_cut, line_carried, name_carried, value_carried, whole
from tests.property.histories import TEXTS

ENDS = st.sampled_from(["", CUT, CUT + CUT, "\\", "\\" + CUT, " " + CUT])


@given(TEXTS, ENDS, st.integers(2, 60))
@example("wait", CUT, 5)
@example("a b", CUT, 3)
def test_a_value_is_the_whole_text_or_says_that_it_is_cut(text: str, end: str, most: int) -> None:
    value = beginning(value_carried(text + end), most)
    if not is_cut(value):
        assert whole(value) == name_carried(text + end, 10_000)
    assert not value.endswith("\\")


@given(TEXTS, ENDS, st.integers(1, 60))
def test_the_first_characters_of_a_line_are_kept_entire(text: str, end: str, most: int) -> None:
    line = line_carried(text + end, 10_000).removesuffix(CUT)
    kept = line_carried(text + end, most)
    assert kept.startswith(line[:most])
    assert len(kept) <= most + len(CUT)
    assert not kept.endswith("\\")
