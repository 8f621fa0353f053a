"""Clients that do not end when they are asked to: the worker ends all the same."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from workers.adapters import kafka_clients
from workers.adapters.kafka_clients import end, stop


class _Swallowing:
    """Stops only when it is cancelled for the second time, as a member does that waits for its group."""

    def __init__(self) -> None:
        self.cancelled = 0

    async def stop(self) -> None:
        while self.cancelled < 2:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.cancelled += 1


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kafka_clients, "_STOP_SECONDS", 0.05)
    monkeypatch.setattr(kafka_clients, "_END_SECONDS", 0.05)


def test_a_client_that_swallows_being_cancelled_is_left_behind() -> None:
    async def run() -> _Swallowing:
        client = _Swallowing()
        await asyncio.wait_for(stop(client), 5)
        await asyncio.sleep(0)
        return client

    assert asyncio.run(run()).cancelled >= 1


def test_a_task_that_swallows_being_cancelled_is_cancelled_again() -> None:
    async def run() -> tuple[asyncio.Task[None], _Swallowing]:
        client = _Swallowing()
        task = asyncio.create_task(client.stop())
        await asyncio.sleep(0)
        await asyncio.wait_for(end(task), 5)
        return task, client

    task, client = asyncio.run(run())
    assert task.done()
    assert client.cancelled == 2


def test_what_a_task_raises_at_its_end_is_dropped() -> None:
    async def fail() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        raise OSError("no route to host")

    async def run() -> BaseException | None:
        task = asyncio.create_task(fail())
        await asyncio.sleep(0)
        await asyncio.wait_for(end(task), 5)
        return task.exception()

    assert isinstance(asyncio.run(run()), OSError)
