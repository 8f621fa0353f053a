"""The validator's decisions, without Kafka or Redis: sessions, verdicts, audit entries, and what is kept.

Knows records and outcomes. Does not test the rules; a few of them serve as examples.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec
import pytest

from pairl import Policy, compute_hash, parse
from pairl.thread import Status
from schemas import audit, headers, verdict
from schemas.audit import AuditBlock, ChainHead
from schemas.session_node import SessionNode, bounded
from schemas.topics import AUDIT, REJECTED, TOPICS, VALIDATED
from schemas.verdict import Accepted, Rejected
from workers.processors.outcome import Outcome, OutputRecord
from workers.processors.session_view import SessionView
from workers.processors.validator import Validator

STRICT = Policy(strict=True)
LONG = "x" * 1_000


class Arrived(msgspec.Struct):
    """A record as the client hands it over."""

    value: bytes | None
    key: bytes | None = b"s"
    headers: Sequence[tuple[str, bytes]] = ()
    offset: int = 0
    topic: str = "pairl.inbound"
    partition: int = 2
    timestamp: int = 1_777_000_000_000


def _message(name: str | None, parent: str = "", more: str = "", more_headers: str = "") -> bytes:
    own = f"@id {name}\n" if name else ""
    answers = f"@p {parent}\n" if parent else ""
    return f"@v 1\n{own}@ts 2026-05-04T10:00:00Z\n{answers}{more_headers}\n#fact a=1 @rid=f1\n{more}".encode()


BROKEN = "#fact b=2 @rid=f1\n"


def _decide(
    *records: Arrived,
    policy: Policy = STRICT,
    known: Mapping[str, SessionView] | None = None,
    chain: ChainHead | None = None,
) -> Outcome:
    """Judge records, numbered from their own offsets, as one batch."""
    batch = Validator(policy).read(records)
    sessions = {name: (known or {}).get(name) or SessionView() for name in batch.lookup}
    return batch.decide(sessions, chain or ChainHead())


def _outputs(outcome: Outcome, name: str) -> Sequence[OutputRecord]:
    (records,) = [records for topic, records in outcome.outputs if topic.name == name]
    return records


def _verdicts(outcome: Outcome) -> list[Accepted | Rejected]:
    """Return the verdicts in the order of offsets."""
    queues = {
        "accepted": list(_outputs(outcome, VALIDATED.name)),
        "rejected": list(_outputs(outcome, REJECTED.name)),
    }
    return [
        verdict.decode(headers.last(queues[entry.verdict].pop(0).headers, headers.VERDICT) or b"")
        for entry in _block(outcome).entries
    ]


def _block(outcome: Outcome) -> AuditBlock:
    (record,) = _outputs(outcome, AUDIT.name)
    return audit.decode(record.value or b"")


@pytest.mark.parametrize(
    ("record", "session"),
    [
        pytest.param(Arrived(_message("m1")), "s", id="the key"),
        pytest.param(
            Arrived(_message("m1", more_headers="@sid inside\n")), "inside", id="@sid before the key"
        ),
        pytest.param(
            Arrived(_message("m1", more_headers="@sid ref:sess:inside\n")), "inside", id="@sid as a ref"
        ),
        pytest.param(
            Arrived(_message("m1"), headers=(("pairl-session", b"header"),)),
            "s",
            id="the key before the header",
        ),
        pytest.param(
            Arrived(_message("m1"), None, (("pairl-session", b"header"),)), "header", id="the header"
        ),
        pytest.param(
            Arrived(_message("m1"), b"", (("pairl-session", b"header"),)), "header", id="an empty key is none"
        ),
        pytest.param(
            Arrived(_message("m1"), None, (("pairl-session", b"1"), ("pairl-session", b"2"))),
            "2",
            id="the last header",
        ),
        pytest.param(
            Arrived(_message("m1"), None, (("pairl-session", b""),)), None, id="an empty header is none"
        ),
        pytest.param(Arrived(_message("m1"), None), None, id="none"),
        pytest.param(Arrived(_message("m1"), b"\xff"), "bytes:ff", id="a key of bytes"),
        pytest.param(Arrived(_message("m1"), LONG.encode()), bounded(LONG), id="a key of great length"),
        pytest.param(Arrived(b"\xff", b"s"), "s", id="even of what cannot be read"),
    ],
)
def test_the_session_is_sid_else_the_key_else_the_header(record: Arrived, session: str | None) -> None:
    outcome = _decide(record)
    (judged,) = _verdicts(outcome)
    assert judged.session == session
    assert _block(outcome).entries[0].session == session
    assert {node.session for node in outcome.nodes} <= {session}
    if isinstance(judged, Accepted):
        (output,) = _outputs(outcome, VALIDATED.name)
        assert headers.last(output.headers[len(record.headers) :], headers.SESSION) == (
            None if session is None else session.encode()
        )


def test_the_lookup_asks_for_own_ids_and_named_ones_of_each_session() -> None:
    batch = Validator(STRICT).read(
        [
            Arrived(_message("m2", "m1"), b"a"),
            Arrived(_message("m3", "m2", more_headers="@deps m1,@m0#f1\n"), b"a"),
            Arrived(_message(None, "m7"), b"b"),
            Arrived(_message("m9", "m8"), None),
            Arrived(_message(LONG, LONG), b"c"),
        ]
    )
    assert dict(batch.lookup) == {
        "a": ({"m2", "m3"}, {"m0", "m1", "m2"}),
        "b": (set(), {"m7"}),
        "c": ({bounded(LONG)}, {bounded(LONG)}),
    }


def test_an_accepted_record_is_passed_on_with_four_headers_behind_its_own() -> None:
    arrived = Arrived(_message("m1"), headers=(("a", b"1"), ("pairl-hash", b"spoofed"), ("a", b"2")))
    outcome = _decide(arrived)
    (output,) = _outputs(outcome, VALIDATED.name)
    digest = compute_hash(parse(arrived.value or b""))
    assert (output.key, output.value, output.timestamp) == (arrived.key, arrived.value, arrived.timestamp)
    assert tuple(output.headers[:3]) == arrived.headers
    assert dict(output.headers[3:]).keys() == _documented("validated")
    assert dict(output.headers[3:]) | {"pairl-verdict": b""} == {
        "pairl-verdict": b"",
        "pairl-hash": digest.encode(),
        "pairl-id": b"m1",
        "pairl-session": b"s",
    }
    assert outcome.counts == {"accepted": 1, "rejected": 0}
    (judged,) = _verdicts(outcome)
    assert isinstance(judged, Accepted)
    assert (judged.hash, judged.id, judged.mode) == (digest, "m1", "strict")


def test_a_rejected_record_is_passed_on_with_its_codes_and_its_place() -> None:
    arrived = Arrived(_message("m2", "m9", BROKEN), headers=(("a", b"1"),), offset=17)
    outcome = _decide(arrived)
    (output,) = _outputs(outcome, REJECTED.name)
    assert (output.key, output.value, output.timestamp) == (arrived.key, arrived.value, arrived.timestamp)
    assert tuple(output.headers[:1]) == arrived.headers
    added = dict(output.headers[1:])
    assert added.keys() == _documented("rejected")
    # The codes stand in the order of the message: its headers come first.
    assert added["pairl-codes"] == b"V4,V6"
    assert added["pairl-source"] == b"pairl.inbound/2/17"
    (judged,) = _verdicts(outcome)
    assert isinstance(judged, Rejected)
    assert (judged.codes, judged.source, judged.id) == (("V4", "V6"), "pairl.inbound/2/17", "m2")
    assert {found.code for found in judged.diagnostics} == {"V4/unresolved-parent", "V6/duplicate-rid"}


def _documented(topic: str) -> set[str]:
    """Return the headers that the table promises on a topic."""
    return {header.name for header in headers.HEADERS if topic in header.topics}


@pytest.mark.parametrize("value", [None, b"", b"\xff\xfe", b"\n", b"{}", b"@v 1\n" * 3, b"---\n"])
def test_what_is_no_message_is_rejected_and_kept_out_of_the_session(value: bytes | None) -> None:
    outcome = _decide(Arrived(value))
    (output,) = _outputs(outcome, REJECTED.name)
    assert output.value == value
    assert outcome.nodes == []
    assert _block(outcome).entries[0].id is None


def test_messages_of_a_batch_see_the_ones_before_them_and_not_those_after() -> None:
    outcome = _decide(
        Arrived(_message("m2", "m1"), offset=0),
        Arrived(_message("m1"), offset=1),
        Arrived(_message("m2", "m1"), offset=2),
        Arrived(_message("m3", "m2"), b"other", offset=3),
        Arrived(_message("m4", "m3"), offset=4),
        Arrived(_message("m5", more=BROKEN), offset=5),
        Arrived(_message("m6", "m5"), offset=6),
    )
    assert [entry.codes for entry in _block(outcome).entries] == [
        ("V4",),
        (),
        (),
        ("V4",),
        ("V4",),
        ("V6",),
        ("V4",),
    ]
    kept = [(node.session, node.id, node.status) for node in outcome.nodes]
    assert kept == [
        ("s", "m2", Status.REJECTED),
        ("s", "m1", Status.ACCEPTED),
        ("s", "m2", Status.ACCEPTED),
        ("other", "m3", Status.REJECTED),
        ("s", "m4", Status.REJECTED),
        ("s", "m5", Status.REJECTED),
        ("s", "m6", Status.REJECTED),
    ]


def test_what_was_looked_up_is_as_good_as_what_the_batch_brought() -> None:
    first = _decide(Arrived(_message("m1")), Arrived(_message("m2", more=BROKEN), offset=1))
    view = SessionView(first.nodes)
    second = _decide(
        Arrived(_message("m3", "m1")), Arrived(_message("m4", "m2"), offset=1), known={"s": view}
    )
    assert [entry.codes for entry in _block(second).entries] == [(), ("V4",)]


def test_duplicates_and_conflicts_in_one_batch_leave_one_node() -> None:
    outcome = _decide(
        Arrived(_message("m1"), offset=0),
        Arrived(_message("m1"), offset=1),
        Arrived(_message("m1", more="#fact c=3\n"), offset=2),
        Arrived(_message("m1"), offset=3),
    )
    verdicts = _verdicts(outcome)
    assert [[found.code for found in judged.diagnostics] for judged in verdicts] == [
        [],
        ["SES/duplicate"],
        ["SES/id-conflict"],
        ["SES/duplicate"],
    ]
    assert [entry.verdict for entry in _block(outcome).entries] == [
        "accepted",
        "accepted",
        "rejected",
        "accepted",
    ]
    (node,) = outcome.nodes
    assert (node.id, node.source) == ("m1", "pairl.inbound/2/0")


def test_a_message_without_a_session_or_an_id_leaves_no_node() -> None:
    outcome = _decide(Arrived(_message("m1"), None), Arrived(_message(None), offset=1))
    assert outcome.nodes == []
    alone, nameless = _verdicts(outcome)
    assert isinstance(alone, Accepted)
    assert "V4" in alone.not_evaluated
    assert isinstance(nameless, Rejected)
    assert nameless.codes == ("HDR",)


def test_a_node_says_what_later_messages_need() -> None:
    outcome = _decide(
        Arrived(_message("m2", "m1", more_headers="@deps m0\n"), offset=3), policy=Policy(strict=False)
    )
    (node,) = outcome.nodes
    assert node == SessionNode(
        session="s",
        id="m2",
        status=Status.ACCEPTED,
        source="pairl.inbound/2/3",
        hash=compute_hash(parse(_message("m2", "m1", more_headers="@deps m0\n"))),
        parents=("m1", "m0"),
        missing=("m1", "m0"),
    )


def test_a_circle_over_two_batches_is_found_in_loose_mode() -> None:
    loose = Policy(strict=False)
    first = _decide(Arrived(_message("m2", "m1")), policy=loose)
    view = SessionView(first.nodes, awaited=["m1"])
    (judged,) = _verdicts(_decide(Arrived(_message("m1", "m2")), policy=loose, known={"s": view}))
    assert [found.code for found in judged.diagnostics] == ["V7/cycle"]


def test_the_block_has_an_entry_for_each_record_and_continues_the_chain() -> None:
    records = [
        Arrived(_message("m1"), b"\xff", (("h", b"\x00"), ("h", b"")), offset=7),
        Arrived(None, None, offset=8),
        Arrived(_message("m2", more=BROKEN), offset=9),
    ]
    before = ChainHead(sequence=4, digest="a" * 64, next_offset=7)
    outcome = _decide(*records, chain=before)
    (record,) = _outputs(outcome, AUDIT.name)
    block = _block(outcome)
    assert (record.key, record.headers) == (b"2", [])
    assert (block.topic, block.partition, block.sequence, block.previous) == (
        "pairl.inbound",
        2,
        4,
        "a" * 64,
    )
    assert [entry.offset for entry in block.entries] == [7, 8, 9]
    assert [entry.verdict for entry in block.entries] == ["accepted", "rejected", "rejected"]
    assert [entry.record for entry in block.entries] == [
        hashlib.sha256(
            msgspec.msgpack.encode([one.key, one.value, [list(header) for header in one.headers]])
        ).hexdigest()
        for one in records
    ]
    assert outcome.chain == ChainHead(5, hashlib.sha256(record.value or b"").hexdigest(), 10)


def test_verdicts_and_blocks_name_the_policy_that_gave_them() -> None:
    digests = set()
    for policy in (STRICT, Policy(strict=False), Policy(strict=True, max_records=5)):
        outcome = _decide(Arrived(_message("m1")), policy=policy)
        (judged,) = _verdicts(outcome)
        assert judged.policy == _block(outcome).policy
        assert judged.mode == ("strict" if policy.strict else "loose")
        digests.add(judged.policy)
    assert len(digests) == 3


def test_deciding_twice_gives_the_same_bytes() -> None:
    records = [
        Arrived(_message(f"m{number}", more=BROKEN * (number % 2)), offset=number) for number in range(9)
    ]
    assert _decide(*records) == _decide(*records)


def test_all_targets_are_topics_of_the_bus() -> None:
    assert {topic.name for topic in Validator.targets} < {topic.name for topic in TOPICS}
    outcome = _decide(Arrived(_message("m1")))
    assert {topic.name for topic, _ in outcome.outputs} < {topic.name for topic in Validator.targets}
