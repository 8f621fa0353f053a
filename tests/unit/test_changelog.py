"""Changelogs: keys that cannot be mistaken for one another, and records that are read back or refused."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairl.thread import Status, ThreadNode
from schemas.changelog import Change, bounded, named, read_change
from schemas.session_state import SessionNode, WaitingMessage, decode

# What was parsed from UTF-8 holds any code point but surrogates.
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("session", "names", "key"),
    [
        ("s", ("m1",), b"session/s/m1"),
        ("a/b", ("c",), b"session/a%2Fb/c"),
        ("a", ("b/c",), b"session/a/b%2Fc"),
        ("a", ("b", 7), b"session/a/b/7"),
        ("a", ("b/7",), b"session/a/b%2F7"),
        ("a%2Fb", ("c",), b"session/a%252Fb/c"),
        ("ä\n\x00", (" ",), b"session/%C3%A4%0A%00/%20"),
    ],
)
def test_a_key_is_the_session_and_the_entry(session: str, names: tuple[str | int, ...], key: bytes) -> None:
    change = Change(session, named(*names), None)
    assert change.key == key
    assert read_change(key, None) == change


@given(NAMES, NAMES, st.integers(0), NAMES, NAMES, st.integers(0))
def test_no_two_entries_have_one_key(
    session: str, name: str, offset: int, other_session: str, other_name: str, other_offset: int
) -> None:
    keys = {
        Change(session, named(name), None).key: (session, name),
        Change(session, named(name, offset), None).key: (session, name, offset),
        Change(other_session, named(other_name), None).key: (other_session, other_name),
        Change(other_session, named(other_name, other_offset), None).key: (
            other_session,
            other_name,
            other_offset,
        ),
    }
    assert len(keys) == len(set(keys.values()))
    for key, (key_session, *names) in keys.items():
        read = read_change(key, None)
        assert (read.session, read.entry) == (key_session, named(*names))
        assert ("/" in read.entry) is (len(names) == 2)


@pytest.mark.parametrize(
    "entry",
    [
        SessionNode("s", ThreadNode("m1", Status.ACCEPTED), "t/0/1", 17),
        WaitingMessage("s", "m1", 17, 27, "t", 0, 1, 5, None, b"\xff", (("h", None),)),
    ],
)
def test_a_record_is_read_as_the_change_that_was_written(entry: SessionNode | WaitingMessage) -> None:
    change = entry.as_change()
    read = read_change(change.key, change.value)
    assert read == change
    assert read.at == 17
    assert read.due == (27 if isinstance(entry, WaitingMessage) else None)
    assert decode(read.entry, read.value or b"") == entry


def test_a_removal_takes_the_place_of_what_it_removes() -> None:
    parked = WaitingMessage("a/b", "c/d", 17, 27, "t", 0, 1, 5)
    assert parked.as_removal() == Change("a/b", "c%2Fd/1", None)
    assert parked.as_removal().key == parked.as_change().key
    assert read_change(parked.as_removal().key, None) == parked.as_removal()


def test_times_are_read_from_whatever_a_changelog_holds() -> None:
    value = json.dumps({"at": 5, "due": 6, "of_another": [1]}).encode()
    assert read_change(b"session/s/legend", value) == Change("s", "legend", value, 5, 6)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, None),
        (b"", None),
        (b"session/s", None),
        (b"other/s/m1", None),
        (b"\xff", None),
        (b"session/s/m1", b""),
        (b"session/s/m1", b"{}"),
        (b"session/s/m1", b'{"at":"5"}'),
        (b"session/s/m1", b'{"at":5,"due":"6"}'),
        (b"session/s/m1", b"[]"),
        (b"session/s/m\0", b'{"at":5}'),
        (b"session/s/@offset", b'{"at":5}'),
        (b"session/s/%6d1", b'{"at":5}'),
        (b"session/s/%2f", b'{"at":5}'),
        (b"session/a b/m1", None),
        (b"session/%FF/m1", None),
        (b"session/s/m1", b'{"at":-1}'),
        (b"session/s/m1", b'{"at":5,"due":-6}'),
        (b"session/s/m1", b'{"at":5,"due":1e300}'),
        (b"session/s/m1", b'{"at":' + b"9" * 400 + b"}"),
    ],
)
def test_a_record_that_is_none_of_a_changelog_is_refused(key: bytes | None, value: bytes | None) -> None:
    with pytest.raises(ValueError, match=r"key|value|decode"):
        read_change(key, value)


@pytest.mark.parametrize("length", [0, 1, 256])
def test_a_name_of_reasonable_length_is_kept(length: int) -> None:
    assert bounded("x" * length) == "x" * length


def test_a_longer_name_is_replaced_by_a_digest_of_its_own() -> None:
    long, longer = bounded("x" * 257), bounded("x" * 258)
    assert long == f"sha256:{hashlib.sha256(b'x' * 257).hexdigest()}"
    assert long != longer
    assert bounded(long) == long
