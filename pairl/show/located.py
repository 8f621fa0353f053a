"""A diagnostic, and where its message stands: what every form of output is made of.

This module knows how places in a message become places in its file, and what is said of a place. It does
not know the form in which either is shown.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from pairl.diagnostics import Diagnostic, printable


class Region(NamedTuple):
    """A stretch of one line of a file; line and columns count from 1, and the end is not part of it."""

    line: int
    column: int
    end_column: int


class Located(msgspec.Struct, frozen=True):
    """A diagnostic about one of the messages of a file.

    `number` counts the messages of the file from 1, `first_line` is the line in which this one begins,
    `id` its `@id`, and `source` its text, in which the diagnostic's line numbers count.
    """

    diagnostic: Diagnostic
    file: str
    source: str = ""
    first_line: int = 1
    number: int = 1
    id: str | None = None

    @property
    def region(self) -> Region:
        """What the diagnostic is about; of a whole message that is where it begins."""
        found = self.diagnostic
        return self.region_of(found.line or 1, found.column, max(1, found.length))

    @property
    def text(self) -> str:
        """What was found, on one line, and below it the help, if there is any."""
        found = self.diagnostic
        help_line = f"\nhelp: {printable(found.help)}" if found.help else ""
        return printable(found.message) + help_line

    def region_of(self, line: int, column: int, length: int) -> Region:
        """Return a place in the message as a place in its file."""
        column = max(1, column)
        return Region(self.first_line + line - 1, column, column + length)
