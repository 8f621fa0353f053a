"""What every body has in common, whatever was said: it is valid, quotes truly, and only grows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairl import Message, Session, validate
from pairl.encode import messages as cutting
from pairl.encode.budget import Budget
from pairl.encode.encoding import BodyState, Encoded, Options, encode
from pairl.encode.history import Call, History, Result, Said, Turn
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.messages import as_messages
from pairl.encode.quoting.quote import Quoting
from pairl.encode.reread import reread
from pairl.encode.tools.argument_names import (
    LONGEST_KEY,
    RESERVED,
    is_stand_in,
    key_for,
    name_of,
    spelled_out,
)
from pairl.quotation import SourceText, verify
from tests.property.histories import HISTORIES, NAMES, cut, nested, texts_of
from tests.property.texts import TEXTS
from tests.skeletons import skeleton

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
BUDGETS = st.one_of(
    st.none(),
    st.sampled_from([0.01, 0.2, 0.5, 1.0]).map(lambda share: Budget(share=share)),
    st.sampled_from([1, 100, 2_000]).map(lambda amount: Budget(characters=amount)),
)
STABLE_BUDGETS = st.sampled_from([None, Budget(share=0.1), Budget(share=0.5), Budget(share=1.0)])


def in_messages(encoded: Encoded) -> list[Message]:
    return as_messages(encoded, id="m1", ts=NOW)


def words(text: str) -> int:
    """A measure that is none of characters."""
    return len(text.split(" ")) + text.count("\n")


@settings(max_examples=80, deadline=None)
@given(HISTORIES, BUDGETS, st.integers(0, 3), st.booleans(), st.sampled_from([len, words]))
def test_a_body_is_strictly_valid_and_quotes_truly(
    history: History, budget: Budget | None, window: int, is_open: bool, measure: Callable[[str], int]
) -> None:
    encoded = encode(history, Options(budget, window, is_open), quoting=Quoting(measure))
    for message in in_messages(encoded):
        report = validate(message, strict=True, source=encoded.source)
        assert [str(found) for found in report.diagnostics] == []
    assert isinstance(Session.begin(encoded.body), Session)


@settings(max_examples=60, deadline=None)
@given(HISTORIES, BUDGETS)
def test_no_turn_is_lost_and_no_record_is_injected(history: History, budget: Budget | None) -> None:
    encoded = encode(history, Options(budget, window=0))
    assert skeleton(reread(encoded.body)) == skeleton(history)
    assert skeleton(reread(in_messages(encoded))) == skeleton(history)
    first = len(history.turns) - len(skeleton(history))
    for turn, back in zip(history.turns[first:], reread(encoded.body).turns, strict=True):
        sources = [SourceText(text) for text in texts_of(turn.parts)]
        summaries = [part for part in back.parts if isinstance(part, Said) and part.is_summary]
        assert len(summaries) <= sum(isinstance(part, Said) and part.is_summary for part in turn.parts)
        for text in (part.text for part in back.parts if isinstance(part, Said) and not part.is_summary):
            assert any(not verify(text, source) for source in sources)


@settings(max_examples=60, deadline=None)
@given(HISTORIES, STABLE_BUDGETS, st.data())
def test_a_shorter_history_has_the_beginning_of_the_body(
    history: History, budget: Budget | None, data: st.DataObject
) -> None:
    options = Options(budget, window=0, is_open=True)
    whole = encode(history, options)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(history.turns)), min_size=1, max_size=3)))
    session, state = Session.begin(""), None
    for turns in [*cuts, len(history.turns)]:
        part = encode(cut(history, turns), options, before=state)
        assert isinstance(session, Session)
        session = session.append(part.body)
        for message in in_messages(part):
            report = validate(message, strict=True, source=part.source)
            assert [str(found) for found in report.diagnostics] == []
        assert isinstance(session, Session)
        assert session.body == encode(cut(history, turns), options).body
        assert whole.body.startswith(session.body)
        state = msgspec.json.decode(msgspec.json.encode(part.state), type=BodyState)
    assert isinstance(session, Session)
    assert session.body == whole.body
    assert state == whole.state


@settings(max_examples=60, deadline=None)
@given(HISTORIES, st.integers(0, 3), st.booleans(), st.data())
def test_a_window_that_moves_on_leaves_the_body_as_it_was(
    history: History, window: int, is_open: bool, data: st.DataObject
) -> None:
    turns = data.draw(st.integers(0, len(history.turns)))
    options = Options(Budget(share=0.3), window, is_open=True)
    part, whole = encode(cut(history, turns), options), encode(history, options)
    assert whole.body.startswith(part.body)
    ended = encode(history, Options(Budget(share=0.3), 0, is_open), before=part.state)
    assert len(ended.recent) == 0 or is_open


@settings(max_examples=30)
@given(HISTORIES)
def test_a_conversation_that_changed_is_refused(history: History) -> None:
    state = encode(history, Options(window=0)).state
    changed = (Turn("user", (Said("Something else was said here."),)), *history.turns[1:])
    if state.past.length:
        with pytest.raises(HistoryChanged):
            encode(History("drawn", changed), before=state)
        with pytest.raises(HistoryChanged):
            encode(History("drawn", history.turns[:-1]), before=state)


@settings(max_examples=30, deadline=None)
@given(st.lists(HISTORIES, min_size=2, max_size=4), st.integers(12, 30))
def test_a_body_of_many_records_is_cut_into_messages_that_are_valid(
    drawn: list[History], most_records: int
) -> None:
    turns: list[Turn] = []
    for history in drawn:
        start = len(turns)
        turns += [
            msgspec.structs.replace(turn, answers=turn.answers + start if turn.answers is not None else None)
            for turn in history.turns
        ]
    encoded = encode(History("drawn", tuple(turns)), Options(window=0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "MAX_RECORDS", most_records)
        messages = in_messages(encoded)
    for message in messages:
        assert len(message.records) <= max(most_records, 10)
        report = validate(message, strict=True, source=encoded.source)
        assert [str(found) for found in report.diagnostics] == []
    assert skeleton(reread(messages)) == skeleton(History("drawn", tuple(turns)))


@settings(max_examples=200)
@given(NAMES, NAMES)
@example("xPos", "Pos")
@example("x__45_i", "-i")
@example("\0abc", "\0abd")
def test_names_of_arguments_come_back(name: str, other: str) -> None:
    key = key_for(name)
    assert key.isidentifier()
    assert key.isascii()
    assert key == key.lower()
    assert len(key) <= LONGEST_KEY
    assert key not in RESERVED
    assert name_of(key, {key: spelled_out(name)} if is_stand_in(key) else {}) == name
    assert (key_for(other) == key) == (other == name)


@given(TEXTS)
def test_any_text_can_be_read_as_a_body(text: str) -> None:
    history = reread(text)
    assert len(skeleton(history)) <= len(history.turns)
    assert encode(history, Options(window=0)).body.count("\n") >= len(skeleton(history))


def test_values_that_are_nested_deeply_are_no_fault() -> None:
    call = Call(1, "Bash", {"deep": nested(100_000)})
    turn = Turn("assistant", (call, Result(1, "x" * 50)))
    history = History("drawn", (turn, msgspec.structs.replace(turn, answers=0)))
    assert "/deep/down.py" in encode(history, Options(window=0)).body
