"""Conversations of LangChain and LangGraph: lists of messages, and states that hold one.

This module knows where the messages stand, what is said, called and returned in each, and what repeats it: a
streamed call stands a second time in the content, without its arguments. The forms of a message are known by
`pairl.encode.importers.langchain_message`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pairl.encode.history import History
from pairl.encode.importers.anthropic_blocks import Block, add_block, blocks_of
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, joined
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_in_text import objects_in
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_list, as_object, as_text
from pairl.encode.importers.langchain_message import Message, is_of_langchain, read_form
from pairl.encode.importers.metadata import known_fields, note_fields, note_misfits

NAME = "langchain"
_REPEATED = frozenset({"tool_use", "tool_call", "function_call", "input_json_delta"})
"""Kinds of content that stand a second time, and whole, in the list of calls."""

_FIELDS = known_fields(
    *("content", "tool_calls", "invalid_tool_calls", "additional_kwargs", "tool_call_id", "artifact", "name"),
    "role",
)
_FIELDS_OF_MORE = known_fields("tool_calls", "function_call", "reasoning_content", "refusal")
_FIELDS_OF_CALLS = known_fields("name", "args", "function", "error")
_FIELDS_OF_TEXTS = known_fields("text")
_FIELDS_OF_THOUGHTS = known_fields("reasoning", "summary")
_FIELDS_OF_RECORDS = known_fields("messages", "values")
_STATUS = {"success": False, "error": True}


def _recognise(value: object) -> bool:
    """Say whether a value holds messages that can only be LangChain's."""
    return _messages(value) is not None


def _read(value: object) -> History:
    """Read messages into a history; raise `NotATranscript` if there are none."""
    messages = _messages(value)
    if messages is None:
        raise NotATranscript(
            "there are no messages of LangChain in the record",
            "it is a list of messages with a `type` as `human` or `ai`, or an object with such `messages`",
        )
    history = HistoryBuilder(NAME)
    for form in (as_object(value), as_object(as_object(value).get("values"))):
        note_fields(history, form, _FIELDS_OF_RECORDS)
    for number, item in enumerate(messages, 1):
        history.item(item)
        message = read_form(item)
        if message is None:
            history.keep("message of unknown type", write_json(item))
        else:
            _add_message(history, message, f"message {number}")
    return history.history()


def _messages(value: object) -> list[object] | None:
    """Return the messages of a record: a list, a state, or the last state that stands in a text."""
    if isinstance(value, str):
        return next(filter(None, map(_messages, objects_in(value))), None)
    value = joined(value)
    if isinstance(value, dict):
        value = as_object(value.get("values", value)).get("messages")
    if isinstance(value, list) and any(map(is_of_langchain, value)):
        return value
    return None


def _add_message(history: HistoryBuilder, message: Message, where: str) -> None:
    fields = message.fields
    note_fields(history, fields, _FIELDS)
    note_misfits(history, fields, dict, "additional_kwargs")
    note_misfits(history, fields, list, "tool_calls", "invalid_tool_calls")
    if message.is_result:
        _add_result(history, fields, where)
    elif message.role is None:
        history.notice("removal of a message", where)
    else:
        history.turn(message.role, speaker=message.speaker)
        more = as_object(fields.get("additional_kwargs"))
        note_fields(history, more, _FIELDS_OF_MORE)
        note_misfits(history, more, list, "tool_calls")
        note_misfits(history, more, dict, "function_call")
        history.think(text_of(more.get("reasoning_content")))
        calls = list(_calls(fields))
        failed = list(map(as_object, as_list(fields.get("invalid_tool_calls"))))
        for block in blocks_of(fields.get("content")):
            if not ((calls or failed) and as_text(block.get("type")) in _REPEATED):
                _add_content(history, block, where)
        history.say(text_of(more.get("refusal")))
        for name, arguments, call_id in calls:
            history.call(name, arguments, call_id)
        for call in (*map(as_object, as_list(fields.get("tool_calls"))), *failed):
            note_fields(history, call, _FIELDS_OF_CALLS)
        for call in failed:
            history.call(as_text(call.get("name")), call.get("args"), as_text(call.get("id")))
            history.notice("call whose arguments cannot be read", where)


def _add_content(history: HistoryBuilder, block: Block, where: str) -> None:
    """Add a block of the content; a few kinds are LangChain's own."""
    if as_text(block.get("type")) == "reasoning":
        summary = map(as_object, as_list(block.get("summary")))
        texts = [text_of(block.get("reasoning")), *(text_of(part.get("text")) for part in summary)]
        history.think("\n".join(filter(None, texts)))
        note_fields(history, block, _FIELDS_OF_THOUGHTS)
        note_misfits(history, block, list, "summary")
    elif as_text(block.get("type")) == "image_url":
        history.leave_out("attached image", where, len(write_json(block)))
    else:
        add_block(history, block, where)


def _calls(fields: dict[str, object]) -> Iterator[tuple[str, object, str]]:
    """Yield name, arguments and id of each call that is told apart from the content."""
    given = as_list(fields.get("tool_calls"))
    for call in map(as_object, given):
        yield as_text(call.get("name")), call.get("args"), as_text(call.get("id"))
    if given or as_list(fields.get("invalid_tool_calls")):
        return
    # Before there was `tool_calls`, calls stood where the model's provider put them.
    more = as_object(fields.get("additional_kwargs"))
    for call in map(as_object, as_list(more.get("tool_calls"))):
        function = as_object(call.get("function"))
        yield (
            as_text(function.get("name")),
            read_arguments(function.get("arguments")),
            as_text(call.get("id")),
        )
    function = as_object(more.get("function_call"))
    if function and not as_list(more.get("tool_calls")):
        yield as_text(function.get("name")), read_arguments(function.get("arguments")), ""


def _add_result(history: HistoryBuilder, fields: dict[str, object], where: str) -> None:
    texts = []
    for block in blocks_of(fields.get("content")):
        if as_text(block.get("type")) == "text":
            texts.append(text_of(block.get("text")))
            note_fields(history, block, _FIELDS_OF_TEXTS)
        elif as_text(block.get("type")).startswith("image"):
            history.leave_out("attached image", where, len(write_json(block)))
        else:
            texts.append(write_json(block.get("value", block)))
    if fields.get("artifact") not in (None, [], {}):
        history.leave_out("artifact of a result", where, len(write_json(fields["artifact"])))
    status = _STATUS.get(as_text(fields.get("status")))
    history.result(as_text(fields.get("tool_call_id")), "\n".join(texts), is_error=status)


FORMAT = Format(
    NAME,
    "LangChain and LangGraph: messages as objects, as `{type, data}` or as `dumps` writes them, or a state",
    _recognise,
    _read,
)
