"""The encoder on the bus with whatever may arrive: each record accounted for, each message of it valid.

Knows what must hold of every transcript. Refuses to know how any of them is encoded.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pairl import parse, validate
from pairl.encode.importers.format import Lines
from pairl.thread_memory import Thread
from tests.property.histories import TEXTS
from tests.property.records import MESSAGES, RECORDS
from tests.unit.encoder_sessions import Sessions, Written, bodies, refusals, texts


@st.composite
def talks(draw: st.DrawFn) -> list[dict[str, object]]:
    """Draw a conversation in which tools may be called, and all calls are answered at once."""
    said: list[dict[str, object]] = []
    for number in range(draw(st.integers(1, 6))):
        said.append({"role": "user", "content": draw(TEXTS)})
        calls = [
            {"id": f"k{number}-{place}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            for place in range(draw(st.integers(0, 2)))
        ]
        said.append({"role": "assistant", "content": draw(TEXTS), "tool_calls": calls})
        said += [{"role": "tool", "tool_call_id": call["id"], "content": draw(TEXTS)} for call in calls]
    return said


def _as_bytes(record: object) -> bytes:
    if isinstance(record, Lines):
        return "\n".join(map(json.dumps, record.items)).encode()
    return (record if isinstance(record, str) else json.dumps(record)).encode("utf-8", "surrogatepass")


def _check(sent: Sequence[bytes], sessions: Sessions) -> str:
    """Have records encoded one by one, and return the bodies of the messages that come out."""
    thread = Thread(str)
    grown = ""
    for value in sent:
        outcome = sessions.take(Written(value))
        assert len(refusals(outcome)) + outcome.counts["unchanged"] + bool(texts(outcome)) == 1
        for text in texts(outcome):
            message = parse(text)
            report = validate(message, strict=True, thread=thread)
            assert report.errors == []
            thread.add(message)
        grown += bodies(outcome)
    return grown


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(RECORDS.map(_as_bytes), st.binary(max_size=30)), min_size=1, max_size=2))
def test_every_record_becomes_messages_or_a_dead_letter_or_says_nothing_new(sent: list[bytes]) -> None:
    _check(sent, Sessions())


@settings(max_examples=30)
@given(st.lists(MESSAGES, max_size=8))
def test_however_a_record_grows_what_it_becomes_is_valid(messages: list[dict[str, object]]) -> None:
    _check([_as_bytes(messages[: count + 1]) for count in range(len(messages))], Sessions())


@settings(max_examples=30)
@given(talks())
def test_a_conversation_sent_as_it_grows_is_the_one_sent_at_last(talk: list[dict[str, object]]) -> None:
    growing = [_as_bytes(talk[: count + 1]) for count in range(len(talk))]
    assert _check(growing, Sessions()) == _check(growing[-1:], Sessions())
