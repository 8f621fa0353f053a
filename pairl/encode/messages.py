"""An encoded conversation as messages, none of them longer than a message may be (§2, §15.1).

This module knows where a body can be cut: a call and its result stay in one message, and a turn that goes on
in the next one, or of which an earlier message was made, begins there again with its marker; and which
turns each message quotes. It does not know what the records mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from math import inf

import msgspec

from pairl.canonical import canonical_headers, canonical_text
from pairl.encode.encoding import Encoded
from pairl.encode.speakers import NO_TURN
from pairl.model import Message
from pairl.parser import MAX_BYTES, MAX_RECORDS, parse
from pairl.quotation import SourceTurn
from pairl.validator import Report, validate
from pairl.writer import MessageBuilder

_MARKER = re.compile(r"#(?:[uas][0-9]+|msg (\S+) r=(\S+) parent=(\S+))\Z")
_RID = re.compile(r" @rid=(\S+)\Z")
_BOUND = re.compile(r" @m=(\w+)\Z")
_ANSWERED = re.compile(r"#ret call=([A-Za-z0-9]+)")
_ROOM_FOR_HEADERS = 4_096


def as_messages(
    encoded: Encoded,
    *,
    id: str,  # noqa: A002  # the header's own name
    ts: datetime,
    p: str | None = None,
    sid: str | None = None,
) -> list[Message]:
    """Return the body as messages, each of which answers the one before; most often it is one.

    There is none without a turn.

    Args:
        encoded: what `encode` returned.
        id: the id of the first message; those behind it have `n2`, `n3` and so on at the end.
        ts: when they were made, with an offset from UTC.
        p: the message that the first one answers.
        sid: the session, in the first message.

    Raises:
        CannotWrite: a header cannot be written so.

    """
    messages: list[Message] = []
    for number, lines in enumerate(_cut(encoded), 1):
        own = id if number == 1 else f"{id}n{number}"
        builder = MessageBuilder(id=own, ts=ts, p=p, sid=sid if number == 1 else None)
        # No builder takes lines; the headers are those of a message with any record.
        headers = builder.fact(body=1).message().headers
        messages.append(parse(canonical_text(canonical_headers(headers, for_hash=False), lines)))
        p = own
    return messages


def judged(messages: Iterable[Message], source: Iterable[SourceTurn]) -> list[tuple[Message, Report]]:
    """Return each message, and what strict mode says of it and the turns of `source` that it quotes (V15).

    Linear in both.
    """
    turns: dict[str | None, list[SourceTurn]] = {}
    for turn in source:
        turns.setdefault(turn.id, []).append(turn)
    found = []
    for message in messages:
        names = dict.fromkeys(record.name for record in message.records if record.kind == "marker")
        quoted = [turn for name in names for turn in turns.get(name, ())]
        found.append((message, validate(message, strict=True, source=quoted)))
    return found


class _Section(msgspec.Struct):
    """The lines of a turn: its name, its marker, and how it begins again in another message; in groups.

    A group is never cut: the marker, a call with its result, or another record with the facts behind it.
    """

    name: str
    parent: str
    again: str
    groups: list[list[str]]

    @property
    def number(self) -> float:
        """The number of a turn with a letter; those with names stand behind all of these."""
        return inf if self.again.startswith("#msg ") else int(self.name[1:])


class _Filled:
    """The message that is being filled, and which turns it declares.

    Turns that are declared because others answer them stand where their number belongs (§11 V11).
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._size = 0
        self._turns: set[str] = set()
        self._places: list[tuple[float, int]] = []
        self._declared: list[tuple[int, str]] = []

    @property
    def lines(self) -> list[str]:
        """The lines of the message."""
        lines: list[str] = []
        written = 0
        places = iter(self._places)
        following, place = -1.0, 0
        for number, marker in sorted(self._declared):
            while following < number:
                following, place = next(places)
            lines += [*self._lines[written:place], marker]
            written = place
        return lines + self._lines[written:]

    def has_room(self, lines: list[str]) -> bool:
        """Say whether lines fit, and a marker with them; one group always does."""
        is_long = len(self._lines) + len(self._declared) + len(lines) >= MAX_RECORDS
        return not self._lines or not (is_long or self._size + _size(lines) > MAX_BYTES - _ROOM_FOR_HEADERS)

    def begin(self, section: _Section, earlier: Mapping[str, str]) -> None:
        """Declare the turn that a turn answers, if an earlier message did, and take note of the turn."""
        if section.parent in earlier and section.parent not in self._turns:
            self._declare(section.parent, earlier[section.parent])
        self._begin(section)

    def go_on(self, section: _Section) -> None:
        """Declare again the turn that goes on, if this message did not."""
        if section.name not in self._turns:
            self._begin(section)
            self.add([section.again])

    def add(self, lines: list[str]) -> None:
        """Add lines."""
        self._lines += lines
        self._size += _size(lines)

    def _begin(self, section: _Section) -> None:
        self._turns.add(section.name)
        self._places.append((section.number, len(self._lines)))

    def _declare(self, name: str, marker: str) -> None:
        self._turns.add(name)
        if marker.startswith("#msg "):
            self.add([marker])
        else:
            self._declared.append((int(name[1:]), marker))
            self._size += _size([marker])


def _cut(encoded: Encoded) -> Iterator[list[str]]:
    """Yield the lines of each message."""
    filled = _Filled()
    earlier = dict(encoded.earlier)
    for section in _sections(encoded.body.split("\n")[:-1], earlier):
        whole = [line for group in section.groups for line in group]
        pieces = [whole] if _fits(whole) else section.groups
        for number, piece in enumerate(pieces):
            if not filled.has_room(piece):
                yield filled.lines
                filled = _Filled()
            if number == 0:
                filled.begin(section, earlier)
            else:
                filled.go_on(section)
            filled.add(piece)
        earlier[section.name] = section.again
    if lines := filled.lines:
        yield lines


def _sections(lines: Iterable[str], earlier: Mapping[str, str]) -> Iterator[_Section]:
    """Yield the turns, each with its groups of lines.

    A line that names its turn in `@m=` is of an earlier turn, which begins again there.
    """
    section: _Section | None = None
    calls: dict[str, list[str]] = {}
    for line in lines:
        bound = _BOUND.search(line)
        if bound is not None:
            if section is None or section.name != bound[1]:
                if section is not None:
                    yield section
                marker = _MARKER.fullmatch(earlier[bound[1]])
                section, calls = _begun(earlier[bound[1]], marker), {}
            section.groups.append([line])
            continue
        marker = _MARKER.fullmatch(line)
        if marker is not None or section is None:
            if section is not None:
                yield section
            section, calls = _begun(line, marker), {}
            continue
        answered = _ANSWERED.match(line)
        rid = _RID.search(line) if line.startswith("#call ") else None
        if answered is not None and answered[1] in calls:
            calls[answered[1]].append(line)
            continue
        section.groups.append([line])
        if rid is not None:
            calls[rid[1]] = section.groups[-1]
    if section is not None:
        yield section


def _begun(line: str, marker: re.Match[str] | None) -> _Section:
    if marker is None or marker[1] is None:
        return _Section(line[1:], NO_TURN, line, [[line]])
    return _Section(marker[1], marker[3], f"#msg {marker[1]} r={marker[2]} parent={NO_TURN}", [[line]])


def _fits(lines: list[str]) -> bool:
    return len(lines) < MAX_RECORDS // 2 and _size(lines) < MAX_BYTES // 2


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)
