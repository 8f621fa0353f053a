"""Readers of recorded conversations raise nothing but their refusal, whatever value they are given.

Knows what a history has to be like whatever it was read from. Refuses to know the formats.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, note, settings

from pairl.encode.history import Call, History, Result
from pairl.encode.importers.format import Format, NotATranscript
from pairl.encode.importers.formats import FORMATS
from tests.property.records import RECORDS

NESTED = "[" * 900 + "]" * 900


def check(history: History) -> None:
    """Check what holds for each history."""
    parts = [part for turn in history.turns for part in turn.parts]
    numbers = sorted(part.number for part in parts if isinstance(part, Call))
    assert numbers == list(range(1, len(numbers) + 1))
    answered = [part.call for part in parts if isinstance(part, Result) and part.call is not None]
    assert len(answered) == len(set(answered))
    for index, turn in enumerate(history.turns):
        assert turn.answers is None or 0 <= turn.answers < index
        assert 0 <= turn.item <= max(0, len(history.items) - 1)
        own = {part.number for part in turn.parts if isinstance(part, Call)}
        assert {part.call for part in turn.parts if isinstance(part, Result) and part.call} <= own
    assert all(notice.what.isprintable() for notice in history.notices)
    assert all(part.tool for part in parts if isinstance(part, Call))


def check_refusal(refusal: NotATranscript) -> None:
    """Check what holds for each refusal."""
    assert str(refusal).isprintable()
    assert refusal.reason
    assert refusal.advice


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RECORDS)
def test_any_value_is_read_or_refused(value: object) -> None:
    for form in FORMATS:
        note(form.name)
        is_recognised = form.recognise(value)
        try:
            history = form.read(value)
        except NotATranscript as refusal:
            check_refusal(refusal)
            assert not is_recognised
        else:
            check(history)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_value_that_is_nested_deeply_is_read(form: Format) -> None:
    deep = json.loads(NESTED)
    block = {"type": "unknown", "value": deep}
    content = [block, {"type": "tool_use", "id": "a", "name": "x", "input": deep}]
    message = {"role": "assistant", "type": "ai", "content": content, "agent": "main"}
    line = {"type": "assistant", "uuid": "u", "message": message}
    for value in ([message], {"history": [message]}, {"messages": [message]}, [line]):
        if form.recognise(value):
            check(form.read(value))
