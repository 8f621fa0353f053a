"""`deploy/up` and `deploy/test` on machines that lack something: a sentence, and nothing touched.

Knows the scripts' output and exit status. That they succeed is shown by running them, not here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
TOOLS = ("bash", "basename", "cat", "dirname", "env", "id", "ls", "mkdir", "rm", "sleep", "tail")

PRETENDER = """#!/bin/sh
shift 3
exec '{python}' -c 'import sys; {pretence}; exec(sys.stdin.read())' "$@"
"""
TOO_OLD = PRETENDER.format(python=sys.executable, pretence="sys.version_info = (3, 9, 2)")
WITHOUT_ENSUREPIP = PRETENDER.format(python=sys.executable, pretence='sys.modules["ensurepip"] = None')
BROKEN = "#!/bin/sh\nexit 127\n"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A directory to be the whole PATH: the scripts' tools, and no Python yet."""
    directory = tmp_path / "programs"
    directory.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (directory / tool).symlink_to(found)
    return directory


def _run(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [DEPLOY / script, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def _python(programs: Path, name: str, text: str) -> None:
    (programs / name).write_text(text)
    (programs / name).chmod(0o755)


def test_without_python_the_sentence_says_what_to_install(programs: Path, tmp_path: Path) -> None:
    done = _run("up", PATH=str(programs), PAIRL_VENV=str(tmp_path / "venv"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "deploy/up: Python 3.11 or newer is needed and was not found. On Debian and Ubuntu: "
        "`apt-get install python3 python3-venv`. Where it has another name, set PYTHON to it\n"
    )
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("text", "lack"),
    [
        (TOO_OLD, "python3 is 3.9, and 3.11 is needed"),
        (WITHOUT_ENSUREPIP, "python3 cannot make environments: `apt-get install python3-venv`"),
    ],
)
def test_a_python_that_will_not_do_is_named(programs: Path, tmp_path: Path, text: str, lack: str) -> None:
    _python(programs, "python3", text)
    _python(programs, "python3.12", BROKEN)
    done = _run("up", PATH=str(programs), PAIRL_VENV=str(tmp_path / "venv"))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"and was not found; {lack}" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_a_python_that_was_asked_for_is_not_replaced_by_another(programs: Path, tmp_path: Path) -> None:
    _python(programs, "python3", f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    done = _run("up", PATH=str(programs), PAIRL_VENV=str(tmp_path / "venv"), PYTHON="/nowhere/python")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "deploy/up: PYTHON is /nowhere/python, which is not there\n"


@pytest.mark.parametrize("script", ["up", "test"])
def test_what_is_no_environment_is_never_deleted(script: str, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "notes").write_text("years of work")
    done = _run(script, PATH=os.environ["PATH"], PAIRL_VENV=str(precious), PYTHON=sys.executable)
    assert done.returncode == 1
    assert f"{precious} is not a Python environment and not empty" in done.stderr
    assert [path.name for path in precious.iterdir()] == ["notes"]


def test_unknown_arguments_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    done = _run("test", "--fast", PATH=os.environ["PATH"], PAIRL_VENV=str(tmp_path / "venv"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: deploy/test [--require-apache] [-- ARGUMENTS FOR PYTEST]\n"
    assert not (tmp_path / "venv").exists()
