"""Imports run one way: `pairl <- schemas <- workers`, and the protocol stays free of the world.

Reads source text only; nothing is imported, so that a broken module is reported and not raised.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = ("pairl", "schemas", "workers")
CLIENTS = {"aiokafka", "hiredis", "kafka", "redis"}
PROTOCOL_MAY_USE = {"msgspec", "pairl"}
THE_WORLD = {
    *[
        "asyncio",
        "concurrent",
        "ctypes",
        "http",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
    ],
    *[
        "random",
        "secrets",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "ssl",
        "subprocess",
        "tempfile",
    ],
    *["threading", "time", "urllib", "uuid", "warnings"],
}


def imports(package: str) -> Iterator[tuple[str, str]]:
    """Yield where something is imported, as `file:line`, and its full name."""
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
            place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield place, alias.name
            elif isinstance(node, ast.ImportFrom):
                yield place, "." * node.level + (node.module or "")


def packages_of(name: str) -> set[str]:
    """Return `a`, `a.b` and so on for the dotted name `a.b.c`."""
    parts = name.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def test_there_is_something_to_check() -> None:
    for package in LAYERS:
        assert (ROOT / package).is_dir()
    assert sum(1 for _ in imports("pairl")) > 100


def test_imports_run_one_way() -> None:
    wrong = [
        f"{place}: {package} must not import {name}"
        for position, package in enumerate(LAYERS)
        for place, name in imports(package)
        if packages_of(name) & {*LAYERS[position + 1 :], "tests", "deploy"}
    ]
    assert wrong == []


def test_no_import_is_relative() -> None:
    assert [place for package in LAYERS for place, name in imports(package) if name.startswith(".")] == []


def test_the_protocol_uses_nothing_but_msgspec_and_the_standard_library() -> None:
    wrong = [
        f"{place}: pairl must not import {name}"
        for place, name in imports("pairl")
        if name.partition(".")[0] not in sys.stdlib_module_names | PROTOCOL_MAY_USE
    ]
    assert wrong == []


def test_only_adapters_use_the_clients_of_kafka_and_redis() -> None:
    wrong = [
        f"{place}: {name} belongs to workers/adapters"
        for package in LAYERS
        for place, name in imports(package)
        if name.partition(".")[0] in CLIENTS and not place.startswith("workers/adapters/")
    ]
    assert wrong == []


def test_the_protocol_knows_no_clock_no_files_and_no_network() -> None:
    wrong = [
        f"{place}: pairl must not import {name}"
        for place, name in imports("pairl")
        if packages_of(name) & THE_WORLD
    ]
    assert wrong == []


def test_the_protocol_calls_for_no_files_and_no_clock() -> None:
    """What needs no import: `open`, `print`, `input`, and the present time of a date."""
    wrong = []
    for path in sorted((ROOT / "pairl").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            if isinstance(called, ast.Name) and name in (
                "open",
                "print",
                "input",
                "exec",
                "eval",
                "__import__",
            ):
                wrong.append(f"{path.relative_to(ROOT)}:{called.lineno}: {name}()")
            if isinstance(called, ast.Attribute) and name in ("now", "today", "utcnow"):
                wrong.append(f"{path.relative_to(ROOT)}:{called.lineno}: .{name}()")
    assert wrong == []
