"""V4 thread-integrity, V7 cycles and SES session: decisions 26 and 28, over a thread kept in a dict."""

from __future__ import annotations

import pytest

from pairl import compute_hash, parse, validate
from pairl.rules import Needs
from pairl.thread import Status, ThreadNode, local_id, message_id, parent_id, parent_ids, session_id
from pairl.thread_memory import Thread
from tests.unit.messages import (
    ERROR,
    STRICT_ERROR,
    WARNING,
    DictThread,
    Weights,
    accepted,
    needing,
    place,
    rejected,
    weights,
    with_body,
)

SESSION = "01JQ3V8ZK4M7N2P5R9S1T6W0XY"
THREAD = DictThread(accepted("m1"), accepted("m2", "m1"), rejected("m3", "m2"))


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        pytest.param("", {}, id="a_root"),
        pytest.param("@p m2\n", {}, id="parent"),
        pytest.param("@p @m2\n@deps m1\n", {}, id="parent_and_dependency"),
        pytest.param("@parent ref:msg:m2\n", {}, id="long_form"),
        pytest.param("@deps m1#f1, @m2#a1\n", {}, id="records"),
        pytest.param("@p m9\n", {"V4/unresolved-parent": STRICT_ERROR}, id="unknown_parent"),
        pytest.param("@parent m9\n", {"V4/unresolved-parent": STRICT_ERROR}, id="unknown_long_parent"),
        pytest.param("@deps m1,m9\n", {"V4/unresolved-dependency": STRICT_ERROR}, id="unknown_dependency"),
        pytest.param("@p m3\n", {"V4/rejected-parent": STRICT_ERROR}, id="rejected_parent"),
        pytest.param("@p m2\n@deps m3\n", {"V4/rejected-parent": STRICT_ERROR}, id="rejected_dependency"),
        pytest.param("@p M2\n", {"V4/unresolved-parent": STRICT_ERROR}, id="case_counts"),
        pytest.param(f"@sid ref:sess:{SESSION}\n@p ref:msg:{SESSION}:m2\n", {}, id="own_session"),
        pytest.param(f"@deps ref:msg:{SESSION}:m2\n", {"V4/other-session": WARNING}, id="other_session"),
        pytest.param("@deps ref:doc:x\n", {}, id="no_message"),
        pytest.param("@root m9\n", {}, id="root_without_a_parent"),
    ],
)
def test_decision_26_parents_and_dependencies_are_looked_up(headers: str, found: dict[str, Weights]) -> None:
    assert weights(with_body("ack", headers), THREAD) == found


def test_decision_26_a_message_may_demand_its_parents_in_loose_mode() -> None:
    for headers, code in (("@p m9\n", "V4/unresolved-parent"), ("@p m3\n", "V4/rejected-parent")):
        assert weights(with_body("#rule strict_refs=true", headers), THREAD) == {code: ERROR}


def spine(*messages: str, rejecting: frozenset[str] = frozenset()) -> Thread:
    """Return a thread of messages with these headers; `m4 @p m3` is the message `m4` that answers `m3`."""
    thread = Thread()
    for headers in messages:
        name, _, more = headers.partition(" ")
        lines = "".join(f"@{line}\n" for line in more.split("@")[1:])
        message = parse(f"@v 1\n@id {name}\n@ts 2026-05-01T10:00:00Z\n{lines}\nack\n")
        thread.add(message, Status.REJECTED if name in rejecting else Status.ACCEPTED)
    return thread


LINE = ("m1", "m2 @p m1", "m3 @p m2")


@pytest.mark.parametrize(
    ("messages", "headers", "is_found"),
    [
        pytest.param(LINE, "@p m3\n@root m1\n", False, id="the_root"),
        pytest.param(LINE, "@p m3\n@root m2\n", False, id="an_ancestor"),
        pytest.param(LINE, "@p m3\n@root @m3\n", False, id="the_parent"),
        pytest.param((*LINE, "m4"), "@p m3\n@root m4\n", True, id="a_message_beside"),
        pytest.param((*LINE, "m4"), "@parent ref:msg:m3\n@root ref:msg:m4\n", True, id="long_form"),
        pytest.param(LINE, "@p m3\n@root m9\n", True, id="a_message_unknown"),
        pytest.param(LINE, "@p m2\n@root m3\n", True, id="a_message_further_down"),
        pytest.param((*LINE, "m4"), "@p m3\n@deps m4\n@root m4\n", True, id="a_dependency"),
        pytest.param(LINE, "@deps m3\n@root m9\n", False, id="without_a_parent"),
        pytest.param(LINE[1:], "@p m3\n@root m9\n", False, id="an_ancestor_is_unknown"),
        pytest.param(("m2 @p m3", "m3 @p m2"), "@p m3\n@root m9\n", False, id="a_circle"),
        pytest.param(("m2 @deps m1", "m3 @p m2"), "@p m3\n@root m1\n", False, id="joined_by_dependency"),
        pytest.param(("m2 @p ref:msg:S:m1", "m3 @p m2"), "@p m3\n@root m1\n", False, id="from_elsewhere"),
        pytest.param(LINE, "@p m3\n@root ref:msg:S:m1\n", False, id="root_in_another_session"),
    ],
)
def test_a_root_is_on_the_way_from_parent_to_parent(
    messages: tuple[str, ...], headers: str, *, is_found: bool
) -> None:
    expected = {"V4/root-not-ancestor": STRICT_ERROR} if is_found else {}
    assert weights(with_body("ack", headers), spine(*messages)) == expected


def test_a_rejected_ancestor_says_nothing_of_the_root() -> None:
    thread = spine(*LINE, rejecting=frozenset({"m2"}))
    assert weights(with_body("ack", "@p m3\n@root m9\n"), thread) == {}


def test_a_view_that_does_not_know_parents_from_dependencies_says_nothing_of_the_root() -> None:
    assert weights(with_body("ack", "@p m2\n@root m9\n"), THREAD) == {}


def test_a_message_may_demand_its_root_in_loose_mode() -> None:
    text = with_body("#rule strict_refs=true", "@p m3\n@root m9\n")
    assert weights(text, spine(*LINE)) == {"V4/root-not-ancestor": ERROR}


def test_the_way_to_a_root_may_be_long() -> None:
    thread = spine("n0", *(f"n{number} @p n{number - 1}" for number in range(1, 5_000)))
    assert weights(with_body("ack", "@p n4999\n@root n0\n"), thread) == {}
    assert "V4/root-not-ancestor" in weights(with_body("ack", "@p n4999\n@root x\n"), thread)


def test_decision_26_without_a_thread_it_is_listed_as_not_evaluated() -> None:
    message = parse(with_body("ack", "@p m9\n"))
    alone, inside = validate(message, True), validate(message, True, thread=THREAD)
    assert alone.valid
    assert set(alone.not_evaluated) - set(inside.not_evaluated) == {"V4", "SES"}
    assert not inside.valid
    assert inside.not_evaluated == needing(Needs.LEGEND, Needs.SOURCE)


@pytest.mark.parametrize(
    "headers", ["@p m7\n", "@p @m7\n", "@parent ref:msg:m7\n", "@deps m1,m7\n", "@deps @m7#a1\n"]
)
def test_decision_28_a_message_that_names_itself(headers: str) -> None:
    assert weights(with_body("ack", headers)) == {"V7/self-reference": STRICT_ERROR}
    assert weights(with_body("ack", headers), THREAD) == {"V7/self-reference": STRICT_ERROR}


@pytest.mark.parametrize("headers", ["@p m70\n", "@deps m1,am7\n", "@root m7\n", "@p m8\n@note m7\n"])
def test_decision_28_a_name_that_merely_looks_like_it(headers: str) -> None:
    assert weights(with_body("ack", headers)).keys() <= {"HDR/unknown-header"}


def test_decision_28_a_circle_over_the_thread() -> None:
    thread = DictThread(accepted("m1", "m7"), accepted("m2", "m1"), accepted("m3", "m2"))
    assert weights(with_body("ack", "@p m3\n"), thread) == {"V7/cycle": STRICT_ERROR}
    assert weights(with_body("ack", "@deps m9,m3\n"), thread)["V7/cycle"] == STRICT_ERROR
    assert weights(with_body("ack"), thread) == {}


def test_decision_28_a_long_circle_is_found_without_recursion() -> None:
    chain = [accepted(f"n{number}", f"n{number + 1}") for number in range(20_000)]
    thread = DictThread(*chain, accepted("n20000", "m7"))
    assert weights(with_body("ack", "@p n0\n"), thread) == {"V7/cycle": STRICT_ERROR}


def test_decision_28_a_circle_that_leaves_the_message_out_ends() -> None:
    thread = DictThread(accepted("m1", "m2"), accepted("m2", "m1"), accepted("m3", "m7"))
    assert weights(with_body("ack", "@p m1\n"), thread) == {}


def test_decision_28_a_rejected_message_closes_no_circle() -> None:
    thread = DictThread(accepted("m1", "m7"), rejected("m2", "m1"))
    assert "V7/cycle" not in weights(with_body("ack", "@p m2\n"), thread)


def test_the_same_message_again_is_noted_and_another_one_refused() -> None:
    text = with_body("#fact a=1", "@p m2\n")
    known = DictThread(accepted("m2"), accepted("m7", "m2", digest=compute_hash(parse(text))))
    assert weights(text, known) == {"SES/duplicate": WARNING}
    assert weights(with_body("#fact  a=1", "@p m2\n"), known) == {"SES/duplicate": WARNING}
    assert weights(with_body("#fact a=2", "@p m2\n"), known) == {"SES/id-conflict": ERROR}


def test_an_id_that_only_a_rejected_message_had_is_free() -> None:
    assert weights(with_body("ack"), DictThread(rejected("m7"))) == {}


def test_the_place_of_a_reference() -> None:
    message = parse(with_body("ack", "@deps m1,m9\n"))
    (found,) = validate(message, True, thread=THREAD).diagnostics
    assert (found.line, found.column, found.length) == (4, 10, 2)
    assert place(with_body("ack", "@p m7\n"), "V7/self-reference") == (4, 4, 2)


@pytest.mark.parametrize(
    ("reference", "session", "expected"),
    [
        ("m1", None, "m1"),
        ("@m1", None, "m1"),
        ("@m1#a2", None, "m1"),
        ("ref:msg:01ABC", None, "01ABC"),
        ("ref:msg:01ABC#a2", "S", "01ABC"),
        ("ref:msg:S:m1", "S", "m1"),
        ("ref:msg:S:m1", "T", None),
        ("ref:msg:S:m1", None, None),
        ("ref:doc:m1", None, None),
        ("@", None, None),
        ("", None, None),
    ],
)
def test_what_a_reference_names(reference: str, session: str | None, expected: str | None) -> None:
    assert local_id(reference, session) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ("", ""),
        ("@deps m1\n", ""),
        ("@p @m1\n", "m1"),
        ("@parent m1\n", "m1"),
        ("@p m1\n@parent m2\n", "m1"),
        ("@p ref:msg:S:m1\n", None),
        ("@p ref:doc:m1\n", None),
    ],
)
def test_the_parent_of_a_message(headers: str, expected: str | None) -> None:
    assert parent_id(parse(with_body("ack", headers))) == expected


def test_the_ids_of_a_message() -> None:
    message = parse(with_body("ack", f"@sid ref:sess:{SESSION}\n@p @m2\n@deps m1,\tm2 ,@m3#a1,ref:doc:x\n"))
    assert (message_id(message), session_id(message)) == ("m7", SESSION)
    assert parent_ids(message) == ("m2", "m1", "m3")
    assert session_id(parse(with_body("ack", "@sid ref:sess:\n"))) is None
    assert message_id(parse("@mid ref:msg:01ABC\n\nack")) == "01ABC"
    assert message_id(parse("ack")) is None


def test_what_was_whole_before_is_not_searched_for_circles() -> None:
    asked: list[str] = []

    class Watched(Thread):
        def node(self, message_id: str) -> ThreadNode | None:
            asked.append(message_id)
            return super().node(message_id)

    thread = Watched()
    for number in range(1, 100):
        parent = f"@p n{number - 1}\n" if number > 1 else ""
        thread.add(parse(with_body("ack", parent).replace("@id m7", f"@id n{number}")))
    thread.add(parse(with_body("ack", "@deps n99,m7\n").replace("@id m7", "@id early")))
    asked.clear()
    assert "V7/cycle" not in weights(with_body("ack", "@p n99\n"), thread)
    assert len(asked) < 10
    assert weights(with_body("ack", "@deps early,n99\n"), thread)["V7/cycle"] == STRICT_ERROR
