"""Endless traffic: many conversations at once, and messages that belong to none.

Knows how often each scene is played, and numbers what is sent. Does not know when it is sent.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from tests.chaos import scenes
from tests.chaos.conversations import ACCEPTED, Conversation, Said
from tests.integration.bus import PARTITIONS, Sent, message

NUMBER = "storm-number"
"""The header by which a message is recognised in what comes out: its place in the traffic."""

Scenes = dict[Callable[[Conversation], None], int]

SCENES: Scenes = {
    scenes.answer: 45,
    scenes.stray: 12,
    scenes.late_parent: 6,
    scenes.orphans: 2,
    scenes.repetition: 6,
    scenes.conflict: 3,
    scenes.broken: 5,
    scenes.self_answer: 1,
    scenes.circle: 1,
    scenes.answer_to_refused: 5,
    scenes.correction: 2,
    scenes.rivals: 2,
    scenes.usurper: 2,
    scenes.impostor: 2,
}
"""How often each scene is played."""

_SHORTEST, _LONGEST = 8, 70
_WITHOUT_SESSION = 0.01


class Traffic:
    """The messages of many conversations, in the order of sending. Each begins and ends some time."""

    def __init__(self, seed: int, at_once: int, orphans_until: int, weights: Scenes = SCENES) -> None:
        """Keep `at_once` conversations going.

        Orphans are only among the first `orphans_until` messages, since each is waited for at the end.
        """
        self.said: list[Said] = []
        self._chance = random.Random(seed)
        self._orphans_until = orphans_until
        self._weights = weights
        self._begun = 0
        self._is_ending = False
        self._open = [self._conversation() for _ in range(at_once)]

    def next(self) -> Said:
        """Return the next message."""
        if self._chance.random() < _WITHOUT_SESSION:
            return self._number(self._alone())
        while True:
            place = self._chance.randrange(len(self._open))
            for said in self._open[place]:
                return self._number(said)
            self._open[place] = self._conversation()

    def rest(self) -> Iterator[Said]:
        """Yield what the conversations still need so that every verdict is certain."""
        self._is_ending = True
        for conversation in self._open:
            for said in conversation:
                yield self._number(said)

    def _conversation(self) -> Iterator[Said]:
        self._begun += 1
        talk = Conversation(self._begun, self._chance)
        names, weights = list(self._weights), list(self._weights.values())
        for _ in range(self._chance.randint(_SHORTEST, _LONGEST)):
            yield from talk.take()
            if self._is_ending:
                break
            talk.pass_time()
            [play] = self._chance.choices(names, weights)
            if play is not scenes.orphans or len(self.said) < self._orphans_until:
                play(talk)
        talk.end()
        yield from talk.take()

    def _alone(self) -> Said:
        """Return a message without session: nobody can say whether there is what it answers."""
        number = len(self.said)
        value = message(f"s{number}", self._chance.choice((None, "m1")), number)
        return Said(Sent(value, partition=self._chance.randrange(PARTITIONS)), ACCEPTED)

    def _number(self, said: Said) -> Said:
        header = (NUMBER, str(len(self.said)).encode())
        said = replace(said, sent=replace(said.sent, headers=(*said.sent.headers, header)))
        self.said.append(said)
        return said
