"""The sample conversation: every verdict is the one that its table promises."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import pairl
from pairl import parse, split_messages, validate
from pairl.rules import Needs
from pairl.thread import Status
from pairl.thread_memory import Thread
from tests.unit.messages import needing

SAMPLE = Path(pairl.__file__).parents[1] / "workers" / "sample"


def read_table() -> dict[str, list[dict[str, str]]]:
    """Return the rows of the table of verdicts by the file that their messages are in."""
    rows: dict[str, list[dict[str, str]]] = {}
    with (SAMPLE / "verdicts.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            rows.setdefault(row["session-file"], []).append(row)
    return rows


TABLE = read_table()


def test_the_table_is_about_every_message() -> None:
    assert {path.name for path in SAMPLE.glob("*.pairl")} == TABLE.keys()
    assert sum(map(len, TABLE.values())) == 62


@pytest.mark.parametrize("name", TABLE)
def test_the_verdicts_of_a_session(name: str) -> None:
    thread = Thread()
    messages = [parse(data) for data in split_messages((SAMPLE / name).read_bytes())]
    assert [message.msg_id for message in messages] == [row["id"] for row in TABLE[name]]
    for message, row in zip(messages, TABLE[name], strict=True):
        report = validate(message, strict=True, thread=thread)
        codes = dict.fromkeys(line.partition("/")[0] for line in report.errors)
        assert (",".join(codes) or "-") == row["codes"], (row["id"], report.errors)
        assert report.valid is (row["verdict"] == "accepted")
        thread.add(message, Status.ACCEPTED if report.valid else Status.REJECTED)


@pytest.mark.parametrize("name", TABLE)
def test_no_verdict_but_that_on_a_parent_hangs_on_the_thread(name: str) -> None:
    messages = [parse(data) for data in split_messages((SAMPLE / name).read_bytes())]
    for message, row in zip(messages, TABLE[name], strict=True):
        report = validate(message, strict=True)
        assert report.valid is (row["verdict"] == "accepted" or row["codes"] == "V4"), row["id"]
        assert report.not_evaluated == needing(Needs.THREAD, Needs.LEGEND, Needs.SOURCE)
