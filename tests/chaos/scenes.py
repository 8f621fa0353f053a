"""What happens in conversations: messages that belong together, and what becomes of each.

Knows how a message must be judged, in strict mode, whenever it arrives and whatever goes wrong meanwhile.
Does not know how often a scene is played, or who sends its messages.
"""

from __future__ import annotations

from tests.chaos.conversations import ACCEPTED, NEVER, Conversation

_LONGEST_DELAY = 6
"""In scenes: how much later a late parent comes."""


def answer(talk: Conversation) -> None:
    """An answer to settled messages; it may spend, be refused for it, or have a budget of its own."""
    cost = talk.chance.randrange(1, 100) if talk.chance.random() < 0.4 else 0
    has_budget = not talk.is_rich and talk.chance.random() < 0.05
    budget = talk.chance.randrange(50, 300) if has_budget else 0
    talk.settle(talk.name(), talk.some(talk.settled), cost=cost, budget=budget)


def stray(talk: Conversation) -> None:
    """An answer to whatever is accepted some time."""
    talk.accept_some_time(talk.name(), talk.some([*talk.settled, *talk.loose]), anywhere=True)


def late_parent(talk: Conversation) -> None:
    """Children before their parent, in a chain, a fan or a mesh; all may be refused."""
    parent, is_refused = talk.name(), talk.chance.random() < 0.3
    family, children = [parent], []
    for _ in range(talk.chance.randint(1, 5)):
        name = talk.name()
        parents = talk.chance.sample(family, talk.chance.randint(1, min(3, len(family))))
        known = talk.some(talk.settled) if talk.chance.random() < 0.3 else []
        children.append(talk.text(name, parents + known, cost=0 if is_refused else talk.spend_loosely(name)))
        family.append(name)
    if talk.chance.random() < 0.5:
        children.reverse()
    for child in children:
        for _ in range(talk.chance.choice((1, 1, 1, 1, 2))):
            talk.say(child, "V4" if is_refused else ACCEPTED, anywhere=True)
    cost = 0 if is_refused else talk.spend_loosely(parent)
    late = talk.text(parent, talk.some(talk.settled), cost=cost, broken=is_refused)
    talk.say(late, "V6" if is_refused else ACCEPTED, anywhere=True, after=_delay(talk))
    (talk.refused if is_refused else talk.loose).extend(family)


def orphans(talk: Conversation) -> None:
    """A message whose parent never comes, and perhaps an answer to it: both wait in vain."""
    first = talk.name()
    talk.refuse(first, (NEVER + first,), "V4")
    if talk.chance.random() < 0.5:
        talk.refuse(talk.name(), (first,), "V4")


def repetition(talk: Conversation) -> None:
    """The same again, which may even overtake the first."""
    talk.say(talk.chance.choice(talk.repeatable), ACCEPTED, anywhere=True)


def conflict(talk: Conversation) -> None:
    """Another message under an id that was taken."""
    talk.say(talk.text(talk.chance.choice(talk.settled), ()), "SES")


def broken(talk: Conversation) -> None:
    """A message that need not wait for anything to be refused."""
    talk.refuse(talk.name(), talk.some([*talk.settled, *talk.loose]), "V6", broken=True)


def self_answer(talk: Conversation) -> None:
    """A message that answers itself."""
    name = talk.name()
    talk.refuse(name, (name,), "V7")


def circle(talk: Conversation) -> None:
    """Two messages that answer each other: the second closes the circle, and the first is left alone."""
    first, second = talk.name(), talk.name()
    talk.say(talk.text(first, (second,)), "V4")
    talk.say(talk.text(second, (first,)), "V7")


def answer_to_refused(talk: Conversation) -> None:
    """An answer to what was refused, or will be."""
    if talk.refused:
        talk.refuse(talk.name(), (talk.chance.choice(talk.refused), *talk.some(talk.settled)), "V4")


def correction(talk: Conversation) -> None:
    """A broken message, and the same mended: an answer that waited is lost, a later one is not."""
    name, early = talk.name(), talk.name()
    parents = talk.some(talk.settled)
    talk.say(talk.text(early, (name,)), "V4")
    talk.say(talk.text(name, parents, broken=True), "V6")
    talk.settle_unseen(name, parents)
    talk.settle(talk.name(), (name,))


def rivals(talk: Conversation) -> None:
    """Two that wait under one id for one parent: the first gets it."""
    name, parent = talk.name(), talk.name()
    talk.say(talk.text(name, (parent,)), ACCEPTED)
    talk.say(talk.text(name, (parent,)), "SES")
    talk.loose.append(name)
    talk.accept_some_time(parent, talk.some(talk.settled), anywhere=True, after=_delay(talk))


def usurper(talk: Conversation) -> None:
    """The id of a message that waits is taken by one that need not: waiting reserves nothing."""
    name, parent = talk.name(), talk.name()
    talk.say(talk.text(name, (parent,)), "SES")
    talk.settle(name, talk.some(talk.settled))
    talk.accept_some_time(parent, talk.some(talk.settled), after=_delay(talk))


def impostor(talk: Conversation) -> None:
    """A broken message under the id of one that waits: an answer goes on waiting for the other."""
    name, reply, parent = talk.name(), talk.name(), talk.name()
    talk.say(talk.text(name, (parent,)), ACCEPTED)
    talk.say(talk.text(reply, (name,)), ACCEPTED)
    talk.say(talk.text(name, (), broken=True), "V6")
    talk.loose += (name, reply)
    talk.accept_some_time(parent, talk.some(talk.settled), after=_delay(talk))


def _delay(talk: Conversation) -> int:
    return talk.chance.randint(0, _LONGEST_DELAY)
