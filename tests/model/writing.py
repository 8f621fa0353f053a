"""How what is said in a conversation is written down, and broken, and put into a record.

Knows the forms that one and the same message may have: which header names a parent, how its session is told,
how lines end. Does not know what the right verdict on it is.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from tests.model.model import Said

Headers = tuple[tuple[str, bytes], ...]

NUMBER = "number"
"""The header by which a record is found again: `seed/number`."""


class Fault(msgspec.Struct, frozen=True):
    """A way in which a message can be broken in itself, and the rules that it breaks so in each mode.

    `lines` are added to its body and `headers` to its headers, `left_out` are headers that it lacks.
    `clears` are the parts that nobody can read then. `value`: that is what is sent instead.
    """

    name: str
    strict: frozenset[str]
    loose: frozenset[str]
    lines: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    left_out: str = " "
    clears: dict[str, Any] = {}
    value: bytes | None = b""


def _fault(name: str, strict: str, loose: str, **how: Any) -> Fault:  # noqa: ANN401  # any field of Fault
    return Fault(name, frozenset(strict.split()), frozenset(loose.split()), **how)


_NOTHING = {"id": None, "parent": "", "deps": (), "root": "", "budget": None, "costs": ()}

FAULTS = (
    _fault("a record id twice", "V6", "V6", lines=("#fact again=yes @rid=F1",)),
    _fault("a reference that is none", "V3", "V3", lines=("#ref plan=plan.pdf",)),
    _fault("more than certain", "V2", "V2", lines=("#evid claim=rain src=ref:log:roof:3 conf=2",)),
    _fault("another hash", "V5", "V5", headers=(f"@hash {'0' * 64}",)),
    _fault("free text", "SYN", "", lines=("it rains",)),
    _fault("an answer to no call", "V9", "", lines=("#ret call=c7 status=ok",)),
    _fault("an empty state", "V10", "", lines=("#s",)),
    _fault("without a time", "HDR", "HDR", left_out="@ts "),
    _fault("not UTF-8", "SYN", "SYN", lines=("#fact bytes=\udcff",)),
    _fault("without an id", "HDR", "HDR", left_out="@id ", clears={"id": None}),
    _fault("an empty record", "HDR", "HDR", clears=_NOTHING, value=b"\n"),
    _fault("no value", "HDR", "HDR", clears=_NOTHING, value=None),
)


class Style(msgspec.Struct, frozen=True):
    """How the messages of a conversation tell their session, and references to it.

    `key` is the session's name as bytes; they need not be UTF-8, and then make another name.
    """

    seed: int
    session: str | None
    key: bytes | None
    may_declare: bool

    @classmethod
    def drawn(cls, chance: Random, session: str | None, seed: int) -> Style:
        """Return a style; now and then the session's key is no text."""
        if session is None:
            return cls(seed, None, None, may_declare=False)
        if chance.random() < 0.04:
            key = b"\xfe" + session.encode()
            return cls(seed, f"bytes:{key.hex()}", key, may_declare=False)
        return cls(seed, session, session.encode(), may_declare=" " not in session and chance.random() < 0.4)


class Sent(msgspec.Struct, frozen=True):
    """A message, and the record that it is sent in."""

    said: Said
    session: str | None
    key: bytes | None
    value: bytes | None
    headers: Headers


def write(said: Said, fault: Fault | None, style: Style, chance: Random) -> Sent:
    """Return the record of a message. Whoever says the same again uses the same words."""
    words = Random(f"{style.seed} {said.id} {said.content}")
    declares = style.may_declare and words.random() < 0.5 and not (fault and "parent" in fault.clears)
    text = _text(said, fault, style, words, declares=declares)
    value: bytes | None = text.encode("utf-8", "surrogateescape")
    if fault is not None and "parent" in fault.clears:
        value = fault.value
    elif chance.random() < 0.1:
        value = text.replace("\n", "\r\n").encode("utf-8", "surrogateescape")
    key, headers = style.key, [(NUMBER, f"{style.seed}/{said.number}".encode())]
    if declares and chance.random() < 0.5:
        key = chance.choice((None, b"agent-7"))
    elif style.key is not None and chance.random() < 0.1:
        key = None
        headers.append(("pairl-session", style.key))
    return Sent(said, style.session, key, value, tuple(headers))


def _text(said: Said, fault: Fault | None, style: Style, words: Random, *, declares: bool) -> str:
    prefix = f"ref:msg:{style.session}:" if declares else "ref:msg:"

    def reference(name: str) -> str:
        return words.choice(("", "", "@", prefix)) + name

    headers = ["@v 1", f"@id {said.id}", "@ts 2026-05-04T10:00:00Z"]
    headers += [f"@sid {style.session}"] if declares else []
    headers += [f"@root {reference(said.root)}"] if said.root else []
    headers += [f"@{words.choice(('p', 'p', 'parent'))} {reference(said.parent)}"] if said.parent else []
    deps = [reference(name) + words.choice(("", "", "#f1")) for name in said.deps]
    if deps and words.random() < 0.1:
        deps.append(f"ref:msg:s{style.seed - 1}:m1")
    headers += [f"@deps {words.choice((',', ', ')).join(deps)}"] if deps else []
    headers += [f"@budget {_written(said.budget[0])}{said.budget[1]}"] if said.budget else []
    body = [words.choice(("bid{t=plan}", "ref{t=plan}\n#fact reason=budget_exceeded"))] * said.is_projection
    body += ["ack", f"#fact content={said.content} @rid=f1"]
    body += [f"#cost val={_written(amount)} cur={unit}" for amount, unit in said.costs]
    body += ["#rule strict_refs=true"] * said.demands_parents
    body += [f"#ref before=@{words.choice(('m1', 'm2'))}#f1"] if words.random() < 0.1 else []
    if fault is not None:
        headers = [line for line in [*headers, *fault.headers] if not line.startswith(fault.left_out)]
        body += fault.lines
    return "\n".join([*headers, "", *body, ""])


def _written(hundredths: int) -> str:
    return f"{hundredths / 100:.2f}"
