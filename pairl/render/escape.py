"""Makes Markdown of content: text that shows exactly the value and can never be markup.

This module knows what CommonMark, and the tables, strikethrough and bare links of its common dialects,
would take for markup. It does not know what the content means.

Only what could be markup where it stands is escaped, so that most values read the same in the Markdown as
on the page.
"""

from __future__ import annotations

import re

from pairl.render.visible import visible

_MARKUP = re.compile(
    r"[`*~\[|]"  # code, emphasis, strikethrough, links and images, tables
    r"|\\(?=[!-/:-@\[-`{-~]|\s?\Z)"  # a backslash that would escape what follows
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # emphasis, but not in snake_case
    r"|<(?! )"  # tags and links
    r"|&(?=#?[A-Za-z0-9]{1,32};|(?:#|[A-Za-z])[A-Za-z0-9]{1,31}\Z)"  # entities; the `;` may follow
)

_BLOCK = re.compile(r"\A(?:(?=[#>+\-=])|[0-9]{1,9}+(?=[.)]))")
"""What begins a heading, quotation or list; a backslash behind the match prevents it."""

# Dialects make links of bare addresses of the web and of mail: these become code, which is a link nowhere.
_ADDRESS = re.compile(
    r"(?:(?<![A-Za-z])[A-Za-z]++://|(?<![A-Za-z0-9])(?:[Ww]{3}\.|mailto:|xmpp:))[^\s<>]*+"
    r"|(?<![A-Za-z0-9._+\-])[A-Za-z0-9._+\-]++@[A-Za-z0-9_\-]++\.[A-Za-z0-9._\-]++"
)
_NO_END_OF_ADDRESS = ".,;:!?'\")]"

# Without one of these there is neither markup nor an address.
_find_special = re.compile(r"[`*~\[|\\_<&:@]|[Ww]{3}\.").search

_BACKTICKS = re.compile("`+")


def text(value: str) -> str:
    """Return Markdown, for the middle of a line, that shows exactly `value`."""
    value = visible(value)
    if _find_special(value) is None:
        return _keep_edges(value)
    parts: list[str] = []
    end = 0
    for match in _ADDRESS.finditer(value):
        address = match[0].rstrip(_NO_END_OF_ADDRESS)
        parts += _MARKUP.sub(_escaped, value[end : match.start()]), code(address)
        end = match.start() + len(address)
    parts.append(_MARKUP.sub(_escaped, value[end:]))
    return _keep_edges("".join(parts))


def first(value: str) -> str:
    """Return Markdown, for the start of a line, that shows exactly `value`."""
    return _BLOCK.sub(r"\g<0>\\", text(value))


def last_in_heading(value: str) -> str:
    """Return Markdown that shows exactly `value` at the end of a heading, where `#` is dropped."""
    escaped = text(value)
    return f"{escaped[:-1]}\\#" if escaped.endswith("#") else escaped


def code(value: str) -> str:
    """Return a code span that shows exactly `value`, if not empty: its fence is longer than any inside."""
    value = visible(value)
    if "`" not in value and value[0] != " ":
        return f"`{value}`"
    longest = max(map(len, _BACKTICKS.findall(value)), default=0)
    fence = "`" * (longest + 1)
    ends = value[0] + value[-1]
    pad = " " if "`" in ends or (ends == "  " and value.strip(" ")) else ""
    return f"{fence}{pad}{value}{pad}{fence}"


def _escaped(markup: re.Match[str]) -> str:
    return f"\\{markup[0]}"


def _keep_edges(escaped: str) -> str:
    """Return `escaped` with white space at its edges, which Markdown drops, as character references."""
    if escaped and escaped[-1].isspace():
        escaped = f"{escaped[:-1]}&#{ord(escaped[-1])};"
    if escaped and escaped[0].isspace():
        escaped = f"&#{ord(escaped[0])};{escaped[1:]}"
    return escaped
