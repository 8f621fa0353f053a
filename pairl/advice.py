"""Says what was most likely meant by text that is not PAIRL: values without quotation marks, and free text.

This module knows the usual slips of those who write by hand, and what to write instead. It does not
decide what is a fault: `pairl.pairs` and `pairl.lines` do, and ask here only for the words. Every
question here takes time linear in the text.
"""

from __future__ import annotations

import re

from pairl import grammar
from pairl.diagnostics import excerpt

_OTHER_QUOTATION_MARKS = "'`\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"
_find_tag = re.compile(r"@(?:m|rid)=").search
_PAIR_BEHIND_COMMA = re.compile(r",++ ++(?!@)[^ =,\"{}]++=")

_FREE_TEXT = (
    (re.compile(r"[a-z][a-z0-9.]*+ ++\{"), "put no space before `{`: `upd{t=x}`"),
    (re.compile(r"[a-z][a-z0-9.]*+ *+\("), "parameters stand between braces: `upd{t=x}`"),
    (re.compile(r"//|/\*|--|<!--|;"), 'PAIRL has no comments: leave the line out, or write `#fact note="…"`'),
    (
        re.compile(r"@[a-z_]++[ :=]"),
        "the headers ended at the first empty line: put a header above it",
    ),
    (re.compile(r"```|~~~"), "leave the fence out: a message is its own lines and nothing else"),
)
_OTHERWISE = 'carry text as data: `#fact note="…"`'


def glued_tag(text: str) -> str | None:
    """Return what to do where a tag follows `text` without a space, or None if there is no tag in it."""
    match = _find_tag(text)
    return None if match is None else f"put a space before `{match[0]}`"


def begins_with_other_mark(value: str) -> bool:
    """Say whether a value begins with a quotation mark that is none in PAIRL."""
    return value.startswith(tuple(_OTHER_QUOTATION_MARKS))


def unquoted(key: str, value: str) -> str:
    """Return what to write for a value that calls for quotation marks."""
    glued = glued_tag(value)
    if glued is not None:
        return glued
    if begins_with_other_mark(value):
        return f'strings take `"`: `{excerpt(key, 32)}="…"`'
    return f'write `{excerpt(key, 32)}="{excerpt(grammar.quote(value), 40)}"`'


def words(value: str) -> str:
    """Return the value that was meant by words with spaces between them and no quotation marks."""
    return value.strip(_OTHER_QUOTATION_MARKS) if begins_with_other_mark(value) else value


def comma(text: str, start: int) -> str:
    """Return what to do about a comma at `start` that no pair follows at once."""
    if _PAIR_BEHIND_COMMA.match(text, start):
        return "one space separates two pairs: leave the comma out"
    return "put quotation marks around a value that has a comma in it"


def free_text(text: str) -> str:
    """Return what to do about a line that is neither a record nor an intent."""
    return next((advice for pattern, advice in _FREE_TEXT if pattern.match(text)), _OTHERWISE)
