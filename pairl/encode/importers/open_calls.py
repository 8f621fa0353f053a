"""Calls that wait for their results, and which of them a result belongs to.

This module knows ids that several calls have, results that name no id, and calls that were never answered. It
does not know what was called, or where a call stands.

    >>> waiting = OpenCalls()
    >>> waiting.add(1, "")
    >>> waiting.new_request()
    >>> waiting.add(2, "")
    >>> waiting.take("")
    2
"""

from __future__ import annotations

from collections import deque

_Waiting = list[tuple[int, deque[int]]]
"""Calls in order, for each request that led to some, by its number."""


class OpenCalls:
    """The calls without a result, by their ids."""

    def __init__(self) -> None:
        """Begin without a call."""
        self._requests = 0
        self._open: set[int] = set()
        self._of_id: dict[str, _Waiting] = {}
        self._all: _Waiting = []

    def new_request(self) -> None:
        """Take note that a user speaks: what has no result by now was most often stopped."""
        self._requests += 1

    def add(self, number: int, call_id: str) -> None:
        """Add a call that waits for its result."""
        self._open.add(number)
        for waiting in (self._of_id.setdefault(call_id, []), self._all):
            if not waiting or waiting[-1][0] != self._requests:
                waiting.append((self._requests, deque()))
            waiting[-1][1].append(number)

    def take(self, call_id: str) -> int | None:
        """Return the number of the call that a result with this id belongs to, which then waits no more.

        It is the first with the id of those behind the latest request that has any; without an id, of all.
        """
        number = self._first(self._of_id.get(call_id, []))
        return self._first(self._all) if number is None and not call_id else number

    def clear(self) -> None:
        """Wait for no result of any call so far."""
        self._open.clear()

    def _first(self, waiting: _Waiting) -> int | None:
        while waiting:
            calls = waiting[-1][1]
            while calls:
                number = calls.popleft()
                if number in self._open:
                    self._open.remove(number)
                    return number
            waiting.pop()
        return None
