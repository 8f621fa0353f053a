"""What of a conversation its body keeps: numbers, dates, names, paths, error lines, counted one by one.

This module knows how what was said is compared with what is written. It takes the body as it is read and
asks nobody who wrote it. What is a value, it leaves to the heuristics that also choose what is quoted; how
many of them are enough, it does not know.

A value that was said is kept where it stands below the marker of its own turn; one that a tool was given or
returned, where it stands in the body at all. Each counts once: in its turn, or for the tools. An exit status
counts for each result. Error lines are those that `pairl.encode.tools.results` reads, as far as it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pairl.body import read_records
from pairl.encode.history import Call, Result, Said, Turn
from pairl.encode.quoting.lined_text import lined
from pairl.encode.quoting.weights import read_words, values_in
from pairl.encode.quoting.words import POSSESSIVES
from pairl.encode.tools.paths import paths_in
from pairl.encode.tools.records import strings_of
from pairl.encode.tools.results import Reading, read_result
from pairl.model import Record

KINDS = {
    "numbers": frozenset({"number", "item number", "money", "percentage"}),
    "dates": frozenset({"date", "time"}),
    "names": frozenset({"name"}),
    "identifiers": frozenset({"identifier", "hash", "version", "error", "address"}),
}
"""Kinds of values that are counted, and the names of the heuristics that find them."""

PATHS = "paths"
EXITS = "exit statuses"
ERRORS = "error lines"

_LONGEST_PHRASE = 8
"""Words. Longer values are compared as they are found in what is written."""

_AROUND = "([{<\"'`*\u201c\u201e\u2018\u00ab\u2022)]}>\u201d\u2019\u00bb.,;:!?"


class Share(msgspec.Struct, frozen=True):
    """How many of how many are kept."""

    kept: int
    of: int


class Kept(msgspec.Struct, frozen=True):
    """What is kept of what was said, and of what tools were given and returned, by kind."""

    said: dict[str, Share]
    tools: dict[str, Share]


def kept(turns: Sequence[Turn], body: str, earlier: Sequence[Turn] = ()) -> Kept:
    """Return what `body` keeps of the turns that it carries, of which each has a marker in it.

    Where it is appended to another body, `earlier` are the turns of that one: what tools told there is not
    told again, and does not count. Linear in the turns and in the body.
    """
    sections = list(_sections(read_records(body)))
    sections += [[]] * (len(turns) - len(sections))
    said, tools = Counter[str](), Counter[str]()
    said_kept, tools_kept = Counter[str](), Counter[str]()
    readings: list[Reading] = []
    for turn, section in zip(turns, sections, strict=False):
        text = "\n".join(part.text for part in turn.parts if isinstance(part, Said))
        _count(_values(text), "\n".join(_values_of(section)), said, said_kept)
        read = [read_result(part) for part in turn.parts if isinstance(part, Result)]
        readings += read
        exits = Counter(status for reading in read for status in reading.exits)
        tools[EXITS] += exits.total()
        written = Counter(value for record in section for key, value in record.kv.items() if _is_exit(key))
        tools_kept[EXITS] += (exits & written).total()
    records = [record for section in sections for record in section]
    read = [read_result(part) for turn in earlier for part in turn.parts if isinstance(part, Result)]
    told = frozenset(_told(earlier, read))
    new = [value for value in _told(turns, readings) if value not in told]
    _count(new, "\n".join(_values_of(records)), tools, tools_kept)
    # A line may have more words than phrases are looked for in, and none but all of it is kept.
    lines = {line for kind, line in new if kind == ERRORS}
    tools_kept[ERRORS] = len(lines.intersection(_values_of(records)))
    return Kept(_shares(said, said_kept), _shares(tools, tools_kept))


def _sections(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield the records below each marker."""
    section: list[Record] | None = None
    for record in records:
        if record.kind == "marker":
            if section is not None:
                yield section
            section = []
        elif section is not None:
            section.append(record)
    if section is not None:
        yield section


def _values_of(records: Iterable[Record]) -> Iterator[str]:
    return (value for record in records for value in record.kv.values())


def _told(turns: Iterable[Turn], readings: Iterable[Reading]) -> Iterator[tuple[str, str]]:
    """Yield the kind of each value that tools were given or returned, and the value."""
    for reading in readings:
        yield from ((ERRORS, line) for line in reading.errors)
    for turn in turns:
        for part in turn.parts:
            if isinstance(part, Call):
                yield from _values("\n".join(strings_of(part.arguments)))
            elif isinstance(part, Result):
                yield from _values(part.text)


def _is_exit(key: str) -> bool:
    return key == "exit" or (key.startswith("exit") and key.removeprefix("exit").isdigit())


def _values(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of each value of a text, and the value."""
    text = lined(text)
    for worth in read_words(text).worths:
        for kind, names in KINDS.items():
            if worth.heuristic.name in names:
                yield kind, text[worth.start : worth.end]
    for path in paths_in(text):
        yield PATHS, path


def _count(values: Iterable[tuple[str, str]], written: str, of: Counter[str], found: Counter[str]) -> None:
    """Add values to those that there are and, where they are written, to those that are kept."""
    distinct = dict.fromkeys(values)
    if not distinct:
        return
    wanted = {value for _, value in distinct}
    there = wanted.intersection(_phrases(written))
    there |= wanted.intersection(values_in(written)) | wanted.intersection(paths_in(written))
    for kind, value in distinct:
        of[kind] += 1
        found[kind] += value in there


def _phrases(text: str) -> Iterator[str]:
    """Yield each word of a text, and each few words that follow one another, without what is around them."""
    words = text.split()
    for start in range(len(words)):
        phrase = ""
        for word in words[start : start + _LONGEST_PHRASE]:
            phrase = f"{phrase} {word}" if phrase else word
            bare = phrase.strip(_AROUND)
            yield bare
            if bare.endswith(POSSESSIVES):
                yield bare[:-2]


def _shares(of: Counter[str], found: Counter[str]) -> dict[str, Share]:
    return {kind: Share(found[kind], count) for kind, count in of.items() if count}
