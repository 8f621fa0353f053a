"""Maintained sessions: a body that grows with a conversation, and whose earlier bytes never change (§12b).

This module knows what may be appended to a body so that everything before it can stay as it was sent: the
legend, frozen when the session begins, and the records. What is new to the legend goes into an addendum
behind the body (§12a.4). It does not know who encodes the turns, or how a model is asked.

    >>> session = Session.begin("#u1\\n#fact port=8443 @rid=f1\\n").append("#a2\\nwrn{t=expiry}\\n")
    >>> session.body
    '#u1\\n#fact port=8443 @rid=f1\\n#a2\\nwrn{t=expiry}\\n'
    >>> print(session.addendum)
    Intent wrn warns
    Intent parameter t topic
    >>> print(session.append("#fact port=8444 @rid=f1\\n"))
    line 1: the record id `f1` is taken: ids are unique in the whole body
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from pairl import grammar
from pairl.body import read_body
from pairl.constructs import Uses, scan, split_tool_output
from pairl.diagnostics import Findings, excerpt
from pairl.headers import END_OF_MESSAGE
from pairl.legend import FullSpecification, Legend, explain, explain_more
from pairl.model import Body, Record
from pairl.text import BLANKS, encode, read_text
from pairl.vocabulary import KNOWN_HEADERS


class Reason(StrEnum):
    """Why an increment cannot be part of a body that only grows."""

    REPEATED_RID = "the record id `{word}` is taken: ids are unique in the whole body"
    STATE_TOKEN = "a maintained body carries no `#s`: send the state behind the body"  # noqa: S105  # no password
    END_OF_MESSAGE = "`---` ends the body: nothing could be appended to it"
    HEADERS = "`@{word}` is a header: a body has none, so leave the headers out"
    OPEN_TOOL_OUTPUT = "the tool output is not closed by `<<<`: it would swallow what is appended"


class Refusal(msgspec.Struct, frozen=True):
    """Why an increment was refused: the reason, the line in it (from 1), and the record id or header."""

    reason: Reason
    line: int
    word: str = ""

    def __str__(self) -> str:
        """Return one line that says what is wrong, and where."""
        return f"line {self.line}: {self.reason.format(word=excerpt(self.word, 40))}"


class _Increment(NamedTuple):
    """An increment that was read: whole lines, its constructs, and its record ids in lower case."""

    text: str
    uses: Uses
    rids: frozenset[str]


class Session(msgspec.Struct, frozen=True):
    """A maintained body and what explains it. To be delivered in this order: legend, body, addendum.

    `legend` is that of the first increment, for good; if that could not be explained it says so, and the
    full specification takes its place. `increments` are the body, cut where a provider's cache may find
    the beginning again. `later` are the constructs that the legend does not explain, with their lines in
    the body.
    """

    legend: Legend | FullSpecification
    increments: tuple[str, ...]
    later: Uses
    rids: frozenset[str]

    @classmethod
    def begin(cls, body: str) -> Session | Refusal:
        """Return a session whose first increment is `body`, records without headers (§12b)."""
        read = _read(body, frozenset())
        if isinstance(read, Refusal):
            return read
        return cls(explain(read.uses), (read.text,), {}, read.rids)

    @property
    def body(self) -> str:
        """The maintained body, in whole lines."""
        return "".join(self.increments)

    @property
    def addendum(self) -> str | FullSpecification | None:
        """What is to follow the body: nothing, explanations, or the full specification (§12a.4).

        To judge body and legend by V13, put the addendum in front of the legend.
        """
        if isinstance(self.legend, FullSpecification):
            return None
        return explain_more(self.later) or None

    def append(self, increment: str) -> Session | Refusal:
        """Return the session with `increment` at the end of its body; this one stays as it is (§12b).

        An increment that does not begin with `#` gets an empty line in front: a columnar block that is
        open above would take its first line for a row. An increment of nothing but white space changes
        nothing.
        """
        read = _read(increment, self.rids)
        if isinstance(read, Refusal):
            return read
        if not read.text.strip(BLANKS + "\n"):
            return self
        text = read.text if read.text.lstrip(BLANKS).startswith("#") else f"\n{read.text}"
        lines_above = sum(part.count("\n") for part in self.increments) + len(text) - len(read.text)
        later = dict(self.later)
        if isinstance(self.legend, Legend):
            for construct, line in read.uses.items():
                if construct not in self.legend.explains:
                    later.setdefault(construct, lines_above + line)
        return Session(self.legend, (*self.increments, text), later, self.rids | read.rids)


def _read(source: str, taken: frozenset[str]) -> _Increment | Refusal:
    """Read an increment beside record ids that are taken."""
    text = read_text(source, encode(source), Findings())
    if text and not text.endswith("\n"):
        text += "\n"
    begun = text.lstrip(BLANKS + "\n")
    header = grammar.HEADER.match(begun)
    if header is not None and header[1] in KNOWN_HEADERS:
        return Refusal(Reason.HEADERS, text.count("\n") - begun.count("\n") + 1, header[1])
    read_records, blocks = read_body(text, 0, 1, Findings(), text.count("\n") + 1)
    records, is_open = split_tool_output(read_records)
    rids = set(taken)
    for record in records:
        refusal = _refusal(record, rids)
        if refusal is not None:
            return refusal
    if is_open:
        return Refusal(Reason.OPEN_TOOL_OUTPUT, read_records[-1].line)
    end = text.rstrip(BLANKS + "\n")
    if end.rpartition("\n")[2].lstrip(BLANKS) == END_OF_MESSAGE:
        return Refusal(Reason.END_OF_MESSAGE, end.count("\n") + 1)
    return _Increment(text, scan(Body(read_records, blocks)), frozenset(rids - taken))


def _refusal(record: Record, rids: set[str]) -> Refusal | None:
    """Return why a record cannot be appended; else add its id to `rids`."""
    if record.kind == "s":
        return Refusal(Reason.STATE_TOKEN, record.line)
    if record.kind == "unknown" and record.raw == END_OF_MESSAGE:
        return Refusal(Reason.END_OF_MESSAGE, record.line)
    if record.rid is not None:
        rid = record.rid.lower()
        if rid in rids:
            return Refusal(Reason.REPEATED_RID, record.line, record.rid)
        rids.add(rid)
    return None
