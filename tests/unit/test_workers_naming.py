"""Where a message belongs: its session, its id, and what it mentions of other sessions.

Knows the validator's batches. What becomes of records in another partition is in `test_workers_rerouting`.
"""

from __future__ import annotations

import pytest

from pairl import Policy
from schemas import headers
from schemas.changelog import bounded
from schemas.topics import VALIDATED
from schemas.verdict import Accepted
from tests.unit.partitions import (
    LOOSE,
    PARTITION,
    STRICT,
    Arrived,
    Partition,
    block,
    codes,
    decide,
    outputs,
    said,
    verdicts,
    written,
)
from workers.processors.conversation import Conversation, Patience
from workers.processors.validator import Validator

LONG = "x" * 1_000


@pytest.mark.parametrize(
    ("record", "session"),
    [
        pytest.param(Arrived(written("m1")), "s", id="the key"),
        pytest.param(
            Arrived(written("m1", more_headers="@sid inside\n")), "inside", id="@sid before the key"
        ),
        pytest.param(
            Arrived(written("m1", more_headers="@sid ref:sess:inside\n")), "inside", id="@sid as a ref"
        ),
        pytest.param(
            Arrived(written("m1"), headers=(("pairl-session", b"header"),)),
            "s",
            id="the key before the header",
        ),
        pytest.param(
            Arrived(written("m1"), None, (("pairl-session", b"header"),)), "header", id="the header"
        ),
        pytest.param(
            Arrived(written("m1"), b"", (("pairl-session", b"header"),)), "header", id="an empty key is none"
        ),
        pytest.param(
            Arrived(written("m1"), None, (("pairl-session", b"1"), ("pairl-session", b"2"))),
            "2",
            id="the last header",
        ),
        pytest.param(
            Arrived(written("m1"), None, (("pairl-session", b""),)), None, id="an empty header is none"
        ),
        pytest.param(Arrived(written("m1"), None), None, id="none"),
        pytest.param(Arrived(written("m1"), b"\xff"), "bytes:ff", id="a key of bytes"),
        pytest.param(Arrived(written("m1"), LONG.encode()), bounded(LONG), id="a key of great length"),
        pytest.param(Arrived(b"\xff", b"s"), "s", id="even of what cannot be read"),
    ],
)
def test_the_session_is_sid_else_the_key_else_the_header(record: Arrived, session: str | None) -> None:
    outcome = decide(record)
    (judged,) = verdicts(outcome).values()
    assert judged.session == session
    assert block(outcome).entries[0].session == session
    assert {change.session for change in outcome.changes} <= {session}
    if isinstance(judged, Accepted):
        (output,) = outputs(outcome, VALIDATED.name)
        assert headers.last(output.headers[len(record.headers) :], headers.SESSION) == (
            None if session is None else session.encode()
        )


def test_a_batch_names_its_sessions_and_what_it_mentions_of_others() -> None:
    mention = "#ref @rid=r1 src=ref:msg:there:m7\n"
    records = [
        Arrived(written("m1", more_headers="@deps ref:msg:far:m3\n"), b"a"),
        Arrived(written("m2", more=mention), b"b"),
        Arrived(written("m2"), None),
    ]
    batch = Validator(STRICT, Patience()).read(records, lambda _: PARTITION)
    assert batch.sessions == {"a", "b"}
    assert batch.foreign({}) == {("far", "m3"), ("there", "m7")}
    # What is known is not looked up.
    assert batch.foreign({"there": Conversation("there")}) == {("far", "m3")}


@pytest.mark.parametrize("in_one_batch", [True, False])
def test_a_message_of_another_session_is_found_wherever_it_is_known(in_one_batch: bool) -> None:
    partition = Partition()
    mention = "#evid claim=f1 src=ref:msg:other:m7 conf=0.5\n"
    first, second = said("m7", key=b"other"), said("m1", more=mention, key=b"s")
    if in_one_batch:
        outcome = partition.take(first, second)
    else:
        before = partition.take(first)
        partition.elsewhere = {("other", "m7"): before.changes[0].value}
        outcome = partition.take(second)
    assert codes(verdicts(outcome)[1]) == []


@pytest.mark.parametrize("entry", [None, b"{", b"{}"])
def test_a_message_that_another_session_does_not_have_is_warned_about(entry: bytes | None) -> None:
    partition = Partition()
    partition.elsewhere = {("other", "m7"): entry}
    (judged,) = verdicts(
        partition.take(said("m1", more="#evid claim=f1 src=ref:msg:other:m7 conf=0.5\n"))
    ).values()
    assert codes(judged) == ["V4/other-session"]
    assert "no message `m7` is known in session `other`" in judged.diagnostics[0].message


@pytest.mark.parametrize("name", [b"m\xff", b"\xed\xa0\x80", b"a/b", b"%2F", b"..", b"@offset", b"\x00"])
@pytest.mark.parametrize("policy", [STRICT, LOOSE])
def test_whatever_an_id_holds_the_batch_is_decided(name: bytes, policy: Policy) -> None:
    partition = Partition(policy)
    child = written("m2").replace(b"@ts", b"@p " + name + b"\n@ts")
    partition.take(Arrived(child), Arrived(written("N").replace(b"N\n", name + b"\n", 1)))
    partition.forget_memory()
    outcome = partition.wait(partition.validator.patience.milliseconds)
    assert {"/" in entry for entry in partition.entries["s"]} == {False}
    assert {judged.id for judged in verdicts(outcome).values()} <= {"m2"}
