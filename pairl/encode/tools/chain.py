"""What of a chain of calls and results can be told more shortly (§7.7).

This module knows edits of a file that follow each other, and results that came before. It does not know how a
record is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pairl.encode.history import Call, Part, Result
from pairl.encode.tools.results import Reading


class EditingTool(msgspec.Struct, frozen=True):
    """A row of the table of tools that edit a file.

    `file` are the arguments that may name the file. A tool with several commands edits with some of them;
    `changes` is the argument that lists the changes of one call.
    """

    tool: str
    file: tuple[str, ...]
    commands: tuple[str, ...] = ()
    changes: str = ""


_COMMANDS = ("create", "str_replace", "insert", "undo_edit")
EDITING_TOOLS = {
    row.tool: row
    for row in (
        EditingTool("Edit", ("file_path",)),
        EditingTool("MultiEdit", ("file_path",), changes="edits"),
        EditingTool("Write", ("file_path",)),
        EditingTool("NotebookEdit", ("notebook_path",)),
        EditingTool("str_replace_editor", ("path",), _COMMANDS),
        EditingTool("str_replace_based_edit_tool", ("path",), _COMMANDS),
        EditingTool("edit_file", ("path", "file_path", "target_file", "filename")),
        EditingTool("write_file", ("path", "file_path", "filename")),
        EditingTool("create_file", ("path", "file_path", "filePath")),
        EditingTool("replace_string_in_file", ("filePath",)),
        EditingTool("search_replace", ("file_path", "path")),
        EditingTool("replace_in_file", ("path",)),
        EditingTool("write_to_file", ("path",)),
        EditingTool("apply_diff", ("path",)),
    )
}
"""Tools of which it is known that they edit, and what. Calls of other tools are never aggregated."""

SHORTEST_SAME = 40
"""A result of fewer characters is told in full: to say that it came before would be no shorter."""


class Edits(msgspec.Struct, frozen=True):
    """Edits of one file that follow each other: the file, how many there are, and where their parts stand."""

    file: str
    changes: int
    parts: tuple[int, ...]


def edit_of(call: Call) -> tuple[str, int] | None:
    """Return the file that a call edits and how many changes it makes, None if it is no edit."""
    row = EDITING_TOOLS.get(call.tool)
    if row is None or (row.commands and call.arguments.get("command") not in row.commands):
        return None
    file = next((name for name in map(call.arguments.get, row.file) if isinstance(name, str) and name), None)
    if file is None:
        return None
    changes = call.arguments.get(row.changes) if row.changes else None
    return file, max(1, len(changes)) if isinstance(changes, list) else 1


def aggregated(parts: Sequence[Part], readings: Mapping[int, Reading]) -> dict[int, Edits | None]:
    """Return what takes the place of parts of a turn: its edits for the last part of a run, else nothing.

    A run is two or more edits of one file, each with one result that is `ok` and tells nothing else, with
    nothing said, thought or called between them. `readings` are of the results, by their place in `parts`.
    """
    results: dict[int, list[int]] = {}
    for place, part in enumerate(parts):
        if isinstance(part, Result) and part.call is not None:
            results.setdefault(part.call, []).append(place)
    replaced: dict[int, Edits | None] = {}
    run: list[tuple[int, str, int, int]] = []
    for place, part in enumerate(parts):
        if isinstance(part, Result):
            continue
        edit = edit_of(part) if isinstance(part, Call) else None
        answers = results.get(part.number, []) if isinstance(part, Call) else []
        is_quiet = len(answers) == 1 and answers[0] > place and _is_quiet(readings[answers[0]])
        if run and (edit is None or not is_quiet or edit[0] != run[-1][1]):
            _close(run, replaced)
            run = []
        if edit is not None and is_quiet:
            run.append((place, *edit, answers[0]))
    _close(run, replaced)
    return replaced


def _is_quiet(reading: Reading) -> bool:
    return reading.is_ok and not reading.errors and not reading.exits


def _close(run: Sequence[tuple[int, str, int, int]], replaced: dict[int, Edits | None]) -> None:
    if len(run) < 2:
        return
    places = tuple(sorted(place for call, _, _, result in run for place in (call, result)))
    replaced |= dict.fromkeys(places)
    replaced[places[-1]] = Edits(run[0][1], sum(changes for _, _, changes, _ in run), places)


class Results:
    """The results that came so far, to find one that came before."""

    def __init__(self) -> None:
        """Begin without a result."""
        self._latest: dict[str, tuple[Call, str]] = {}

    def same_as(self, call: Call, text: str, rid: str) -> str | None:
        """Return the id of the latest call whose result was the same, if the calls are the same, too.

        Then take note of this one, which has the id `rid`.
        """
        if len(text) < SHORTEST_SAME:
            return None
        known = self._latest.get(text)
        if known is not None and _is_same(known[0], call):
            return known[1]
        self._latest[text] = (call, rid)
        return None


def _is_same(one: Call, other: Call) -> bool:
    try:
        return one.tool == other.tool and one.arguments == other.arguments
    except RecursionError:
        # Values nested so deeply cannot be compared, and are told again.
        return False
