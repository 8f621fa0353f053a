"""Texts and verdicts in the short form in which the tests of the protocol are written.

Knows how to wrap a body into a message that is otherwise right, and how a report reads in both modes. Does
not know any rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from pairl import Message, Record, Severity, parse, validate
from pairl.rules import RULES, Needs
from pairl.thread import Status, ThreadNode, ThreadView

HEADERS = "@v 1\n@id m7\n@ts 2026-04-02T08:15:00.250+02:00\n"

Weights = tuple[Severity, Severity]

ERROR: Weights = (Severity.ERROR, Severity.ERROR)
STRICT_ERROR: Weights = (Severity.ERROR, Severity.WARNING)
WARNING: Weights = (Severity.WARNING, Severity.WARNING)


def with_body(body: str, more_headers: str = "") -> str:
    """Return a message with this body, valid headers, and further ones."""
    return f"{HEADERS}{more_headers}\n{body}\n"


def read_record(line: str) -> Record:
    """Return the one record of a message whose body is this line."""
    (record,) = parse(with_body(line)).records
    return record


def with_headers(headers: str) -> str:
    """Return a message with just these headers and a valid body."""
    return f"{headers}\n#fact answer=42\n"


def weights(source: str | bytes, thread: ThreadView | None = None) -> dict[str, Weights]:
    """Return for each code that is reported what it weighs in strict and in loose mode."""
    message = parse(source)
    strict = {found.code: found.severity for found in validate(message, True, thread=thread).diagnostics}
    loose = {found.code: found.severity for found in validate(message, False, thread=thread).diagnostics}
    assert strict.keys() == loose.keys()
    return {code: (severity, loose[code]) for code, severity in strict.items()}


def place(source: str | bytes, code: str) -> tuple[int, int, int]:
    """Return line, column and length of the one diagnostic with this code."""
    (found,) = [found for found in validate(parse(source), True).diagnostics if found.code == code]
    return found.line, found.column, found.length


def needing(*evidence: Needs) -> tuple[str, ...]:
    """Return the codes of the rules that cannot be evaluated without this evidence."""
    return tuple(rule.code for rule in RULES if rule.needs in evidence)


class DictThread:
    """A thread of which only nodes are known: a view that cannot tell more is not asked to guess."""

    def __init__(self, *nodes: ThreadNode) -> None:
        self.nodes = {node.id: node for node in nodes}

    def node(self, message_id: str) -> ThreadNode | None:
        """Return the message with this id."""
        return self.nodes.get(message_id)

    def is_awaited(self, message_id: str) -> bool:
        """Say whether an accepted message names this id."""
        return any(
            message_id in node.parents for node in self.nodes.values() if node.status is Status.ACCEPTED
        )

    def budgets_over(self, message: Message) -> None:
        """Say nothing of budgets: what was spent is not kept."""

    def has_room(self, message: Message, costs: Mapping[str, Decimal]) -> bool:  # noqa: ARG002  # nothing is known
        """Leave it to a closer look."""
        return False

    def is_elsewhere(self, session: str, message_id: str) -> None:
        """Say nothing of other sessions: they are not known."""


def accepted(name: str, *parents: str, digest: str = "") -> ThreadNode:
    """Return an accepted message of a thread."""
    return ThreadNode(name, Status.ACCEPTED, digest, parents)


def rejected(name: str, *parents: str) -> ThreadNode:
    """Return a rejected message of a thread."""
    return ThreadNode(name, Status.REJECTED, "", parents)
