"""What is said of a text that no format recognises: what it is, and which format it comes nearest to.

This module knows the fields by which a person would take a record for one of a format, also of those that are
not read. It does not know how any is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pairl.diagnostics import excerpt
from pairl.encode.importers import plain_text
from pairl.encode.importers.format import Format, Lines, NotATranscript, joined

MARKS: dict[str, frozenset[str]] = {
    "claude_code": frozenset({"uuid", "parentUuid", "sessionId", "isSidechain", "message"}),
    "codex": frozenset({"timestamp", "type", "payload"}),
    "chatgpt": frozenset({"mapping", "current_node", "create_time"}),
    "claude_ai": frozenset({"chat_messages", "sender", "attachments"}),
    "swe_agent": frozenset({"trajectory", "history", "info", "environment", "observation", "action"}),
    "langchain": frozenset({"lc", "kwargs", "additional_kwargs", "response_metadata", "values"}),
    "otel": frozenset({"resourceSpans", "scopeSpans", "spans", "attributes", "traceId", "spanId", "events"}),
    "assistant_trees": frozenset({"message_tree_id", "prompt", "replies", "tree_state"}),
    "anthropic": frozenset({"stop_reason", "stop_sequence", "tool_use_id", "cache_control", "system"}),
    "openai_responses": frozenset({"input", "output", "instructions", "call_id", "items"}),
    "openai_chat": frozenset(
        {"messages", "contents", "choices", "role", "content", "parts", "tool_calls", "traj", "exchanges"}
    ),
    "group_chat": frozenset({"speaker", "sender", "source", "from", "name", "text", "conversations"}),
}
"""Fields that records of a format have, by its name."""

COMMON = frozenset(
    {"name", "text", "from", "source", "info", "items", "input", "output", "events", "values", "message"}
    | {"system", "history", "action", "prompt", "role", "environment", "attributes", "type", "timestamp"}
)
"""Fields that much else has as well: one alone is no mark."""

NOT_READ: dict[str, frozenset[str]] = {
    "a conversation with Cohere": frozenset({"chat_history", "message"}),
}
"""Records that are in none of these formats, the surest first, and the fields that all of them have."""

TEXTS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"\s*<(?:!doctype|html|head|body|\?xml|svg|div|script)\b", re.IGNORECASE),
        "a page of HTML or XML",
        "a page that was saved holds its layout as well: export the conversation as JSON, or copy its text",
    ),
    *(
        (
            re.compile(rf"[^\n{mark}]+(?:{mark}[^\s{mark}][^\n{mark}]*)+\n[^\n{mark}]*{mark}\S"),
            "most likely a table with a row on each line",
            'write each row as a line of JSON, as in {"role": "user", "content": "…"}',
        )
        for mark in (",", ";", "\t")
    ),
    (
        re.compile(r"\s*\[?[0-9]{1,4}[-:./][0-9]{1,2}[^\n]{0,24}?[\]\s-][ ]{0,3}[^\n:]{1,40}:\s"),
        "most likely the log of a chat",
        "replace the time and the name before each text by `user:` or `assistant:`",
    ),
)
"""Texts that are no conversation: how each begins, what it is, and what to do."""

_NO_TEXT = re.compile("[\0-\x08\x0e-\x1a\ud800-\udfff]")

MOST_FIELDS = 200
"""How many fields of a record are looked at, from the outermost."""


def unrecognised(value: object, formats: Sequence[Format]) -> NotATranscript:
    """Return what to raise for a value that none of `formats` recognises; it names the nearest one."""
    fields = set(_fields(value))
    described = {form.name: form.description for form in formats}
    found = {name: MARKS.get(name, frozenset()) & fields for name in described}
    nearest = max(found, key=lambda name: len(found[name]))
    if value == "":
        return NotATranscript(
            "the text is empty",
            "most often nothing was written to it yet, or the command before it failed: look there first",
        )
    reason = f"no format of recorded conversations fits: this is {_kind_of(value)}"
    if isinstance(value, str):
        return _no_conversation(value, reason, described)
    known = next((name for name, marks in NOT_READ.items() if marks <= fields), None)
    if known is not None:
        return NotATranscript(
            f"{reason}, most likely {known}, which is not read",
            "write each message as an object with `role` and `content`, all of them in a list: that is read",
        )
    if len(found[nearest]) < 2 and found[nearest] <= COMMON:
        return NotATranscript(reason, _any_of(described))
    return NotATranscript(
        reason,
        f"the nearest format is {nearest} ({described[nearest]}); most often a part was taken out of a larger"
        " record, or what was said was left out of it: take the record as it was written",
    )


def _no_conversation(text: str, reason: str, described: Mapping[str, str]) -> NotATranscript:
    """Return what to raise for a text that is no JSON, and not recognised as a conversation."""
    speaker = plain_text.first_speaker(text)
    if speaker is not None:
        role, start = speaker
        missing = "other text stands above that" if text[:start].strip() else "nobody else speaks"
        return NotATranscript(
            f"{reason}; line {text.count(chr(10), 0, start) + 1:,} names `{role}`, but {missing}",
            f"if it is a conversation, name the format {plain_text.NAME}, or take out what is none of it",
        )
    for pattern, what, advice in TEXTS:
        if pattern.match(text):
            return NotATranscript(f"{reason}, {what}", advice)
    return NotATranscript(reason, _any_of(described))


def _any_of(described: Mapping[str, str]) -> str:
    return (
        f"known are {', '.join(described)}: take the record of one of them, or write what was said on lines"
        " that begin with `user:` and `assistant:`"
    )


def _kind_of(value: object, *, is_outer: bool = True) -> str:
    if isinstance(value, str):
        kind = "no text, but something" if _NO_TEXT.search(value, 0, 40) else "a text"
        return f"{kind} that begins with `{excerpt(value.strip(), 40)}`"
    if isinstance(value, Lines):
        first = _kind_of(value.items[0], is_outer=False)
        return f"a file of JSON lines, of which the first of {len(value.items):,} is {first}"
    if isinstance(value, dict):
        fields = ", ".join(f"`{excerpt(str(field), 30)}`" for field in list(value)[:5])
        return f"an object with {fields or 'no fields'}{' and others' if len(value) > 5 else ''}"
    if isinstance(value, list):
        size = f"a list of {len(value):,}" if value else "an empty list"
        is_told = is_outer and value
        return f"{size}, of which the first is {_kind_of(value[0], is_outer=False)}" if is_told else size
    return "a number" if isinstance(value, int | float) and not isinstance(value, bool) else "a single word"


def _fields(value: object) -> Iterator[str]:
    """Yield the names of the outer fields of a value, at most as many as are looked at."""
    waiting: list[object] = [value]
    left = MOST_FIELDS
    for one in waiting:
        one = joined(one)
        if isinstance(one, dict):
            yield from list(one)[:left]
            left -= len(one)
        inner = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        if left <= 0 or len(waiting) >= MOST_FIELDS:
            return
        waiting.extend(inner[: MOST_FIELDS - len(waiting)])
