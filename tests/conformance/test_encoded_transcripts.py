"""Conversations that others have recorded, encoded: nothing that must be kept is lost, and bodies are short.

Knows what a body has to keep of a conversation with tools, and how long it may be then. Refuses to know what
is said in any. `PAIRL_TRANSCRIPTS_DIR` names the directory that holds them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pairl import Session, validate
from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Part, Result
from pairl.encode.importers.formats import import_history
from pairl.encode.messages import as_messages
from pairl.encode.plain_form import plain_text
from pairl.encode.reread import reread
from pairl.encode.speakers import first_turn
from pairl.encode.tools.paths import paths_in
from pairl.encode.tools.records import strings_of
from pairl.encode.tools.results import read_result
from tests.skeletons import skeleton

DIRECTORY = os.environ.get("PAIRL_TRANSCRIPTS_DIR")
NOW = datetime(2026, 3, 4, tzinfo=UTC)
MOST = 0.25
"""Of the plain text of all conversations with tools, so much may their bodies have; here in characters."""

pytestmark = pytest.mark.skipif(
    DIRECTORY is None,
    reason="set PAIRL_TRANSCRIPTS_DIR to a directory of recorded conversations to encode them",
)


def histories() -> Iterator[tuple[str, History]]:
    for path in sorted(Path(DIRECTORY or ".").glob("*/*")):
        yield path.name, import_history(path.read_bytes())


def parts_of(history: History) -> list[Part]:
    return [part for turn in history.turns for part in turn.parts]


def must_be_kept(part: Part) -> Iterator[str]:
    if isinstance(part, Call):
        yield from paths_in("\n".join(strings_of(part.arguments)))
    elif isinstance(part, Result):
        reading = read_result(part)
        yield from (*reading.paths, *reading.errors, *reading.exits)
    else:
        yield from paths_in(part.text)


def test_bodies_are_valid_and_come_back() -> None:
    for name, history in histories():
        encoded = encode(history, Options(window=0))
        messages = as_messages(encoded, id="m1", ts=NOW)
        for message in messages:
            report = validate(message, strict=True, source=encoded.source)
            assert [str(found) for found in report.diagnostics] == [], name
        assert skeleton(reread(messages)) == skeleton(history), name


def test_bodies_are_short_and_keep_paths_errors_and_exit_statuses() -> None:
    said, written = 0, 0
    for name, history in histories():
        if not any(isinstance(part, Call) for part in parts_of(history)):
            continue
        encoded = encode(history, Options(window=0))
        said += len(plain_text(history.turns))
        written += len(encoded.body)
        (message,) = as_messages(encoded, id="m1", ts=NOW)
        values = "\n".join(value for record in message.records for value in record.kv.values())
        first = first_turn(history.turns)
        for part in parts_of(History(history.format, history.turns[first:])):
            assert [kept for kept in must_be_kept(part) if kept not in values] == [], name
    assert written <= MOST * said


def test_requests_of_one_session_keep_the_body() -> None:
    requests = [history for name, history in histories() if name.startswith("openhands_fn")]
    assert len(requests) == 2
    for window in (0, 1, 3):
        options = Options(window=window, is_open=True)
        first = encode(requests[0], options)
        second = encode(requests[1], before=first.state)
        assert second.body
        assert first.body + second.body == encode(requests[1], options).body
        session = Session.begin(first.body)
        assert isinstance(session, Session)
        grown = session.append(second.body)
        assert isinstance(grown, Session)
        assert grown.body.startswith(first.body)
