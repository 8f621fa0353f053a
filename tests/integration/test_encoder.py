"""Transcripts on their way through the bus: encoded once, as messages that the validator accepts.

Knows what an agent sends that speaks no PAIRL. How its conversations are encoded is tested with
`pairl.encode`, what is refused in `tests.unit.test_workers_encoder_refusals`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pairl import parse
from schemas import session_encoding, verdict
from schemas.changelog import read_change
from schemas.topics import ENCODINGS, INBOUND, REJECTED, RENDERED, TRANSCRIPTS, VALIDATED
from schemas.verdict import Rejected
from tests.integration.bus import CONTENT, PARTITIONS, Bus, Sent, WorkerProcess
from tests.integration.stacks import NO_REDIS, RedisServer, Stack, apache_only
from workers.adapters.kafka_partitioner import owner_partition
from workers.exit_codes import ExitCode

pytestmark = pytest.mark.integration

SESSION = "harbour"


def talk(rounds: int) -> list[dict[str, Any]]:
    """Return a conversation in which one asks, and the other one looks and answers, again and again."""
    said: list[dict[str, Any]] = []
    for number in range(1, rounds + 1):
        call = {"name": "count_boats", "arguments": json.dumps({"berth": number})}
        said += [
            {"role": "user", "content": f"{CONTENT}: how many boats lie at berth {number}?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"k{number}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"k{number}", "content": f"{number + 7} boats"},
            {"role": "assistant", "content": f"At berth {number} there are {number + 7}."},
        ]
    return said


def transcript(rounds: int, key: str | None = SESSION, **more: Any) -> Sent:  # noqa: ANN401  # as `Sent` has it
    """Return the record that an agent writes after so many rounds."""
    return Sent(json.dumps(talk(rounds)).encode(), None if key is None else key.encode(), **more)


def parts(rounds: int, first: int = 1, key: str = SESSION) -> list[Sent]:
    """Return the records of a conversation that goes on round by round, from the round `first`."""
    return [transcript(number, key) for number in range(first, rounds + 1)]


def without_headers(records: list[Any]) -> str:
    """Return the bodies of messages, one behind the other."""
    return "".join(record.value.decode().partition("\n\n")[2] for record in records)


@pytest.fixture
def encoder(bus: Bus) -> WorkerProcess:
    """An encoder, with a validator behind it."""
    bus.start_worker("validator")
    return bus.start_worker("encoder")


@pytest.fixture
def server(stack: Stack, tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server that the test alone uses."""
    with stack.redis_server(tmp_path / "redis") as running:
        yield running


async def test_what_agents_say_without_pairl_is_judged_and_rendered(bus: Bus, encoder: WorkerProcess) -> None:
    bus.start_worker("renderer")
    ((partition, offset),) = await bus.send(transcript(1, timestamp=1_600_000_000_123), topic=TRANSCRIPTS)
    (judged,) = await bus.judgements(1)
    assert (judged.outcome, judged.findings) == ("accepted", [])
    assert (judged.verdict.session, judged.verdict.id) == (SESSION, "m1")
    assert judged.inbound.partition == partition == owner_partition(SESSION, PARTITIONS)
    assert judged.inbound.timestamp == 1_600_000_000_123
    place = f"{bus.prefix}transcripts/{partition}/{offset}".encode()
    assert dict(judged.output.headers)["pairl-source"] == place
    message = parse(judged.output.value)
    assert message.headers["ts"] == "2020-09-13T12:26:40.123000Z"
    assert [record.kind for record in message.records if record.kind in ("call", "ret")] == ["call", "ret"]
    (rendered,) = await bus.read(RENDERED, until=1)
    assert "count_boats" in rendered.value.decode()
    (line,) = encoder.log("batch")
    assert (line["messages"], line["rejected"], line["unchanged"], line["rerouted"]) == (1, 0, 0, 0)


async def test_each_next_transcript_of_a_session_adds_what_is_new(bus: Bus, encoder: WorkerProcess) -> None:
    for number, record in enumerate(parts(3), 1):
        await bus.send(record, record, topic=TRANSCRIPTS)
        await bus.read(VALIDATED, until=number)
    judged = await bus.judgements(3)
    assert [one.outcome for one in judged] == ["accepted"] * 3
    messages = [parse(one.output.value) for one in judged]
    assert [(one.headers["id"], one.headers.get("p")) for one in messages] == [
        ("m1", None),
        ("m2", "m1"),
        ("m3", "m2"),
    ]
    grown = without_headers([one.output for one in judged])
    assert sum(line["unchanged"] for line in encoder.log("batch")) == 3

    await bus.send(transcript(3, "at-once"), topic=TRANSCRIPTS)
    both = await bus.judgements(4)
    assert grown == without_headers([one.output for one in both if one.verdict.session == "at-once"])


async def test_what_cannot_be_encoded_becomes_a_dead_letter_and_is_not_in_the_way(
    bus: Bus, encoder: WorkerProcess
) -> None:
    first, *_ = parts(2)
    changed = Sent((first.value or b"").replace(b"berth 1", b"berth 9"), SESSION.encode())
    broken = Sent(b"\xff\x00{", SESSION.encode(), (("other", b"\xff"),))
    await bus.send(first, broken, Sent(None, SESSION.encode()), changed, transcript(2), topic=TRANSCRIPTS)
    accepted = await bus.read(VALIDATED, until=2)
    assert [dict(record.headers)["pairl-id"] for record in accepted] == [b"m1", b"m2"]
    letters = await bus.read(REJECTED, until=3)
    assert [record.value for record in letters] == [broken.value, None, changed.value]
    for number, record in enumerate(letters, 1):
        added = dict(record.headers)
        assert record.key == SESSION.encode()
        assert added["pairl-codes"] == b"ENC"
        place = f"{bus.prefix}transcripts/{record.partition}/{number}"
        assert added["pairl-source"] == place.encode()
        decision = verdict.decode(added["pairl-verdict"])
        assert isinstance(decision, Rejected)
        assert (decision.source, decision.session) == (place, SESSION)
    assert letters[0].headers[0] == ("other", b"\xff")
    codes = [verdict.decode(dict(record.headers)["pairl-verdict"]).diagnostics[0].code for record in letters]
    assert codes == ["ENC/not-a-transcript", "ENC/not-a-transcript", "ENC/history-changed"]
    shown = bus.pairl("bus", "tail", "rejected", "--from-beginning", "--count", "3")
    assert shown.returncode == ExitCode.OK, shown.stderr
    assert shown.stdout.count("error[ENC/not-a-transcript]: ") == 2
    assert sum(line["rejected"] for line in encoder.log("batch")) == 3


async def test_nothing_is_said_twice_when_the_encoder_is_killed_and_redis_is_flushed(
    bus: Bus, server: RedisServer
) -> None:
    bus.start_worker("validator")
    worker = bus.start_worker("encoder", redis_url=server.url)
    for rounds in (1, 2, 3):
        await bus.send(transcript(rounds), topic=TRANSCRIPTS)
        await bus.read(VALIDATED, until=rounds)
        worker.kill()
        with server.client() as client:
            client.flushall()
        worker = bus.start_worker("encoder", redis_url=server.url)
    judged = await bus.judgements(3)
    assert [one.outcome for one in judged] == ["accepted"] * 3
    assert [one.verdict.id for one in judged] == ["m1", "m2", "m3"]

    changes = [read_change(record.key, record.value) for record in await bus.read(ENCODINGS, until=3)]
    kept = [session_encoding.decode(change.entry, change.value or b"") for change in changes]
    assert [(one.session, one.messages, one.last) for one in kept] == [
        (SESSION, number, f"m{number}") for number in (1, 2, 3)
    ]
    verified = bus.pairl("bus", "state", "verify", redis_url=server.url)
    assert "encoder, from encodings" in verified.stdout


@apache_only(
    "once a transaction was cut off, the embedded broker has consumers that read on take later ones of its "
    "producer for aborted"
)
async def test_each_session_goes_on_without_a_gap_when_the_encoder_is_killed_at_any_time(bus: Bus) -> None:
    sessions = [f"pier-{number}" for number in range(6)]
    rounds = 24
    worker = bus.start_worker("encoder", batch_records=4)
    for first, last in ((1, 8), (9, 16), (17, rounds)):
        await bus.send(
            *(transcript(number, name) for number in range(first, last + 1) for name in sessions),
            topic=TRANSCRIPTS,
        )
        await bus.read(INBOUND, until=len(sessions) * (first + 2))
        worker.kill()
        worker = bus.start_worker("encoder", batch_records=4)
    bus.start_worker("validator")
    judged = await bus.judgements(rounds * len(sessions), seconds=60.0)
    assert {one.outcome for one in judged} == {"accepted"}
    whole = without_headers([one.output for one in judged if one.verdict.session == sessions[0]])
    for name in sessions:
        of_session = [one for one in judged if one.verdict.session == name]
        assert [one.verdict.id for one in of_session] == [f"m{number}" for number in range(1, rounds + 1)]
        assert without_headers([one.output for one in of_session]) == whole
    assert whole.count("#call tool=count_boats") == whole.count("#ret call=") == rounds


async def test_transcripts_in_wrong_partitions_go_on_in_that_of_their_session(
    bus: Bus, encoder: WorkerProcess
) -> None:
    for rounds in range(1, PARTITIONS + 1):
        record = transcript(rounds, partition=rounds - 1)
        await bus.send(record, topic=TRANSCRIPTS)
        await bus.read(VALIDATED, until=rounds)
    judged = await bus.judgements(PARTITIONS)
    assert [(one.outcome, one.verdict.id) for one in judged] == [
        ("accepted", f"m{number}") for number in range(1, PARTITIONS + 1)
    ]
    assert {one.inbound.partition for one in judged} == {owner_partition(SESSION, PARTITIONS)}
    assert sum(line["rerouted"] for line in encoder.log("batch")) == PARTITIONS - 1


async def test_a_transcript_without_a_session_is_a_session_by_itself(
    bus: Bus, encoder: WorkerProcess
) -> None:
    places = await bus.send(
        *(transcript(1, None, partition=number) for number in range(PARTITIONS)), topic=TRANSCRIPTS
    )
    judged = await bus.judgements(PARTITIONS)
    assert [one.outcome for one in judged] == ["accepted"] * PARTITIONS
    assert sorted(one.verdict.session or "" for one in judged) == sorted(
        f"{bus.prefix}transcripts/{partition}/{offset}" for partition, offset in places
    )
    assert not any(line["rejected"] for line in encoder.log("batch"))


async def test_a_format_can_be_named_and_a_budget_set(bus: Bus) -> None:
    bus.start_worker("validator")
    bus.start_worker("encoder", encode_budget="20%")
    words = " ".join(f"The {number}th boat came in at {number % 12}:30." for number in range(1, 200))
    said = json.dumps([{"role": "user", "content": words}]).encode()
    await bus.send(
        Sent(said, b"right", (("pairl-format", b"openai_chat"),)),
        Sent(said, b"wrong", (("pairl-format", b"claude_code"),)),
        topic=TRANSCRIPTS,
    )
    (judged,) = await bus.read(VALIDATED, until=1)
    assert judged.key == b"right"
    assert len(judged.value) < len(words) // 2
    (letter,) = await bus.read(REJECTED, until=1)
    assert letter.key == b"wrong"


def test_an_encoder_needs_redis(bus: Bus) -> None:
    process = bus.launch("encoder", redis_url=NO_REDIS, give_up_seconds=3)
    assert process.wait(15.0) == ExitCode.UNREACHABLE
