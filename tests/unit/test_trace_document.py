"""A traced session as JSON: the fields that scripts rely on."""

from __future__ import annotations

import json

from pairl.budget import Quota
from tests.unit.traced import judged, session, waiting
from workers.trace.document import write_document
from workers.trace.ledger import add_up


def test_the_document_has_messages_those_that_wait_and_the_ledger() -> None:
    traced = session(
        judged("m1", budget="0.50 EUR", costs={"EUR": "0.10"}, quotas=(Quota("tokens", "9", "1"),)),
        judged("m2", "m1", seconds=1.25, errors=("V6: \x1b no",)),
        waiting("m3", "m9", "m1", seconds=2, offset=7),
    )
    text = write_document(traced, traced.messages, add_up(traced.messages), "m1")
    assert text.isascii()
    assert text.isprintable()
    document = json.loads(text)
    assert (document["session"], document["marked"]) == ("s", "m1")
    assert document["messages"] == [
        {
            "id": "m1",
            "status": "accepted",
            "parents": [],
            "parent": None,
            "root": None,
            "depth": 0,
            "at": "2026-11-30T09:00:00.000Z",
            "source": "pairl.inbound/0/m1",
            "hash": "",
            "costs": {"EUR": "0.10"},
            "budget": {"limit": "0.50", "unit": "EUR"},
            "errors": [],
        },
        {
            "id": "m2",
            "status": "rejected",
            "parents": ["m1"],
            "parent": "m1",
            "root": None,
            "depth": 0,
            "at": "2026-11-30T09:00:01.250Z",
            "source": "pairl.inbound/0/m2",
            "hash": "",
            "costs": {},
            "budget": None,
            "errors": ["V6: \x1b no"],
        },
    ]
    assert document["waiting"] == [
        {
            "id": "m3",
            "parents": ["m9", "m1"],
            "parent": "m9",
            "waits_for": ["m9"],
            "at": "2026-11-30T09:00:02.000Z",
            "due": "2026-11-30T09:00:12.000Z",
            "source": "pairl.inbound/0/7",
        }
    ]
    assert document["ledger"] == {
        "budgets": [{"id": "m1", "limit": "0.50", "unit": "EUR", "spent": "0.10", "left": "0.40"}],
        "costs": {"EUR": "0.10"},
        "outside": {},
        "quotas": [{"id": "m1", "type": "tokens", "total": "9", "used": "1", "rem": ""}],
    }


def test_times_that_no_calendar_has_are_written_all_the_same() -> None:
    traced = session(judged("m1", seconds=-1e15), judged("m2", seconds=1e15))
    document = json.loads(write_document(traced, traced.messages, add_up(traced.messages)))
    times = [message["at"] for message in document["messages"]]
    assert times == ["1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
