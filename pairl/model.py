"""The values a PAIRL message is made of once it has been read.

This module knows the shape of a message, its records and its columnar blocks. It does not know
how they are written (`pairl.parser`, `pairl.canonical`) or when they are valid (`pairl.rules`).
Values are frozen; whoever wants another message makes another one.
"""

from __future__ import annotations

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


class Message(msgspec.Struct, frozen=True):
    """A message that was read: its headers, its records in order, and what was odd about its text.

    `headers` maps names without `@` to values; of a header given twice the first counts.
    `size` is the number of bytes that arrived. `source` is their text with LF line ends: it is what
    line numbers count in.
    """

    headers: dict[str, str] = {}
    records: list[Record] = []
    blocks: list[ColumnarBlock] = []
    findings: list[Finding] = []
    source: str = ""
    size: int = 0

    @property
    def msg_id(self) -> str | None:
        """The value of `@id`, or of the legacy `@mid`; None where the message has neither."""
        return self.headers.get("id") or self.headers.get("mid")

    @property
    def errors(self) -> list[str]:
        """What the parser found wrong, a line each; `pairl.validate` says what it means for the message."""
        return [str(finding) for finding in self.findings if finding.code not in syntax.WARNINGS]
