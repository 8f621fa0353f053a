"""Which lines of a Claude Code session are its conversation: branches, summaries, results of parallel calls.

Knows the trees that lines form. All samples are made up.
"""

from __future__ import annotations

from tests.unit.outlines import answers, notices, outline
from tests.unit.session_lines import SessionLines, call, returned, text


def test_the_branch_that_ends_last_is_the_conversation() -> None:
    session = SessionLines()
    session.user("Go.")
    asked = session.assistant("m1", text("Where?"))
    session.user("To the north.")
    session.assistant("m2", text("North it is."))
    session.user("To the south.", parentUuid=asked)
    session.assistant("m3", text("South it is."))
    history = session.read()
    assert outline(history) == [
        ("user", "Go."),
        ("assistant", "Where?"),
        ("user", "To the south."),
        ("assistant", "South it is."),
    ]
    assert answers(history) == [None, 0, 1, 2]
    assert notices(history) == {"branch that was left": (1, 0)}
    assert history.notices[0].where == "line 3"
    assert history.items == (*session.lines[:2], *session.lines[4:])


def test_every_branch_that_was_left_is_counted() -> None:
    session = SessionLines()
    asked = session.user("Go.")
    for number in range(3):
        session.user(f"Not {number}.", parentUuid=asked)
        session.add({"type": "progress", "uuid": f"p{number}", "parentUuid": f"u{len(session.lines)}"})
        session.assistant(f"m{number}", text("No."), parentUuid=f"p{number}")
    session.user("A first prompt, edited.", parentUuid=None)
    history = session.read()
    assert outline(history) == [("user", "A first prompt, edited.")]
    assert notices(history)["branch that was left"] == (1, 0)
    session.user("Go on.", parentUuid=asked)
    assert outline(session.read()) == [("user", "Go."), ("user", "Go on.")]
    assert notices(session.read())["branch that was left"] == (4, 0)


def test_results_of_parallel_calls_hang_from_their_calls() -> None:
    session = SessionLines()
    session.user("Both.")
    first = session.assistant("m1", call("Read", "t1"))
    second = session.assistant("m1", call("Read", "t2"))
    session.results(returned("t1", "one"), parentUuid=first)
    session.results(returned("t2", "two"), parentUuid=second)
    session.assistant("m2", text("Read."))
    history = session.read()
    assert outline(history) == [
        ("user", "Both."),
        ("assistant", "1:Read", "2:Read", "1=one", "2=two"),
        ("assistant", "Read."),
    ]
    assert not history.notices


def test_the_rest_of_a_message_belongs_to_it_when_the_session_ends_in_a_result() -> None:
    session = SessionLines()
    first = session.assistant("m1", call("Read", "t1"))
    session.assistant("m1", call("Read", "t2"))
    session.results(returned("t2", "two"))
    session.results(returned("t1", "one"), parentUuid=first)
    assert outline(session.read()) == [("assistant", "1:Read", "2:Read", "2=two", "1=one")]


def test_what_came_before_a_summary_is_kept() -> None:
    session = SessionLines()
    session.user("Find the leak.")
    last = session.assistant("m1", text("It is the seal."))
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": None}
    session.add({**boundary, "logicalParentUuid": last, "content": "Compacted"})
    session.user([text("So far: the seal.")], parentUuid="b1", isCompactSummary=True)
    session.assistant("m2", text("Going on."))
    session.user("Again: the seal.", parentUuid=None, isCompactSummary=True)
    history = session.read()
    assert outline(history) == [
        ("user", "Find the leak."),
        ("assistant", "It is the seal."),
        ("user", "~So far: the seal."),
        ("assistant", "Going on."),
        ("user", "~Again: the seal."),
    ]
    assert answers(history) == [None, 0, 1, 2, 3]
    assert notices(history) == {"line of type `system`": (1, 9)}


def test_a_line_whose_parent_is_not_in_the_file_follows_the_one_before() -> None:
    session = SessionLines()
    session.user("Go.", parentUuid="of a session before")
    session.assistant("m1", text("Gone."), parentUuid="lost")
    del session.lines[1]["parentUuid"]  # type: ignore[attr-defined]
    session.user("Back.", parentUuid="lost too")
    assert [turn[1] for turn in outline(session.read())] == ["Go.", "Gone.", "Back."]


def test_another_session_in_the_same_file_goes_on() -> None:
    session = SessionLines()
    session.user("Go.")
    session.assistant("m1", text("Gone."))
    session.user("Back.", parentUuid=None, sessionId="s2")
    session.assistant("m2", text("Here."), sessionId="s2")
    history = session.read()
    assert [turn[1] for turn in outline(history)] == ["Go.", "Gone.", "Back.", "Here."]
    assert not history.notices


def test_a_line_without_a_name_is_no_parent() -> None:
    session = SessionLines()
    session.user("Go.")
    session.user("Not this.")
    del session.lines[1]["uuid"]  # type: ignore[attr-defined]
    session.user("Edited.", parentUuid=None)
    history = session.read()
    assert outline(history) == [("user", "Edited.")]
    assert notices(history) == {"branch that was left": (1, 0)}


def test_lines_that_follow_each_other_in_a_circle() -> None:
    session = SessionLines()
    session.user("a", parentUuid="u2")
    session.user("b", parentUuid="u1")
    session.user("c", parentUuid="u3")
    session.user("d", parentUuid="u1")
    assert outline(session.read()) == [("user", "a"), ("user", "b"), ("user", "d")]


def test_a_session_that_goes_on_keeps_the_turns_it_had() -> None:
    session = SessionLines()
    session.user("Go.")
    session.assistant("m1", text("Asking."), call("Task", "t1", prompt="Look.", subagent_type="diver"))
    first = session.aside("user", None, "Look.")
    session.aside("assistant", first, [text("Wet.")], "n1")
    session.results(returned("t1", "Wet."))
    session.assistant("m2", text("It is wet."))
    whole = session.lines
    told = outline(session.read())
    for count in range(2, len(whole)):
        session.lines = whole[:count]
        for turn, part in zip(told, outline(session.read()), strict=False):
            assert turn[: len(part)] == part
