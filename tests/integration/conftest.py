"""The stacks, and a bus of its own for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.bus import Bus
from tests.integration.stacks import (
    NAMES,
    NO_KAFKA,
    NO_REDIS,
    Stack,
    StackMissing,
    running_apache_stack,
    running_embedded_stack,
)


@pytest.fixture(scope="module")
def embedded_stack() -> Iterator[Stack]:
    """The embedded stack; without its packages the test is skipped.

    Each module has its own: it is there in a moment, and slow once it holds much.
    """
    try:
        with running_embedded_stack() as stack:
            yield stack
    except StackMissing as fault:
        pytest.skip(str(fault))


@pytest.fixture(scope="session")
def apache_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Apache Kafka and Redis; where they are missing the test is skipped, or fails if they are required."""
    try:
        with running_apache_stack(tmp_path_factory.mktemp("apache")) as stack:
            yield stack
    except StackMissing as fault:
        if os.environ.get("PAIRL_TESTS_REQUIRE_APACHE") == "1":
            pytest.fail(str(fault))
        pytest.skip(str(fault))


@pytest.fixture(scope="module", params=NAMES)
def stack(request: pytest.FixtureRequest) -> Stack:
    """Each stack in turn. Tests that only Apache Kafka can pass are marked with `apache_only`."""
    chosen: Stack = request.getfixturevalue(f"{request.param}_stack")
    return chosen


@pytest.fixture
def bare_bus(stack: Stack, tmp_path: Path) -> Iterator[Bus]:
    """A bus whose topics do not exist. Its workers are ended, and their logs checked, behind the test."""
    with Bus(stack, tmp_path) as bus:
        yield bus


@pytest.fixture
def bus(bare_bus: Bus) -> Bus:
    """A bus with topics of its own."""
    bare_bus.create_topics()
    return bare_bus


@pytest.fixture
def lonely_bus(tmp_path: Path) -> Iterator[Bus]:
    """A bus whose Kafka and Redis do not run."""
    with Bus(Stack("none", NO_KAFKA, NO_REDIS, Path()), tmp_path) as bus:
        yield bus


@pytest.fixture(scope="module")
def running_bus(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bus]:
    """A bus with a validator, for all tests of a module that only send to it."""
    with Bus(stack, tmp_path_factory.mktemp("bus")) as bus:
        bus.create_topics()
        bus.start_worker("validator")
        yield bus


@pytest.fixture(scope="module")
def patient_bus(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bus]:
    """A bus whose validator waits for longer than any test takes."""
    with Bus(stack, tmp_path_factory.mktemp("bus")) as bus:
        bus.create_topics()
        bus.start_worker(wait_seconds=120)
        yield bus
