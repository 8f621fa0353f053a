"""What hangs below what: each message below one of those that it names, so that all are drawn once.

This module knows which of several parents a message is drawn below, that a parent may be missing, and that
in loose mode messages may go round in a circle. It does not know how anything looks.

Nothing here is recursive, and everything is linear in the messages and the parents that they name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from pairl.thread import Status
from workers.trace.messages import TracedMessage, TracedSession

_RANKS = {Status.ACCEPTED: 0, Status.REJECTED: 1, Status.WAITING: 2}
_NOT_SEEN, _ON_THE_WAY, _DONE = 0, 1, 2


class Branch(msgspec.Struct, frozen=True):
    """A message, or an id that nobody has, in its place.

    Exactly one of `message` and `missing` is given. `below` counts what hangs below it into the forest's
    branches; `further` are the parents that it names besides the one that it hangs below.
    """

    message: TracedMessage | None = None
    missing: str | None = None
    is_marked: bool = False
    below: tuple[int, ...] = ()
    further: tuple[str, ...] = ()


class Forest(msgspec.Struct, frozen=True):
    """Branches, and which of them hang below nothing, both in the order of the messages."""

    branches: tuple[Branch, ...]
    roots: tuple[int, ...]


def grow(session: TracedSession, marked: str | None = None) -> Forest:
    """Return the messages of a session in their places.

    With `marked` only the messages that have this id, those that they go back to, and those that go back to
    them. A message hangs below the one that it answers; without such a one below the first one it names that
    is there. What waits hangs below the id that it waits for.
    """
    messages = session.messages
    if marked is not None:
        messages = [messages[number] for number in _relatives(session, marked)]
    places = by_id(messages)
    above = [_hangs_below(session, message, places) for message in messages]
    _cut_circles(above, places)
    below: list[list[int]] = [[] for _ in messages]
    missing: dict[str, int] = {}
    roots: list[int] = []
    for number, name in enumerate(above):
        if name is None:
            roots.append(number)
            continue
        place = places.get(name, missing.get(name))
        if place is None:
            place = missing[name] = len(below)
            below.append([])
            roots.append(place)
        below[place].append(number)
    branches = [
        Branch(message, None, message.id == marked, tuple(below[number]), _further(message, above[number]))
        for number, message in enumerate(messages)
    ]
    branches += [Branch(None, name, below=tuple(below[place])) for name, place in missing.items()]
    return Forest(tuple(branches), tuple(roots))


def by_id(messages: Sequence[TracedMessage]) -> dict[str, int]:
    """Return which message is meant by an id: the accepted one, else the rejected, else the first waiting."""
    found: dict[str, int] = {}
    for number, message in enumerate(messages):
        other = found.get(message.id)
        if other is None or _RANKS[message.status] < _RANKS[messages[other].status]:
            found[message.id] = number
    return found


def _relatives(session: TracedSession, marked: str) -> list[int]:
    """Return which messages have the id, are named by those on some way, or name them on some way."""
    messages = session.messages
    places = by_id(messages)
    parents = [[places[name] for name in message.parents if name in places] for message in messages]
    answers: dict[str, list[int]] = {}
    for number, message in enumerate(messages):
        for name in message.parents:
            answers.setdefault(name, []).append(number)
    start = session.numbers(marked)
    above = _reached(start, lambda number: parents[number])
    below = _reached(start, lambda number: answers.get(messages[number].id, ()))
    return sorted(above | below)


def _reached(start: Iterable[int], step: Callable[[int], Iterable[int]]) -> set[int]:
    """Return what can be reached from `start`, which is part of it."""
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for number in step(waiting.pop()):
            if number not in seen:
                seen.add(number)
                waiting.append(number)
    return seen


def _hangs_below(session: TracedSession, message: TracedMessage, places: dict[str, int]) -> str | None:
    """Return the id that a message is drawn below; None for one that names nobody."""
    first = session.waits_for(message) or (() if message.parent is None else (message.parent,))
    for name in first:
        if name in places or not session.is_known(name):
            return name
    there = next((name for name in message.parents if name in places), None)
    if there is not None:
        return there
    return next((name for name in message.parents if not session.is_known(name)), None)


def _cut_circles(above: list[str | None], places: dict[str, int]) -> None:
    """Let the first message of every circle hang below nothing."""
    state = [_NOT_SEEN] * len(above)
    for start in range(len(above)):
        way: list[int] = []
        number: int | None = start
        while number is not None and state[number] == _NOT_SEEN:
            state[number] = _ON_THE_WAY
            way.append(number)
            name = above[number]
            number = None if name is None else places.get(name)
        if number is not None and state[number] == _ON_THE_WAY:
            above[min(way[way.index(number) :])] = None
        for passed in way:
            state[passed] = _DONE


def _further(message: TracedMessage, name: str | None) -> tuple[str, ...]:
    return tuple(parent for parent in message.parents if parent != name)
