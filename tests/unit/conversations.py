"""Conversations for the tests of encoding, and their bodies, each of which is checked on the way."""

from __future__ import annotations

from datetime import UTC, datetime

from pairl import validate
from pairl.encode.encoding import Options, encode
from pairl.encode.history import History, Part, Turn
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.messages import as_messages
from pairl.encode.reread import reread
from tests.skeletons import skeleton

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
WHOLE = Options(window=0)
LONG = (
    "The ferry leaves pier 4 at 09:15 on 2026-07-02. It is a fine ship and everybody likes it. Some people"
    " think that ships are better than trains, and others do not. Anna Berg has the tickets. We had coffee"
    " before we talked about it, and then we had more coffee. The crossing costs 48.50 EUR for each of us."
)


def chat(*turns: tuple[str, str]) -> History:
    builder = HistoryBuilder("x")
    for role, text in turns:
        builder.turn(role)  # type: ignore[arg-type]  # the tests name roles only
        builder.say(text)
    return builder.history()


def answer(*parts: Part) -> History:
    return History("x", (Turn("assistant", parts),))


def body(history: History, options: Options = WHOLE) -> str:
    encoded = encode(history, options)
    for message in as_messages(encoded, id="m1", ts=NOW):
        report = validate(message, strict=True, source=encoded.source)
        assert [str(found) for found in report.diagnostics] == []
    assert skeleton(reread(encoded.body)) == skeleton(history)
    return encoded.body
