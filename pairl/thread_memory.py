"""A thread that is kept in memory: which messages it has, who waits for whom, where each one stands.

This module knows the messages of a thread, and places a new one among them. It does not judge: whoever adds
a message says what became of it. How budgets add up is known to `pairl.accounts`.

    >>> import pairl
    >>> thread = Thread()
    >>> message = pairl.parse("@v 1\\n@id m1\\n@ts 2026-01-01T00:00:00Z\\n\\nack\\n")
    >>> report = pairl.validate(message, thread=thread)
    >>> thread.add(message, Status.ACCEPTED if report.valid else Status.REJECTED)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from pairl.accounts import Accounts
from pairl.budget import Tally, read_budget
from pairl.canonical import compute_hash
from pairl.contents import costs_of, quotas_of, rids_of
from pairl.model import Message
from pairl.thread import Status, ThreadNode, message_id, parent_id, parent_ids


class Thread:
    """The messages of one thread. Implements `pairl.thread.ThreadView`."""

    def __init__(self, name: Callable[[str], str] = str) -> None:
        """Start without messages. `name` makes of a message's id the one under which it is kept."""
        self._name = name
        self._nodes: dict[str, ThreadNode] = {}
        self._awaited: set[str] = set()
        self._accounts = Accounts()

    def __len__(self) -> int:
        """Return how many messages were added, however they were judged."""
        return len(self._nodes)

    def nodes(self) -> Iterator[ThreadNode]:
        """Return the messages in the order in which they were added.

        A thread to which they are added in this order is the same thread.
        """
        return iter(self._nodes.values())

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id, or None if it was not added."""
        return self._nodes.get(self._name(message_id))

    def is_awaited(self, message_id: str) -> bool:
        """Say whether an added message named this id before there was an accepted message with it."""
        return self._name(message_id) in self._awaited

    def is_elsewhere(self, session: str, message_id: str) -> None:
        """Return None: a thread knows no other."""

    def budgets_over(self, message: Message) -> tuple[Tally, ...]:
        """Return the budgets that `message` would come under; none where it was accepted before.

        Linear in the budgets, and in the messages that waited for this one.
        """
        own_id = self._name(message_id(message) or "")
        if not own_id or self._accepted(own_id) is not None:
            return ()
        parents = map(self._name, parent_ids(message))
        return self._accounts.tallies(own_id, parents, read_budget(message))

    def has_room(self, message: Message, costs: Mapping[str, Decimal]) -> bool:
        """Say whether `costs` fit into all budgets that `message` would come under; False if in doubt."""
        own_id = self._name(message_id(message) or "")
        return self._accounts.has_room(own_id, map(self._name, parent_ids(message)), costs)

    def add(self, message: Message, status: Status = Status.ACCEPTED) -> None:
        """Take in a message that was judged.

        A message without an id is left out, and so is one whose id an accepted message has. A rejected
        one spends nothing and is nobody's parent; another may be accepted under its id.

        Raises:
            ValueError: `status` is neither a `Status` nor the text of one.

        """
        status = Status(status)
        digest = compute_hash(message) if status is Status.ACCEPTED else ""
        self.add_node(self.node_for(message, status, digest))

    def node_for(self, message: Message, status: Status, digest: str) -> ThreadNode:
        """Return what the thread knows of a message if it is added now; one without an id has an empty id.

        `digest` is its hash, in so far as it can have one.
        """
        name = self._name
        own_id = name(message_id(message) or "")
        parents = tuple([name(parent) for parent in parent_ids(message)])
        parent = parent_id(message)
        root: str | None = own_id
        depth = 0
        is_whole = True
        for each in parents:
            above = self._accepted(each)
            if above is None:
                is_whole = False
            else:
                is_whole = is_whole and above.is_whole
                depth = max(depth, above.depth + 1)
        if parent != "":
            parent = parent and name(parent)
            answered = self._accepted(parent) if parent else None
            root = answered.root if answered is not None else None
        if status is not Status.ACCEPTED:
            return ThreadNode(own_id, status, digest, parents, parent, root, depth, is_whole=is_whole)
        return ThreadNode(
            own_id,
            status,
            digest,
            parents,
            parent,
            root,
            depth,
            rids_of(message),
            costs_of(message),
            read_budget(message),
            quotas_of(message),
            is_whole,
        )

    def add_node(self, node: ThreadNode) -> bool:
        """Take in a message that was placed; return False, and change nothing, if it has no place.

        It has none without an id, or where an accepted message has its id. Any other is replaced.
        """
        own_id = node.id
        if not own_id or self._accepted(own_id) is not None:
            return False
        # It takes its place behind those that were added before it.
        self._nodes.pop(own_id, None)
        self._nodes[own_id] = node
        if node.status is Status.REJECTED:
            return True
        missing = [name for name in node.parents if name != own_id and self._accepted(name) is None]
        self._awaited.update(missing)
        if node.status is Status.ACCEPTED:
            self._accounts.add(node, is_early=bool(missing))
        return True

    def _accepted(self, name: str) -> ThreadNode | None:
        node = self._nodes.get(name)
        return node if node is not None and node.status is Status.ACCEPTED else None
