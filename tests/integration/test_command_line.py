"""The commands that need no bus: what they print, and their exit codes, which scripts rely on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from schemas.topics import TOPICS
from tests.integration.stacks import ROOT
from workers.exit_codes import ExitCode

GOOD = b"@v 1\n@id m1\n@ts 2026-05-04T10:00:00Z\n\n#fact count=42 @rid=f1\n"
MESSY = b'\xef\xbb\xbf@v 1\r\n@ts 2026-05-04T10:00:00Z\r\n@id m1\r\n\r\n\r\n  #fact   count="42"  @rid=f1\r\n'
BROKEN = GOOD + b"#fact count=43 @rid=F1\n"
UNREADABLE = b"\xff\xfe"
ORPHAN = GOOD.replace(b"@id m1", b"@id m2").replace(b"\n\n", b"\n@p m1\n\n")
WARNED = GOOD + b"frob{t=x} @rid=a1\n"


def run_pairl(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "workers", *arguments],
        input=given,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize("given", [GOOD, MESSY], ids=["canonical", "messy"])
def test_hash_and_canon_see_through_the_way_it_is_written(given: bytes) -> None:
    digest, canonical = run_pairl("hash", "-", given=given), run_pairl("canon", "-", given=given)
    assert (digest.returncode, canonical.returncode) == (ExitCode.OK, ExitCode.OK)
    assert canonical.stdout == GOOD
    assert digest.stdout.decode() == run_pairl("hash", "-", given=GOOD).stdout.decode()
    assert digest.stdout.startswith(b"ref:hash:sha256:")
    assert len(digest.stdout.strip()) == len("ref:hash:sha256:") + 64


def test_canon_of_several_messages_is_several_messages() -> None:
    once = run_pairl("canon", "-", given=MESSY + b"---\r\n" + ORPHAN)
    assert once.stdout == GOOD + b"---\n" + ORPHAN
    assert run_pairl("canon", "-", given=once.stdout).stdout == once.stdout


@pytest.mark.parametrize("command", ["hash", "canon"])
def test_an_unreadable_message_has_no_canonical_form(command: str) -> None:
    done = run_pairl(command, "-", given=UNREADABLE)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, b"")
    assert b"error[SYN/" in done.stderr
    assert done.stderr.endswith(b"pairl: standard input: a malformed message has no canonical form\n")


@pytest.mark.parametrize("command", ["hash", "canon", "decode"])
def test_all_that_stops_a_command_is_shown_as_an_error_and_nothing_else(command: str) -> None:
    malformed = GOOD + b"#fact share=50%\nfree text\n"
    if command == "decode":
        malformed = malformed.replace(b"@id m1\n", b"@id m1\n@id m2\n")
    done = run_pairl(command, "-", given=malformed + b"---\n" + GOOD + b"---\n" + malformed)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, b"")
    shown = done.stderr.decode()
    assert "warning[" not in shown
    assert shown.count("pairl: standard input") == 2
    assert shown.count("error[SYN/free-text]") == (0 if command == "decode" else 2)


def test_all_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    done = run_pairl("hash", tmp_path / "a.pairl", tmp_path / "b.pairl")
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert done.stderr.count(b": No such file or directory\n") == 2


@pytest.mark.parametrize("given", [GOOD, BROKEN, WARNED])
def test_render_prints_markdown_of_whatever_it_is_given(given: bytes) -> None:
    done = run_pairl("render", "-", given=given)
    assert (done.returncode, done.stderr) == (ExitCode.OK, b"")
    assert b"42" in done.stdout


def test_explain_lists_all_rules_and_explains_one() -> None:
    listed = run_pairl("explain")
    codes = [line.split()[0] for line in listed.stdout.decode().splitlines()]
    assert listed.returncode == ExitCode.OK
    assert {"HDR", "SYN", "SES", "V1", "V12"} <= set(codes)
    explained = run_pairl("explain", "v9/orphan-ret")
    assert explained.returncode == ExitCode.OK
    assert "V9" in explained.stdout.decode().splitlines()[0]
    assert [line for line in explained.stdout.decode().splitlines() if line.startswith("> V9/orphan-ret ")]


@pytest.mark.parametrize(
    ("about", "first", "pointed_at"),
    [
        ("budget", "V8 budget: ", ""),
        ("orphan-ret", "V9 tool-chain: ", "> V9/orphan-ret "),
        ("#fact", "SYN  ", "\nV8   budget: "),
        ("#RET", "V9   tool-chain: ", ""),
        ("@budget", "V8 ", ""),
    ],
)
def test_explain_finds_rules_by_what_one_knows_of_them(about: str, first: str, pointed_at: str) -> None:
    done = run_pairl("explain", about)
    assert (done.returncode, done.stderr) == (ExitCode.OK, b"")
    assert done.stdout.decode().startswith(first)
    assert pointed_at in done.stdout.decode()


def test_version_and_help_are_where_one_looks_for_them() -> None:
    version = run_pairl("--version")
    assert (version.returncode, version.stderr) == (ExitCode.OK, b"")
    assert version.stdout.startswith(b"pairl-bus ")
    for command in ([], ["check"], ["bus"], ["bus", "send"]):
        assert b"Usage: " in run_pairl(*command, "-h").stdout


def test_the_reader_of_a_pipe_may_go_away() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "workers", "explain"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
            timeout=30,
        )
    assert (done.returncode, done.stderr) == (ExitCode.OK, b"")


@pytest.mark.parametrize("buffering", ["", "1"], ids=["buffered", "unbuffered"])
def test_output_that_is_cut_short_is_no_success(buffering: str, tmp_path: Path) -> None:
    talk, output, state = tmp_path / "talk.txt", tmp_path / "body", tmp_path / "state"
    talk.write_text("user: " + "Is the quay lit at night? " * 1_000)
    arguments: list[str | Path] = ["encode", "--end", "--state", state, talk]
    with output.open("wb") as body:
        done = subprocess.run(
            ["bash", "-c", 'ulimit -f 8 && exec "$@"', "bash", sys.executable, "-m", "workers", *arguments],
            stdout=body,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": buffering, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
            timeout=30,
        )
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith(b"pairl: cannot write the output: ")
    assert output.stat().st_size == 8 * 1024
    assert not state.exists()


@pytest.mark.parametrize("loaded", [b"typer", b"pairl.encode"])
def test_ctrl_c_ends_a_command_quietly_while_it_is_loaded(loaded: bytes) -> None:
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "workers", "encode", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stderr is not None
        try:
            while loaded not in (line := process.stderr.readline()):
                assert line
            process.send_signal(signal.SIGINT)
            said = process.stderr.read()
        finally:
            process.kill()
    assert process.returncode == ExitCode.INTERRUPTED
    assert all(line.startswith(b"import time:") for line in said.splitlines())


def test_the_contracts_are_printed_as_json_schema() -> None:
    done = run_pairl("bus", "schemas")
    assert done.returncode == ExitCode.OK
    assert json.loads(done.stdout)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_tail_offers_the_topics_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = run_pairl("bus", "tail", "--help")
    assert done.returncode == ExitCode.OK
    assert f"<{'|'.join(topic.name for topic in TOPICS)}>" in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["frob"], "No such command"),
        (["check"], "Missing argument"),
        (["check", "no-such-file.pairl"], "pairl: no-such-file.pairl: No such file or directory"),
        (["check", "deploy/kafka"], "no .pairl or .prl file in this directory"),
        (["hash", "no-such-file.pairl"], "No such file or directory"),
        (["explain", "V9/orphn"], "pairl: there is no check V9/orphn; did you mean `V9/orphan-ret`?"),
        (["explain", "V99"], "pairl: there is no rule or check V99; did you mean `"),
        (["explain", "buget"], "pairl: there is no rule or check buget; did you mean `budget`?"),
        (["explain", "#frob"], "pairl: there is no rule that names #frob"),
        (["bus", "run", "nobody"], "'nobody' is not one of"),
        (["bus", "tail", "nothing"], "'nothing' is not one of"),
        (["bus", "send", "no-such-file.pairl"], "No such file or directory"),
    ],
)
def test_wrong_usage_is_explained_and_nothing_is_done(arguments: list[str], complaint: str) -> None:
    done = run_pairl(*arguments)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert complaint in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
