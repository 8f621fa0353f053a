"""`pairl bus tail`: each stream from its beginning, for people and as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from schemas import audit, session_state
from tests.integration.bus import Bus, message
from tests.integration.stacks import ROOT, Stack
from workers.exit_codes import ExitCode

pytestmark = pytest.mark.integration

MESSAGES = b"---\n".join(
    [
        message("m1"),
        message("m2", "m1", more="#fact again=1 @rid=f1\n"),
        message("m3", "m1"),
    ]
)

# For each stream how many records the three messages leave on it. On audit there is one for each batch.
STREAMS = {"inbound": 3, "validated": 2, "rejected": 1, "rendered": 2, "threads": 3}


@pytest.fixture(scope="module")
def used_bus(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bus]:
    """A bus through which three messages have gone, the second of them broken."""
    with Bus(stack, tmp_path_factory.mktemp("bus")) as bus:
        bus.create_topics()
        bus.start_worker("validator")
        bus.start_worker("renderer")
        sent = subprocess.run(
            [sys.executable, "-m", "workers", "bus", "send", "--session", "s", "-"],
            input=MESSAGES,
            capture_output=True,
            cwd=ROOT,
            env=bus.environment(),
            check=False,
            timeout=60,
        )
        assert sent.returncode == ExitCode.INVALID, sent.stderr
        assert sent.stdout.decode().splitlines()[-1] == "3 sent: 2 accepted, 1 rejected"
        yield bus


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_as_json_has_every_record_with_its_place(used_bus: Bus, stream: str) -> None:
    count = STREAMS[stream]
    shown = used_bus.pairl("bus", "tail", stream, "--from-beginning", "--count", str(count), "--json")
    assert shown.returncode == ExitCode.OK, shown.stderr
    records = [json.loads(line) for line in shown.stdout.splitlines()]
    offsets = [record["offset"] for record in records]
    assert len(offsets) == count
    assert offsets == sorted(set(offsets))
    assert {record["topic"] for record in records} == {f"{used_bus.prefix}{stream}"}
    assert len({record["partition"] for record in records}) == 1
    if stream == "threads":
        kept = [session_state.decode("", record["value"].encode()) for record in records]
        nodes = [(one.session, one.node) for one in kept if isinstance(one, session_state.SessionNode)]
        assert [(session, node.id, node.status) for session, node in nodes] == [
            ("s", "m1", "accepted"),
            ("s", "m2", "rejected"),
            ("s", "m3", "accepted"),
        ]
        assert [record["key"] for record in records] == ["session/s/m1", "session/s/m2", "session/s/m3"]
    elif stream == "rendered":
        assert all("**" in record["value"] or "#" in record["value"] for record in records)
        assert {dict(record["headers"])["content-type"] for record in records} == {
            "text/markdown; charset=utf-8"
        }
        assert {record["key"] for record in records} == {"s"}
    else:
        assert {record["key"] for record in records} == {"s"}
        assert all(record["value"].startswith("@v 1\n") for record in records)
        assert all(record["headers"][0][0] == "pairl-request" for record in records)


def test_the_audit_stream_as_json_is_a_chain(used_bus: Bus) -> None:
    shown = used_bus.pairl("bus", "tail", "audit", "--from-beginning", "--count", "1", "--json")
    assert shown.returncode == ExitCode.OK, shown.stderr
    block = audit.decode(json.loads(shown.stdout)["value"].encode())
    assert (block.sequence, block.previous, block.entries[0].offset) == (0, "0" * 64, 0)


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        ("validated", ["accepted  ", "accepted  "]),
        ("rejected", ["rejected  ", "    error[V6/duplicate-rid]: "]),
        ("inbound", ["", "@v 1", "@id m1"]),
    ],
)
def test_a_stream_for_people_begins_like_this(used_bus: Bus, stream: str, lines: list[str]) -> None:
    count = STREAMS[stream]
    shown = used_bus.pairl("bus", "tail", stream, "--from-beginning", "--count", str(count))
    assert shown.returncode == ExitCode.OK, shown.stderr
    assert "\x1b" not in shown.stdout
    printed = shown.stdout.splitlines()
    assert len(printed) >= len(lines)
    for line, beginning in zip(printed, lines, strict=False):
        assert line.startswith(beginning)


def test_send_without_a_validator_says_what_is_missing(bus: Bus) -> None:
    sent = bus.pairl("bus", "send", "--timeout", "1", "workers/sample/review.pairl")
    assert (sent.returncode, sent.stdout) == (ExitCode.UNREACHABLE, "")
    (line,) = sent.stderr.splitlines()
    assert line.startswith("pairl: 16 of the messages have no verdict after 1 s; is a validator running")
