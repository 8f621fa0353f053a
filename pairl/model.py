"""The values a PAIRL message is made of once it has been read.

This module knows the shape of a message, its records and its columnar blocks. It does not know
how they are written (`pairl.parser`, `pairl.canonical`) or when they are valid (`pairl.rules`).
Values are frozen; whoever wants another message makes another one.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

import msgspec

from pairl import syntax
from pairl.diagnostics import Finding


class Record(msgspec.Struct, frozen=True, gc=False):
    """One record of a body: a line, or a row of a columnar block expanded to a record (§3, §9.4a).

    `kind` is the tag without `#`, or `intent`, `marker`, `s` (state token) or `unknown` (a line
    that is no record). `name` is the intent's name, the marker's turn id, or the tag again.
    `role` and `parent` belong to markers (§3.3), `arg` to the state token (§7.5).
    `raw` is the line as it came, without the white space around it; `line` counts from 1.
    `malformed` says that `raw` holds something that the other fields cannot carry; a record of kind
    `unknown` is always one.
    """

    # A record holds strings and a dict of strings: nothing that could lead back to it, and so nothing
    # for the garbage collector, which would otherwise look at every record of every message.
    kind: str
    name: str | None = None
    kv: dict[str, str] = {}
    rid: str | None = None
    m: str | None = None
    raw: str = ""
    line: int = 0
    from_columnar: bool = False
    role: str | None = None
    parent: str | None = None
    arg: str | None = None
    malformed: bool = False


class ColumnarBlock(msgspec.Struct, frozen=True):
    """A columnar block as it was written (§3.4): its type, its columns, and its rows' fields.

    A field is (value, whether it was quoted). The rows also stand in `Message.records`, expanded.
    """

    rtype: str
    columns: list[str]
    rows: list[list[tuple[str, bool]]]
    raw_header: str = ""
    line: int = 0


class Body(msgspec.Struct, frozen=True):
    """What was read of a message beside its headers: records, blocks, and what was odd about the text."""

    records: list[Record] = []
    blocks: list[ColumnarBlock] = []
    findings: list[Finding] = []


class Unread(NamedTuple):
    """A body that is still to be read: how, where it starts, how many records it may have.

    `is_odd` says that something odd was found already, before the body.
    """

    read: Callable[[], Body] | None
    start: int
    is_odd: bool
    most_records: int


class Message:
    """A message that was read: its headers, its records in order, and what was odd about its text.

    `headers` maps names without `@` to values; of a header given twice the first counts.
    `size` is the number of bytes that arrived. `source` is their text with LF line ends: it is what
    line numbers count in; the body begins at offset `body_start`.

    The body is read when it is first asked for. As long as nobody outside this package has asked,
    nobody can have changed it, and `source` may stand for it (`is_whole`).
    """

    __slots__ = (
        "_body",
        "_is_read_to_the_end",
        "_read",
        "_shown",
        "body_start",
        "headers",
        "is_odd",
        "known_canonical_body",
        "known_costs",
        "known_plainness",
        "known_rids",
        "known_spending",
        "most_records",
        "size",
        "source",
    )

    _body: Body | None
    _is_read_to_the_end: bool | None
    _read: Callable[[], Body] | None
    _shown: bool
    headers: dict[str, str]
    source: str
    size: int
    body_start: int
    known_canonical_body: str | None
    known_costs: dict[str, Decimal] | None
    known_plainness: bool | None
    known_rids: str | None
    known_spending: dict[str, Decimal] | None
    is_odd: bool
    most_records: int

    def __init__(
        self,
        headers: dict[str, str] | None = None,
        records: list[Record] | None = None,
        blocks: list[ColumnarBlock] | None = None,
        findings: list[Finding] | None = None,
        source: str = "",
        size: int = 0,
        *,
        unread: Unread | None = None,
    ) -> None:
        """Make a message by hand, from what `pairl.parse` would have read; `unread` is the parser's."""
        put = object.__setattr__
        put(self, "headers", {} if headers is None else headers)
        put(self, "source", source)
        put(self, "size", size)
        if unread is None:
            put(self, "_body", Body(records or [], blocks or [], findings or []))
            unread = Unread(None, len(source), True, len(records or []))
        else:
            put(self, "_body", None)
        put(self, "_read", unread.read)
        put(self, "_shown", unread.read is None)
        put(self, "known_canonical_body", None)
        put(self, "known_costs", None)
        put(self, "known_plainness", None)
        put(self, "known_rids", None)
        put(self, "known_spending", None)
        put(self, "_is_read_to_the_end", None)
        put(self, "body_start", unread.start)
        put(self, "is_odd", unread.is_odd)
        put(self, "most_records", unread.most_records)

    def remember(self, what: str, value: object) -> None:
        """Keep what was found out about the body as it was read, as `known_<what>`, for whoever asks next."""
        object.__setattr__(self, f"known_{what}", value)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a message is a value."""
        raise AttributeError(f"a Message is a value; make another one instead of changing `{name}`")

    @property
    def body(self) -> Body:
        """The body, for readers in this package, who do not change it."""
        if self._body is None and self._read is not None:
            object.__setattr__(self, "_body", self._read())
        return self._body or Body()

    @property
    def is_whole(self) -> bool:
        """Whether `source` is the message: nobody has its records, nothing was odd, or too long to read."""
        if self._shown or self.is_odd:
            return False
        known = self._is_read_to_the_end
        if known is None:
            known = self.source.count("\n", self.body_start) < self.most_records
            object.__setattr__(self, "_is_read_to_the_end", known)
        return known

    @property
    def records(self) -> list[Record]:
        """The records, in order."""
        object.__setattr__(self, "_shown", True)
        return self.body.records

    @property
    def blocks(self) -> list[ColumnarBlock]:
        """The columnar blocks, as they were written."""
        return self.body.blocks

    @property
    def findings(self) -> list[Finding]:
        """What was found while reading."""
        return self.body.findings

    @property
    def msg_id(self) -> str | None:
        """The value of `@id`, or of the legacy `@mid`; None where the message has neither."""
        return self.headers.get("id") or self.headers.get("mid")

    @property
    def errors(self) -> list[str]:
        """What the parser found wrong, a line each; `pairl.validate` says what it means for the message."""
        return [str(finding) for finding in self.findings if finding.code not in syntax.WARNINGS]

    def __eq__(self, other: object) -> bool:
        """Say whether two messages have the same headers and bodies."""
        if not isinstance(other, Message):
            return NotImplemented
        return self.headers == other.headers and self.body == other.body

    __hash__ = None  # type: ignore[assignment]  # headers and records are a dict and a list

    def __repr__(self) -> str:
        """Return what the message was made of."""
        return f"Message(headers={self.headers!r}, records={self.body.records!r}, findings={self.findings!r})"
