"""A session between batches: who waits, who is set free, and that its entries are all that is needed."""

from __future__ import annotations

import pytest

from pairl.thread import Status, ThreadNode
from schemas.changelog import Change, bounded
from schemas.headers import Headers
from schemas.session_state import SessionNode
from schemas.topics import LARGEST_INBOUND_RECORD, THREADS
from tests.unit.partitions import LOOSE, NOW, STRICT, Arrived, said, written
from workers.processors.conversation import Conversation, Patience, Waiting
from workers.processors.outcome import InputRecord
from workers.processors.reading import Reading, can_be_kept, read, size_of
from workers.processors.session_view import SessionView

LONG = "x" * 1_000


def _reading(name: str, parents: str = "", offset: int = 0) -> Reading:
    record = said(name, parents)
    record.offset = offset
    return read(record, STRICT)


def _read_again(record: InputRecord) -> Reading:
    return read(record, STRICT)


def _park(conversation: Conversation, name: str, parents: str, offset: int = 0) -> Waiting:
    return conversation.park(_reading(name, parents, offset), bounded(name), NOW, NOW + 10)


def _judged(conversation: Conversation, name: str, status: Status, *parents: str) -> list[str]:
    """Let there be a verdict on a message; return the ids of those that this sets free."""
    conversation.add(ThreadNode(name, status, parents=parents), NOW)
    return [waiting.record.id for waiting in conversation.settle(name)]


def _entries(conversation: Conversation) -> list[tuple[str, bytes]]:
    """Return the entries of a session, as the changelog has them."""
    nodes = [SessionNode("s", node, "t/0/0", NOW) for node in conversation.thread.nodes()]
    changes: list[Change] = [node.as_change() for node in nodes]
    changes += [waiting.record.as_change() for waiting in conversation.waiting()]
    return [(change.entry, change.value or b"") for change in changes]


def _waits(conversation: Conversation) -> dict[int, set[str]]:
    return {waiting.record.offset: waiting.missing for waiting in conversation.waiting()}


def test_missing_are_parents_without_a_verdict() -> None:
    conversation = Conversation("s")
    _judged(conversation, "m1", Status.ACCEPTED)
    _judged(conversation, "m2", Status.REJECTED)
    _park(conversation, "m3", "m9")
    assert conversation.missing(_reading("m5", "m1,m2,m3,m4,m5")) == {"m3", "m4"}


def test_a_parent_is_seen_as_accepted_else_as_waiting_else_as_rejected() -> None:
    conversation = Conversation("s")
    seen = []
    _judged(conversation, "m1", Status.REJECTED)
    seen.append(conversation.node("m1"))
    _park(conversation, "m1", "m8", 1)
    _park(conversation, "m1", "m9,m8", 2)
    seen.append(conversation.node("m1"))
    _judged(conversation, "m1", Status.ACCEPTED)
    seen.append(conversation.node("m1"))
    assert [node and (node.status, node.parents) for node in seen] == [
        (Status.REJECTED, ()),
        (Status.WAITING, ("m8", "m9")),
        (Status.ACCEPTED, ()),
    ]
    assert conversation.node("m8") is None


def test_accepted_parents_free_those_that_wait_for_nothing_else_in_the_order_of_arrival() -> None:
    conversation = Conversation("s")
    _park(conversation, "m5", "m1", 8)
    _park(conversation, "m3", "m1", 3)
    _park(conversation, "m4", "m1,m2", 4)
    assert _judged(conversation, "m1", Status.ACCEPTED) == ["m3", "m5"]
    assert _judged(conversation, "m1", Status.ACCEPTED) == []
    assert _waits(conversation) == {4: {"m2"}}
    assert _judged(conversation, "m2", Status.ACCEPTED) == ["m4"]
    assert (conversation.waiting_count, conversation.waiting_bytes) == (0, 0)


def test_a_rejected_parent_frees_all_unless_another_of_its_id_waits() -> None:
    conversation = Conversation("s")
    _park(conversation, "m2", "m1,m9", 1)
    _park(conversation, "m1", "m8", 2)
    assert _judged(conversation, "m1", Status.REJECTED) == []
    assert _judged(conversation, "m8", Status.ACCEPTED) == ["m1"]
    assert _judged(conversation, "m1", Status.REJECTED) == ["m2"]
    # Nothing is left of what they waited for.
    assert not conversation.is_named("m9")


def test_who_named_a_rejected_message_waits_for_another_one_of_its_id() -> None:
    conversation = Conversation("s")
    _judged(conversation, "m1", Status.REJECTED)
    _park(conversation, "m2", "m1,m9", 1)
    assert _waits(conversation) == {1: {"m9"}}
    _park(conversation, "m1", "m8", 2)
    assert _waits(conversation) == {1: {"m1", "m9"}, 2: {"m8"}}


def test_a_message_that_waits_names_its_parents_until_one_of_their_id_is_accepted() -> None:
    conversation = Conversation("s")
    _judged(conversation, "m1", Status.REJECTED)
    _park(conversation, "m3", "m1,m2")
    assert [conversation.is_named(name) for name in ("m1", "m2", "m3")] == [True, True, False]
    _judged(conversation, "m1", Status.ACCEPTED)
    assert [conversation.is_named(name) for name in ("m1", "m2", "m3")] == [False, True, False]


def test_the_overdue_come_by_deadline_and_not_when_others_have_freed_them() -> None:
    conversation = Conversation("s")
    for name, offset, due in (("m1", 1, 30), ("m2", 2, 20), ("m3", 3, 20), ("m4", 4, 31)):
        conversation.park(_reading(name, "m9" if name != "m3" else "m2", offset), name, NOW, due)
    found = []
    for waiting in conversation.overdue(30):
        found.append(waiting.record.id)
        found += [f"({name})" for name in _judged(conversation, waiting.record.id, Status.REJECTED)]
    assert found == ["m2", "(m3)", "m1"]
    assert _waits(conversation) == {4: {"m9"}}


def test_room_is_counted_in_messages_and_in_bytes() -> None:
    conversation = Conversation("s")
    record = Arrived(b"12345", b"1", (("äb", b"1"), ("c", None)))
    assert size_of(record) == 11 + 2 * 10
    one = read(record, STRICT)
    assert conversation.has_room(one, Patience(1, messages=1, bytes=31))
    assert not conversation.has_room(one, Patience(1, messages=0, bytes=31))
    assert not conversation.has_room(one, Patience(1, messages=1, bytes=30))
    parked = _park(conversation, "m2", "m1,m0")
    assert parked.size == size_of(said("m2", "m1,m0")) + 2 * 1_024
    assert not conversation.has_room(one, Patience(1, messages=1, bytes=10_000))
    assert conversation.has_room(one, Patience(1, messages=2, bytes=parked.size + 31))
    assert not conversation.has_room(one, Patience(1, messages=2, bytes=parked.size + 30))


@pytest.mark.parametrize(
    "headers",
    [
        (("h", b"\0" * LARGEST_INBOUND_RECORD),),
        (("\1" * 2_000_000, b""),),
        (("\1" * 2_100_000, b""),),
        (("é" * 1_000_000, b""),),
        (("", b""),) * 900_000,
        (("", None),) * 1_000_000,
    ],
    ids=["contents", "escaped", "too much escaped", "letters", "frames", "too many frames"],
)
def test_a_record_that_can_be_kept_fits_into_the_changelog(headers: Headers) -> None:
    record = Arrived(b"", b"s" * 100, headers)
    value = Conversation("s" * 256).park(read(record, STRICT), "ü" * 256, NOW, NOW).record.as_change().value
    limit = int(THREADS.config["max.message.bytes"])
    assert value is not None
    assert not can_be_kept(record) or len(value) < limit - 8_192
    assert can_be_kept(record) or len(value) > limit // 2


def test_entries_are_all_that_is_needed() -> None:
    conversation = Conversation("s")
    _judged(conversation, "m2", Status.ACCEPTED, "m1")
    _judged(conversation, "m3", Status.REJECTED, "m2")
    _judged(conversation, "m4", Status.REJECTED)
    _park(conversation, "m6", "m3,m8", 6)
    _park(conversation, "m3", "m7", 7)
    _park(conversation, "m6", "m6,m2", 8)
    _park(conversation, "m/%", LONG, 9)
    again = Conversation.load("s", _entries(conversation), _read_again)
    assert list(again.thread.nodes()) == list(conversation.thread.nodes())
    assert _waits(again) == _waits(conversation)
    assert _waits(again)[6] == {"m3", "m8"}
    names = ("m1", "m2", "m3", "m4", "m6", "m7", "m8", "m/%", bounded(LONG))
    for name in names:
        assert again.node(name) == conversation.node(name)
        assert again.is_named(name) == conversation.is_named(name)
        assert again.thread.is_awaited(name) == conversation.thread.is_awaited(name)
    assert again.waiting_bytes == conversation.waiting_bytes
    assert again.weight == conversation.weight
    assert again.changed_at == conversation.changed_at == NOW


@pytest.mark.parametrize("entry", [("m2", b"{"), ("m2", b"{}"), ("m2/1", b"[]"), ("m2/1", b"\xff")])
def test_an_entry_of_somebody_else_is_passed_over(entry: tuple[str, bytes]) -> None:
    conversation = Conversation("s")
    _judged(conversation, "m1", Status.ACCEPTED)
    again = Conversation.load("s", [entry, *_entries(conversation)], _read_again)
    assert [node.id for node in again.thread.nodes()] == ["m1"]


def test_to_forget_is_to_take_away_every_entry() -> None:
    conversation = Conversation("s")
    _judged(conversation, "m1", Status.ACCEPTED)
    _judged(conversation, "a/b", Status.REJECTED)
    _park(conversation, "a/b", "m9", 4)
    gone = conversation.forget()
    assert all(change.value is None and change.session == "s" for change in gone)
    assert [change.entry for change in gone] == [name for name, _ in _entries(conversation)]


def test_names_too_long_to_be_kept_are_found_under_their_digest() -> None:
    conversation = Conversation("s")
    _judged(conversation, bounded(LONG), Status.ACCEPTED, bounded("y" * 1_000))
    other = Conversation(bounded("z" * 1_000))
    _judged(other, bounded(LONG), Status.ACCEPTED)
    view = SessionView(conversation, {other.session: other}, {})
    assert view.node(LONG) is not None
    assert view.is_awaited("y" * 1_000)
    assert view.is_elsewhere("z" * 1_000, LONG) is True
    assert conversation.missing(read(Arrived(written("m2", LONG)), LOOSE)) == set()


def test_a_view_says_of_other_sessions_what_is_known_of_them() -> None:
    other = Conversation("other")
    _judged(other, "m1", Status.ACCEPTED)
    _judged(other, "m2", Status.REJECTED)
    _park(other, "m3", "m9")
    looked_up = {("far", "m1"): True, ("far", "m2"): False, ("other", "m3"): True}
    view = SessionView(Conversation("s"), {"other": other}, looked_up)
    assert [view.is_elsewhere("other", name) for name in ("m1", "m2", "m3")] == [True, False, False]
    assert [view.is_elsewhere("far", name) for name in ("m1", "m2", "m3")] == [True, False, None]
