"""What a `#call` tells of its arguments: something of each in any case, and more where there is room (§7.1).

This module knows how short a value can be and still tell something. It does not know how much room there is.

A value that is a path is told whole, of another text or number at least forty characters: `ls -la`, or the
beginning of something longer. Of lists and objects nothing is told in any case, but the paths in them. A
value that was cut ends in `…`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pairl.encode.argument_names import key_for
from pairl.encode.carried import beginning
from pairl.encode.tool_records import (
    LONGEST_VALUE,
    argument_text,
    listed_paths,
    record_line,
    stand_in_lines,
    strings_of,
)
from pairl.encode.tool_results import is_path, paths_in

MOST_ARGUMENTS = 200
_LEAST = 40


class Argument(msgspec.Struct, frozen=True):
    """An argument: its key, its value as far as it may be told, and what of it is told in any case."""

    key: str
    text: str
    least: str

    def told(self, room: int | None, size: int) -> str:
        """Return what is told of the value where what is not told in any case has this size and this room."""
        if room is None or room >= size:
            return self.text
        more = (len(self.text) - len(self.least)) * room // size
        return beginning(self.text, len(self.least) + more) if more > 0 else self.least


class CallRecord(msgspec.Struct, frozen=True):
    """A call: its tool, its arguments, the paths in them that are to be kept, and the id of its record."""

    tool: str
    arguments: dict[str, object]
    paths: list[str]
    rid: str

    def kept(self, measure: Callable[[str], int]) -> int:
        """Return about what is written in any case."""
        least = " ".join([f"{key_for(name)}={_least(value)}" for name, value in self._first()])
        return measure(f"#call tool={self.tool} {least} {' '.join(self.paths)} @rid={self.rid}") + 1

    def quotable(self, measure: Callable[[str], int]) -> int:
        """Return what the arguments take."""
        return measure(" ".join(strings_of(self.arguments)))

    def told(self, longest: int | None) -> list[Argument]:
        """Return the arguments, of each value at most the first `longest` characters, unless it is a path."""
        most = longest or LONGEST_VALUE // max(1, len(self._first()))
        arguments = []
        for name, value in self._first():
            text = argument_text(value)
            if text is not None:
                least = _least(value)
                text = text if least == text else beginning(text, max(most, _LEAST))
                arguments.append(Argument(key_for(name), text, least))
        return arguments

    def lines(self, told: list[tuple[str, str]]) -> str:
        """Return the record, with the paths that it does not show, and facts for long names and lists."""
        shown = frozenset(paths_in(" ".join([text for _, text in told])))
        paths = listed_paths([path for path in self.paths if path not in shown])
        lines = [record_line("call", [("tool", self.tool), *told, *paths[:1]], self.rid)]
        lines += [record_line("fact", [pair]) for pair in paths[1:]]
        keys = {key for key, _ in told}
        lines += stand_in_lines(name for name in self.arguments if key_for(name) in keys)
        return "\n".join(lines)

    def _first(self) -> list[tuple[str, object]]:
        """Return as many arguments as a record tells."""
        return list(self.arguments.items())[:MOST_ARGUMENTS]


def _least(value: object) -> str:
    """Return what of a value is told in any case."""
    if is_path(value):
        return str(value)
    if isinstance(value, list | dict):
        return ""
    if isinstance(value, str):
        value = value[: 8 * _LEAST]
    return beginning(argument_text(value) or "", _LEAST)
