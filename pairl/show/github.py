"""Diagnostics as workflow commands, which GitHub shows beside the lines of a pull request.

This module knows the form of such a command and what must be escaped in it, so that no message can
end a command or begin another one.
"""

from __future__ import annotations

from pairl.diagnostics import printable
from pairl.show.located import Located

_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({":": "%3A", ",": "%2C"})


def show_as_github_command(located: Located) -> str:
    """Return a diagnostic as one `::error` or `::warning` command."""
    found, region = located.diagnostic, located.region
    properties = {
        "file": located.file,
        "line": str(region.line),
        "col": str(region.column),
        "endColumn": str(region.end_column),
        "title": found.code,
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{found.severity.value} {listed}::{located.text.translate(_IN_TEXT)}"


def _property(value: str) -> str:
    """Return the value of a property: GitHub has no escapes for other characters that move a cursor."""
    return printable(value.translate(_IN_PROPERTY))
