"""What a renderer makes for models: a text that only grows, whatever happens to the renderer and to Redis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer

from pairl import parse, validate
from schemas import session_legend
from schemas.changelog import read_change
from schemas.model_text import ModelText
from schemas.rendering import Part
from schemas.topics import LEGENDS, RENDERED
from tests.integration.bus import Bus, Sent, message
from tests.integration.stacks import RedisServer, Stack
from workers.exit_codes import ExitCode

pytestmark = pytest.mark.integration

SESSION = "growing"
FIRST = message("m1", more="req{t=census} @rid=a1\n")
SECOND = message("m2", "m1", more='wrn{t=count,m=!} @rid=a1\n#evid claim="c" src=@m1#f1 conf=0.9 @rid=e1\n')
THIRD = message("m3", "m1", more="#call tool=count @rid=c1\n#ret call=c1 status=ok @rid=r1\n#s exec:1/2\n")


@pytest.fixture
def server(stack: Stack, tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server that the test alone uses."""
    with stack.redis_server(tmp_path / "redis") as running:
        yield running


def parts_of(records: list[Any]) -> list[tuple[str, str]]:
    """Return the parts that records for models hold."""
    found = [(dict(record.headers), record.value.decode()) for record in records]
    assert {headers["pairl-profile"] for headers, _ in found} == {b"model"}
    assert {headers["content-type"] for headers, _ in found} == {b"text/plain; charset=utf-8"}
    return [(headers["pairl-part"].decode(), value) for headers, value in found]


def shown(bus: Bus) -> str:
    """Return what `pairl bus context` prints."""
    done = bus.pairl("bus", "context", SESSION)
    assert (done.returncode, done.stderr) == (ExitCode.OK, "")
    return done.stdout


async def test_the_text_only_grows_when_the_renderer_starts_again_and_redis_is_flushed(
    bus: Bus, server: RedisServer
) -> None:
    bus.start_worker("validator")
    worker = bus.start_worker("renderer", profiles="model", redis_url=server.url)
    await bus.send(Sent(FIRST, SESSION.encode(), (("pairl-speaker", b"counter"),)))
    before = parts_of(await bus.read(RENDERED, until=2))
    assert [part for part, _ in before] == ["legend", "body"]
    first = shown(bus)

    assert worker.terminate() == 0
    with server.client() as client:
        client.flushall()
    worker = bus.start_worker("renderer", profiles="model", redis_url=server.url)
    await bus.send(Sent(SECOND, SESSION.encode()), Sent(SECOND, SESSION.encode()))
    after = parts_of(await bus.read(RENDERED, until=4))
    assert after[:2] == before
    assert [part for part, _ in after[2:]] == ["body", "addendum"]
    second = shown(bus)

    worker.kill()
    worker = bus.start_worker("renderer", profiles="model", redis_url=server.url)
    with server.client() as client:
        client.flushall()
    await bus.send(Sent(THIRD, SESSION.encode()))
    records = await bus.read(RENDERED, until=7)
    last = parts_of(records)
    assert last[:4] == after
    assert [part for part, _ in last[4:]] == ["body", "addendum", "state"]
    assert {record.key for record in records} == {SESSION.encode()}
    third = shown(bus)

    # What follows the body moves; all before it is found again at the beginning of the next text.
    assert second.startswith(first.removesuffix("]\n"))
    assert third.startswith(second[: second.rindex("]\n")])
    check(last, third)

    changes = [read_change(record.key, record.value) for record in await bus.read(LEGENDS, until=3)]
    kept = [session_legend.decode(change.entry, change.value or b"") for change in changes]
    assert [list(each.body.turns) for each in kept] == [["m1"], ["m1", "m2"], ["m2", "m1", "m3"]]


def check(parts: list[tuple[str, str]], printed: str) -> None:
    """Make sure that the parts are a valid body and what explains it, and that they are what was printed."""
    text = ModelText()
    for part, value in parts:
        text.add(Part(part), value)
    assert str(text) == printed
    body = "".join(text.body)
    assert body.startswith("#msg m1 r=counter parent=-\n")
    assert "#msg m2 r=unknown parent=m1\n" in body
    assert "#ret call=m3c1 status=ok @rid=m3r1\n" in body
    assert printed.endswith("\n#s exec:1/2\n")
    assert text.legend is not None
    whole = parse(f"@v 1\n@id t1\n@ts 2026-05-04T10:00:00Z\n\n{body}")
    explained = "\n".join([*text.addenda, text.legend])
    report = validate(whole, strict=True, legend=explained)
    assert report.valid, report.errors


async def test_people_and_models_are_served_by_one_renderer(bus: Bus) -> None:
    bus.start_worker("validator")
    bus.start_worker("renderer", profiles="human,model")
    await bus.send(Sent(FIRST), Sent(FIRST, SESSION.encode()))
    records = await bus.read(RENDERED, until=6)
    for key in (None, SESSION.encode()):
        of_session = [dict(record.headers) for record in records if record.key == key]
        assert [(headers["pairl-profile"], headers.get("pairl-part")) for headers in of_session] == [
            (b"human", None),
            (b"model", b"legend"),
            (b"model", b"body"),
        ]
        assert len({headers["pairl-hash"] for headers in of_session}) == 1


async def test_a_text_that_is_not_enough_says_so(bus: Bus) -> None:
    bus.start_worker("validator")
    bus.start_worker("renderer", profiles="model")
    await bus.send(Sent(message("m1", more="#memo a=1\n"), SESSION.encode()))
    await bus.read(RENDERED, until=2)
    done = bus.pairl("bus", "context", SESSION)
    assert done.returncode == ExitCode.OK
    assert done.stdout.startswith("[\n#msg m1 r=unknown parent=-\n")
    assert "give the model the full specification of PAIRL as well, in front of it" in done.stderr
    assert "record type `#memo`" in done.stderr


async def test_without_the_model_profile_there_is_no_text_and_the_usual_cause_is_named(bus: Bus) -> None:
    bus.start_worker("validator")
    bus.start_worker("renderer")
    await bus.send(Sent(FIRST, SESSION.encode()))
    await bus.read(RENDERED, until=1)
    done = bus.pairl("bus", "context", SESSION)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, "")
    assert done.stderr.startswith(f"pairl: there is no text for models of session {SESSION}\n")
    assert "PAIRL_PROFILES=model or human,model" in done.stderr


async def test_a_text_whose_beginning_was_deleted_is_not_printed(bus: Bus) -> None:
    async with AIOKafkaProducer(bootstrap_servers=bus.stack.bootstrap_servers) as producer:
        for part in (b"\xff", b"body", b"addendum"):
            await producer.send_and_wait(
                bus.prefix + RENDERED.name,
                b"#msg m7 r=unknown parent=-\n",
                key=SESSION.encode(),
                headers=[("pairl-part", part)],
            )
    done = bus.pairl("bus", "context", SESSION)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, "")
    assert f"the beginning of the text of session {SESSION} is gone" in done.stderr
