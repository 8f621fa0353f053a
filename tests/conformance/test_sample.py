"""The sample conversation: every verdict is the one that its table promises."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import pairl
from pairl import compute_hash, parse, split_messages, validate
from pairl.model import Message
from pairl.thread import Status, ThreadNode, message_id, parent_ids

SAMPLE = Path(pairl.__file__).parents[1] / "workers" / "sample"


class Session:
    """A thread that grows as its messages are judged."""

    def __init__(self) -> None:
        self.nodes: dict[str, ThreadNode] = {}

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id."""
        return self.nodes.get(message_id)

    def is_awaited(self, message_id: str) -> bool:
        """Say whether a message named this id before it was there."""
        return any(message_id in node.parents for node in self.nodes.values())

    def add(self, message: Message, *, valid: bool) -> None:
        """Take note of a message that was judged."""
        name = message_id(message)
        assert name is not None
        status = Status.ACCEPTED if valid else Status.REJECTED
        self.nodes[name] = ThreadNode(name, status, compute_hash(message), parent_ids(message))


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
    session = Session()
    messages = [parse(data) for data in split_messages((SAMPLE / name).read_bytes())]
    assert [message.msg_id for message in messages] == [row["id"] for row in TABLE[name]]
    for message, row in zip(messages, TABLE[name], strict=True):
        report = validate(message, strict=True, thread=session)
        codes = dict.fromkeys(line.partition("/")[0] for line in report.errors)
        assert (",".join(codes) or "-") == row["codes"], (row["id"], report.errors)
        assert report.valid is (row["verdict"] == "accepted")
        session.add(message, valid=report.valid)


@pytest.mark.parametrize("name", TABLE)
def test_no_verdict_but_that_on_a_parent_hangs_on_the_thread(name: str) -> None:
    messages = [parse(data) for data in split_messages((SAMPLE / name).read_bytes())]
    for message, row in zip(messages, TABLE[name], strict=True):
        report = validate(message, strict=True)
        assert report.valid is (row["verdict"] == "accepted" or row["codes"] == "V4"), row["id"]
        assert report.not_evaluated == ("V4", "SES")
