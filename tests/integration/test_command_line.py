"""The commands that need no bus: what they print, and their exit codes, which scripts rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
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


def _pairl(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "workers", *arguments],
        input=given,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize(
    ("messages", "options", "code", "last_line"),
    [
        ([GOOD], [], ExitCode.OK, "1 message checked (strict): 1 valid, 0 invalid, 0 warnings"),
        ([GOOD, ORPHAN], [], ExitCode.OK, "2 messages checked (strict): 2 valid, 0 invalid, 0 warnings"),
        ([MESSY], [], ExitCode.OK, "1 message checked (strict): 1 valid, 0 invalid, 1 warnings"),
        ([WARNED], [], ExitCode.OK, "1 message checked (strict): 1 valid, 0 invalid, 1 warnings"),
        (
            [GOOD, BROKEN],
            [],
            ExitCode.INVALID,
            "2 messages checked (strict): 1 valid, 1 invalid, 0 warnings",
        ),
        (
            [BROKEN],
            ["--loose"],
            ExitCode.INVALID,
            "1 message checked (loose): 0 valid, 1 invalid, 0 warnings",
        ),
        ([UNREADABLE], [], ExitCode.INVALID, "1 message checked (strict): 0 valid, 1 invalid, 0 warnings"),
        ([b""], [], ExitCode.INVALID, "1 message checked (strict): 0 valid, 1 invalid, 0 warnings"),
    ],
)
def test_check_counts_and_exits_accordingly(
    messages: Sequence[bytes], options: list[str], code: ExitCode, last_line: str
) -> None:
    done = _pairl("check", *options, "-", given=b"---\n".join(messages))
    assert (done.returncode, done.stderr) == (code, b"")
    assert done.stdout.decode().splitlines()[-1] == last_line


def test_check_draws_what_is_wrong_where_it_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "two.pairl"
    path.write_bytes(GOOD + b"---\n" + BROKEN)
    done = _pairl("check", path)
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("error[V6/duplicate-rid]: ")
    assert lines[1] == f"  --> {path}:12:16"
    assert lines[3].startswith("12 | #fact count=43 @rid=F1")


def test_check_reads_the_files_of_a_directory(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.pairl", "deep/a.prl", "notes.txt"):
        (tmp_path / name).write_bytes(GOOD)
    done = _pairl("check", tmp_path)
    assert done.stdout == b"2 messages checked (strict): 2 valid, 0 invalid, 0 warnings\n"


@pytest.mark.parametrize("given", [GOOD, MESSY], ids=["canonical", "messy"])
def test_hash_and_canon_see_through_the_way_it_is_written(given: bytes) -> None:
    digest, canonical = _pairl("hash", "-", given=given), _pairl("canon", "-", given=given)
    assert (digest.returncode, canonical.returncode) == (ExitCode.OK, ExitCode.OK)
    assert canonical.stdout == GOOD
    assert digest.stdout.decode() == _pairl("hash", "-", given=GOOD).stdout.decode()
    assert digest.stdout.startswith(b"ref:hash:sha256:")
    assert len(digest.stdout.strip()) == len("ref:hash:sha256:") + 64


def test_canon_of_several_messages_is_several_messages() -> None:
    once = _pairl("canon", "-", given=MESSY + b"---\r\n" + ORPHAN)
    assert once.stdout == GOOD + b"---\n" + ORPHAN
    assert _pairl("canon", "-", given=once.stdout).stdout == once.stdout


@pytest.mark.parametrize("command", ["hash", "canon"])
def test_an_unreadable_message_has_no_canonical_form(command: str) -> None:
    done = _pairl(command, "-", given=UNREADABLE)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, b"")
    assert b"error[SYN/" in done.stderr
    assert done.stderr.endswith(b"pairl: standard input: a malformed message has no canonical form\n")


@pytest.mark.parametrize("given", [GOOD, BROKEN, WARNED])
def test_render_prints_markdown_of_whatever_it_is_given(given: bytes) -> None:
    done = _pairl("render", "-", given=given)
    assert (done.returncode, done.stderr) == (ExitCode.OK, b"")
    assert b"42" in done.stdout


def test_explain_lists_all_rules_and_explains_one() -> None:
    listed = _pairl("explain")
    codes = [line.split()[0] for line in listed.stdout.decode().splitlines()]
    assert listed.returncode == ExitCode.OK
    assert {"HDR", "SYN", "SES", "V1", "V12"} <= set(codes)
    explained = _pairl("explain", "v9/orphan-ret")
    assert explained.returncode == ExitCode.OK
    assert "V9" in explained.stdout.decode().splitlines()[0]


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


def test_the_contracts_are_printed_as_json_schema() -> None:
    done = _pairl("bus", "schemas")
    assert done.returncode == ExitCode.OK
    assert json.loads(done.stdout)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_tail_offers_the_topics_that_there_are() -> None:
    done = _pairl("bus", "tail", "--help")
    assert done.returncode == ExitCode.OK
    assert all(topic.name in done.stdout.decode() for topic in TOPICS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["frob"], "No such command"),
        (["check"], "Missing argument"),
        (["check", "no-such-file.pairl"], "pairl: no-such-file.pairl: No such file or directory"),
        (["check", "deploy/kafka"], "no .pairl or .prl file in this directory"),
        (["hash", "no-such-file.pairl"], "No such file or directory"),
        (["explain", "V99"], "pairl: there is no rule V99; the rules are HDR, SYN, V1,"),
        (["bus", "run", "nobody"], "'nobody' is not one of"),
        (["bus", "tail", "nothing"], "'nothing' is not one of"),
        (["bus", "send", "no-such-file.pairl"], "No such file or directory"),
    ],
)
def test_wrong_usage_is_explained_and_nothing_is_done(arguments: list[str], complaint: str) -> None:
    done = _pairl(*arguments)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert complaint in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
