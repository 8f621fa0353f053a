"""The right verdicts on the messages of one session: a model that is too simple to be wrong.

It knows what conversations mean, and may be read as their specification: who waits for whom, and until
when, what an id stands for, what is spent under which budget. It gets messages as their authors mean them,
in the order in which the session's partition has them. It does not know text, topics, batches or Redis, and
shares no code with what it is compared with. It looks at everything for every question.
"""

from __future__ import annotations

import msgspec

Amount = tuple[int, str]  # hundredths, and of which unit


class Said(msgspec.Struct, frozen=True):
    """A message as its author means it; `number` tells it from all others.

    `content` stands for all that it says besides: two messages with one id and one content are the same.
    `faults` are the rules that it breaks by itself, wherever it stands. In a projection costs are not spent.
    """

    number: int
    id: str | None
    content: str = ""
    parent: str = ""
    deps: tuple[str, ...] = ()
    root: str = ""
    budget: Amount | None = None
    costs: tuple[Amount, ...] = ()
    is_projection: bool = False
    demands_parents: bool = False
    faults: frozenset[str] = frozenset()

    @property
    def parents(self) -> set[str]:
        """The ids that it names; itself is none of its parents."""
        return {self.parent, *self.deps} - {"", self.id}

    def spends(self, unit: str) -> int:
        """Return what it spends in a unit."""
        return 0 if self.is_projection else sum(amount for amount, other in self.costs if other == unit)


class Waiting(msgspec.Struct, eq=False):
    """A message that waits, and the parents that it still waits for."""

    said: Said
    missing: set[str]


class Session:
    """A session: `verdicts` has for each judged message the rules that it breaks; none: it is accepted."""

    def __init__(self, *, strict: bool, most_waiting: int = 1_000) -> None:
        """Begin without messages; at most so many will wait at a time."""
        self.verdicts: dict[int, frozenset[str]] = {}
        self._strict = strict
        self._most_waiting = most_waiting
        self._arrived: list[int] = []
        self._accepted: dict[str, Said] = {}
        self._rejected: set[str] = set()
        self._waiting: list[Waiting] = []
        self._freed: list[Said] = []

    def receive(self, said: Said) -> None:
        """Take the next message: it is judged, or begins to wait; then those that it frees are judged."""
        self._arrived.append(said.number)
        self._judge(said, may_wait=len(self._waiting) < self._most_waiting)
        self._judge_freed()

    def reach_deadlines(self) -> None:
        """Let the deadlines of all that wait pass: the oldest first, each is judged as it is."""
        while self._waiting:
            oldest = min(self._waiting, key=lambda waiting: self._arrived.index(waiting.said.number))
            self._waiting.remove(oldest)
            self._close(oldest.said, self._errors(oldest.said) | self._errors_for_unknown(oldest.said))
            self._judge_freed()

    def expire(self) -> None:
        """Forget everything, as happens to a session that was idle for long."""
        self._accepted, self._rejected = {}, set()

    def _judge_freed(self) -> None:
        """Judge those that wait no longer, and those that these free, always the oldest of them first."""
        while self._freed:
            self._freed.sort(key=lambda said: self._arrived.index(said.number))
            self._judge(self._freed.pop(0), may_wait=True)

    def _judge(self, said: Said, *, may_wait: bool) -> None:
        """Give the verdict on a message, or let it wait for parents that are not known."""
        errors = self._errors(said)
        unknown = self._unknown(said)
        if errors or not unknown:
            # What a refused message lacks besides is not held against it: it may still come.
            self._close(said, errors)
        elif may_wait and not self._is_repeated(said) and not self._is_in_a_circle(said):
            self._wait(said, unknown)
        else:
            self._close(said, self._errors_for_unknown(said))

    def _wait(self, said: Said, unknown: set[str]) -> None:
        self._waiting.append(Waiting(said, unknown))
        # Whoever named one that was refused, and waits for others, may now hope for this one.
        for waiting in self._waiting:
            waiting.missing |= waiting.said.parents & {said.id}

    def _close(self, said: Said, errors: frozenset[str]) -> None:
        """Give the verdict on a message, and find out whom it frees."""
        self.verdicts[said.number] = errors
        if said.id is None or said.id in self._accepted:
            return
        if not errors:
            self._accepted[said.id] = said
        else:
            self._rejected.add(said.id)
            if any(waiting.said.id == said.id for waiting in self._waiting):
                return
        for waiting in [waiting for waiting in self._waiting if said.id in waiting.missing]:
            waiting.missing.discard(said.id)
            if not waiting.missing or (errors and self._needs_parents(waiting.said)):
                self._waiting.remove(waiting)
                self._freed.append(waiting.said)

    def _unknown(self, said: Said) -> set[str]:
        """Return the parents of which nothing is known yet: none has their id, or only such that wait."""
        hoped_for = {waiting.said.id for waiting in self._waiting}
        return said.parents - self._accepted.keys() - (self._rejected - hoped_for)

    def _needs_parents(self, said: Said) -> bool:
        return self._strict or said.demands_parents

    def _errors_for_unknown(self, said: Said) -> frozenset[str]:
        return frozenset({"V4"} if self._unknown(said) and self._needs_parents(said) else ())

    def _errors(self, said: Said) -> frozenset[str]:
        """Return the rules that a message breaks, whatever becomes of parents that are not known yet."""
        errors = set(said.faults)
        if said.id in self._accepted and not self._is_repeated(said):
            errors.add("SES")
        refused = said.parents - self._accepted.keys() - self._unknown(said)
        if self._needs_parents(said) and (refused or self._leaves_the_root_aside(said)):
            errors.add("V4")
        if self._strict and (said.id in (said.parent, *said.deps) or self._is_in_a_circle(said)):
            errors.add("V7")
        if self._overspends(said):
            errors.add("V8")
        return frozenset(errors)

    def _is_repeated(self, said: Said) -> bool:
        """Say whether the same message was accepted before."""
        return said.id in self._accepted and self._accepted[said.id].content == said.content

    def _is_in_a_circle(self, said: Said) -> bool:
        """Say whether an ancestor, accepted or waiting, names the message; its name must be its own yet."""
        if said.id in (*self._accepted, said.parent, *said.deps):
            return False
        above, names = set[str](), said.parents
        while names:
            above |= names
            waiting = [one.said for one in self._waiting if one.said.id not in self._accepted]
            known = [one for one in [*self._accepted.values(), *waiting] if one.id in names]
            if any(said.id in (one.parent, *one.deps) for one in known):
                return True
            names = set[str]().union(*(one.parents for one in known)) - above
        return False

    def _leaves_the_root_aside(self, said: Said) -> bool:
        """Say whether the way from parent to parent is known to its end, and does not meet the root."""
        seen, name = set[str](), said.parent
        while said.root and name and name != said.root:
            if name in seen or name not in self._accepted:
                return False
            seen.add(name)
            name, deps = self._accepted[name].parent, self._accepted[name].deps
            if not name:
                return not deps
        return False

    def _overspends(self, said: Said) -> bool:
        """Say whether a message spends more than it may, or than is left of a budget that it comes under."""
        if said.budget is not None and said.spends(said.budget[1]) > said.budget[0]:
            return True
        if said.id is None or said.id in self._accepted:
            return False
        later = {**self._accepted, said.id: said}
        for holder, (limit, unit) in [(one, one.budget) for one in later.values() if one.budget]:
            before = 0 if holder is said else _spent(self._accepted, holder, unit)
            after = _spent(later, holder, unit)
            if after > limit and after > before:
                return True
        return False


def _spent(messages: dict[str, Said], holder: Said, unit: str) -> int:
    """Return what a message and all that go back to it have spent."""
    below = {holder.id}
    while more := {said.id for said in messages.values() if said.parents & below} - below:
        below |= more
    return sum(said.spends(unit) for said in messages.values() if said.id in below)
