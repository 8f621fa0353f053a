"""Writes messages from typed values, for agents' authors who would rather not quote by hand.

This module knows what the format can carry: what it returns reads back as the values that were given, and
has no fault of syntax. It does not know the rules: whether a `#ret` answers a call or costs are within
their budget is for `pairl.validate` to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Self

from pairl import grammar
from pairl.body_writer import BodyWriter
from pairl.canonical import canonicalize, hash_ref
from pairl.model import Message
from pairl.parser import MAX_BYTES, parse
from pairl.values import CannotWrite, Value, refuse_unless, refuse_unless_bool, write_value
from pairl.vocabulary import CONDENSED

Amount = tuple[int | float | Decimal, str]
"""A number and its unit: `(Decimal("0.50"), "USD")`."""

_WORD = re.compile(r"[^ \t,]++")


class MessageBuilder(BodyWriter):
    """A message that is being written: headers first, then a call for each record, in order.

        >>> from datetime import UTC, datetime
        >>> from decimal import Decimal
        >>> builder = MessageBuilder(id="m1", ts=datetime(2026, 2, 5, 9, 30, tzinfo=UTC))
        >>> print(builder.fact(title="Say \\"hi\\"", rid="f1").cost(Decimal("0.02"), "USD").text(), end="")
        @v 1
        @id m1
        @ts 2026-02-05T09:30:00Z
        <BLANKLINE>
        #fact title="Say \\"hi\\"" @rid=f1
        #cost val=0.02 cur=USD

    Every method for a record takes `rid`, the record's id in the message, and `turn`, the id of the turn
    that it belongs to where that is not the turn above it (`@m=`). None is refused where it is no default.
    All raise `CannotWrite` for what the format cannot carry, and then leave the message as it was.
    """

    def __init__(
        self,
        *,
        id: str,  # noqa: A002  # the header's own name
        ts: datetime,
        sid: str | None = None,
        root: str | None = None,
        p: str | None = None,
        deps: Iterable[str] = (),
        budget: Amount | None = None,
        limit: tuple[int, str] | None = None,
    ) -> None:
        """Begin a message with these headers (§2).

        Args:
            id: the message's id in its thread, one word such as `m1`.
            ts: when it was made, with an offset from UTC.
            sid: the session, `ref:sess:` and a ULID.
            root: the thread's first message, where it is not `p`.
            p: the message that this one answers.
            deps: further messages that it builds on.
            budget: at most this much may be spent, such as `(Decimal("0.50"), "USD")`.
            limit: at most this much may be used, such as `(5000, "t")`.

        Raises:
            CannotWrite: a header cannot be written so (§2, §8).

        """
        words = {"id": id, "sid": sid, "root": root, "p": p}
        headers = {"v": "1"}
        headers |= {name: _word(word, f"@{name}") for name, word in words.items() if word is not None}
        headers["ts"] = write_value(_time(ts), "@ts", "")
        listed = [_word(entry, "@deps") for entry in _list(deps)]
        if listed:
            headers["deps"] = ",".join(listed)
        if budget is not None:
            headers["budget"] = _amount(budget, "@budget", grammar.BUDGET, "such as `0.50USD`")
        if limit is not None:
            headers["limit"] = _amount(limit, "@limit", grammar.LIMIT, "a whole number and letters: `5000t`")
        super().__init__()
        self._headers = headers

    def fact(self, *, rid: str | None = None, turn: str | None = None, **facts: Value) -> Self:
        """Add what must be kept exactly: `#fact` (§5.1). A key has at most 32 characters."""
        return self.record("fact", facts, rid=rid, turn=turn)

    def ref(self, *, rid: str | None = None, turn: str | None = None, **references: str) -> Self:
        """Add pointers to what is kept elsewhere, `ref:…` or `@m1#f1`: `#ref` (§5.2)."""
        return self.record("ref", references, rid=rid, turn=turn)

    def evid(
        self,
        claim: str,
        src: str,
        conf: float | Decimal,
        *,
        rid: str | None = None,
        turn: str | None = None,
    ) -> Self:
        """Add a claim, who makes it, and how sure that is, from 0 to 1: `#evid` (§5.3)."""
        return self.record("evid", {"claim": claim, "src": src, "conf": conf}, rid=rid, turn=turn)

    def rule(self, *, rid: str | None = None, turn: str | None = None, **rules: Value) -> Self:
        """Add constraints for whoever reads the message: `#rule` (§5.4)."""
        return self.record("rule", rules, rid=rid, turn=turn)

    def cost(
        self,
        val: float | Decimal,
        cur: str,
        *,
        model: str | None = None,
        note: str | None = None,
        rid: str | None = None,
        turn: str | None = None,
    ) -> Self:
        """Add what something cost, in a currency or another unit: `#cost` (§6.1)."""
        fields = {"val": val, "cur": cur, **_given(model=model, note=note)}
        return self.record("cost", fields, rid=rid, turn=turn)

    def quota(
        self,
        type: str,  # noqa: A002  # the key's own name
        total: float | Decimal,
        *,
        used: float | Decimal | None = None,
        rem: float | Decimal | None = None,
        rid: str | None = None,
        turn: str | None = None,
    ) -> Self:
        """Add what there is of a resource, what is used and what remains: `#quota` (§6.2)."""
        fields = {"type": type, "total": total, **_given(used=used, rem=rem)}
        return self.record("quota", fields, rid=rid, turn=turn)

    def call(
        self, tool: str, /, *, rid: str | None = None, turn: str | None = None, **parameters: Value
    ) -> Self:
        """Add that a tool was called: `#call` (§7.1). What it returned names the call by its `rid`."""
        return self.record("call", _joined("#call", {"tool": tool}, parameters), rid=rid, turn=turn)

    def ret(
        self, call: str, /, *, ok: bool, rid: str | None = None, turn: str | None = None, **results: Value
    ) -> Self:
        """Add what the call with this `rid` returned, and whether it went well: `#ret` (§7.2)."""
        refuse_unless_bool(ok, "#ret", "ok")
        fields = _joined("#ret", {"call": call, "status": "ok" if ok else "err"}, results)
        return self.record("ret", fields, rid=rid, turn=turn)

    def think(self, summary: str, *, rid: str | None = None, turn: str | None = None) -> Self:
        """Add what was concluded: `#think` (§7.3)."""
        return self.record("think", {"summary": summary}, rid=rid, turn=turn)

    def edit(
        self,
        file: str,
        changes: int,
        summary: str | None = None,
        *,
        rid: str | None = None,
        turn: str | None = None,
    ) -> Self:
        """Add that a file was edited, and how many times: `#edit` (§7.4)."""
        fields = {"file": file, "changes": changes, **_given(summary=summary)}
        return self.record("edit", fields, rid=rid, turn=turn)

    def req(
        self, content: str, *, condensed: bool = False, rid: str | None = None, turn: str | None = None
    ) -> Self:
        """Add what the user asked, quoted, or condensed in words of your own: `#req` (§3.1)."""
        return self.record("req", _carried("#req", content, condensed), rid=rid, turn=turn)

    def rpt(
        self, content: str, *, condensed: bool = False, rid: str | None = None, turn: str | None = None
    ) -> Self:
        """Add what the assistant answered, quoted, or condensed in words of your own: `#rpt` (§3.1)."""
        return self.record("rpt", _carried("#rpt", content, condensed), rid=rid, turn=turn)

    def message(self, *, with_hash: bool = False) -> Message:
        """Return the message, read from its text; `with_hash` gives it the header `@hash` (§9.6)."""
        return parse(self.text(with_hash=with_hash))

    def text(self, *, with_hash: bool = False) -> str:
        """Return the message in canonical form; `pairl.compact` makes it shorter.

        Raises:
            CannotWrite: there is no record, or the text is longer than messages may be (§15.1).

        """
        where = f"message {self._headers['id']}"
        if not self._records:
            raise CannotWrite(where, "", "", "it has no record", "add one")
        message = Message(dict(self._headers), list(self._records))
        if with_hash:
            message = Message({**message.headers, "hash": hash_ref(message)}, message.records)
        text = canonicalize(message, for_hash=False)
        size = len(text.encode())
        if size > MAX_BYTES:
            advice = "keep large content elsewhere and point to it with `ref`"
            raise CannotWrite(where, "", f"{size:,} bytes", f"at most {MAX_BYTES:,} are read", advice)
        return text


def _given(**fields: Value | None) -> dict[str, Value]:
    return {key: value for key, value in fields.items() if value is not None}


def _joined(where: str, own: dict[str, Value], given: dict[str, Value]) -> dict[str, Value]:
    for key in filter(given.__contains__, own):
        raise CannotWrite(where, key, str(given[key]), "the key is given twice", "give it another name")
    return own | given


def _carried(where: str, content: str, condensed: object) -> dict[str, Value]:
    refuse_unless_bool(condensed, where, "condensed")
    return {"content": content, "mode": CONDENSED} if condensed else {"content": content}


def _word(value: str, where: str) -> str:
    text = write_value(value, where, "")
    refuse_unless(_WORD, text, where, "it is not one word", "leave spaces and commas out")
    return text


def _list(entries: Iterable[str]) -> Iterable[str]:
    if isinstance(entries, str | bytes) or not isinstance(entries, Iterable):
        raise CannotWrite("@deps", "", str(entries), "it is no list", 'give one: `["m2"]`')
    return entries


def _time(value: datetime) -> datetime:
    if not isinstance(value, datetime):
        raise CannotWrite("@ts", "", str(value), "it is no `datetime`", "give one with an offset")
    return value


def _amount(amount: Amount, where: str, pattern: re.Pattern[str], advice: str) -> str:
    if not isinstance(amount, tuple) or len(amount) != 2:
        raise CannotWrite(where, "", str(amount), "it is no pair", 'give one: `(Decimal("0.50"), "USD")`')
    text = "".join([write_value(part, where, "") for part in amount])
    refuse_unless(pattern, text, where, "it is no amount", advice)
    return text
