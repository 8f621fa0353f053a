"""The older events of OpenTelemetry's conventions for generative AI, which are a message each.

This module knows how an event says its message, in its body or in its attributes, and which events are of
one request. It does not know how traces are exported.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import msgspec

from pairl.encode.importers.exchanges import Exchange
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.json_text import read_json
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.otel_records import Record, plain

EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "assistant",
}
"""Events that are a message each, and whose it is."""

_CHOICE = "gen_ai.choice"
_FIELDS = ("role", "content", "tool_calls", "id", "message", "name", "reasoning_content")


class _Request(msgspec.Struct):
    """A request, as far as events have told of it."""

    span: str
    messages: list[object]
    answers: list[object]
    time: str | None = None
    speaker: str | None = None

    def exchange(self) -> Exchange:
        """Return the request and the first of its answers."""
        return Exchange(
            self.messages,
            self.answers[:1],
            speaker=self.speaker,
            began_at=self.time,
            alternatives=max(0, len(self.answers) - 1),
        )


class EventReader:
    """Gathers events into the requests that they are of, by their span, or else by their order."""

    def __init__(self) -> None:
        """Start without any event."""
        self._requests: list[_Request] = []
        self._of_span: dict[str, _Request] = {}

    def add(self, record: Record, speaker: str | None) -> None:
        """Add an event, whose name is one of `EVENTS`."""
        request = self._of_span.get(record.span)
        # Without a span a request ends with its answer.
        if request is None or (not record.span and request.answers and record.name != _CHOICE):
            request = self._of_span[record.span] = _Request(record.span, [], [], record.time, speaker)
            self._requests.append(request)
        (request.answers if record.name == _CHOICE else request.messages).append(_message(record))

    def exchanges(self, known: Container[str]) -> list[Exchange]:
        """Return the requests with their answers, without those of spans that are `known` from elsewhere."""
        return [request.exchange() for request in self._requests if request.span not in known]


def decoded(value: object) -> object:
    """Return the value of JSON that stands in a text; what is none, as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return plain(read_json(value))
    except NotATranscript:
        return value


def _message(record: Record) -> dict[str, object]:
    said = _fields(record.attributes)
    said.update(as_object(decoded(record.attributes.get("gen_ai.event.content"))))
    said.update(
        record.body if isinstance(record.body, dict) else {"content": record.body} if record.body else {}
    )
    answer = decoded(said.pop("message", None))
    said.update(answer if isinstance(answer, dict) else {"content": answer} if answer else {})
    calls = [as_object(call) for call in as_list(decoded(said.pop("tool_calls", None)))]
    message: dict[str, object] = dict(said)
    message["role"] = as_text(said.get("role")) or EVENTS[record.name]
    if EVENTS[record.name] == "tool":
        message |= {"role": "tool", "tool_call_id": said.get("id")}
    return {**message, "tool_calls": calls} if calls else message


def _fields(attributes: Mapping[str, object]) -> dict[str, object]:
    return {key: attributes[key] for key in _FIELDS if key in attributes}
