"""The published package `pairl` 1.6.2, in an environment of its own, for comparisons.

Knows how to get it and how to put calls to it: one process reads a JSON line for each call and answers with
one (`tests/answer_calls.py`). Refuses to know what the answers should be. Both packages are imported as
`pairl`, so the two never share a process or an environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import venv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED_VERSION = "1.6.2"
_PROGRAM = Path(__file__).with_name("answer_calls.py")


class UnavailableError(Exception):
    """The published package could not be installed; the last line of what the installer said."""


def published_interpreter() -> Path:
    """Return a Python that has the published package, and make one in the user's cache if there is none.

    Raises:
        UnavailableError: the package could not be installed.

    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    directory = cache / "pairl-bus" / f"published-{PUBLISHED_VERSION}"
    python = directory / "bin" / "python"
    if not (directory / "ready").exists():
        venv.create(directory, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", f"pairl=={PUBLISHED_VERSION}"]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UnavailableError(done.stderr.strip().rpartition("\n")[2])
        (directory / "ready").touch()
    return python


def environment(*, with_our_package: bool) -> dict[str, str]:
    """Return the variables for a process that shall import our package, or shall not."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if with_our_package:
        variables["PYTHONPATH"] = str(ROOT)
    return variables


def answers(python: Path, calls: Iterable[Mapping[str, Any]], *, with_our_package: bool) -> list[Any]:
    """Return what one process answers to the calls, in order."""
    done = subprocess.run(
        [str(python), "-P", str(_PROGRAM)],
        input="".join(f"{json.dumps(call)}\n" for call in calls),
        env=environment(with_our_package=with_our_package),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
