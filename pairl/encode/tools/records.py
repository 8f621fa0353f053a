"""The records of calls, results and edits (§7).

This module knows how what was read of a tool's use is put into records, each of which a message can hold. It
does not know how much room there is: who calls it has decided that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pairl.canonical import serialize_record
from pairl.encode.carried import line_carried, name_carried, value_carried
from pairl.encode.history import UNNAMED_TOOL
from pairl.encode.tools.argument_names import is_stand_in, key_for, spelled_out
from pairl.encode.tools.error_lines import LONGEST_ERROR
from pairl.encode.tools.results import Reading
from pairl.model import Record

Pair = tuple[str, str]

PATHS = "paths"
"""The key for paths that stand nowhere else in a body, separated by spaces; more are under `paths2`, …"""

SPACED_PATH = "path"
"""The key for one that has spaces in it; more are under `path2`, …"""

ORPHAN = "orphan_result"
"""The key of a `#fact` that tells the status of a result without a call: no `#ret` could name one."""

LATE = "late_result"
"""The key of a `#fact` that tells the status of a result that came when its call was written already: a
`#ret` answers a call of its own message (§11 V9). The fact names the call, and the turn of it in `@m=`."""

LONGEST_VALUE = 200_000
"""Characters. A record of them, escaped and in UTF-8, is still shorter than a message may be (§15.1)."""

_LONGEST_TOOL = 200
_LONGEST_DETAIL = 32
_LONGEST_FILE = 1_000
_MOST_PAIRS = 60
_MOST_CHARACTERS = 60_000
_LONGEST_LIST = 40_000
_LONGEST_SPELLED = 8_000
_OWN_KEYS = frozenset({"call", "status", "same_as", ORPHAN, LATE})
_OWN_NUMBERED = re.compile(rf"(?:exit|err|{PATHS}|{SPACED_PATH})[0-9]*+")


def record_line(tag: str, pairs: Iterable[Pair], rid: str | None = None) -> str:
    """Return the line of a record whose values were made fit to be carried."""
    return serialize_record(Record(tag, tag, dict(pairs), rid))


def tool_name(tool: str) -> str:
    """Return the name of a tool as a record carries it."""
    return name_carried(tool, _LONGEST_TOOL) or UNNAMED_TOOL


def edited_file(file: str) -> str:
    """Return the name of a file as `#edit` carries it."""
    return name_carried(file, _LONGEST_FILE) or "unnamed"


def argument_text(value: object) -> str | None:
    """Return an argument's value as a record carries it (`pairl.encode.carried.value_carried`).

    What is no text is told as its JSON; None is returned where it is nested too deeply.
    """
    if not isinstance(value, str):
        try:
            value = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
        except (RecursionError, ValueError, TypeError):
            return None
    return value_carried(value)


def strings_of(values: dict[str, object]) -> Iterator[str]:
    """Yield the texts in values of JSON, however deeply they are nested, names included, in order."""
    return (value for value in atoms_of(values) if isinstance(value, str))


def atoms_of(values: dict[str, object], *, by_name: bool = False) -> Iterator[object]:
    """Yield all that is in values of JSON, however deeply nested, in order: names, and what has no parts.

    What has parts is told before them, as their number. `by_name` is another order of what objects hold, the
    same whatever order they come in.
    """
    waiting: list[object] = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for name in reversed(sorted(value, key=str) if by_name else value):
                waiting += (value[name], str(name))
            yield len(value)
        elif isinstance(value, list | tuple):
            waiting += reversed(value)
            yield len(value)
        else:
            yield value


def stand_in_lines(names: Iterable[str]) -> Iterator[str]:
    """Yield the facts that spell out names for which keys only stand in."""
    for name in names:
        key = key_for(name)
        spelled = spelled_out(name) if len(name) <= _LONGEST_SPELLED else ""
        if spelled and is_stand_in(key):
            yield record_line("fact", [(key, spelled)])


def listed_paths(paths: Sequence[str]) -> list[Pair]:
    """Return pairs that list paths, each with spaces as one of its own."""
    spaced = [path for path in paths if " " in path]
    lists: list[list[str]] = [[]]
    length = 0
    for path in [path for path in paths if " " not in path] if spaced else paths:
        if length > _LONGEST_LIST:
            lists.append([])
            length = 0
        lists[-1].append(path)
        length += len(path) + 1
    return [
        *((_numbered(PATHS, number), " ".join(each)) for number, each in enumerate(lists, 1) if each),
        *((_numbered(SPACED_PATH, number), path) for number, path in enumerate(spaced, 1)),
    ]


def exit_pairs(reading: Reading) -> list[Pair]:
    """Return what is told of a result's exit statuses."""
    exits = enumerate(reading.exits, 1)
    return [(_numbered("exit", number), line_carried(value, LONGEST_ERROR)) for number, value in exits]


def reading_pairs(reading: Reading, errors: Sequence[str], details: Mapping[str, str]) -> list[Pair]:
    """Return what is told of a result besides its status and paths: of its error lines, those given."""
    pairs = exit_pairs(reading)
    for key, value in details.items():
        is_own = key in _OWN_KEYS or _OWN_NUMBERED.fullmatch(key)
        if not is_own and len(key) <= _LONGEST_DETAIL and key_for(key) == key and value.strip():
            text = " ".join(value[: 4 * LONGEST_ERROR].split())
            pairs.append((key, line_carried(text, LONGEST_ERROR)))
    if reading.lines > 1 and "lines" not in details:
        pairs.append(("lines", str(reading.lines)))
    return [*pairs, *((_numbered("err", number), line) for number, line in enumerate(errors, 1))]


def result_lines(call: str | None, *, is_ok: bool, pairs: Sequence[Pair]) -> list[str]:
    """Return the records of a result: `#ret`, or a fact for one without a call, and facts for many pairs."""
    status = "ok" if is_ok else "err"
    tag, head = (
        ("fact", [(ORPHAN, status)]) if call is None else ("ret", [("call", call), ("status", status)])
    )
    return in_records(tag, head, pairs)


def late_result_lines(call: str, turn: str, *, is_ok: bool, pairs: Sequence[Pair]) -> list[str]:
    """Return the facts of a result whose call, and the turn of it, stand in what was written before."""
    head = [(LATE, "ok" if is_ok else "err"), ("call", call)]
    return [f"{line} @m={turn}" for line in in_records("fact", head, pairs)]


def in_records(tag: str, head: Sequence[Pair], pairs: Sequence[Pair]) -> list[str]:
    """Return the line of a record, and lines of facts for those of `pairs` for which it has no room."""
    groups: list[list[Pair]] = [[]]
    length = 0
    for pair in pairs:
        if len(groups[-1]) >= _MOST_PAIRS or length > _MOST_CHARACTERS:
            groups.append([])
            length = 0
        groups[-1].append(pair)
        length += len(pair[1])
    first = record_line(tag, [*head, *groups[0]])
    return [first, *(record_line("fact", group) for group in groups[1:])]


def _numbered(key: str, number: int) -> str:
    return key if number == 1 else f"{key}{number}"
