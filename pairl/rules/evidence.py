"""What a rule is shown, and what a rule is.

This module knows the frame in which rules work: a message with its records sorted by kind, the
policy, and the thread if there is one. It does not know any rule; `pairl.rules` lists them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cached_property

import msgspec

from pairl.diagnostics import Check, Finding
from pairl.model import Message, Record
from pairl.parser import MAX_BYTES, MAX_RECORDS
from pairl.thread import ThreadView


class Policy(msgspec.Struct, frozen=True):
    """How strictly messages are judged: the mode, demands beyond the messages' own, and limits.

    `no_new_facts` asks for V1 of every message as if it carried `#rule no_new_facts=true`.
    `max_bytes` and `max_records` are the limits of one message.
    """

    strict: bool = True
    no_new_facts: bool = False
    max_bytes: int = MAX_BYTES
    max_records: int = MAX_RECORDS


class Evidence:
    """A message as a rule looks at it."""

    def __init__(self, message: Message, policy: Policy, thread: ThreadView | None = None) -> None:
        """Sort the records of `message` by kind."""
        self.message = message
        self.headers = message.headers
        self.policy = policy
        self.thread = thread
        self.by_kind: dict[str, list[Record]] = {}
        by_kind = self.by_kind
        for record in message.records:
            if record.kind in by_kind:
                by_kind[record.kind].append(record)
            else:
                by_kind[record.kind] = [record]

    def of_kind(self, *kinds: str) -> list[Record]:
        """Return the records of these kinds; of several kinds, in the order of the message."""
        if len(kinds) == 1:
            return self.by_kind.get(kinds[0], [])
        return [record for record in self.message.records if record.kind in kinds]

    def demands(self, name: str) -> bool:
        """Say whether the message carries `#rule <name>=true` (§5.4)."""
        return any(record.kv.get(name) == "true" for record in self.of_kind("rule"))

    @cached_property
    def _lines(self) -> list[str]:
        return self.message.source.split("\n")

    def place(self, number: int, word: str = "") -> tuple[int, int, int]:
        """Return line, column and length of `word` in line `number`, or of the whole line."""
        if not 0 < number <= len(self._lines):
            return 0, 0, 0
        line = self._lines[number - 1]
        start = line.find(word) if word else -1
        if start < 0:
            word = line.strip(" \t")
            start = line.find(word)
        return number, start + 1, max(1, len(word))

    def finding(
        self,
        code: str,
        message: str,
        at: Record | str | None = None,
        word: str = "",
        advice: str | None = None,
        *,
        demanded: bool = False,
    ) -> Finding:
        """Return a finding about `word` in a record's line or, if `at` is a name, in a header's line.

        Without `word`, or where the line does not hold it, the whole line is underlined.
        """
        number = at.line if isinstance(at, Record) else self.message.header_lines.get(at or "", 0)
        return Finding(code, message, *self.place(number, word), advice, demanded)


class Needs(StrEnum):
    """What a rule needs beside the message to be evaluated at all."""

    NOTHING = "nothing"
    THREAD = "the thread"


class Rule(msgspec.Struct, frozen=True):
    """A rule: its code, what it is called, where it comes from, what it needs, and its checks.

    `triggers` are the kinds of record (`#ret`) and headers (`@budget`) without which there is
    nothing to evaluate; empty means that every message is looked at.
    """

    code: str
    name: str
    section: str
    checks: tuple[Check, ...]
    evaluate: Callable[[Evidence], Iterable[Finding]]
    triggers: frozenset[str] = frozenset()
    needs: Needs = Needs.NOTHING

    @property
    def explanation(self) -> str:
        """What the rule checks, why, an example and what to write instead: its module's docstring."""
        return sys.modules[self.evaluate.__module__].__doc__ or ""
