"""Parts of a message that call a tool, or hold what one returned, where these stand in what a message says.

This module knows the kinds of parts of Vercel's AI SDK, of Bedrock's Converse, of Gemini and of
OpenTelemetry, and what each calls the tool, its arguments and its result. It does not know who speaks.
"""

from __future__ import annotations

import msgspec

from pairl.encode.importers.content_parts import kind_of, text_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_flag, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields

Fields = tuple[str, ...]


class ToolPart(msgspec.Struct, frozen=True):
    """Where a kind of part has what it tells: the first of these fields that is there.

    `inside` is the field in which the others stand, empty where they stand in the part itself; an empty
    field is all of them. Without `arguments` it is no call, and without `output` no result. `named` is the
    tool where no field names it.
    """

    inside: str = ""
    tool: Fields = ("toolName",)
    arguments: Fields = ()
    output: Fields = ()
    id: Fields = ("toolCallId",)
    named: str = ""


_ALL: Fields = ("",)
_GIVEN: Fields = ("input", "args", "rawInput")
_RETURNED: Fields = ("output", "result", "errorText", "error")
_ID_OR_TOOL: Fields = ("id", "name")  # Gemini names no ids: a result answers the call of its tool
_CODE = "code_execution"

TOOL_PARTS: dict[str, ToolPart] = {
    "tool-call": ToolPart(arguments=_GIVEN),
    "tool-result": ToolPart(output=_RETURNED),
    "tool-error": ToolPart(output=_RETURNED),
    "dynamic-tool": ToolPart(arguments=_GIVEN, output=_RETURNED),
    "tool-invocation": ToolPart("toolInvocation", arguments=_GIVEN, output=_RETURNED),
    "toolUse": ToolPart("toolUse", ("name",), ("input",), id=("toolUseId",)),
    "toolResult": ToolPart("toolResult", output=("content",), id=("toolUseId",)),
    "functionCall": ToolPart("functionCall", ("name",), ("args",), id=_ID_OR_TOOL),
    "function_call": ToolPart(
        "function_call", ("name",), ("args", "arguments"), id=("call_id", *_ID_OR_TOOL)
    ),
    "functionResponse": ToolPart("functionResponse", output=("response",), id=_ID_OR_TOOL),
    "function_response": ToolPart("function_response", output=("response",), id=_ID_OR_TOOL),
    "executableCode": ToolPart("executableCode", (), _ALL, named=_CODE),
    "executable_code": ToolPart("executable_code", (), _ALL, named=_CODE),
    "codeExecutionResult": ToolPart("codeExecutionResult", output=("output",), id=()),
    "code_execution_result": ToolPart("code_execution_result", output=("output",), id=()),
    "server_tool_call": ToolPart(tool=("name",), arguments=("server_tool_call",), id=("id",)),
    "server_tool_call_response": ToolPart(output=("server_tool_call_response",), id=("id",)),
    "tool_call": ToolPart(tool=("name",), arguments=("arguments",), id=("id",)),
    "tool_call_response": ToolPart(output=("response", "result", "content"), id=("id",)),
}
"""The kinds of parts, by their `type`, or by the field that says it where there is none."""

_OF_NAMED_TOOL = ToolPart(arguments=_GIVEN, output=_RETURNED)
_NAMED_TOOL = "tool-"
"""How the `type` of a part of Vercel's begins that has the name of its tool in it."""

_OF_STATES = ("status", "state", "outcome", "isError", "is_error")

_FIELDS: dict[ToolPart, frozenset[str]] = {
    form: known_fields(
        *(form.inside, *form.tool, *form.id, *form.arguments, *form.output),
        *("toolName", *_OF_STATES),
    )
    for form in (*TOOL_PARTS.values(), _OF_NAMED_TOOL)
}
"""The fields that are read of each kind of part."""

_STATES: dict[object, bool] = {
    **dict.fromkeys(("error", "output-error", "error-text", "error-json", "execution-denied"), True),
    **dict.fromkeys(("tool-error", "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED"), True),
    **dict.fromkeys(("success", "OUTCOME_OK"), False),
}
"""What kinds, states and outcomes say of a result: whether it is an error."""

_WRAPPING = frozenset({"output", "result", "error"})
"""Fields of which one alone holds what a function of Gemini returned."""


def is_tool_part(part: object) -> bool:
    """Say whether a part calls a tool, or holds what one returned."""
    return _form_of(part) is not None


def is_result(part: object) -> bool:
    """Say whether a part holds what a tool returned, and no call."""
    form = _form_of(part)
    return form is not None and not form.arguments


def read_tool_part(history: HistoryBuilder, part: object) -> None:
    """Add the call or the result of a part, or both, to a history."""
    form = _form_of(part)
    if form is None:
        return
    whole = as_object(part)
    is_call = bool(form.arguments) and not form.named
    if not is_call and form.inside in whole and not isinstance(whole[form.inside], dict):
        history.keep(form.inside, write_json(part))
        return
    inner = as_object(whole[form.inside]) if form.inside in whole else whole
    call_id = text_of(_first(inner, form.id))
    note_fields(history, whole, _FIELDS[form])
    if inner is not whole and form.arguments != _ALL:
        note_fields(history, inner, _FIELDS[form])
    if form.arguments:
        tool = as_text(_first(inner, form.tool)) or form.named
        if form is _OF_NAMED_TOOL:
            tool = as_text(whole.get("type")).removeprefix(_NAMED_TOOL)
        given = read_arguments(_first(inner, form.arguments))
        history.call(tool, given if tool else _of_no_tool(whole, form), call_id)
    if form.output and (not form.arguments or _first(inner, form.output) is not None):
        _read_result(history, whole, inner, _first(inner, form.output), call_id)


def _of_no_tool(whole: dict[str, object], form: ToolPart) -> dict[str, object]:
    """Return a part that calls a tool without a name, less what may be another when it is told again."""
    left_out = {*form.id, *form.output, *_OF_STATES}
    told = {key: value for key, value in whole.items() if key not in left_out}
    inner = whole.get(form.inside)
    if isinstance(inner, dict):
        told[form.inside] = {key: value for key, value in inner.items() if key not in left_out}
    return told


def _read_result(
    history: HistoryBuilder,
    whole: dict[str, object],
    inner: dict[str, object],
    output: object,
    call_id: str,
) -> None:
    told = as_object(output)
    states = [whole.get("type"), *(inner.get(key) for key in ("status", "state", "outcome"))]
    if "type" in told and not told.keys().isdisjoint(("value", "reason")):
        states.append(told["type"])
        output = told.get("value", told.get("reason"))
    elif len(told) == 1 and _WRAPPING.issuperset(told):
        states += told
        output = next(iter(told.values()))
    is_error = as_flag(inner.get("isError", inner.get("is_error")))
    for state in states:
        if is_error is None and isinstance(state, str):
            is_error = _STATES.get(state)
    history.result(call_id, text_of(output, history), is_error=is_error)


def _form_of(part: object) -> ToolPart | None:
    kind = kind_of(part)
    form = TOOL_PARTS.get(kind)
    if form is None and kind.startswith(_NAMED_TOOL) and {"toolCallId", "state"} <= as_object(part).keys():
        return _OF_NAMED_TOOL
    return form


def _first(given: dict[str, object], fields: Fields) -> object:
    """Return the first of these fields that is there and holds something; all of them for the empty one."""
    return next((found for key in fields if (found := given.get(key) if key else given) is not None), None)
