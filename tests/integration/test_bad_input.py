"""Records that no well-behaved agent sends: each gets a verdict, and passes through unchanged.

Knows how records can be odd. That each is judged once, carried unchanged and accounted for is checked for
all of them by `Bus.judge`.
"""

from __future__ import annotations

import asyncio
import secrets
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
from aiokafka import AIOKafkaProducer
from aiokafka.record.util import calc_crc32c

from schemas import verdict
from schemas.changelog import named, read_change
from schemas.session_state import SessionNode, decode
from schemas.topics import THREADS
from schemas.verdict import Accepted, Rejected
from tests.integration.bus import CONTENT, Bus, Sent, message, outcomes
from tests.integration.stacks import Stack
from workers.adapters.kafka_admin import create_topics

pytestmark = pytest.mark.integration


def _session() -> bytes:
    """Return a session that no other test uses."""
    return f"session-{secrets.token_hex(4)}".encode()


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        pytest.param(b"\xff\xfe\x00not text", "HDR,SYN", id="no text"),
        pytest.param(message("m1") + b'#fact name="\xe9"\n', "SYN", id="one byte that is not UTF-8"),
        pytest.param(message("m1").decode().encode("utf-16"), "HDR,SYN", id="UTF-16"),
        pytest.param(b"\xed\xa0\x80", "HDR,SYN", id="a lone surrogate"),
        pytest.param(b"", "HDR", id="empty"),
        pytest.param(b"\n\n  \n", "HDR", id="blank"),
        pytest.param(b"{}", "HDR,SYN", id="JSON"),
        pytest.param(b"\x00" * 100, "HDR,SYN", id="zeros"),
    ],
)
async def test_a_value_that_is_no_message_is_rejected(running_bus: Bus, value: bytes, codes: str) -> None:
    (judged,) = await running_bus.judge(Sent(value, _session()))
    assert isinstance(judged.verdict, Rejected)
    assert set(judged.outcome.split(",")) == set(codes.split(","))


async def test_a_tombstone_is_rejected_and_stays_a_tombstone(running_bus: Bus) -> None:
    (judged,) = await running_bus.judge(Sent(None, _session()))
    assert judged.outcome == "HDR"
    assert judged.output.value is None


async def test_a_record_of_nothing_at_all_is_rejected(running_bus: Bus) -> None:
    (judged,) = await running_bus.judge(Sent(b"", b"", partition=0))
    assert judged.outcome == "HDR"
    assert (judged.output.key, judged.verdict.session) == (b"", None)


async def test_spoofed_headers_pass_through_and_ours_come_last(running_bus: Bus) -> None:
    lie = verdict.encode(Accepted(hash="0" * 64, id="m9", mode="strict", policy="none"))
    spoofed = (
        ("pairl-verdict", lie),
        ("pairl-hash", b"0" * 64),
        ("pairl-id", b"m9"),
        ("pairl-session", b"of somebody else"),
        ("pairl-codes", b""),
        ("pairl-source", b"nowhere/0/0"),
    )
    session = _session()
    good, bad = await running_bus.judge(
        Sent(message("m1"), session, spoofed),
        Sent(message("m2", more="#fact again=1 @rid=f1\n"), session, spoofed),
    )
    assert outcomes([good, bad]) == ["accepted", "V6"]
    assert dict(good.output.headers)["pairl-hash"].decode() == good.entry.hash
    assert dict(good.output.headers)["pairl-session"] == session
    assert dict(bad.output.headers)["pairl-codes"] == b"V6"


async def test_headers_given_twice_empty_or_without_value_are_kept_in_order(running_bus: Bus) -> None:
    odd: tuple[tuple[str, bytes | None], ...] = (
        ("twice", b"1"),
        ("other", b"\x00\xff"),
        ("twice", b"2"),
        ("", b"no name"),
        ("no-value", None),
        ("pairl-session", None),
        ("schlüssel", b""),
    )
    (judged,) = await running_bus.judge(Sent(message("m1"), _session(), odd))  # type: ignore[arg-type]
    assert judged.outcome == "accepted"
    assert tuple(judged.output.headers[: len(odd)]) == odd


class _Forged:
    """A batch of the client, in which one header name is replaced by bytes that are not UTF-8."""

    def __init__(self, builder: Any) -> None:  # noqa: ANN401  # the client has no types
        self._builder = builder

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the builder has
        return getattr(self._builder, name)

    def build(self) -> bytearray:
        """Return the batch with its checksum corrected: it is at byte 17 and covers what follows it."""
        data = bytes(self._builder.build()).replace(b"name", b"\xff\xfe\x80\x81")
        return bytearray(data[:17] + calc_crc32c(data[21:]).to_bytes(4) + data[21:])


@pytest.mark.xfail(
    reason="aiokafka 0.14 decodes header names as UTF-8 and raises before the worker has the record; "
    "the README lists it under what is not there yet",
    strict=True,
)
async def test_a_header_name_that_is_not_utf_8_does_not_stop_the_worker(stack: Stack, tmp_path: Path) -> None:
    with Bus(stack, tmp_path) as bus:
        await create_topics(bus.settings())
        worker = bus.start_worker()
        await bus.send(Sent(message("m1"), b"s", partition=0))
        async with AIOKafkaProducer(bootstrap_servers=stack.bootstrap_servers) as producer:
            batch = producer.create_batch()
            batch.append(timestamp=None, key=b"s", value=message("m2"), headers=[("name", b"")])
            batch.close()
            batch._builder = _Forged(batch._builder)
            await (await producer.send_batch(batch, f"{bus.prefix}inbound", partition=0))
        await bus.send(Sent(message("m3"), b"s", partition=0))
        with pytest.raises(subprocess.TimeoutExpired):
            worker.process.wait(5.0)
        assert worker.log("batch")[-1]["last_offset"] == 2


async def test_an_old_timestamp_is_kept(running_bus: Bus) -> None:
    # What is older than the topic is kept for may be gone before the tests behind this one look at it.
    an_hour_ago = int(time.time()) * 1_000 - 3_600_000
    (judged,) = await running_bus.judge(Sent(message("m1"), _session(), timestamp=an_hour_ago))
    assert judged.output.timestamp == an_hour_ago


async def test_a_key_that_is_not_utf_8_is_a_session_all_the_same(running_bus: Bus) -> None:
    key = b"\xff\xfe\x80" + secrets.token_bytes(4)
    judged = await running_bus.judge(
        Sent(message("m1"), key), Sent(message("m2", "m1"), key), Sent(message("m3", "m9"), key)
    )
    assert outcomes(judged) == ["accepted", "accepted", "V4"]
    assert {one.verdict.session for one in judged} == {f"bytes:{key.hex()}"}


def _keys_of(client: redis.Redis, session: str) -> list[bytes]:
    return [key for key in client.scan_iter() if key.endswith(f":session:{session}".encode())]


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("} redis.call('FLUSHALL') --", id="Lua"),
        pytest.param("{other/0}:session:x", id="another hash tag"),
        pytest.param("a\r\n*1\r\n$8\r\nFLUSHALL\r\n", id="Redis protocol"),
        pytest.param('","verdict":"accepted","x":"', id="JSON"),
        pytest.param("\x1b[2J\x1b]0;title\x07\x00\u202e", id="terminal"),
        pytest.param("*?[a-z]\\", id="pattern"),
        pytest.param("a/b/../c%2Fd", id="path"),
        pytest.param("\N{PILE OF POO}\u2028\x85", id="line ends of Unicode"),
    ],
)
async def test_a_hostile_session_or_id_is_only_a_name(running_bus: Bus, hostile: str) -> None:
    session = hostile + secrets.token_hex(4)
    name = "".join(character for character in hostile if character.isprintable() and character not in ' ,#"@')
    first, second, third = await running_bus.judge(
        Sent(message(name), session.encode()),
        Sent(message("m2", name), session.encode()),
        Sent(message("m3", "m9"), session.encode()),
    )
    assert outcomes([second, third]) == ["accepted", "V4"], first.findings
    assert {one.verdict.session for one in (first, second, third)} == {session}
    assert first.verdict.id == name

    changes = [read_change(record.key, record.value) for record in await running_bus.read(THREADS)]
    kept = [decode(change.entry, change.value) for change in changes if change.value is not None]
    nodes = [one for one in kept if isinstance(one, SessionNode)]
    assert {node.node.id for node in nodes if node.session == session} == {name, "m2", "m3"}
    with redis.Redis.from_url(running_bus.redis_url) as client:
        # Redis is told of messages after their verdicts can be read.
        async with asyncio.timeout(10.0):
            while not (keys := _keys_of(client, session)):  # noqa: ASYNC110  # Redis tells nobody
                await asyncio.sleep(0.02)
        (key,) = keys
        _, _, stored = (client.hget(key, named(name)) or b"").partition(b" ")
    node = msgspec.json.decode(stored, type=SessionNode)
    assert (node.session, node.node.id) == (session, name)


async def test_tail_shows_a_hostile_record_without_its_escapes(running_bus: Bus) -> None:
    session = f"\x1b[31mred\n{secrets.token_hex(4)}"
    await running_bus.judge(Sent(message("m1", more='#fact a="\x1b[2J"\n'), session.encode()))
    judged = await running_bus.judgements(running_bus.sent)
    count = len([one for one in judged if one.entry.codes])
    shown = running_bus.pairl("bus", "tail", "rejected", "--from-beginning", "--count", str(count))
    assert shown.returncode == 0, shown.stderr
    assert "\x1b" not in shown.stdout
    assert "\\x1b[31mred\\n" in shown.stdout


async def test_a_repeated_delivery_is_accepted_and_noted(running_bus: Bus) -> None:
    session = _session()
    again = Sent(message("m1"), session)
    judged = await running_bus.judge(again, again, Sent(message("m2", "m1"), session), again)
    assert outcomes(judged) == ["accepted"] * 4
    assert [one.findings for one in judged] == [[], ["SES/duplicate"], [], ["SES/duplicate"]]
    assert len({judged[number].entry.hash for number in (0, 1, 3)}) == 1


async def test_another_message_under_a_taken_id_is_rejected(running_bus: Bus) -> None:
    session = _session()
    judged = await running_bus.judge(
        Sent(message("m1", fact=1), session),
        Sent(message("m1", fact=2), session),
        Sent(message("m2", "m1"), session),
        Sent(message("m1", fact=2), session),
        Sent(message("m1", fact=2), _session()),
    )
    assert outcomes(judged) == ["accepted", "SES", "accepted", "SES", "accepted"]


async def test_an_id_is_free_again_after_its_message_was_rejected(running_bus: Bus) -> None:
    session = _session()
    broken = message("m1", more="#fact again=1 @rid=f1\n")
    judged = await running_bus.judge(
        Sent(broken, session), Sent(message("m1"), session), Sent(message("m2", "m1"), session)
    )
    assert outcomes(judged) == ["V6", "accepted", "accepted"]


async def test_an_answer_to_a_rejected_message_is_rejected(running_bus: Bus) -> None:
    session = _session()
    judged = await running_bus.judge(
        Sent(message("m1", more="#fact again=1 @rid=f1\n"), session),
        Sent(message("m2", "m1"), session),
        Sent(message("m3", "m2"), session),
    )
    assert outcomes(judged) == ["V6", "V4", "V4"]
    assert [one.findings for one in judged[1:]] == [["V4/rejected-parent"], ["V4/rejected-parent"]]


async def test_a_message_without_a_session_stands_alone(running_bus: Bus) -> None:
    alone = Sent(message("m2", "m1"), None, partition=0)
    judged = await running_bus.judge(alone, alone)
    assert outcomes(judged) == ["accepted", "accepted"]
    assert [one.findings for one in judged] == [[], []]
    assert all("V4" in one.verdict.not_evaluated for one in judged)


async def test_loose_mode_lets_pass_what_strict_mode_rejects(bus: Bus) -> None:
    bus.start_worker("validator", mode="loose")
    session = _session()
    judged = await bus.judge(
        Sent(message("m2", "m1"), session),
        Sent(message("m3", more="#fact again=1 @rid=f1\n"), session),
        Sent(message("m4", "m3"), session),
        Sent(message("m1", "m2"), session),
        Sent(message("m2", fact=3), session),
        Sent(message("m5", more="amount=1,000 and free text\n"), session),
    )
    assert outcomes(judged) == ["accepted", "V6", "accepted", "accepted", "SES", "accepted"]
    assert [one.findings for one in judged[:4]] == [
        ["V7/cycle"],
        ["V6/duplicate-rid"],
        ["V4/rejected-parent"],
        ["V7/cycle", "V4/unresolved-parent"],
    ]
    assert {one.verdict.mode for one in judged} == {"loose"}


async def test_the_settings_bound_the_size_of_a_message(bus: Bus) -> None:
    bus.start_worker("validator", max_message_bytes=2_000, max_message_records=3)
    session = _session()
    judged = await bus.judge(
        Sent(message("m1"), session),
        Sent(message("m2", fact="9" * 2_000), session),
        Sent(message("m3", more="#fact a=1\n#fact b=2\n"), session),
        Sent(message("m4", more="#fact a=1\n#fact b=2\n#fact c=3\n"), session),
    )
    assert outcomes(judged) == ["accepted", "SYN", "accepted", "SYN"]
    assert CONTENT.encode() in judged[1].output.value
