"""Random conversations: a seed gives always the same messages, in the order in which they are sent.

Knows what can happen among agents: late parents and lost ones, forks and joins, budgets at several levels,
repeated and corrected messages, ids used twice, circles, and messages that are broken in themselves. Does not
know what the right verdict on any of them is (`tests.model.model`), nor how they are written down
(`tests.model.writing`).
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec

from tests.model.model import Said
from tests.model.writing import FAULTS, Fault, Sent, Style, write

_ID_PREFIXES = ("m", "m", "m", "m", "plan/", "50%2F", "é", "l" * 200)
_UNITS = ("USD", "USD", "USD", "EUR")


PHASES = 3
"""Between two phases of a conversation it is silent for so long that all deadlines pass."""


class Conversation(msgspec.Struct, frozen=True):
    """The messages of one session; without `session` each stands alone.

    `is_orderless`: what becomes of a message does not depend on the order in which they arrive.
    """

    seed: int
    session: str | None
    phases: tuple[tuple[Sent, ...], ...]
    is_orderless: bool

    @property
    def sent(self) -> tuple[Sent, ...]:
        """All that is sent, in order."""
        return tuple(sent for phase in self.phases for sent in phase)


def conversation(seed: int, *, strict: bool) -> Conversation:
    """Return the conversation that a seed gives in a mode."""
    chance = Random(f"{seed} {strict}")
    kind = chance.choices(("orderless", "wild", "alone"), (9, 10, 1))[0]
    style = Style.drawn(chance, None if kind == "alone" else _session(chance, seed), seed)
    draft = _Draft(chance, strict=strict, is_wild=kind == "wild", is_alone=kind == "alone")
    sent = [write(said, fault, style, chance) for said, fault in draft.in_some_order()]
    phases = _phases(chance, sent) if kind == "wild" else (tuple(sent), (), ())
    return Conversation(seed, style.session, phases, is_orderless=kind == "orderless")


def topological(one: Conversation) -> list[Said]:
    """Return the messages of an orderless conversation so that each comes behind those that it names."""
    return sorted((sent.said for sent in one.sent), key=lambda said: said.number)


class _Draft:
    """The messages of one conversation while they are invented."""

    def __init__(self, chance: Random, *, strict: bool, is_wild: bool, is_alone: bool) -> None:
        """Invent the messages, so that those of an orderless conversation follow their parents."""
        self._chance = chance
        self._strict = strict
        self._is_wild = is_wild
        self._is_alone = is_alone
        prefix = chance.choice(_ID_PREFIXES)
        # Where there are few ids, most of them are used again and again.
        few = chance.choice((2, 3)) if is_wild and chance.random() < 0.25 else 12
        self._ids = [f"{prefix}{1 + number % few}" for number in range(chance.randint(1, 12))]
        if chance.random() < 0.05:
            self._ids[chance.randrange(len(self._ids))] = chance.choice(("offset", "position", "*", "0"))
        self._has_budgets = is_wild and chance.random() < 0.6
        self._messages: list[tuple[float, Said, Fault | None]] = []
        for place in range(len(self._ids)):
            fault = chance.choice(FAULTS) if chance.random() < 0.09 else None
            self._add(place, self._invent(place), fault)
            if is_wild and (fault is None or not fault.clears):
                self._say_again(place, fault)

    def in_some_order(self) -> list[tuple[Said, Fault | None]]:
        """Return the messages in the order in which they are sent: more or less that of their places."""
        chance = self._chance
        disorder = chance.choice((0.0, 1.5, 4.0, 100.0))
        mixed = sorted(self._messages, key=lambda entry: entry[0] + chance.uniform(0, disorder))
        return [(said, fault) for _, said, fault in mixed]

    def _add(self, place: float, said: Said, fault: Fault | None) -> None:
        broken = frozenset[str]()
        if fault is not None:
            broken = fault.strict if self._strict else fault.loose
            said = msgspec.structs.replace(said, **fault.clears)
        number = len(self._messages)
        self._messages.append((place, msgspec.structs.replace(said, number=number, faults=broken), fault))

    def _say_again(self, place: int, fault: Fault | None) -> None:
        """Now and then say the last message again: the same, a corrected one, or another one of its id."""
        chance = self._chance
        said = self._messages[-1][1]
        if fault is not None and chance.random() < 0.6:
            corrected = msgspec.structs.replace(said, content=f"{said.content}c")
            self._add(place + chance.uniform(0, 4), corrected, None)
        if chance.random() < 0.12:
            self._add(place + chance.uniform(0, 4), said, fault)
        if chance.random() < 0.12:
            self._add(place + chance.uniform(0, 4), self._invent(place), None)

    def _invent(self, place: int) -> Said:
        chance = self._chance
        named = [] if self._is_alone else self._named(place)
        has_parent = bool(named) and chance.random() < 0.8
        spends = self._has_budgets and chance.random() < 0.7
        return Said(
            number=0,
            id=self._ids[place],
            content=f"c{len(self._messages)}",
            parent=named[0] if has_parent else "",
            deps=tuple(named[1:] if has_parent else named),
            root=chance.choice(self._ids) if has_parent and chance.random() < 0.15 else "",
            budget=self._amount(60) if self._has_budgets and chance.random() < 0.4 else None,
            costs=tuple(self._amount(30) for _ in range(chance.randint(1, 2))) if spends else (),
            is_projection=spends and chance.random() < 0.2,
            demands_parents=(self._strict or self._is_wild) and chance.random() < 0.2,
        )

    def _named(self, place: int) -> list[str]:
        """Return whom a message answers: mostly those just before it."""
        chance = self._chance
        named: list[str] = []
        for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 2, 3))):
            if chance.random() < 0.03:
                named.append(f"never{chance.randint(1, 2)}")
            elif self._is_wild and chance.random() < 0.12:
                named.append(chance.choice(self._ids))
            elif chance.random() < 0.02:
                named.append(self._ids[place])
            elif place:
                named.append(self._ids[chance.randint(max(0, place - 4), place - 1)])
        return list(dict.fromkeys(named))

    def _amount(self, most: int) -> tuple[int, str]:
        return self._chance.randint(1, most), self._chance.choice(_UNITS)


def _session(chance: Random, seed: int) -> str:
    return chance.choice((f"s{seed}", f"s{seed}", f"s{seed}", f"s/{seed} %", f"ü{seed}", f"{seed}-" * 200))


def _phases(chance: Random, sent: list[Sent]) -> tuple[tuple[Sent, ...], ...]:
    """Cut what is sent into phases, of which some are often empty."""
    cuts = [chance.randint(0, len(sent)) if chance.random() < 0.4 else len(sent) for _ in range(PHASES - 1)]
    edges = [0, *sorted(cuts), len(sent)]
    return tuple(tuple(sent[start:end]) for start, end in pairwise(edges))
