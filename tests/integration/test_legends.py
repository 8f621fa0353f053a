"""Messages that bring the legend for their body: it is judged with them, when they are.

Knows how a legend travels with a record. What a legend must say is tested with the rules.
"""

from __future__ import annotations

import secrets

import pytest

import pairl
from pairl.legend import FIDELITY, FRAMING, Legend, make_legend
from tests.integration.blocks import park
from tests.integration.bus import Bus, Sent, message

pytestmark = pytest.mark.integration

WARNING = "wrn{t=expiry}\n"


def _session() -> bytes:
    """Return a session that no other test uses."""
    return f"session-{secrets.token_hex(4)}".encode()


def _legend(value: bytes) -> bytes:
    """Return the legend for a message."""
    legend = make_legend(pairl.parse(value))
    assert isinstance(legend, Legend)
    return legend.text.encode()


RIGHT = _legend(message("m1", more=WARNING))
SPARE = _legend(message("m1"))


@pytest.mark.parametrize(
    ("legends", "outcome"),
    [
        pytest.param([RIGHT], "accepted", id="the right one"),
        pytest.param([SPARE], "V13", id="one that leaves something out"),
        pytest.param([RIGHT.removesuffix(FIDELITY.encode()) + b"Values are exact"], "V14", id="paraphrased"),
        pytest.param([RIGHT + b"\nOne more thing."], "V14", id="that goes on"),
        pytest.param([f"{FRAMING}\n{FIDELITY}".encode()], "V13", id="that explains nothing"),
        pytest.param([b""], "V13,V14", id="empty"),
        pytest.param([b"\xff\xfe"], "V13,V14", id="no text"),
        pytest.param([SPARE, RIGHT], "accepted", id="the last of two"),
        pytest.param([RIGHT, SPARE], "V13", id="only the last of two"),
    ],
)
async def test_a_message_is_judged_with_its_legend(
    patient_bus: Bus, legends: list[bytes], outcome: str
) -> None:
    headers = tuple(("pairl-legend", legend) for legend in legends)
    (judged,) = await patient_bus.judge(Sent(message("m1", more=WARNING), _session(), headers))
    assert set(judged.outcome.split(",")) == set(outcome.split(","))
    assert not {"V13", "V14"} & set(judged.verdict.not_evaluated)
    assert judged.output.headers[: len(headers)] == headers


async def test_without_a_legend_there_is_nothing_to_judge(patient_bus: Bus) -> None:
    (judged,) = await patient_bus.judge(Sent(message("m1", more=WARNING), _session()))
    assert judged.outcome == "accepted"
    assert {"V13", "V14"} <= set(judged.verdict.not_evaluated)


async def test_a_message_with_a_wrong_legend_does_not_wait(patient_bus: Bus) -> None:
    headers = (("pairl-legend", SPARE),)
    (judged,) = await patient_bus.judge(Sent(message("m2", "m1", more=WARNING), _session(), headers))
    assert (judged.outcome, judged.has_waited) == ("V13", False)


async def test_a_legend_waits_with_its_message_and_outlives_the_worker(bus: Bus) -> None:
    headers = (("pairl-legend", RIGHT), ("other", b"\xff"))
    worker = bus.start_worker(wait_seconds=120)
    await park(bus, Sent(message("m2", "m1", more=WARNING), b"s", headers))
    worker.kill()
    bus.start_worker(wait_seconds=120)
    await bus.send(Sent(message("m1"), b"s"))
    child, parent = await bus.judgements(2)
    assert (child.outcome, child.has_waited, child.output.headers[:2]) == ("accepted", True, headers)
    assert not {"V13", "V14"} & set(child.verdict.not_evaluated)
    assert {"V13", "V14"} <= set(parent.verdict.not_evaluated)


async def test_in_loose_mode_a_wrong_legend_is_a_warning(bus: Bus) -> None:
    bus.start_worker(mode="loose")
    (judged,) = await bus.judge(Sent(message("m1", more=WARNING), b"s", (("pairl-legend", b"none"),)))
    assert judged.outcome == "accepted"
    assert {code.partition("/")[0] for code in judged.findings} == {"V13", "V14"}
