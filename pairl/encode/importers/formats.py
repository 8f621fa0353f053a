"""The formats of recorded conversations that are read, and which of them a text is in.

This module knows all formats and their order: the first one that recognises a text reads it. It does not know
what is special to any of them.
"""

from __future__ import annotations

import msgspec

from pairl.diagnostics import excerpt
from pairl.encode.history import History, Notice
from pairl.encode.importers import (
    anthropic,
    assistant_trees,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    group_chat,
    langchain,
    openai_chat,
    openai_responses,
    otel,
    plain_text,
    swe_agent,
)
from pairl.encode.importers.format import Format, Lines, NotATranscript, nested_too_deeply
from pairl.encode.importers.record_text import value_of
from pairl.encode.importers.text_encoding import read_text
from pairl.encode.importers.unrecognised import unrecognised
from pairl.nearest import did_you_mean, nearest

FORMATS: tuple[Format, ...] = (
    claude_code.FORMAT,
    codex.FORMAT,
    chatgpt.FORMAT,
    claude_ai.FORMAT,
    swe_agent.FORMAT,
    langchain.FORMAT,
    otel.FORMAT,
    assistant_trees.FORMAT,
    anthropic.FORMAT,
    openai_responses.FORMAT,
    group_chat.FORMAT,
    openai_chat.FORMAT,
    plain_text.FORMAT,
)
"""All formats. Those with marks of their own stand before those that are recognised by what they lack."""


def import_history(data: object, format: str | None = None) -> History:  # noqa: A002  # its name for callers
    """Return the conversation that a record holds: its bytes or its text, or the value of its JSON.

    `format` is the name of one of `FORMATS`, or None to have it recognised. Takes time linear in the record.

    Raises:
        NotATranscript: the record is no conversation in that format, or in any; the exception says why, and
            what to do.

    """
    named = None if format is None else _named(format)
    content = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    value: object
    notices: list[Notice] = []
    if not isinstance(content, bytes):
        value = content
    elif named == plain_text.FORMAT:
        value, notices = read_text(content)
    else:
        value, notices = value_of(content)
    try:
        recognised, value = _choose(value, FORMATS if named is None else (named,))
        form = recognised or named
        if form is None:
            raise unrecognised(value, FORMATS)
        history = form.read(value)
    except RecursionError:
        raise nested_too_deeply() from None
    if not history.turns:
        raise NotATranscript(
            f"the record has no message in it (it was read as {form.name})",
            "most often it was written before anything was said: take a later one, or name another format",
        )
    if recognised is None:
        other, _ = _choose(value, FORMATS)
        if other is not None:
            notices.append(
                Notice(f"it was read as {form.name}, as was asked, and looks like {other.name}", "")
            )
    return msgspec.structs.replace(history, notices=(*notices, *history.notices))


def _named(name: str) -> Format:
    for form in FORMATS:
        if form.name == name:
            return form
    names = [form.name for form in FORMATS]
    advice = f"name one of {', '.join(names)}, or none of them"
    raise NotATranscript(f"there is no format `{excerpt(name)}`", did_you_mean(advice, nearest(name, names)))


def _choose(value: object, formats: tuple[Format, ...]) -> tuple[Format | None, object]:
    """Return the first of these formats that recognises a value, and the value as it does."""
    # A file of JSON lines that has one so far looks like a single value.
    for one in [value, Lines([value])] if isinstance(value, dict) else [value]:
        for form in formats:
            if form.recognise(one):
                return form, one
    return None, value
