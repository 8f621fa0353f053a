"""What a rule is shown, and what a rule is.

This module knows the frame in which rules work: a message with its records sorted by kind, the
policy, and the thread, legend and source if they are there. It does not know any rule;
`pairl.rules` lists them.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cached_property

import msgspec

from pairl.diagnostics import Check, Finding, Findings, make_edit
from pairl.grammar import quote
from pairl.model import Message, Record
from pairl.parser import MAX_BYTES, MAX_RECORDS
from pairl.quotation import SourceTurn
from pairl.text import BLANKS
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

    def __init__(
        self,
        message: Message,
        policy: Policy,
        thread: ThreadView | None = None,
        legend: str | None = None,
        source: Sequence[SourceTurn] | None = None,
    ) -> None:
        """Look at `message` under `policy`, and at its thread, legend and source if they are there."""
        self.message = message
        self.headers = message.headers
        self.policy = policy
        self.thread = thread
        self.legend = legend
        self.source = source
        self._found: dict[str, int] = {}

    @cached_property
    def by_kind(self) -> dict[str, list[Record]]:
        """The records, sorted by kind; each kind in the order of the message."""
        by_kind: dict[str, list[Record]] = {}
        for record in self.message.body.records:
            kind = record.kind
            if kind in by_kind:
                by_kind[kind].append(record)
            else:
                by_kind[kind] = [record]
        return by_kind

    def of_kind(self, kind: str) -> Sequence[Record]:
        """Return the records of this kind, in the order of the message."""
        return self.by_kind.get(kind, ())

    def demands(self, name: str) -> bool:
        """Say whether the message carries `#rule <name>=true` (§5.4)."""
        return any(record.kv.get(name) == "true" for record in self.of_kind("rule"))

    @cached_property
    def _lines(self) -> list[str]:
        return self.message.source.split("\n")

    def _place(self, number: int, word: str = "", start: int = 0) -> tuple[int, int, int]:
        """Return line, column and length of `word` in line `number`, or of the whole line.

        What stands before index `start` of the line is not searched.
        """
        if not 0 < number <= len(self._lines):
            return 0, 0, 0
        line = self._lines[number - 1]
        found = line.find(word, start) if word else -1
        key, equals, value = word.partition("=")
        if found < 0 and equals:
            word = f'{key}="{quote(value)}"'
            found = line.find(word, start)
        if found < 0:
            word = line.strip(BLANKS)
            found = line.find(word)
        return number, found + 1, max(1, len(word))

    def _header_place(self, name: str, word: str) -> tuple[int, int, int]:
        """Return line, column and length of `word`, the name of the header `name` or a part of its value."""
        for number, line in enumerate(self._lines, 1):
            text = line.lstrip(BLANKS)
            if text.startswith(f"@{name} "):
                start = len(line) - len(text)
                return self._place(number, word, start if word == f"@{name}" else start + len(name) + 1)
        return 0, 0, 0

    def line_of_keys(self, record: Record) -> int:
        """Return the line that names a record's keys: for a row that is the header of its block."""
        if not record.from_columnar:
            return record.line
        return self._block_lines[bisect_left(self._block_lines, record.line) - 1]

    @cached_property
    def _block_lines(self) -> list[int]:
        return [block.line for block in self.message.body.blocks]

    def lists(self, code: str) -> bool:
        """Say whether another finding of this code would be listed: if not, good advice is wasted."""
        return self._found.get(code, 0) < Findings.LISTED

    def finding(
        self,
        code: str,
        message: str,
        at: Record | int | str | None = None,
        word: str = "",
        advice: str | None = None,
        *,
        demanded: bool = False,
        instead: str | None = None,
        safe: bool = False,
    ) -> Finding:
        """Return a finding about `word` in a record's or a numbered line, or in the value of a named header.

        Without `at` it is about the message as a whole. Without `word`, or where it is not found, the
        whole line is underlined. Findings that will not be listed, because there are too many of their
        code, get no place: to look for it each time would not be linear. `instead` is what to write for
        `word`; it becomes an edit, `safe` or not, where the word stands as it is.
        """
        count = self._found[code] = self._found.get(code, 0) + 1
        if count > Findings.LISTED:
            return Finding(code, message, demanded=demanded)
        if at is None:
            return Finding(code, message, help=advice, demanded=demanded)
        if isinstance(at, str):
            place = self._header_place(at, word)
        else:
            place = self._place(at if isinstance(at, int) else at.line, word)
        edit = None
        if instead is not None and self._stands_at(word, place):
            edit = make_edit(*place, instead, safe=safe)
        return Finding(code, message, *place, advice, demanded, edit)

    def _stands_at(self, word: str, place: tuple[int, int, int]) -> bool:
        """Say whether `word` is what stands at a place, and no part of a longer word."""
        number, column, length = place
        if not number or not word or length != len(word):
            return False
        line, start, end = self._lines[number - 1], column - 1, column - 1 + length
        return (
            line[start:end] == word
            and (start == 0 or not _goes_on(line[start - 1]))
            and (end == len(line) or not _goes_on(line[end]))
        )


def _goes_on(character: str) -> bool:
    """Say whether a word goes on with this character."""
    return character.isalnum() or character == "_"


Evaluate = Callable[[Evidence], Iterable[Finding]]


class Needs(StrEnum):
    """What a rule needs beside the message to be evaluated at all."""

    NOTHING = "nothing"
    THREAD = "the thread"
    LEGEND = "the legend that came with the body"
    SOURCE = "the turns that the body quotes"


class Rule(msgspec.Struct, frozen=True):
    """A rule: its code, what it is called, where it comes from, what it needs, and its checks.

    `triggers` are the kinds of record (`ret`) and headers (`@budget`) without which there is
    nothing to evaluate; empty means that every message is looked at. `evaluate_plain` is what is left of
    the rule where the records are known to be without fault (`pairl.plain`): it looks at headers, and at
    what came with the message.
    """

    code: str
    name: str
    section: str
    checks: tuple[Check, ...]
    evaluate: Evaluate
    triggers: frozenset[str] = frozenset()
    needs: Needs = Needs.NOTHING
    evaluate_plain: Evaluate | None = None

    @property
    def explanation(self) -> str:
        """What the rule checks, why, an example and what to write instead: its module's docstring."""
        return sys.modules[self.evaluate.__module__].__doc__ or ""
