"""Conversations in traces and logs of OpenTelemetry, by its conventions for generative AI.

This module knows the attributes that hold messages, on spans and on events, and the older events that are a
message each. How traces are exported, knows `otel_records`; what a message holds, `chat_messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pairl.encode.history import History
from pairl.encode.importers.chat_messages import read_message
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.exchanges import Exchange, conversations, note_left_out
from pairl.encode.importers.format import Format, NotATranscript
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_object, as_text
from pairl.encode.importers.otel_events import EVENTS, EventReader, decoded
from pairl.encode.importers.otel_numbered import numbered_messages
from pairl.encode.importers.otel_records import Record, may_hold_records, records_in
from pairl.encode.importers.roles import role_of

NAME = "otel"

INPUTS = ("gen_ai.input.messages", "pydantic_ai.all_messages", "gen_ai.prompt")
OUTPUTS = ("gen_ai.output.messages", "gen_ai.completion")
"""Attributes that hold what was asked and what was answered; of each the first that is there is read."""

_INSTRUCTIONS = "gen_ai.system_instructions"
_AGENT = "gen_ai.agent.name"
_EVENT_LISTS = ("events", "all_messages_events")


def _recognise(value: object) -> bool:
    """Say whether a record of a trace in a value holds messages."""
    return may_hold_records(value) and any(map(_holds_messages, records_in(value)))


def _read(value: object) -> History:
    """Return the conversations of a trace, each once; raise `NotATranscript` if there are none.

    Requests repeat what came before: the longest of a conversation is read. Those of other agents follow as
    conversations of their own.
    """
    history = HistoryBuilder(NAME)
    exchanges = [] if isinstance(value, str) else _exchanges(value)
    if not exchanges:
        raise NotATranscript(
            "no span and no event in it holds messages",
            "tracing leaves them out unless it is told otherwise: record with the content of messages, mostly"
            " by OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, or export the events as well",
        )
    history.began_at = min((one.began_at for one in exchanges if one.began_at), default=None)
    chains = conversations(exchanges, _key)
    note_left_out(history, exchanges, chains, _key, kind="span")
    said_by = _said_by(exchanges)
    for exchange in (exchange for chain in chains for exchange in chain):
        history.restart()
        for _ in range(exchange.alternatives):
            history.leave_out("other answer to the same request")
        for message in (*exchange.system, *exchange.messages, *exchange.answer):
            speaker = said_by.get(_key(message), exchange.speaker) if _is_answer(message) else None
            read_message(history, message, speaker=speaker)
    return history.history()


def _said_by(exchanges: list[Exchange]) -> dict[str, str]:
    """Return who gave which answer, where several agents did: requests repeat what others have answered."""
    answers = [(_key(message), one.speaker) for one in exchanges for message in one.answer]
    named = {key: speaker for key, speaker in answers if speaker}
    return named if len(set(named.values())) > 1 else {}


def _is_answer(message: object) -> bool:
    return role_of(as_object(message).get("role")) == "assistant"


def _exchanges(value: object) -> list[Exchange]:
    """Return the exchanges that the records of a value hold, in the order of time where all give one."""
    exchanges: list[Exchange] = []
    of_span: dict[str, int] = {}
    events = EventReader()
    for record in records_in(value):
        fields = _fields(record)
        speaker = as_text(fields.get(_AGENT)) or None
        for event in _events(record, fields):
            events.add(event, speaker)
        found = _exchange(fields, record.time, speaker)
        if not found.messages and not found.answer:
            continue
        place = of_span.setdefault(record.span or f"record {len(exchanges)}", len(exchanges))
        if place == len(exchanges):
            exchanges.append(found)
        else:
            exchanges[place] = _joined(exchanges[place], found)
    exchanges.extend(events.exchanges(of_span))
    if all(exchange.began_at for exchange in exchanges):
        exchanges.sort(key=lambda exchange: exchange.began_at or "")
    return exchanges


def _joined(one: Exchange, other: Exchange) -> Exchange:
    """Return one exchange of two records of the same span; what both tell is the same."""
    return msgspec.structs.replace(
        one,
        messages=one.messages or other.messages,
        answer=one.answer or other.answer,
        system=one.system or other.system,
    )


def _exchange(fields: Mapping[str, object], time: str | None, speaker: str | None) -> Exchange:
    messages = _messages(fields, INPUTS, "user")
    answers = _messages(fields, OUTPUTS, "assistant")
    # Messages of one role are several answers to one request; of several, what went on until the last.
    is_choice = len({as_text(as_object(answer).get("role")) for answer in answers}) == 1
    system = decoded(fields.get(_INSTRUCTIONS))
    parts = system if isinstance(system, list) else [system] if system else []
    return Exchange(
        messages,
        answers[:1] if is_choice else answers,
        system=[{"role": "system", "parts": parts}] if parts else (),
        speaker=speaker,
        began_at=time,
        alternatives=max(0, len(answers) - 1) if is_choice else 0,
    )


def _messages(fields: Mapping[str, object], names: tuple[str, ...], role: str) -> list[object]:
    """Return the messages of the first of these attributes that is there; a text alone is one message."""
    given = next((fields[name] for name in names if fields.get(name)), None)
    value = decoded(given)
    if isinstance(value, dict):
        value = value.get("messages", [value])
    if isinstance(value, list):
        return value
    if given:
        return [{"role": role, "content": text_of(given)}]
    return next((found for name in names if (found := numbered_messages(fields, name))), [])


def _fields(record: Record) -> Mapping[str, object]:
    """Return the attributes of a record, and with them the fields of its body."""
    return {**as_object(record.body), **record.attributes}


def _events(record: Record, fields: Mapping[str, object]) -> Iterator[Record]:
    """Yield a record if it is an older event, and the events that an attribute of it lists."""
    if record.name in EVENTS:
        yield record
    for listed in (event for key in _EVENT_LISTS for event in records_in(decoded(fields.get(key)))):
        if listed.name in EVENTS:
            yield msgspec.structs.replace(listed, span=record.span, time=record.time)


def _holds_messages(record: Record) -> bool:
    fields = _fields(record)
    if _messages(fields, INPUTS, "user") or _messages(fields, OUTPUTS, "assistant"):
        return True
    return next(_events(record, fields), None) is not None


def _key(message: object) -> str:
    form = as_object(message)
    role = as_text(form.get("role")).lower()
    if role_of(role) == "system":
        return ""
    parts = form.get("parts")
    return f"{role} {write_json(parts) if isinstance(parts, list) else text_of(form.get('content'))}"


FORMAT = Format(
    NAME,
    "OpenTelemetry's traces and logs with `gen_ai.input.messages`, or with events as `gen_ai.user.message`",
    _recognise,
    _read,
)
