"""A conversation, as far as one must know it to know every verdict beforehand.

A message is *settled* if it is accepted the moment that it is read, because all that it needs was sent
to the session's home partition, in order, before it. All others that are accepted are *loose*: sooner or
later, nobody can say when. Whatever depends on who comes first is done with settled messages only.

Knows what a message is made of, where it is sent, and what may be spent. Shares no code with the
validator, and does not know which messages belong together: see `tests.chaos.scenes`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence

import msgspec
from aiokafka.partitioner import murmur2

from tests.integration.bus import CONTENT, PARTITIONS, Sent

ACCEPTED = "accepted"
NEVER = "never-"
"""How the ids of messages begin that never come."""

_WRONG_PARTITION = 0.35
_RECENT = 8


class Said(msgspec.Struct, frozen=True):
    """A message, the outcome that it must have, and the partition in which it must be judged.

    Without a `session` there is no `home`, and nothing is known of `parents`.
    """

    sent: Sent
    expected: str
    session: str | None = None
    id: str | None = None
    parents: tuple[str, ...] = ()
    home: int | None = None

    @property
    def is_astray(self) -> bool:
        """Whether it is sent to a partition where its session is not at home."""
        return self.home is not None and self.sent.partition not in (None, self.home)

    @property
    def is_orphan(self) -> bool:
        """Whether its parent never comes."""
        return any(parent.startswith(NEVER) for parent in self.parents)


class Text(msgspec.Struct, frozen=True):
    """A message of which it is not decided yet where it is sent."""

    id: str
    value: bytes
    parents: tuple[str, ...]


class Conversation:
    """One session: who was accepted, who refused, and what is left to spend.

    In a rich session there is more to spend than is spent; only there do loose messages spend, too.
    """

    def __init__(self, number: int, chance: random.Random) -> None:
        """Begin with a message that the others go back to."""
        self.chance = chance
        self.settled: list[str] = []
        self.loose: list[str] = []
        self.refused: list[str] = []
        self.repeatable: list[Text] = []
        self.is_rich = chance.random() < 0.5
        self._session = f"talk-{number}"
        self._home = (murmur2(self._session.encode()) & 0x7FFFFFFF) % PARTITIONS
        self._named_by = chance.choice(("key", "pairl-session", "@sid"))
        self._count = 0
        self._said: deque[Said] = deque()
        self._held_back: list[tuple[int, Said]] = []
        # What is left under each budget, in cents, and the budgets that a settled message is under.
        self._left: dict[str, int] = {}
        self._budgets: dict[str, frozenset[str]] = {}
        self._loose_spenders: list[str] = []
        self.settle(self.name(), (), budget=1_000_000 if self.is_rich else chance.choice((0, 300, 900)))

    def take(self) -> Iterator[Said]:
        """Yield what is to be sent by now."""
        while self._said:
            yield self._said.popleft()

    def pass_time(self) -> None:
        """Let a scene's time pass for those that are held back."""
        self._held_back = [(scenes - 1, said) for scenes, said in self._held_back]
        self._said.extend(said for scenes, said in self._held_back if scenes == 0)
        self._held_back = [(scenes, said) for scenes, said in self._held_back if scenes > 0]

    def end(self) -> None:
        """Send what was held back.

        Where loose messages have spent, the last message depends on all of them and has exactly what they
        have left: it is refused if anything was counted twice, and another, which has a cent more, is
        accepted if anything was not.
        """
        self._said.extend(said for _, said in self._held_back)
        if self._loose_spenders:
            root = self.settled[0]
            last = [(self._left[root], ACCEPTED), (self._left[root] + 1, "V8")]
            self.chance.shuffle(last)
            for cost, expected in last:
                self.say(self.text(self.name(), (root, *self._loose_spenders), cost=cost), expected)

    def settle(self, name: str, parents: Sequence[str], *, cost: int = 0, budget: int = 0) -> None:
        """Answer settled messages, and count what that costs; more than is left is refused (V8)."""
        text = self.text(name, parents, cost=cost, budget=budget)
        over = self._budgets_over(parents)
        if any(self._left[each] < cost for each in over) or 0 < budget < cost:
            self.say(text, "V8")
            self.refused.append(name)
            return
        for each in over:
            self._left[each] -= cost
        if budget:
            self._left[name] = budget - cost
            over |= {name}
        self._budgets[name] = over
        self.say(text, ACCEPTED)
        self.settled.append(name)
        # A repetition may overtake. It must not change for whom there is enough left.
        if self.is_rich or not cost:
            self.repeatable.append(text)

    def settle_unseen(self, name: str, parents: Sequence[str]) -> None:
        """Settle a message that only the next one may answer."""
        self.say(self.text(name, parents), ACCEPTED)
        self._budgets[name] = self._budgets_over(parents)

    def accept_some_time(
        self, name: str, parents: Sequence[str], *, anywhere: bool = False, after: int = 0
    ) -> None:
        """Answer messages that are accepted some time."""
        text = self.text(name, parents, cost=self.spend_loosely(name))
        self.say(text, ACCEPTED, anywhere=anywhere, after=after)
        self.loose.append(name)
        self.repeatable.append(text)

    def refuse(self, name: str, parents: Sequence[str], expected: str, *, broken: bool = False) -> None:
        """Say, anywhere, what is refused whenever it is judged."""
        self.say(self.text(name, parents, broken=broken), expected, anywhere=True)
        self.refused.append(name)

    def spend_loosely(self, name: str) -> int:
        """Return what a loose message costs, which is counted."""
        if not self.is_rich or self.chance.random() < 0.5:
            return 0
        cost = self.chance.randrange(1, 100)
        self._left[self.settled[0]] -= cost
        self._loose_spenders.append(name)
        return cost

    def some(self, names: Sequence[str]) -> list[str]:
        """Return the last of `names` and perhaps a few others, each once."""
        recent = names[-_RECENT:]
        others = self.chance.sample(recent, min(len(recent), self.chance.choice((0, 0, 0, 1, 2))))
        return list(dict.fromkeys([names[-1], *others]))

    def name(self) -> str:
        """Return a new id."""
        self._count += 1
        return f"m{self._count}"

    def text(
        self, name: str, parents: Sequence[str], *, cost: int = 0, budget: int = 0, broken: bool = False
    ) -> Text:
        """Write a message unlike any other; a `broken` one is against V6."""
        named = list(parents)
        # A message may well have dependencies and no parent.
        parent = named.pop(0) if named and self.chance.random() < 0.8 else None
        form = self.chance.choice(("{}", "@{}", "@{}#f1"))
        lines = [
            "@v 1",
            f"@id {name}",
            f"@sid {self._session}" if self._named_by == "@sid" else None,
            "@ts 2026-05-04T10:00:00Z",
            f"@p {parent}" if parent else None,
            f"@deps {','.join(form.format(each) for each in named)}" if named else None,
            f"@budget {_dollars(budget)}USD" if budget else None,
            "",
            f"#fact {CONTENT}={self.chance.randrange(10**12)} @rid=f1",
            f"#cost val={_dollars(cost)} cur=USD" if cost else None,
            "#fact again=1 @rid=F1" if broken else None,
            "",
        ]
        return Text(name, "\n".join(line for line in lines if line is not None).encode(), tuple(parents))

    def say(self, text: Text, expected: str, *, anywhere: bool = False, after: int = 0) -> None:
        """Send a message home or, now and then, `anywhere`; at once, or `after` so many scenes."""
        partition = None if self._named_by == "key" else self._home
        if anywhere and self.chance.random() < _WRONG_PARTITION:
            partition = self.chance.choice([each for each in range(PARTITIONS) if each != self._home])
        session = self._session.encode()
        key = {"key": session, "pairl-session": None, "@sid": b"some-agent"}[self._named_by]
        headers = (("pairl-session", session),) if self._named_by == "pairl-session" else ()
        sent = Sent(text.value, key, headers, partition)
        said = Said(sent, expected, self._session, text.id, text.parents, self._home)
        if after:
            self._held_back.append((after, said))
        else:
            self._said.append(said)

    def _budgets_over(self, parents: Sequence[str]) -> frozenset[str]:
        return frozenset[str]().union(*(self._budgets[parent] for parent in parents))


def _dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
