"""The table of commands: what it says of each, and that nothing is loaded that a command does not need."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pkgutil import resolve_name

import pytest

from workers.cli.commands import BUS, PAIRL, STATE, Command

CLIENTS = {"aiokafka", "redis", "structlog", "asyncio"}
ENCODER = {"pairl.encode"}

LOADED = """\
import sys
from workers.cli import app
try:
    app(sys.argv[1:])
finally:
    print("loaded", *sys.modules)
"""


@pytest.mark.parametrize("command", [*PAIRL, *BUS, *STATE], ids=lambda command: command.function)
def test_the_purpose_is_what_the_command_says_of_itself(command: Command) -> None:
    said = inspect.getdoc(resolve_name(command.function)) or ""
    assert " ".join(said.split("\n\n")[0].split()) == command.purpose


@pytest.mark.parametrize(
    ("arguments", "not_needed"),
    [
        (["--help"], CLIENTS | ENCODER | {"pairl"}),
        (["bus", "--help"], CLIENTS | ENCODER | {"pairl"}),
        (["explain", "V1"], CLIENTS | ENCODER | {"rich.progress"}),
        (["check", "tests/spec/nothing.pairl"], CLIENTS | ENCODER | {"rich.progress"}),
        (["encode", "--help"], CLIENTS),
    ],
    ids=lambda value: " ".join(sorted(value)),
)
def test_a_command_loads_only_what_it_needs(arguments: list[str], not_needed: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    loaded = set(done.stdout.splitlines()[-1].split()[1:])
    assert "workers.cli.commands" in loaded
    assert not_needed & loaded == set()
