"""Conversations with the Anthropic Messages API, as requests and responses were recorded.

This module knows the records: exchanges of requests and responses, one request, one list of messages. It
knows of a request that it repeats all that came before in its conversation. What blocks mean is known by
`pairl.encode.importers.anthropic_blocks`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.encode.history import ROLES, History
from pairl.encode.importers.anthropic_blocks import (
    add_block,
    add_result,
    blocks_of,
    is_of_this_api,
    is_result,
)
from pairl.encode.importers.exchanges import Exchange, conversations, note_left_out
from pairl.encode.importers.format import Format, Lines, NotATranscript
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits, note_others
from pairl.encode.importers.tool_parts import is_tool_part

NAME = "anthropic"
_ENVELOPES = ("request", "response")
_FIELDS = known_fields("role", "content")
_FIELDS_OF_RECORDS = known_fields(
    *_ENVELOPES, "messages", "system", "thinking", "exchanges", "role", "content"
)


def _recognise(value: object) -> bool:
    """Say whether a value can only be a record of this API."""
    return any(
        ("system" in as_object(request) and not any(map(_is_of_another_api, messages)))
        or as_object(response).get("type") == "message"
        or any(map(_has_block_of_this_api, [*messages, response]))
        for request, messages, response in _found(value)
    )


def _read(value: object) -> History:
    """Read a record into a history; raise `NotATranscript` if it has no messages."""
    exchanges = _exchanges(value)
    if not exchanges:
        raise NotATranscript(
            "there are no messages in the record",
            "a conversation with this API is an object with `messages` or `exchanges`, or a list of messages",
        )
    history = HistoryBuilder(NAME)
    note_others(history, _records(value), lambda record: any(_found(record)))
    for record in _records(value):
        for form in (as_object(record), *(as_object(as_object(record).get(key)) for key in _ENVELOPES)):
            note_fields(history, form, _FIELDS_OF_RECORDS)
        note_misfits(history, as_object(record), dict, "response")
    chains = conversations(exchanges, _key)
    note_left_out(history, exchanges, chains, _key)
    for exchange in (one for chain in chains for one in chain):
        history.restart()
        system = list(exchange.system)
        if system:
            history.turn("system")
            for block in blocks_of(system):
                add_block(history, block, "system prompt")
        for number, message in enumerate((*exchange.messages, *exchange.answer), 1):
            history.item(message)
            _add_message(history, message, f"message {number}")
    return history.history()


def _add_message(history: HistoryBuilder, original: object, where: str) -> None:
    message = as_object(original)
    role = ROLES.get(as_text(message.get("role")))
    if role is None:
        history.keep("message without a known role", write_json(original))
        return
    blocks = blocks_of(message.get("content"))
    if role == "user":
        # The results answer the turn before, also where a text stands above them.
        for block in filter(is_result, blocks):
            add_result(history, block, where)
        spoken = [block for block in blocks if not is_result(block)]
        if blocks and not spoken:
            note_fields(history, message, _FIELDS)
            return
        blocks = spoken
    history.turn(role)
    note_fields(history, message, _FIELDS)
    for block in blocks:
        add_block(history, block, where)


def _found(value: object) -> Iterator[tuple[object, list[object], object]]:
    """Yield each request that a record holds, its messages, and the response to it, None if there is none."""
    for record in _records(value):
        request = as_object(record).get("request", record)
        messages = request if isinstance(request, list) else as_object(request).get("messages")
        response = as_object(record).get("response")
        if isinstance(messages, list) and any("role" in as_object(message) for message in messages):
            yield request, messages, response if "content" in as_object(response) else None


def _records(value: object) -> list[object]:
    listed = value.items if isinstance(value, Lines) else as_list(as_object(value).get("exchanges"))
    if isinstance(value, list) and not any("role" in as_object(item) for item in value):
        listed = value
    return listed or [value]


def _exchanges(value: object) -> list[Exchange]:
    return [
        Exchange(
            messages, [] if response is None else [response], blocks_of(as_object(request).get("system"))
        )
        for request, messages, response in _found(value)
    ]


def _has_block_of_this_api(message: object) -> bool:
    content = as_object(message).get("content") if "role" in as_object(message) else None
    return isinstance(content, list) and any(map(is_of_this_api, blocks_of(content)))


def _is_of_another_api(message: object) -> bool:
    """Say whether a part has no `type`, as Bedrock's, or calls a tool as those of Vercel's AI SDK do."""
    parts = as_list(as_object(message).get("content"))
    return any(isinstance(part, dict) and ("type" not in part or is_tool_part(part)) for part in parts)


def _key(message: object) -> str:
    """Return what tells a message apart; marks for the cache do not, which move from request to request."""
    form = as_object(message)
    keys = ("text", "thinking", "id", "tool_use_id")
    told = [as_text(block.get(key)) for block in blocks_of(form.get("content")) for key in keys]
    return f"{as_text(form.get('role'))} {''.join(told)}"


FORMAT = Format(
    NAME,
    "Anthropic Messages: exchanges of requests and responses, one request, or a list of messages",
    _recognise,
    _read,
)
