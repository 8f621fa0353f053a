"""What a `#call` tells of its arguments: something of each in any case, and more where there is room (§7.1).

This module knows how short a value can be and still tell something. It does not know how much room there is.

A value that is a path is told whole, of another text or number at least forty characters: `ls -la`, or the
beginning of something longer. Of lists and objects nothing is told in any case, but the paths in them. A
value that was cut ends in one `…`; one that ends so and is whole has one more. Paths that the values do not
show stand in facts below the record, where nobody takes them for arguments.
"""

from __future__ import annotations

from itertools import islice

import msgspec

from pairl.encode.budget import Measure
from pairl.encode.carried import CUT, beginning, is_cut, value_carried
from pairl.encode.history import Call
from pairl.encode.tools.argument_names import is_stand_in, key_for
from pairl.encode.tools.paths import is_path, paths_in
from pairl.encode.tools.records import (
    LONGEST_VALUE,
    argument_text,
    listed_paths,
    record_line,
    stand_in_lines,
    tool_name,
)

MOST_ARGUMENTS = 200
_LEAST = 40
_MOST_LOOKED_AT = 8


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
    """A call: its tool, its arguments, the paths in them that are to be kept, and the id of its record.

    `keys` stand for the names of the arguments; `least` is what of each of them is told in any case. `plain`
    is the text that it stands for, the names and texts in the arguments.
    """

    tool: str
    arguments: dict[str, object]
    keys: list[str]
    paths: list[str]
    rid: str
    plain: str
    least: list[str]

    @classmethod
    def of(cls, call: Call, rid: str, plain: str, paths: list[str]) -> CallRecord:
        """Return the record of a call with the paths in `plain`, the texts in its arguments, that are new."""
        keys = [key_for(name) for name in islice(call.arguments, MOST_ARGUMENTS)]
        least = [_least(value) for value in islice(call.arguments.values(), MOST_ARGUMENTS)]
        return cls(tool_name(call.tool), call.arguments, keys, paths, rid, plain, least)

    def kept(self, measure: Measure) -> int:
        """Return about what is written in any case."""
        least = " ".join([f"{key}={text}" for key, text in zip(self.keys, self.least, strict=True)])
        return measure(f"#call tool={self.tool} {least} {' '.join(self.paths)} @rid={self.rid}") + 1

    def quotable(self, measure: Measure) -> int:
        """Return what the arguments take."""
        return measure(self.plain)

    def told(self, longest: int | None) -> list[Argument]:
        """Return the arguments, of each value at most the first `longest` characters, unless it is a path."""
        most = max(longest or LONGEST_VALUE // max(1, len(self.least)), _LEAST)
        arguments = []
        for key, value, least in zip(self.keys, self.arguments.values(), self.least, strict=False):
            text = least if least and not is_cut(least) else _beginning_of(value, most)
            if text is not None:
                arguments.append(Argument(key, text, least))
        return arguments

    def lines(self, told: list[tuple[str, str]]) -> str:
        """Return the record, and facts for the paths that it does not show and for long names."""
        lines = [record_line("call", [("tool", self.tool), *told], self.rid)]
        if self.paths:
            shown = frozenset(paths_in(" ".join([text for _, text in told])))
            paths = listed_paths([path for path in self.paths if path not in shown])
            lines += [record_line("fact", [pair]) for pair in paths]
        if any(map(is_stand_in, self.keys)):
            keys = {key for key, _ in told}
            lines += stand_in_lines(
                name for name, key in zip(self.arguments, self.keys, strict=False) if key in keys
            )
        return "\n".join(lines)


def _least(value: object) -> str:
    """Return what of a value is told in any case."""
    if isinstance(value, list | dict):
        return ""
    return _beginning_of(value, _LEAST) or ""


def _beginning_of(value: object, most: int) -> str | None:
    """Return at most so many characters of a value, and all of a path; None of what is nested too deeply."""
    if is_path(value):
        return str(value)
    if isinstance(value, str) and len(value) > _MOST_LOOKED_AT * most:
        # Most often what comes behind would not be told in any case.
        return beginning(value_carried(value[: _MOST_LOOKED_AT * most]).rstrip(CUT) + CUT, most)
    text = argument_text(value)
    return text if text is None else beginning(text, most)
