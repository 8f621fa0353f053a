"""What is remembered of the turns of a body, and what became of them in a record that goes on (§12b).

This module knows what makes a conversation the same one: who spoke, what was said, and what was called with
which arguments. What stands beside that may be another in a later record, because programs take thoughts out
of earlier turns, and put something short in the place of a long result: such a turn stays as it was written,
and nothing of what stands beside it now counts as told. A result that comes late belongs to a turn that was
written without it, as do a result without a call, and an item of an unknown kind, behind what was the last
turn. It does not know how turns are written.

    >>> from pairl.encode.history import Said, Turn
    >>> asked, told = Turn("user", (Said("Is it open?"),)), Turn("assistant", (Said("Yes."),), answers=0)
    >>> compared(remembered([asked, told]), [asked, told, asked]).late
    ()
    >>> try:
    ...     compared(remembered([asked, told]), [asked, asked])
    ... except HistoryChanged as fault:
    ...     print(fault.reason)
    of the 2 turns that were encoded before, turn 2 is the first that differs: it is now `user: Is it open?`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Annotated

import msgspec

from pairl.encode.history import Call, Notice, Part, Result, Thought, Turn, Unknown
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.marks import CHANGED, mark_at, numbered, returned, spoken, thought, turns_of_a_mark

CHANGED_RESULTS = "turns whose results were changed since"
"""What such turns are called where they are counted."""

CHANGED_THOUGHTS = "turns whose thoughts were changed since"
"""The same of thoughts. Of both, turns that have none any more do not count: they hold nothing untold."""

MOST_UNANSWERED = 1_000
"""Of so many calls, the latest, it is remembered that they had no result."""


class Past(msgspec.Struct, frozen=True):
    """The turns of a body: how many, and marks by which to know them.

    `digest` is the SHA-256 of what was said and called, and `turns` how it began after each turn; `results`
    and `thoughts` have a mark of what each turn holds of them. `unanswered` are calls that had no result, by
    their number in the body. `loose` counts in the last turn what is of no call: others of these may follow.
    """

    length: Annotated[int, msgspec.Meta(ge=0)] = 0
    digest: str = ""
    turns: str = ""
    results: str = ""
    thoughts: str = ""
    unanswered: tuple[int, ...] = ()
    loose: Annotated[int, msgspec.Meta(ge=0)] = 0


class Late(msgspec.Struct, frozen=True):
    """A part of a turn that was written without it: an item of an unknown kind, or a result.

    `turn` is the turn's index, and `call` the result's, if it has one, with its `number` in the body.
    """

    turn: int
    part: Result | Unknown
    call: Call | None = None
    number: int = 0


class Since(msgspec.Struct, frozen=True):
    """What became of the turns of a body.

    `turns` hold what the body tells of them, and no more: nothing of the results and thoughts that were
    changed, which are those of the turns with these indexes. `answered` are the calls of which the body has a
    result, by their number in it. `notices` tell of changes that are new.
    """

    turns: tuple[Turn, ...] = ()
    late: tuple[Late, ...] = ()
    answered: frozenset[int] = frozenset()
    changed_results: frozenset[int] = frozenset()
    changed_thoughts: frozenset[int] = frozenset()
    notices: tuple[Notice, ...] = ()


def remembered(turns: Sequence[Turn], first: int = 0, since: Since | None = None) -> Past:
    """Return what is to be remembered of the turns of a body. Linear in what they hold.

    `first` is the index in the record of the first of them, and `since` is what became of those that were
    written before.
    """
    since = since or Since()
    group = turns_of_a_mark(len(turns))
    digest, marks = spoken(turns, first, group)
    unanswered = [number for number, is_answered in _calls(turns).items() if not is_answered]
    return Past(
        len(turns),
        digest,
        "".join(marks),
        _marked(returned(turns, group), since.changed_results, group),
        _marked(thought(turns, group), since.changed_thoughts, group),
        tuple([number for number in unanswered if number not in since.answered][-MOST_UNANSWERED:]),
        sum(map(_is_loose, turns[-1].parts)) if turns else 0,
    )


def compared(past: Past, turns: Sequence[Turn], first: int = 0) -> Since:
    """Return what became of the turns of a body, where these are the turns of a record that is to go on.

    `first` is the index in the record of the first of them. Linear in what they hold.

    Raises:
        HistoryChanged: the turns of the body are not the first of these.

    """
    written = turns[: past.length]
    _refuse_another(past, written, first)
    waiting = frozenset(past.unanswered)
    answered = frozenset(number for number in _calls(written) if number not in waiting)
    as_written, late = _parted(written, waiting, past.loose)
    group = turns_of_a_mark(len(written))
    results, told = _take_out(
        as_written, Result | Unknown, _differing(past.results, returned(as_written, group))
    )
    notices = _noticed(CHANGED_RESULTS, told)
    thoughts, told = _take_out(as_written, Thought, _differing(past.thoughts, thought(as_written, group)))
    notices += _noticed(CHANGED_THOUGHTS, told)
    return Since(tuple(as_written), tuple(late), answered, results, thoughts, notices)


def _parted(turns: Sequence[Turn], waiting: frozenset[int], loose: int) -> tuple[list[Turn], list[Late]]:
    """Return turns without what came late, and this: results of calls that wait for one, and loose parts.

    Of loose parts these are those of the last turn, but for the first `loose` ones.
    """
    late: list[Late] = []
    others: list[Turn] = []
    for index, (turn, parts) in enumerate(zip(turns, numbered(turns), strict=True)):
        calls = {number: part for part, number in parts if isinstance(part, Call)}
        kept: list[Part] = []
        known = loose if index == len(turns) - 1 else len(parts)
        for part, number in parts:
            known -= _is_loose(part)
            if isinstance(part, Result) and number in waiting and number is not None:
                late.append(Late(index, part, calls[number], number))
            elif isinstance(part, Result | Unknown) and _is_loose(part) and known < 0:
                late.append(Late(index, part))
            else:
                kept.append(part)
        others.append(msgspec.structs.replace(turn, parts=tuple(kept)))
    return others, late


def _is_loose(part: Part) -> bool:
    """Say whether a part is of no call, and was said by nobody."""
    return isinstance(part, Unknown) or (isinstance(part, Result) and part.call is None)


def _refuse_another(past: Past, written: Sequence[Turn], first: int) -> None:
    """Raise what says where turns differ from those of a body, unless they are the same."""
    group = turns_of_a_mark(past.length)
    digest, marks = spoken(written, first, group)
    is_shorter = len(written) < past.length
    if not past.length or (not is_shorter and digest == past.digest):
        return
    comparable = marks[: len(written) // group] if is_shorter else marks
    differing = [place for place, mark in enumerate(comparable) if mark != mark_at(past.turns, place)]
    if is_shorter and not differing:
        raise HistoryChanged.because_it_ends(past.length, len(written))
    place = differing[0] if differing else len(marks) - 1
    raise HistoryChanged.at(written[place * group : (place + 1) * group], place * group, past.length)


def _calls(turns: Sequence[Turn]) -> dict[int, bool]:
    """Return the calls of turns by their number in the body, and whether they have a result."""
    calls: dict[int, bool] = {}
    for parts in numbered(turns):
        for part, number in parts:
            if number is not None:
                calls[number] = isinstance(part, Result)
    return calls


def _marked(marks: Iterable[str], changed: frozenset[int], group: int) -> str:
    """Return marks, of which those of turns with these indexes say that they were changed."""
    places = {index // group for index in changed}
    return "".join([CHANGED if place in places else mark for place, mark in enumerate(marks)])


def _differing(before: str, marks: Iterable[str]) -> dict[int, bool]:
    """Return the places of marks that differ, and whether they did not before."""
    known = ((place, mark, mark_at(before, place)) for place, mark in enumerate(marks))
    return {place: one != CHANGED for place, mark, one in known if mark != one}


def _take_out(
    turns: list[Turn], kinds: UnionType | type[Part], differing: Mapping[int, bool]
) -> tuple[frozenset[int], list[int]]:
    """Take parts of these kinds out of turns whose marks differ.

    Return the indexes of these turns, and of those that held such parts where the mark did not differ before.
    """
    group = turns_of_a_mark(len(turns))
    changed: list[int] = []
    told: list[int] = []
    for place, is_new in differing.items():
        for index in range(place * group, min((place + 1) * group, len(turns))):
            parts = tuple(part for part in turns[index].parts if not isinstance(part, kinds))
            changed.append(index)
            if is_new and len(parts) < len(turns[index].parts):
                told.append(index)
            turns[index] = msgspec.structs.replace(turns[index], parts=parts)
    return frozenset(changed), told


def _noticed(what: str, indexes: Sequence[int]) -> tuple[Notice, ...]:
    return (Notice(what, f"turn {indexes[0] + 1}", len(indexes)),) if indexes else ()
