"""Messages of which each field is an attribute of its own, as `gen_ai.prompt.0.content`.

This module knows how such names are put together. It does not know what the fields mean; they are those of a
chat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_CALLS = "tool_calls"
_MOST_DIGITS = 9


def numbered_messages(attributes: Mapping[str, object], prefix: str) -> list[object]:
    """Return the messages of the attributes that begin with a prefix and a number, by their numbers."""
    messages: dict[int, dict[str, object]] = {}
    calls: dict[int, dict[int, dict[str, object]]] = {}
    for number, name, value in _numbered(attributes, prefix):
        fields = messages.setdefault(number, {})
        if name.startswith(f"{_CALLS}."):
            for place, field, given in _numbered({name: value}, _CALLS):
                calls.setdefault(number, {}).setdefault(place, {})[field] = given
        else:
            fields[name] = value
    for number, of_message in calls.items():
        messages[number][_CALLS] = [of_message[place] for place in sorted(of_message)]
    return [messages[number] for number in sorted(messages)]


def _numbered(attributes: Mapping[str, object], prefix: str) -> Iterator[tuple[int, str, object]]:
    start = len(prefix) + 1
    for name, value in attributes.items():
        number, _, field = name[start:].partition(".")
        if name.startswith(f"{prefix}.") and number.isdecimal() and len(number) <= _MOST_DIGITS:
            yield int(number), field, value
