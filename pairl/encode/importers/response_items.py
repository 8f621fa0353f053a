"""Items of OpenAI's Responses interface: messages, reasoning, calls and their outputs, one after another.

This module knows the kinds of items, and which of them one response consists of. It does not know in what
items stand; that is what `openai_exchanges` knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pairl.diagnostics import excerpt
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_list, as_number, as_object, as_text
from pairl.encode.importers.message_content import read_content
from pairl.encode.importers.metadata import known_fields, note_fields
from pairl.encode.importers.roles import role_of


class _CallForm(msgspec.Struct, frozen=True):
    """Where a kind of call has its arguments, and its result if it holds it; the tool, if it names none."""

    arguments: str
    result: str = ""
    tool: str = ""


CALLS: dict[str, _CallForm] = {
    "function_call": _CallForm("arguments"),
    "custom_tool_call": _CallForm("input"),
    "mcp_call": _CallForm("arguments", "output"),
    "web_search_call": _CallForm("action", tool="web_search"),
    "file_search_call": _CallForm("queries", "results", "file_search"),
    "code_interpreter_call": _CallForm("code", "outputs", "code_interpreter"),
    "image_generation_call": _CallForm("revised_prompt", tool="image_generation"),
    "computer_call": _CallForm("action", tool="computer"),
    "local_shell_call": _CallForm("action", tool="local_shell"),
    "shell_call": _CallForm("action", tool="shell"),
    "apply_patch_call": _CallForm("operation", tool="apply_patch"),
}
"""Kinds of items that call a tool."""

OUTPUTS = frozenset(f"{kind}_output" for kind in CALLS)
"""Kinds of items that hold what a call came to."""

_FIELDS = known_fields("role", "content")
_FIELDS_OF_CALLS = known_fields(
    *(field for form in CALLS.values() for field in (form.arguments, form.result)),
    *("name", "call_id", "error", "server_label", "approval_request_id", "container_id"),
)
_FIELDS_OF_OUTPUTS = known_fields("output", "call_id", "name")
_FIELDS_OF_THOUGHTS = known_fields("summary", "content", "encrypted_content")

LEFT_OUT = {
    "mcp_list_tools": "list of tools",
    "item_reference": "reference to an item that is not in the record",
    "compaction": "context that was compacted and encrypted",
}
"""Kinds of items that say nothing, and what a notice calls them."""


def is_item(value: object) -> bool:
    """Say whether a value is an item that only this interface has."""
    kind = as_text(as_object(value).get("type"))
    if kind == "message":
        parts = as_list(as_object(value).get("content"))
        return any(as_object(part).get("type") in ("input_text", "output_text") for part in parts)
    return (
        kind in CALLS or kind in OUTPUTS or kind in LEFT_OUT or (kind == "reasoning" and _has_summary(value))
    )


def results_of(outputs: Sequence[object]) -> dict[str, dict[str, object]]:
    """Return of items those that hold a call with its result, by their ids; what repeats them may lack it."""
    return {
        as_text(item.get("id")): item
        for item in map(as_object, outputs)
        if (form := CALLS.get(as_text(item.get("type")))) and item.get(form.result) and item.get("id")
    }


def read_items(
    history: HistoryBuilder,
    items: Sequence[object],
    known: Mapping[str, dict[str, object]],
) -> bool:
    """Add items to a history; return whether one that comes next may belong to the latest turn.

    Items of the model that follow one another are one turn, up to one by which it says that it has ended.
    `known` are calls with results that were told earlier, as `results_of` returns them.
    """
    is_answering = False
    for item in items:
        history.item(item)
        form = as_object(item)
        kind = as_text(form.get("type"))
        if kind in LEFT_OUT:
            history.notice(LEFT_OUT[kind], size=len(write_json(item)))
            continue
        if kind in OUTPUTS:
            _read_output(history, form)
            is_answering = False
            continue
        role = role_of(form.get("role")) or "assistant"
        if role != "assistant" or not is_answering:
            history.turn(role)
        is_answering = role == "assistant" and not _ends_turn(form)
        if "role" in form:
            note_fields(history, form, _FIELDS)
            read_content(history, form.get("content"))
        elif kind in CALLS:
            _read_call(history, {**known.get(as_text(form.get("id")), {}), **_told(form)}, CALLS[kind])
        elif kind == "reasoning":
            _read_reasoning(history, form)
        else:
            history.keep(excerpt(kind) or "item without a type", write_json(item))
    return is_answering


def _ends_turn(item: dict[str, object]) -> bool:
    """Say whether the model says with an item that it is done."""
    return item.get("phase") == "final_answer" or item.get("end_turn") is True


def _has_summary(value: object) -> bool:
    return not as_object(value).keys().isdisjoint(("summary", "encrypted_content"))


def _told(item: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in item.items() if value not in (None, "", [])}


def _read_call(history: HistoryBuilder, item: dict[str, object], form: _CallForm) -> None:
    note_fields(history, item, _FIELDS_OF_CALLS)
    call_id = as_text(item.get("call_id")) or as_text(item.get("id"))
    given = item.get(form.arguments)
    if form.arguments in ("arguments", "input"):
        given = read_arguments(given)
    elif given is not None and not isinstance(given, dict):
        given = {form.arguments: given}
    history.call(as_text(item.get("name")) or form.tool, given, call_id)
    if item.get("error"):
        history.result(call_id, text_of(item["error"], history), is_error=True)
    elif form.result in item:
        history.result(call_id, text_of(item[form.result], history))
    if item.get("type") == "image_generation_call" and item.get("result"):
        history.leave_out("image", size=len(as_text(item["result"])))


def _read_output(history: HistoryBuilder, item: dict[str, object]) -> None:
    note_fields(history, item, _FIELDS_OF_OUTPUTS)
    call_id = as_text(item.get("call_id")) or as_text(item.get("id"))
    is_error = True if item.get("status") == "failed" else None
    output = item.get("output")
    shell = as_object(read_arguments(output))
    code = as_number(as_object(shell.get("metadata")).get("exit_code"))
    if code is not None and isinstance(shell.get("output"), str):
        # Codex writes what a command printed and its exit code as JSON in a text.
        text = as_text(shell["output"])
        history.result(call_id, text, is_error=is_error, details={"exit": str(code)})
        return
    runs = [as_object(run) for run in as_list(output) if "outcome" in as_object(run)]
    if not runs:
        history.result(call_id, text_of(output, history), is_error=is_error)
        return
    exits = [
        code for run in runs if (code := as_number(as_object(run["outcome"]).get("exit_code"))) is not None
    ]
    texts = (as_text(run.get(stream)) for run in runs for stream in ("stdout", "stderr"))
    details = {"exit": str(next(filter(None, exits), 0))} if exits else {}
    history.result(call_id, "\n".join(filter(None, texts)), is_error=is_error, details=details)


def _read_reasoning(history: HistoryBuilder, item: dict[str, object]) -> None:
    note_fields(history, item, _FIELDS_OF_THOUGHTS)
    for given in (item.get("summary"), item.get("content")):
        for part in given if isinstance(given, list) else [given]:
            history.think(text_of(part, history))
    if item.get("encrypted_content"):
        history.leave_out("reasoning that is encrypted", size=len(as_text(item["encrypted_content"])))
