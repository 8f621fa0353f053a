"""Requests to OpenAI's two interfaces, and to those like them, as clients and proxies record them.

This module knows where requests and responses stand in a record, and of which interface each is: one run may
hold both. What is in them, know `chat_messages` and `response_items`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairl.encode.importers.chat_messages import is_message, read_message
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.exchanges import Exchange, conversations, note_left_out
from pairl.encode.importers.format import joined
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits, note_others
from pairl.encode.importers.moment import moment
from pairl.encode.importers.response_items import is_item, read_items, results_of
from pairl.encode.importers.roles import role_of

MESSAGES = ("messages", "contents", "traj", "conversation", "conversations", "history")
"""Fields that hold the messages of a chat; the first that does is read."""

SYSTEM = ("instructions", "system", "systemInstruction", "system_instruction")
"""Fields that hold what the system says before the messages."""

_CHOICES = ("choices", "candidates")
_FIELDS = known_fields(
    *("exchanges", "request", "response", "body", "input", "output"),
    *("message", "content", "reasoning", "text"),
    *(*MESSAGES, *SYSTEM, *_CHOICES),
)

_TIMES = ("created", "created_at", "timestamp")


def exchanges_in(value: object) -> list[Exchange]:
    """Return the exchanges that a record holds, of either interface; none if it is no record of them.

    In a list, or on lines, most have to be exchanges, or conversations as lists of their messages.
    """
    value = joined(value)
    if are_messages(value):
        return []
    listed = as_object(value).get("exchanges", value)
    records = listed if isinstance(listed, list) else [value]
    read = [exchange for record in records for exchange in _exchanges(record)]
    return read if len(read) * 2 > len(records) or listed is not value else []


def note_envelopes(history: HistoryBuilder, value: object) -> None:
    """Take notice of what the records of exchanges hold beside what `exchanges_in` returns."""
    value = joined(value)
    listed = as_object(value).get("exchanges", value)
    records = listed if isinstance(listed, list) else []
    note_others(history, records, _exchanges)
    for record in [*records, value]:
        form = as_object(record)
        response = [as_object(form.get(key)) for key in ("response", "body")]
        note_misfits(history, form, dict, "request", "response", "body")
        for one in (form, *response):
            note_misfits(history, one, list, *_CHOICES)
        for one in (form, as_object(form.get("request"))):
            note_misfits(history, one, (list, str), "input")
        choices = (
            choice for one in (form, *response) for key in _CHOICES for choice in as_list(one.get(key))
        )
        for one in (form, as_object(form.get("request")), *response, *map(as_object, choices)):
            note_fields(history, one, _FIELDS)
            note_misfits(history, one, dict, "message", "content", "reasoning", "text")


def are_messages(value: object) -> bool:
    """Say whether a value is a list that is for the most part of chat messages."""
    return isinstance(value, list) and sum(map(is_message, value)) * 2 > len(value)


def are_items(value: object) -> bool:
    """Say whether a value is a list of items of the Responses interface, of which one is no chat message."""
    return (
        isinstance(value, list)
        and any(map(is_item, value))
        and sum(is_item(item) or is_message(item) for item in value) * 2 > len(value)
    )


def read_exchanges(history: HistoryBuilder, exchanges: Sequence[Exchange]) -> None:
    """Add exchanges to a history, each conversation of them once."""
    history.began_at = next((one.began_at for one in exchanges if one.began_at), None)
    known = results_of([item for one in exchanges for item in (*one.messages, *one.answer)])
    chains = conversations(exchanges, _key)
    note_left_out(history, exchanges, chains, _key)
    is_unfinished = False
    for chain in chains:
        history.restart()
        system: Sequence[object] = ()
        for exchange in chain:
            if exchange.system != system:
                system = exchange.system
                for message in system:
                    read_message(history, message)
            for _ in range(exchange.alternatives):
                history.leave_out("other answer to the same request")
            if exchange.is_of_items:
                is_unfinished = read_items(history, [*exchange.messages, *exchange.answer], known)
            else:
                is_unfinished = False
                for message in (*exchange.messages, *exchange.answer):
                    read_message(history, message)
    if is_unfinished:
        history.leave_unfinished()


def _exchanges(record: object) -> list[Exchange]:
    if isinstance(record, list):
        return [Exchange(record, ())] if are_messages(record) else []
    form = as_object(record)
    listed = as_list(form.get("exchanges"))
    found = [_exchange(as_object(one)) for one in listed] if listed else [_exchange(form)]
    return [one for one in found if one is not None]


def _exchange(record: dict[str, object]) -> Exchange | None:
    request = as_object(record.get("request")) or record
    response = as_object(record.get("response")) or as_object(record.get("body")) or record
    messages = next((given for key in MESSAGES if are_messages(given := _given(request, key))), None)
    choices = _choices(response)
    system = next((given for key in SYSTEM if (given := request.get(key))), None)
    if messages is not None or any(map(is_message, choices)):
        asked = as_list(messages)
        # Who records a request after its answer was appended to it tells the answer twice.
        answer = [] if asked and choices and _says(asked[-1]) == _says(choices[0]) else choices[:1]
        return Exchange(
            asked,
            answer,
            _system(system),
            began_at=_time(record, response),
            alternatives=max(0, len(choices) - 1),
        )
    given, output = request.get("input"), response.get("output")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else as_list(given)
    is_answer = are_items(output) or are_messages(output)
    is_request = "model" in request if isinstance(given, str) else are_items(items) or are_messages(items)
    if not is_answer and not (is_request and output in (None, [])):
        return None
    return Exchange(
        items,
        as_list(output),
        _system(system),
        began_at=_time(record, response),
        is_of_items=True,
        id=as_text(response.get("id")),
        continues=as_text(request.get("previous_response_id"))
        or as_text(response.get("previous_response_id")),
    )


def _given(request: dict[str, object], key: str) -> object:
    """Return what a field of a request holds; of Gemini's `contents`, those without a role are a user's."""
    given = request.get(key)
    if key != "contents":
        return given
    listed = given if isinstance(given, list) else [given]
    return [{"role": "user", **form} if "parts" in (form := as_object(one)) else one for one in listed]


def _time(record: dict[str, object], response: dict[str, object]) -> str | None:
    given = (one[key] for key in _TIMES for one in (response, record) if key in one)
    return next(filter(None, map(moment, given)), None)


def _choices(response: dict[str, object]) -> list[object]:
    """Return the answers of a response: `choices`, Gemini's `candidates`, `output` or a single `message`."""
    choices = [as_object(choice).get("message") for choice in as_list(response.get("choices"))]
    candidates = [as_object(one).get("content") for one in as_list(response.get("candidates"))]
    alone = as_object(response.get("output")).get("message"), response.get("message")
    return (
        choices
        or [{"role": "model", **as_object(one)} for one in candidates]
        or list(filter(is_message, alone))[:1]
    )


def _system(given: object) -> Sequence[object]:
    """Return what the system says as messages: a text, parts, or an object that holds parts."""
    if not given:
        return ()
    if isinstance(given, list) and all(map(is_message, given)):
        return given
    form = as_object(given)
    return [{**form, "role": "system"} if "parts" in form else {"role": "system", "content": given}]


def _says(message: object) -> tuple[object, ...]:
    form = as_object(message)
    return form.get("role"), _text(form), form.get("tool_calls") or None


def _text(form: dict[str, object]) -> str:
    return text_of(form.get("content") or form.get("parts"))


def _key(message: object) -> str:
    form = as_object(message)
    role = as_text(form.get("role")).lower()
    if role:
        return "" if role_of(role) == "system" else f"{role} {_text(form)}"
    return f"{as_text(form.get('type'))} {text_of(form.get('call_id') or form.get('id'))}"
