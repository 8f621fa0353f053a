"""A conversation on its way to a body: what is checked before it is printed, and how files are written."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import msgspec
import pytest
import typer

from pairl.diagnostics import Diagnostic, Severity
from pairl.encode.encoding import encode
from pairl.validator import Report
from workers.cli import encoding
from workers.cli.encoding import Wanted, encode_conversation
from workers.cli.encoding_refusals import Refusal, refuse
from workers.cli.files import Source
from workers.cli.progress import Bar
from workers.cli.replacing import obstacle, put_contents
from workers.exit_codes import ExitCode

CHAT = json.dumps([{"role": "user", "content": "Is the quay lit?"}]).encode()
PLAIN = Wanted()


@pytest.mark.parametrize("code", ["V15/not-in-source", "V9/orphan-ret"])
def test_what_is_not_valid_is_never_printed(
    code: str, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    report = Report([Diagnostic(code, Severity.ERROR, "no")])
    monkeypatch.setattr(encoding, "judged", lambda messages, _: [(one, report) for one in messages])
    with pytest.raises(typer.Exit) as ended:
        encode_conversation(Source("chat.json", None), CHAT, PLAIN)
    assert ended.value.exit_code == ExitCode.INTERNAL
    printed, said = capfdbinary.readouterr()
    assert printed == b""
    assert said.startswith(b"pairl: chat.json: what was encoded is not valid (" + code.encode() + b")")


def test_a_bar_is_moved_to_the_number_that_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    monkeypatch.setattr(Bar, "step", lambda _, steps_done=1, more=0: steps.append(steps_done + more))
    step = encoding._stepping(Bar(9))
    for number in (3, 4, 9):
        step(number)
    assert steps == [3, 1, 5]


@pytest.mark.parametrize("refusal", list(Refusal))
def test_every_refusal_says_what_is_wrong_and_what_to_do(
    refusal: Refusal, capsys: pytest.CaptureFixture[str]
) -> None:
    words = dict.fromkeys(
        ("name", "reason", "advice", "text", "count", "option", "window", "state", "begun", "causes"),
        "\x1b{x}",
    )
    with pytest.raises(typer.Exit) as ended:
        refuse(refusal, **words)
    assert ended.value.exit_code == ExitCode.USAGE
    what, advice = capsys.readouterr().err.splitlines()
    assert what.startswith("pairl: ")
    assert advice.startswith("  ")
    assert "\x1b" not in what + advice
    assert not what.endswith(".")


def test_a_new_file_is_its_owners(tmp_path: Path) -> None:
    assert put_contents(tmp_path / "new", b"1") is None
    assert (tmp_path / "new").read_bytes() == b"1"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


def test_a_file_is_replaced_where_a_link_leads_and_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"1")
    target.chmod(0o640)
    link.symlink_to(target)
    assert put_contents(link, b"2") is None
    assert link.is_symlink()
    assert target.read_bytes() == b"2"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_what_is_no_file_is_written_to_and_what_cannot_be_is_named(tmp_path: Path) -> None:
    assert put_contents(Path("/dev/null"), b"1") is None
    assert Path("/dev/null").is_char_device()
    assert obstacle(Path("/dev/null")) is obstacle(tmp_path / "new") is None
    for place in (tmp_path / "none" / "file", tmp_path, tmp_path / ("x" * 300), Path("a\0b")):
        fault = put_contents(place, b"1")
        assert fault is not None
        assert fault.name == str(place)
    for place in (tmp_path / "none" / "file", tmp_path, Path("a\0b")):
        known = obstacle(place)
        assert known is not None
        assert known.name == str(place)


def test_a_state_that_another_run_has_written_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    state = tmp_path / "state"
    wanted = msgspec.structs.replace(PLAIN, state=state)

    def encode_slowly(*arguments: object, **named: object) -> object:
        monkeypatch.undo()
        encode_conversation(Source("chat.json", None), CHAT, wanted)
        return encode(*arguments, **named)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(encoding, "encode", encode_slowly)
    with pytest.raises(typer.Exit) as ended:
        encode_conversation(Source("chat.json", None), CHAT, wanted)
    assert ended.value.exit_code == ExitCode.USAGE
    printed, said = capfdbinary.readouterr()
    assert printed.count(b"Is the quay lit?") == 1
    assert b"another run has written it meanwhile" in said


def test_what_is_recent_does_not_replace_what_is_read(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes(CHAT)
    with pytest.raises(typer.Exit):
        encode_conversation(Source("chat.json", path), CHAT, msgspec.structs.replace(PLAIN, recent=path))
    assert capfdbinary.readouterr()[0] == b""
    assert path.read_bytes() == CHAT


def test_one_file_does_not_hold_both_the_state_and_what_is_recent(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = msgspec.structs.replace(PLAIN, state=tmp_path / "file", recent=tmp_path / "file")
    with pytest.raises(typer.Exit):
        encode_conversation(Source("chat.json", None), CHAT, wanted)
    assert capfdbinary.readouterr()[0] == b""
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted(state=Path("-")), "--state -: what is printed goes to standard output"),
        (Wanted(recent=Path("-")), "--recent -: what is printed goes to standard output"),
        (Wanted(state=Path("/none/such/state")), "--state /none/such/state: No such file or directory"),
    ],
)
def test_where_a_file_cannot_be_written_nothing_is_printed(
    wanted: Wanted, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        encode_conversation(Source("chat.json", None), CHAT, wanted)
    assert ended.value.exit_code == ExitCode.USAGE
    printed, said = capfd.readouterr()
    assert printed == ""
    assert said.startswith(f"pairl: {words}")


@pytest.mark.parametrize(
    "state",
    [
        b'{"options":{"budget":null,"window":3,"is_open":true},"length":1,"digest":"0","allowance":{}}',
        b'{"options":{},"past":{"length":-1},"allowance":{}}',
        b"[]",
    ],
)
def test_a_state_of_another_version_is_refused(
    state: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_bytes(state)
    with pytest.raises(typer.Exit):
        encode_conversation(Source("chat.json", None), CHAT, Wanted(state=tmp_path / "state"))
    printed, said = capfd.readouterr()
    assert printed == ""
    assert "this is no state that this version of `pairl encode` wrote" in said
    assert (tmp_path / "state").read_bytes() == state


def test_what_cannot_be_seen_in_what_is_printed_is_told_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    items = [
        {"role": "system", "content": "Be brief."},
        *[{"role": "user", "content": "Is the quay lit at 21:40? " * 40}] * 2,
    ]
    wanted = Wanted(state=tmp_path / "state", budget="30c")
    told: list[list[str]] = []
    for count in (2, 2, 3):
        encode_conversation(Source("chat.json", None), json.dumps(items[:count]).encode(), wanted)
        told.append(capfd.readouterr().err.splitlines())
    assert told[0][0].startswith("pairl: chat.json: the body takes ")
    assert " more than --budget 30c: markers, calls, " in told[0][0]
    assert told[0][1:] == [
        "pairl: chat.json: not in what is printed:",
        "  the system prompt, 9 characters",
        "  1 text quoted in part",
    ]
    assert told[1:] == [[], ["pairl: chat.json: not in what is printed:", "  1 text quoted in part"]]


def test_what_nobody_reads_is_printed_again_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_it_closed(_: bytes) -> None:
        raise typer.Exit(ExitCode.OK)

    monkeypatch.setattr(encoding, "write_bytes", find_it_closed)
    with pytest.raises(typer.Exit):
        encode_conversation(Source("chat.json", None), CHAT, Wanted(state=tmp_path / "state"))
    assert not (tmp_path / "state").exists()


def test_a_result_that_comes_late_can_be_measured(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    call = {"id": "k1", "function": {"name": "look", "arguments": "{}"}}
    items = [
        {"role": "user", "content": "Is it lit?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": "Well?"},
        {"role": "assistant", "content": "I wait."},
    ]
    wanted = Wanted(state=tmp_path / "state", window=0, report=True)
    encode_conversation(Source("chat.json", None), json.dumps(items).encode(), wanted)
    capfd.readouterr()
    late = {"role": "tool", "tool_call_id": "k1", "content": "Error: the lamp of /quay/7 is out"}
    encode_conversation(Source("chat.json", None), json.dumps([*items, late]).encode(), wanted)
    printed, said = capfd.readouterr()
    assert printed == (
        '#fact late_result=err call=c1 err="Error: the lamp of /quay/7 is out" paths=/quay/7 @m=a2\n'
    )
    assert said.startswith("chat.json: 0 turns in the body, 1 message\n")
