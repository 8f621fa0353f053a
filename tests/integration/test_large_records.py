"""Records larger than a message may be: judged and carried if the topic takes them, refused by name if not.

They are in a module of their own because the embedded broker writes all that it holds to a file, once a
second, for as long as it runs.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.integration.bus import Bus, Sent, message, outcomes

pytestmark = pytest.mark.integration

MEBIBYTE = 1024 * 1024


def _session() -> bytes:
    """Return a session that no other test uses."""
    return f"session-{secrets.token_hex(4)}".encode()


async def test_a_key_of_300_kilobytes_is_a_session_all_the_same(running_bus: Bus) -> None:
    key = b"k" * 300_000 + secrets.token_hex(4).encode()
    judged = await running_bus.judge(Sent(message("m1"), key), Sent(message("m2", "m1"), key))
    assert outcomes(judged) == ["accepted", "accepted"]
    (session,) = {one.verdict.session for one in judged}
    assert session is not None
    assert session.startswith("sha256:")


async def test_a_message_of_two_mebibytes_is_rejected_and_carried_unchanged(running_bus: Bus) -> None:
    (judged,) = await running_bus.judge(Sent(message("m1", fact="9" * 2 * MEBIBYTE), _session()))
    assert judged.outcome == "SYN"
    assert len(judged.output.value) > 2 * MEBIBYTE


@pytest.mark.parametrize(
    "mebibytes", [pytest.param(8, id="for Kafka"), pytest.param(12, id="for the client")]
)
async def test_send_says_which_record_is_too_large_and_sends_the_others(
    running_bus: Bus, tmp_path: Path, mebibytes: int
) -> None:
    session = _session().decode()
    too_large = message("m2", "m1", fact="9" * mebibytes * MEBIBYTE)
    (tmp_path / "messages.pairl").write_bytes(
        b"---\n".join([message("m1"), too_large, message("m3", "m1"), message("m4", "m3")])
    )
    sent = running_bus.pairl("bus", "send", "--session", session, tmp_path / "messages.pairl")

    assert sent.returncode == 1, sent.stderr
    (complaint,) = [line for line in sent.stdout.splitlines() if line.startswith("not sent")]
    assert f"takes no record of {len(too_large):,} bytes on {running_bus.prefix}inbound" in complaint
    assert sent.stdout.splitlines()[-1] == "4 sent: 3 accepted, 1 rejected"
    running_bus.sent += 3
    judged = await running_bus.judgements(running_bus.sent)
    ours = [one for one in judged if one.verdict.session == session]
    assert [(one.entry.id, one.outcome) for one in ours] == [
        ("m1", "accepted"),
        ("m3", "accepted"),
        ("m4", "accepted"),
    ]
