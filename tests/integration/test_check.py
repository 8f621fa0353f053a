"""`pairl check`: what it counts, shows and mends, and how it ends, which scripts rely on."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.integration.stacks import ROOT
from tests.integration.test_command_line import BROKEN, GOOD, MESSY, ORPHAN, UNREADABLE, WARNED, run_pairl
from workers.exit_codes import ExitCode

MENDABLE = b"@v 1\r\n@id m1\r\n@ts 2026-05-04T10:00:00Z\r\n#fact share=50% @rid=f1\r\nack{ }\r\n"
MENDED = b'@v 1\r\n@id m1\r\n@ts 2026-05-04T10:00:00Z\r\n\r\n#fact share="50%" @rid=f1\r\nack{}\r\n'


@pytest.mark.parametrize(
    ("messages", "options", "code", "last_line"),
    [
        ([GOOD], [], ExitCode.OK, "1 message checked (strict): 1 valid, 0 invalid, 0 errors, 0 warnings"),
        (
            [GOOD, ORPHAN],
            [],
            ExitCode.OK,
            "2 messages checked (strict): 2 valid, 0 invalid, 0 errors, 0 warnings",
        ),
        ([MESSY], [], ExitCode.OK, "1 message checked (strict): 1 valid, 0 invalid, 0 errors, 1 warning"),
        ([WARNED], [], ExitCode.OK, "1 message checked (strict): 1 valid, 0 invalid, 0 errors, 1 warning"),
        (
            [GOOD, BROKEN],
            [],
            ExitCode.INVALID,
            "2 messages checked (strict): 1 valid, 1 invalid, 1 error, 0 warnings",
        ),
        (
            [BROKEN],
            ["--loose"],
            ExitCode.INVALID,
            "1 message checked (loose): 0 valid, 1 invalid, 1 error, 0 warnings",
        ),
        (
            [UNREADABLE],
            [],
            ExitCode.INVALID,
            "1 message checked (strict): 0 valid, 1 invalid, 1 error, 0 warnings",
        ),
        ([b""], [], ExitCode.INVALID, "1 message checked (strict): 0 valid, 1 invalid, 1 error, 0 warnings"),
    ],
)
def test_check_counts_and_exits_accordingly(
    messages: Sequence[bytes], options: list[str], code: ExitCode, last_line: str
) -> None:
    done = run_pairl("check", *options, "-", given=b"---\n".join(messages))
    assert (done.returncode, done.stderr) == (code, b"")
    assert done.stdout.decode().splitlines()[-1] == last_line


def test_check_draws_what_is_wrong_where_it_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "two.pairl"
    path.write_bytes(GOOD + b"---\n" + BROKEN)
    done = run_pairl("check", path)
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("error[V6/duplicate-rid]: ")
    assert lines[1] == f"  --> {path}:12:16"
    assert lines[3].startswith("12 | #fact count=43 @rid=F1")


def test_check_reads_the_files_of_a_directory(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.pairl", "deep/a.prl", "notes.txt"):
        (tmp_path / name).write_bytes(GOOD)
    done = run_pairl("check", tmp_path)
    assert (
        done.stdout.splitlines()[-1]
        == b"2 messages in 2 files checked (strict): 2 valid, 0 invalid, 0 errors, 0 warnings"
    )


def test_a_file_is_read_once_and_hidden_directories_are_left_out(tmp_path: Path) -> None:
    hidden = tmp_path / ".cache"
    hidden.mkdir()
    for path in (tmp_path / "a.pairl", hidden / "b.pairl"):
        path.write_bytes(GOOD)
    (tmp_path / "link.pairl").symlink_to(tmp_path / "a.pairl")
    done = run_pairl("check", tmp_path, tmp_path / "a.pairl", "-", "-", given=GOOD)
    assert b"2 messages in 2 files checked" in done.stdout
    assert b"1 message checked" in run_pairl("check", hidden).stdout


def test_what_cannot_be_read_is_named_and_the_rest_is_checked(tmp_path: Path) -> None:
    good = tmp_path / "good.pairl"
    good.write_bytes(GOOD)
    done = run_pairl("check", tmp_path / "a\x1b[31m\nb.pairl", good)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.decode().splitlines() == [
        rf"pairl: {tmp_path}/a\x1b[31m\nb.pairl: No such file or directory"
    ]
    assert (
        done.stdout.splitlines()[-1]
        == b"1 message checked (strict): 1 valid, 0 invalid, 0 errors, 0 warnings"
    )


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (GOOD.decode().encode("utf-16"), "iconv -f UTF-16 "),
        (GOOD.decode().encode("utf-16-le"), "iconv -f UTF-16LE "),
        (bytes(range(256)) * 20, "this is no text"),
    ],
)
def test_another_kind_of_file_is_one_finding_with_a_hint(data: bytes, hint: str) -> None:
    done = run_pairl("check", "-", given=data)
    assert done.returncode == ExitCode.INVALID
    assert done.stdout.count(b"error[") == 1
    assert hint in done.stdout.decode()
    assert done.stdout.endswith(b"1 message checked (strict): 0 valid, 1 invalid, 1 error, 0 warnings\n")


def test_a_text_with_a_stray_control_character_is_a_text() -> None:
    done = run_pairl("check", "-", given=GOOD + b'#fact colour="\x1b[31mred\x1b[0m" a=\x00 b\n---\n' + GOOD)
    assert done.stdout.count(b"error[") > 1
    assert b"2 messages checked" in done.stdout


def test_a_link_that_leads_nowhere_is_reported(tmp_path: Path) -> None:
    (tmp_path / "good.pairl").write_bytes(GOOD)
    (tmp_path / "lost.pairl").symlink_to(tmp_path / "gone")
    done = run_pairl("check", tmp_path)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.decode() == f"pairl: {tmp_path}/lost.pairl: No such file or directory\n"
    assert b"1 message checked" in done.stdout


def test_a_name_that_no_file_can_have_is_reported() -> None:
    done = run_pairl("check", "x" * 5_000)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.endswith(b": File name too long\n")


def test_many_diagnostics_are_counted_by_code() -> None:
    done = run_pairl("check", "-", given=GOOD + b"#fact share=50%\n" * 15)
    assert done.stdout.decode().splitlines()[-4:] == [
        "found most often:",
        "     15  SYN/unquoted-value",
        "15 can be mended with `pairl check --fix`",
        "1 message checked (strict): 1 valid, 0 invalid, 0 errors, 15 warnings",
    ]


def test_of_many_codes_the_most_frequent_are_counted() -> None:
    records = b"".join(
        b"#fact share=50%%\n#ret call=c%d\n#call q=1\n#evid a=1\n#ref a=1\n" % n for n in range(3)
    )
    records += b'#cost a=1\n@x\nfrob{}\n#s a=1\n#frob\n#fact =1\n#fact a="\nack{q=1}\n#evid conf=2\n'
    lines = run_pairl("check", "-", given=GOOD + records).stdout.decode().splitlines()
    rows = lines[lines.index("found most often:") + 1 : -2]
    assert len(rows) == 11
    assert "of" in rows[-1]
    assert rows[-1].endswith(" other codes")


def test_the_summary_for_people_names_the_rules_that_were_not_evaluated() -> None:
    line = b"not evaluated: V4 and SES (need the thread), V13 and V14 (the legend), V15 (the turns quoted)\n"
    shown = run_pairl("check", "-", given=GOOD)
    assert shown.stdout.startswith(line)
    for_programs = run_pairl("check", "--output", "json", "-", given=GOOD)
    assert b"not evaluated" not in for_programs.stdout + for_programs.stderr


@pytest.mark.parametrize("output", ["json", "github", "sarif"])
def test_output_for_programs_holds_nothing_else(output: str) -> None:
    done = run_pairl("check", "--output", output, "-", given=WARNED + b"---\n" + BROKEN)
    assert done.returncode == ExitCode.INVALID
    text = done.stdout.decode()
    match output:
        case "json":
            rows = [json.loads(line) for line in text.splitlines()]
            assert [(row["message_number"], row["line"]) for row in rows] == [(1, 6), (2, 13)]
        case "github":
            assert [line.split(" ")[0] for line in text.splitlines()] == ["::warning", "::error"]
        case _:
            assert len(json.loads(text)["runs"][0]["results"]) == 2
    assert done.stderr.decode().splitlines()[-1] == (
        "2 messages checked (strict): 1 valid, 1 invalid, 1 error, 1 warning"
    )


def test_sarif_without_results_is_a_log_all_the_same() -> None:
    done = run_pairl("check", "--output", "sarif", "-", given=GOOD)
    assert done.returncode == ExitCode.OK
    assert json.loads(done.stdout)["runs"][0]["results"] == []


def test_fix_mends_files_in_their_place(tmp_path: Path) -> None:
    path, link = tmp_path / "m.pairl", tmp_path / "link.pairl"
    between = b" \t\r\n---  \r\n\r\n"
    path.write_bytes(MENDABLE + between + GOOD + b"---\n" + BROKEN)
    path.chmod(0o640)
    link.symlink_to(path)
    done = run_pairl("check", "--fix", link)
    assert done.returncode == ExitCode.INVALID
    assert path.read_bytes() == MENDED + between + GOOD + b"---\n" + BROKEN
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]
    lines = done.stdout.decode().splitlines()
    # The line counts in the file as it is now.
    assert lines[1] == f"  --> {link}:21:16"
    assert lines[-4] == f"{link}: 3 mended"
    assert lines[-2] == "3 mended, 1 left"
    before = path.stat()
    again = run_pairl("check", "--fix", path)
    assert again.stdout.decode().splitlines()[-2] == "0 mended, 1 left"
    assert b": 0 mended" not in again.stdout
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_fix_of_standard_input_writes_the_mended_text_and_reports_beside_it() -> None:
    done = run_pairl("check", "--fix", "-", given=MENDABLE)
    assert (done.returncode, done.stdout) == (ExitCode.OK, MENDED)
    assert done.stderr.decode().splitlines()[-2] == "3 mended, 0 left"


def test_what_could_not_be_written_does_not_count_as_mended(tmp_path: Path) -> None:
    # A name that is no file: reading it works, and replacing it does not.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", 'cat >"$0"', pipe], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    with writer.stdin as stream:
        stream.write(MENDABLE)
    done = run_pairl("check", "--fix", pipe)
    writer.wait(30)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.decode() == f"pairl: {pipe}: only a file can be mended in its place\n"
    assert done.stdout.decode().splitlines()[-2:] == [
        "0 mended, 3 left",
        "1 message checked (strict): 0 valid, 1 invalid, 1 error, 2 warnings",
    ]


def test_fix_of_what_cannot_be_replaced_is_reported() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(MENDABLE)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "workers", "check", "--fix", f"/dev/fd/{reading}"],
            capture_output=True,
            cwd=ROOT,
            check=False,
            timeout=30,
            pass_fds=[reading],
        )
    finally:
        os.close(reading)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith(b"pairl: /dev/fd/")
    assert b"Traceback" not in done.stderr


def _in_shell(command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f'"$0" -m workers {command}', sys.executable],
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("check tests/conformance/corpus.txt >/dev/full", "cannot write the output: No space left on device"),
        ("check tests/conformance/corpus.txt >&-", "cannot write the output: it is closed"),
        ("explain >/dev/full", "cannot write the output: No space left on device"),
        ("--help >/dev/full", "cannot write the output: No space left on device"),
        ("check --help >/dev/full", "cannot write the output: No space left on device"),
        ("check --help 1</dev/null", "cannot write the output: Bad file descriptor"),
        ("check /dev/zero", "/dev/zero: it is larger than 1 GiB"),
        ("check - <&-", "standard input: it is closed"),
    ],
)
def test_streams_that_are_closed_or_full_are_one_line(command: str, complaint: str) -> None:
    done = _in_shell(command)
    assert (done.returncode, done.stderr.decode()) == (ExitCode.USAGE, f"pairl: {complaint}\n")


@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("command", ["check there-is-no-such-file", "chekc", "explain V99"])
def test_a_command_ends_as_it_would_where_nothing_can_be_said_of_it(command: str, errors: str) -> None:
    done = _in_shell(f"{command} {errors}")
    assert (done.returncode, done.stdout, done.stderr) == (ExitCode.USAGE, b"", b"")


def test_on_a_terminal_diagnostics_are_coloured(tmp_path: Path) -> None:
    path = tmp_path / "m.pairl"
    path.write_bytes(BROKEN)
    controller, terminal = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-m", "workers", "check", path],
            stdout=terminal,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
            timeout=30,
            env={name: value for name, value in os.environ.items() if name != "NO_COLOR"},
        )
        assert os.read(controller, 4_096).startswith(b"\x1b[1;31merror[V6/duplicate-rid]\x1b[0m")
    finally:
        os.close(terminal)
        os.close(controller)
