"""The sample conversation through the whole bus: sent, judged, rendered, and accounted for."""

from __future__ import annotations

import pytest

from schemas.topics import RENDERED
from tests.integration.bus import Bus
from tests.integration.stacks import ROOT

pytestmark = pytest.mark.integration

SAMPLE = ROOT / "workers" / "sample"
FILES = [SAMPLE / f"{name}.pairl" for name in ("incident", "communication", "review")]


def _expected() -> dict[tuple[str, str], str]:
    """Return the outcome for each file and id, as `verdicts.tsv` lists them."""
    rows = [line.split("\t") for line in (SAMPLE / "verdicts.tsv").read_text().splitlines()[1:]]
    return {
        (file, name): verdict if verdict == "accepted" else codes for file, name, verdict, codes, _ in rows
    }


async def test_the_sample_gets_the_verdicts_that_its_table_lists(bus: Bus) -> None:
    expected = _expected()
    bus.start_worker("validator")
    bus.start_worker("renderer")
    sent = bus.pairl("bus", "send", *FILES)

    assert sent.returncode == 1, sent.stderr
    assert sent.stderr == ""
    assert sent.stdout.splitlines()[-1] == "62 sent: 54 accepted, 8 rejected"

    judged = await bus.judgements(len(expected))
    file_of_session = {
        next(
            one.verdict.session for one in judged if f"@sid ref:sess:{one.verdict.session}" in text
        ): file.name
        for file in FILES
        for text in [file.read_text()]
    }
    assert {(file_of_session[one.verdict.session], one.verdict.id): one.outcome for one in judged} == expected

    accepted = [one for one in judged if one.outcome == "accepted"]
    rendered = await bus.read(RENDERED, until=len(accepted))
    assert sorted(
        (record.partition, dict(record.headers)["pairl-hash"].decode()) for record in rendered
    ) == sorted((one.output.partition, one.entry.hash) for one in accepted)
    assert {record.key.decode() for record in rendered} == set(file_of_session)


async def test_what_send_prints_is_what_the_topics_hold(bus: Bus) -> None:
    bus.start_worker("validator")
    sent = bus.pairl("bus", "send", FILES[0])
    judged = await bus.judgements(28)
    lines = [line.split() for line in sent.stdout.splitlines() if line.startswith(("accepted", "rejected"))]
    assert sorted(
        (verdict, place.partition("/")[2], found) for verdict, _, place, found, *_ in lines
    ) == sorted(
        ("accepted", one.entry.id, one.entry.hash[:12])
        if one.entry.hash
        else ("rejected", one.entry.id, one.outcome)
        for one in judged
    )
