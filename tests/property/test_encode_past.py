"""Conversations whose past is told otherwise later: what was written stays, and nothing new is lost."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pairl import Session, validate
from pairl.encode.budget import Budget
from pairl.encode.encoding import Encoded, Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Thought, Turn
from pairl.encode.messages import as_messages
from pairl.encode.past import CHANGED_RESULTS, CHANGED_THOUGHTS
from pairl.encode.reread import reread
from pairl.encode.speakers import first_turn
from pairl.encode.tools.paths import paths_in
from pairl.encode.tools.results import read_result
from tests.property.histories import HISTORIES, TEXTS, cut
from tests.skeletons import skeleton

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
OPTIONS = st.sampled_from([None, Budget(share=0.3)]).map(lambda budget: Options(budget, 0, is_open=True))
NUMBERS = st.integers(0, 6)


@st.composite
def _told_otherwise(draw: st.DrawFn, turn: Turn) -> Turn:
    """Draw a turn that says and calls the same."""
    parts: list[Part] = []
    for part in turn.parts:
        if isinstance(part, Said):
            parts.append(part)
        elif isinstance(part, Call):
            parts.append(replace(part, id=draw(TEXTS)))
        elif isinstance(part, Result) and draw(st.booleans()):
            parts.append(replace(part, text=draw(TEXTS), is_error=draw(st.sampled_from([None, True]))))
        elif isinstance(part, Thought) and draw(st.booleans()):
            parts.append(Thought(draw(TEXTS)))
    return replace(turn, parts=tuple(parts))


def _check(encoded: Encoded) -> None:
    for message in as_messages(encoded, id="m1", ts=NOW):
        report = validate(message, strict=True, source=encoded.source)
        assert [str(found) for found in report.diagnostics] == []


@settings(max_examples=60, deadline=None)
@given(HISTORIES, OPTIONS, NUMBERS, NUMBERS, st.data())
def test_what_was_written_stays_and_what_is_new_is_appended(
    history: History, options: Options, turns: int, more: int, data: st.DataObject
) -> None:
    before = encode(cut(history, turns), options)
    first = first_turn(history.turns)
    end = min(first + before.state.past.length, len(history.turns))
    earlier = [data.draw(_told_otherwise(turn)) for turn in history.turns[:end]]
    now = History("drawn", (*earlier, *history.turns[end:]))
    parts = [encode(cut(now, end + more), before=before.state)]
    parts.append(encode(now, before=parts[0].state))
    session = Session.begin(before.body)
    for part in parts:
        _check(part)
        assert isinstance(session, Session)
        session = session.append(part.body)
    assert isinstance(session, Session)
    written = cut(history, end)
    added = sum(part.report.turns for part in parts)
    assert end + added <= len(now.turns)
    whole = History("drawn", (*written.turns, *now.turns[end : end + added]))
    late = "late_result" in parts[0].body + parts[1].body
    assert late or skeleton(reread(session.body)) == skeleton(whole)
    values = "\n".join(
        value for turn in reread(session.body).turns for part in turn.parts for value in _values(part)
    )
    for turn in now.turns[end : end + added]:
        for result in (part for part in turn.parts if isinstance(part, Result)):
            assert [path for path in paths_in(result.text) if path not in values] == []
    for part in parts:
        counts = {notice.what: notice.count for notice in part.report.notices}
        assert counts.keys() <= {CHANGED_RESULTS, CHANGED_THOUGHTS}
        assert all(count <= end for count in counts.values())


def _values(part: Part) -> list[str]:
    if isinstance(part, Call):
        return [str(value) for value in part.arguments.values()]
    return [*part.details.values()] if isinstance(part, Result) else [part.text]


@st.composite
def _talks(draw: st.DrawFn) -> list[Turn]:
    """Draw a conversation in which each call has a result."""
    turns: list[Turn] = []
    number = 0
    for index in range(draw(st.integers(2, 7))):
        parts: list[Part] = [Said(draw(TEXTS))]
        for _ in range(draw(st.integers(0, 2)) if index % 2 else 0):
            number += 1
            parts += [Call(number, "look", {"berth": number}), Result(number, draw(TEXTS))]
        turns.append(
            Turn("assistant" if index % 2 else "user", tuple(parts), None, index - 1 if index else None)
        )
    return turns


@settings(max_examples=60, deadline=None)
@given(_talks(), OPTIONS, st.data())
def test_results_are_kept_whenever_they_come(talk: list[Turn], options: Options, data: st.DataObject) -> None:
    waiting = {
        part.call: data.draw(st.integers(0, len(talk)))
        for turn in talk
        for part in turn.parts
        if isinstance(part, Result)
    }
    state, body, messages = None, "", []
    for count in range(1, len(talk) + 1):
        now = tuple(
            replace(
                turn,
                parts=tuple(
                    part
                    for part in turn.parts
                    if not isinstance(part, Result) or waiting[part.call] <= count or count == len(talk)
                ),
            )
            for turn in talk[:count]
        )
        encoded = encode(History("drawn", now), options, before=state)
        _check(encoded)
        assert encoded.report.notices == ()
        state, body = encoded.state, body + encoded.body
        messages += as_messages(encoded, id=f"m{count}", ts=NOW)
    assert skeleton(reread(body)) == skeleton(History("drawn", tuple(talk)))
    assert reread(messages) == reread(body)
    written = body.replace('\\"', '"')
    for turn in talk:
        for result in (part for part in turn.parts if isinstance(part, Result)):
            assert all(error in written for error in read_result(result).errors[:1] if '"' not in error)
