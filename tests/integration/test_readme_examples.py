"""The README's examples, run as a reader would: `bus up` in one terminal, the commands in a second one.

Knows the README as sections and fenced blocks. What the README shows must be what is printed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.stacks import need_embedded_packages

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REJECTED_IN_SAMPLE = 8
SECONDS = 60
# The reader has installed it.
PRELUDE = 'pairl() { "$PYTHON" -m workers "$@"; }\n'


def _blocks(language: str, section: str) -> list[str]:
    """Return the fenced blocks of a language in a section."""
    [text] = re.findall(rf"^## {section}\n(.*?)^## ", README, re.MULTILINE | re.DOTALL)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class FirstTerminal:
    """`bus up`: what it has printed, and the environment that it tells a second terminal to have."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Read what is printed until the bus is ready for the reader's own messages."""
        assert process.stdout is not None
        self.lines: list[str] = []
        for line in process.stdout:
            self.lines.append(line.rstrip("\n"))
            if "Ctrl-C stops everything" in line:
                break
        exports = re.findall(r"^ *export (PAIRL_\w+)=(.*)$", "\n".join(self.lines), re.MULTILINE)
        assert exports, self.lines
        self.environment = _inherited() | dict(exports)


def _inherited() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAIRL_")}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHON": sys.executable}


@pytest.fixture(scope="module")
def first_terminal() -> Iterator[FirstTerminal]:
    """A running `bus up`, which must end with 0 on Ctrl-C."""
    need_embedded_packages()
    with subprocess.Popen(
        [sys.executable, "-m", "workers", "bus", "up"],
        cwd=ROOT,
        env=_inherited(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield FirstTerminal(process)
            process.send_signal(signal.SIGINT)
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()


def _run(command: list[str | Path], environment: dict[str, str], directory: Path) -> str:
    done = subprocess.run(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    return done.stdout


def test_what_is_shown_is_what_is_printed(first_terminal: FirstTerminal, tmp_path: Path) -> None:
    sample, accepted, rejected = _blocks("text", "First success")
    assert set(sample.splitlines()) <= set(first_terminal.lines)
    # The reader looks at dead letters until Ctrl-C.
    limit = f"--from-beginning --count {REJECTED_IN_SAMPLE + 1}"
    for script, shown in zip(_blocks("bash", "First success"), (accepted, rejected), strict=True):
        commands = script.replace("/tmp/", f"{tmp_path}/").replace("--from-beginning", limit)  # noqa: S108  # what the README says
        output = _run(["bash", "-c", PRELUDE + commands], first_terminal.environment, tmp_path)
        printed = output.replace(f"{tmp_path}/", "/tmp/").splitlines()  # noqa: S108  # what the README says
        assert set(shown.splitlines()) <= set(printed), output


def test_what_is_shown_without_a_bus_is_what_is_printed(tmp_path: Path) -> None:
    environment = _inherited()
    scripts = _blocks("bash", "Without a bus")
    shown_by_all = _blocks("text", "Without a bus")
    shown_by_scripts, shown_by_programs = shown_by_all[: len(scripts)], shown_by_all[len(scripts) :]
    for script, shown in zip(scripts, shown_by_scripts, strict=True):
        commands = script.replace("/tmp/", f"{tmp_path}/")  # noqa: S108  # what the README says
        output = _run(["bash", "-c", PRELUDE + commands], environment, tmp_path)
        assert output.replace(f"{tmp_path}/", "/tmp/") == shown  # noqa: S108  # what the README says
    for program, shown in zip(_blocks("python", "Without a bus"), shown_by_programs, strict=True):
        assert _run([sys.executable, "-c", program], environment, tmp_path) == shown


def test_the_agent_gets_its_verdict(first_terminal: FirstTerminal, tmp_path: Path) -> None:
    agent, _ = _blocks("python", "From your agents")
    (tmp_path / "agent.py").write_text(agent)
    output = _run([sys.executable, "agent.py"], first_terminal.environment, tmp_path)
    assert re.fullmatch(r"accepted [0-9a-f]{64}\n", output), output


def test_what_is_recorded_becomes_messages(first_terminal: FirstTerminal, tmp_path: Path) -> None:
    _, recorder = _blocks("python", "From your agents")
    shown, *_ = _blocks("text", "From your agents")
    (tmp_path / "recorder.py").write_text(recorder)
    assert _run([sys.executable, "recorder.py"], first_terminal.environment, tmp_path) == ""
    # The reader looks at the topic until Ctrl-C.
    tail = 'timeout --signal=INT 15 "$PYTHON" -m workers bus tail inbound --from-beginning'
    output = _run(["bash", "-c", PRELUDE + tail], first_terminal.environment, tmp_path)
    records = [line for line in shown.splitlines() if line.startswith(("#req", "#rpt"))]
    assert [line for line in output.splitlines() if line in records] == records, output


def test_the_audit_trail_is_verified(first_terminal: FirstTerminal, tmp_path: Path) -> None:
    [verify] = _blocks("python", "For auditors")
    (tmp_path / "verify_audit.py").write_text(verify)
    output = _run([sys.executable, "verify_audit.py"], first_terminal.environment, tmp_path)
    found = re.findall(
        r"^partition (\d): (\d+) messages judged or passed on, 0 of them wait, 0 not yet, head [0-9a-f]{64}$",
        output,
        re.MULTILINE,
    )
    assert [partition for partition, _ in found] == ["0", "1", "2", "3"], output
    assert sum(int(verdicts) for _, verdicts in found) >= 62
