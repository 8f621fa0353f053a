"""How a message of a batch sees its session: what was looked up, and the messages before it."""

from __future__ import annotations

import pytest

from pairl.thread import Status
from schemas.session_node import SessionNode, bounded
from workers.processors.session_view import SessionView


def _node(
    name: str, status: Status = Status.ACCEPTED, *, missing: tuple[str, ...] = (), digest: str = "0"
) -> SessionNode:
    return SessionNode("s", name, status, "inbound/0/0", digest, missing, missing)


def test_what_was_looked_up_is_seen() -> None:
    view = SessionView([_node("m1"), _node("m2", Status.REJECTED)], awaited=["m9"])
    found = view.node("m1")
    assert found is not None
    assert (found.id, found.status, found.hash) == ("m1", Status.ACCEPTED, "0")
    assert view.node("m3") is None
    assert (view.is_awaited("m9"), view.is_awaited("m1")) == (True, False)


def test_names_too_long_to_be_kept_are_found_under_their_digest() -> None:
    long = "m" * 1_000
    view = SessionView([_node(bounded(long))], awaited=[bounded("x" * 1_000)])
    assert view.node(long) is not None
    assert view.is_awaited("x" * 1_000)
    assert view.missing([bounded(long)]) == ()


def test_missing_are_those_that_are_unknown_or_were_rejected() -> None:
    view = SessionView([_node("m1"), _node("m2", Status.REJECTED)])
    assert view.missing(["m1", "m2", "m3"]) == ("m2", "m3")
    assert view.missing([]) == ()


@pytest.mark.parametrize(
    ("present", "added", "changes", "status"),
    [
        pytest.param(None, _node("m1"), True, Status.ACCEPTED, id="new"),
        pytest.param(None, _node("m1", Status.REJECTED), True, Status.REJECTED, id="new and rejected"),
        pytest.param(_node("m1", Status.REJECTED), _node("m1"), True, Status.ACCEPTED, id="done right"),
        pytest.param(_node("m1"), _node("m1"), False, Status.ACCEPTED, id="repeated"),
        pytest.param(
            _node("m1"), _node("m1", Status.REJECTED), False, Status.ACCEPTED, id="rejected after accepted"
        ),
        pytest.param(_node("m1"), _node("m1", digest="1"), False, Status.ACCEPTED, id="another content"),
        pytest.param(
            _node("m1", Status.REJECTED), _node("m1", Status.REJECTED), False, Status.REJECTED, id="the same"
        ),
    ],
)
def test_a_message_changes_the_session_unless_one_was_accepted_under_its_id(
    present: SessionNode | None, added: SessionNode, changes: bool, status: Status
) -> None:
    view = SessionView([] if present is None else [present])
    assert view.add(added) is changes
    node = view.node("m1")
    assert node is not None
    assert node.status is status
    assert node.hash == "0"


def test_what_an_accepted_message_misses_is_awaited_from_then_on() -> None:
    view = SessionView()
    view.add(_node("m2", missing=("m1",)))
    assert view.is_awaited("m1")
    view.add(_node("m1"))
    assert view.missing(["m1"]) == ()
