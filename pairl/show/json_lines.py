"""Diagnostics as lines of JSON, an object each, for programs.

This module knows the names of the fields, which scripts rely on. Lines count in the file, and columns in
code points. Every line is ASCII, so no message can break one or move a cursor. Bytes of a file's name that
are no text are written as `printable` writes them: half of a surrogate pair is no JSON for most readers.
"""

from __future__ import annotations

import json
from typing import Any

from pairl.show.located import Located


def show_as_json(located: Located) -> str:
    """Return a diagnostic as one line of JSON.

    The object has `file`, `message_number` (from 1, in the file), `message_id` (null where there is none),
    `code`, `severity`, `message`, `line`, `column`, `length`, `help` and `edit`. `line` 0 is a message as
    a whole. An edit has `line`, `column`, `length`, `text` and `safe`.
    """
    found = located.diagnostic
    shift = located.first_line - 1
    edit: dict[str, Any] | None = None
    if found.edit is not None:
        edit = {
            "line": found.edit.line + shift,
            "column": found.edit.column,
            "length": found.edit.length,
            "text": found.edit.text,
            "safe": found.edit.safe,
        }
    fields = {
        "file": located.file.encode("utf-8", "backslashreplace").decode(),
        "message_number": located.number,
        "message_id": located.id,
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        "line": found.line + shift if found.line else 0,
        "column": found.column,
        "length": found.length,
        "help": found.help,
        "edit": edit,
    }
    return json.dumps(fields)
