"""V6 unique-rids and V11 turn-markers: decisions 27 and 32."""

from __future__ import annotations

import pytest

from pairl import parse
from tests.unit.messages import ERROR, WARNING, Weights, place, weights, with_body

DUPLICATE = {"V6/duplicate-rid": ERROR}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param("#fact a=1 @rid=f1\n#fact b=2 @rid=f2", {}, id="different"),
        pytest.param("#fact a=1 @rid=f1\n#fact b=2 @rid=f1", DUPLICATE, id="same"),
        pytest.param("#fact a=1 @rid=f1\n#fact b=2 @rid=F1", DUPLICATE, id="case_does_not_count"),
        pytest.param("ack @rid=x1\n#fact b=2 @rid=x1", DUPLICATE, id="across_kinds"),
        pytest.param("#think[summary]\na @rid=x1\nb @rid=x1", DUPLICATE, id="rows"),
        pytest.param("#think[summary]\na @rid=x1\n#s done @rid=X1", DUPLICATE, id="row_and_state"),
        pytest.param('#fact a="@rid=f1" @rid=f1', {}, id="quoted"),
    ],
)
def test_decision_27_record_ids_are_unique(body: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(body)) == found


def test_decision_27_the_same_id_may_be_a_turn() -> None:
    assert weights(with_body("#u1\n#fact a=1 @rid=u1")) == {}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param("#u1\nack\n#a2\n#s3", {}, id="compact"),
        pytest.param("#msg t1 r=u parent=-\n#msg t2 r=ops_lead parent=t1\nack @m=t1", {}, id="long"),
        pytest.param("#msg t2 r=u parent=t1\n#msg t1 r=a parent=-", {}, id="parent_below"),
        pytest.param("#msg t1 r=u parent=-\n#u1", {}, id="mixed"),
        pytest.param("#u1\n#u1", {"V11/duplicate-turn": ERROR}, id="twice"),
        pytest.param("#msg u1 r=u parent=-\n#u1", {"V11/duplicate-turn": ERROR}, id="twice_in_both_forms"),
        pytest.param("#u2\n#a1", {"V11/marker-order": WARNING}, id="descending"),
        pytest.param("#u1\n#a1", {}, id="equal_numbers"),
        pytest.param("#u1\n#a9999999", {}, id="leap"),
        pytest.param("ack @m=u1", {"V11/no-markers": WARNING}, id="tag_without_markers"),
        pytest.param("#u1\nack @m=a2", {"V11/undeclared-turn": ERROR}, id="tag_undeclared"),
        pytest.param("#u1\nack @m=U1", {"V11/undeclared-turn": ERROR}, id="tag_in_another_case"),
        pytest.param("ack @m=u1\n#u1", {}, id="tag_above"),
        pytest.param("#msg t1 r=u parent=t9", {"V11/undeclared-parent": ERROR}, id="parent_undeclared"),
        pytest.param("#msg t1 r=u parent=t1", {"V11/parent-circle": ERROR}, id="own_parent"),
        pytest.param(
            "#msg t1 r=u parent=t2\n#msg t2 r=a parent=t1", {"V11/parent-circle": ERROR}, id="circle"
        ),
    ],
)
def test_decision_32_turns(body: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(body)) == found


@pytest.mark.parametrize(
    "line",
    [
        "#u12345678",
        "#u1 user",
        "#u1 a=1",
        "#msg",
        "#msg t1",
        "#msg t1 r=u",
        "#msg t1 r=u parent=",
        "#msg t1 parent=- r=u",
        "#msg t123456789 r=u parent=-",
        "#msg t1 r=Ops parent=-",
        "#msg t1 r=u parent=- note=x",
        "#msg t1 r=u parent=- @rid=x",
    ],
)
def test_decision_32_a_malformed_marker_is_an_error(line: str) -> None:
    assert weights(with_body(line)) == {"V11/malformed-marker": ERROR}
    assert parse(with_body(line)).records[0].malformed


@pytest.mark.parametrize("line", ["#u1 @rid=x1", "#a2 @m=u1", "#s3 @m=u1 @rid=x"])
def test_decision_32_a_tag_on_a_marker_is_an_error(line: str) -> None:
    assert weights(with_body(line)) == {"V11/tag-on-marker": ERROR}


def test_decision_32_a_circle_is_found_once_and_without_recursion() -> None:
    turns = [f"#msg t{number} r=u parent=t{number + 1}" for number in range(900)]
    text = with_body("\n".join([*turns, "#msg t900 r=u parent=t450"]))
    found = [finding for finding in weights(text) if finding.startswith("V11")]
    assert found == ["V11/parent-circle"]
    assert place(text, "V11/parent-circle")[0] == 5 + 450


def test_the_place_of_a_tag() -> None:
    assert place(with_body("#u1\n #fact a=1 @m=a9"), "V11/undeclared-turn") == (6, 12, 5)
    assert place(with_body("#fact a=1 @rid=f1\n#fact b=2 @rid=F1"), "V6/duplicate-rid") == (6, 11, 7)
