"""Spans and log records of OpenTelemetry, in the shapes in which they are exported as JSON.

This module knows how OTLP wraps values, and where spans, events and attributes stand. It does not know what
the attributes of generative AI mean; that is what `otel` knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from pairl.encode.importers.format import joined
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.moment import moment

_TIMES = (
    *("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "start_timestamp"),
    *("timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "timestamp", "time"),
)
_SPANS = ("spanId", "span_id", "spanID")
_WHOLE = re.compile(r"-?[0-9]{1,20}")
"""How OTLP writes whole numbers, as texts."""

_HOLDERS = (dict, list)
_MARKS = frozenset({"attributes", "tags", "event.name", "eventName", "event_name"})
_NO_RECORDS = frozenset({"attributes", "tags", "body"})
_OF_AI = "gen_ai."

_NAMES = ("eventName", "event_name", "event.name", "name")


class Record(msgspec.Struct, frozen=True):
    """A span, an event of a span, or a log record: its name, its attributes, and the body if it has one.

    `span` is the id of the span that it is or belongs to, `time` when it began in ISO 8601.
    """

    name: str
    attributes: Mapping[str, object]
    body: object = None
    span: str = ""
    time: str | None = None


def records_in(value: object) -> Iterator[Record]:
    """Yield the records that stand anywhere in a value, each before its events, in the order of the text."""
    waiting: list[tuple[object, str]] = [(joined(value), "")]
    while waiting:
        one, span = waiting.pop()
        if isinstance(one, list):
            waiting.extend([(item, span) for item in reversed(one) if isinstance(item, _HOLDERS)])
        elif isinstance(one, dict):
            found = _attributes(one)
            if found:
                span = next((text for key in _SPANS if (text := as_text(one.get(key)))), span)
                yield _record(one, found, span)
            inner = [
                item for key, item in one.items() if isinstance(item, _HOLDERS) and key not in _NO_RECORDS
            ]
            waiting.extend([(item, span) for item in reversed(inner)])


def may_hold_records(value: object) -> bool:
    """Say whether there is anything in a value that a record could begin with; looks no closer than that."""
    waiting = [joined(value)]
    for one in waiting:
        if isinstance(one, dict):
            if not _MARKS.isdisjoint(one) or _OF_AI in "\n".join(one) or _is_of_ai(as_text(one.get("name"))):
                return True
            waiting.extend([inner for inner in one.values() if isinstance(inner, _HOLDERS)])
        elif isinstance(one, list):
            waiting.extend([inner for inner in one if isinstance(inner, _HOLDERS)])
    return False


def plain(value: object) -> object:
    """Return a value without the wrapping of OTLP, as in `{"stringValue": "x"}`."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        kind, inner = next(iter(value.items()))
        if kind == "intValue":
            return int(inner) if isinstance(inner, str) and _WHOLE.fullmatch(inner) else inner
        if kind in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
            return inner
        if kind in ("arrayValue", "kvlistValue"):
            values = as_list(as_object(inner).get("values"))
            return [plain(item) for item in values] if kind == "arrayValue" else _pairs(values)
    return {key: plain(item) for key, item in value.items()}


def _record(one: dict[str, object], attributes: dict[str, object], span: str) -> Record:
    names = (as_text(form.get(key)) for form in (attributes, one) for key in _NAMES)
    times = (moment(one.get(key)) for key in _TIMES)
    name = next((name for name in names if name.startswith("gen_ai.")), as_text(one.get("name")))
    return Record(name, attributes, plain(one.get("body")), span, next(filter(None, times), None))


def _attributes(one: dict[str, object]) -> dict[str, object]:
    """Return the attributes of a record; what is none, but has fields of generative AI, is its own."""
    given = one.get("attributes", one.get("tags"))
    if isinstance(given, list):
        return _pairs(given)
    if isinstance(given, dict) and given:
        return {key: plain(value) for key, value in given.items()}
    # Most objects are no records, and are not looked at longer than this.
    if (_OF_AI in "\n".join(one) and any(map(_is_of_ai, one))) or _is_of_ai(as_text(one.get("event.name"))):
        return one
    if one.keys().isdisjoint(_NAMES):
        return {}
    names = (as_text(one.get(key)) for key in _NAMES)
    return {"event.name": name} if (name := next(filter(_is_of_ai, names), "")) else {}


def _is_of_ai(name: str) -> bool:
    return name.startswith(_OF_AI)


def _pairs(pairs: list[object]) -> dict[str, object]:
    forms = [form for form in map(as_object, pairs) if isinstance(form.get("key"), str)]
    return {as_text(form["key"]): plain(form.get("value")) for form in forms}
