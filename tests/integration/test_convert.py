"""`pairl fmt`, `decode` and `encode`: what they print and write, and how they end."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pairl import compute_hash, parse, split_messages
from tests.integration.stacks import ROOT
from tests.integration.test_command_line import GOOD, MESSY, ORPHAN, UNREADABLE, run_pairl
from workers.exit_codes import ExitCode

HEADERS = b"@v 1\n@id m1\n@ts 2026-05-04T10:00:00Z\n@p m0\n@root m0\n\n"
LONG = HEADERS + b'#think  summary="one"\n#think summary=two\nack{}\n'
CANONICAL = HEADERS.replace(b"@root m0\n", b"") + b"#think summary=one\n#think summary=two\nack{}\n"
SHORT = HEADERS.replace(b"@root m0\n", b"") + b"#think[summary]\none\ntwo\n\nack\n"


def test_fmt_prints_canonical_or_compact_text_with_the_same_hash() -> None:
    plain, short = run_pairl("fmt", "-", given=LONG), run_pairl("fmt", "--compact", "-", given=LONG)
    assert (plain.returncode, plain.stdout, plain.stderr) == (ExitCode.OK, CANONICAL, b"")
    assert (short.returncode, short.stdout, short.stderr) == (ExitCode.OK, SHORT, b"")
    assert compute_hash(parse(LONG)) == compute_hash(parse(SHORT)) == compute_hash(parse(CANONICAL))
    assert run_pairl("canon", "-", given=LONG).stdout == plain.stdout


def test_decision_15_fmt_keeps_the_messages_of_a_file_apart(tmp_path: Path) -> None:
    path = tmp_path / "two.pairl"
    path.write_bytes(b"\n---\n" + LONG + b"---  \r\n" + MESSY)
    assert run_pairl("fmt", "-i", "--compact", path).returncode == ExitCode.OK
    assert path.read_bytes() == SHORT + b"---\n" + GOOD
    assert len(split_messages(path.read_bytes())) == 2


def test_fmt_writes_what_changed_in_place_and_keeps_modes_and_links(tmp_path: Path) -> None:
    path, link, same = tmp_path / "a.pairl", tmp_path / "link.prl", tmp_path / "same.pairl"
    path.write_bytes(LONG)
    path.chmod(0o640)
    link.symlink_to(path)
    same.write_bytes(GOOD)
    before = same.stat().st_ino
    done = run_pairl("fmt", "--write", link, same)
    assert (done.returncode, done.stdout, done.stderr) == (ExitCode.OK, b"", b"")
    assert path.read_bytes() == CANONICAL
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert same.stat().st_ino == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.pairl", "link.prl", "same.pairl"]


def test_fmt_check_names_what_would_change_and_writes_nothing(tmp_path: Path) -> None:
    path, same = tmp_path / "a.pairl", tmp_path / "same.pairl"
    path.write_bytes(LONG)
    same.write_bytes(GOOD)
    done = run_pairl("fmt", "--check", path, same)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, f"{path}\n".encode())
    assert path.read_bytes() == LONG
    assert run_pairl("fmt", "--check", same).returncode == ExitCode.OK
    broken = tmp_path / "broken.pairl"
    broken.write_bytes(UNREADABLE)
    done = run_pairl("fmt", "--check", broken, path, same)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, f"{path}\n".encode())
    assert run_pairl("fmt", "--check", broken, same).returncode == ExitCode.INVALID
    assert run_pairl("fmt", "--check", "--write", same).returncode == ExitCode.USAGE


@pytest.mark.parametrize("broken", [UNREADABLE, GOOD + b"free text\n", GOOD + b"#cost[val]\n1 2\n"])
def test_fmt_writes_no_file_if_one_is_malformed(tmp_path: Path, broken: bytes) -> None:
    first, second = tmp_path / "a.pairl", tmp_path / "b.pairl"
    first.write_bytes(LONG)
    second.write_bytes(broken)
    done = run_pairl("fmt", "--write", first, second)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, b"")
    assert f" --> {second}:".encode() in done.stderr
    assert done.stderr.endswith(b"a malformed message has no canonical form\n")
    assert (first.read_bytes(), second.read_bytes()) == (LONG, broken)


def test_fmt_loses_nothing_if_the_disk_is_full(tmp_path: Path) -> None:
    path = tmp_path / "a.pairl"
    path.write_bytes(LONG)
    # No file may grow: what is written to one fails as it does on a full disk.
    command = 'ulimit -f 0; exec "$0" -B -m workers fmt --write "$1"'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, path], cwd=ROOT, capture_output=True, check=False, timeout=30
    )
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert done.stderr.startswith(f"pairl: {path}: ".encode())
    assert path.read_bytes() == LONG
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", [LONG, SHORT, GOOD + b"free text\n#cost[val]\n1 2\n\nack @rid=a1\n"])
def test_what_is_decoded_is_encoded_again_with_the_same_hash(text: bytes) -> None:
    decoded = run_pairl("decode", "-", given=text + b"---\n" + ORPHAN)
    assert (decoded.returncode, decoded.stderr) == (ExitCode.OK, b"")
    first, second = (json.loads(line) for line in decoded.stdout.splitlines())
    assert first["format"] == second["format"] == "pairl-json/1"
    encoded = run_pairl("encode", "--format", "pairl-json", "-", given=decoded.stdout)
    assert (encoded.returncode, encoded.stderr) == (ExitCode.OK, b"")
    again, orphan = split_messages(encoded.stdout)
    assert (compute_hash(parse(again)), orphan) == (compute_hash(parse(text)), ORPHAN)
    assert list(parse(again).headers.items()) == list(parse(text).headers.items())
    assert parse(again).records[0].raw


def test_encode_reads_a_document_over_several_lines() -> None:
    decoded = run_pairl("decode", "-", given=GOOD).stdout
    indented = json.dumps(json.loads(decoded), indent=4).encode()
    assert run_pairl("encode", "--format", "pairl-json", "-", given=indented).stdout == GOOD


def test_decode_loses_nothing_silently(tmp_path: Path) -> None:
    path = tmp_path / "twice.pairl"
    path.write_bytes(GOOD + b"---\n" + GOOD.replace(b"@id m1\n", b"@id m1\n@id m2\n"))
    done = run_pairl("decode", path)
    assert (done.returncode, done.stdout) == (ExitCode.INVALID, b"")
    assert done.stderr.startswith(f"pairl: {path}:9: not all of the message can be told in JSON: ".encode())


@pytest.mark.parametrize(
    ("given", "line", "words"),
    [
        (b"", 1, b"it is empty"),
        (b"[" * 100_000, 1, b"Expected `object`"),
        (b'\n{"headers": {},\n"body": 1}', 2, b"$.body"),
        (b'{"headers": {}, "body": []}\n{"headers": 1}', 2, b"$.headers"),
    ],
)
def test_encode_says_what_is_wrong_with_json_and_where(given: bytes, line: int, words: bytes) -> None:
    done = run_pairl("encode", "--format", "pairl-json", "-", given=given)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert done.stderr.startswith(f"pairl: standard input:{line}: ".encode())
    assert words in done.stderr


@pytest.mark.parametrize("command", [("fmt",), ("decode",), ("encode", "--format", "pairl-json")])
def test_a_file_that_cannot_be_read_is_named(command: tuple[str, ...], tmp_path: Path) -> None:
    done = run_pairl(*command, tmp_path / "none.pairl")
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert b"No such file" in done.stderr
