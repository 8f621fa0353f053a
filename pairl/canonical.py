"""The canonical text of a message, and its hash (§9).

This module knows the one way in which a message is written for hashing, comparing and storing. It
depends on the message alone: never on what the receiver knows of the thread, so a hash computed
anywhere is the same everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from pairl.diagnostics import excerpt
from pairl.grammar import NOT_ATOM, quote
from pairl.model import Message, Record
from pairl.text import BLANKS, encode
from pairl.tidy import canonical_body
from pairl.vocabulary import CANONICAL_HEADERS, INTENT_PARAMETERS

HASH_PREFIX = "ref:hash:sha256:"

_PARAMETER_ORDER = {key: position for position, key in enumerate(INTENT_PARAMETERS)}
_OTHER_KINDS = frozenset({"intent", "marker", "s", "unknown"})
_PARENT_HEADERS = ("p", "parent")
_needs_quotes = NOT_ATOM.search


def canonicalize(msg: Message, *, for_hash: bool = True) -> str:
    """Return the canonical text of a message, which ends with one LF.

    With `for_hash` (the default) `@hash` is left out (§9.6); without it, `@hash` is the last header.

    Raises:
        ValueError: for a message made by hand, if a value cannot be written (LF, CR, a backslash at
            the end). A message that was parsed can always be written.

    """
    headers = canonical_headers(msg.headers, for_hash=for_hash)
    body = canonical_body(msg)
    if body is not None:
        head = "".join([f"@{name} {value}\n" for name, value in headers])
        if head.count("\n") > len(headers):
            raise ValueError("a header holds a line feed, which would begin another one")
        return f"{head}\n{body}"
    return canonical_text(headers, canonical_lines(msg))


def canonical_lines(msg: Message, *, sort_parameters: bool = True) -> list[str]:
    """Return the canonical line of each record; see `serialize_record`."""
    return [serialize_record(record, sort_parameters=sort_parameters) for record in msg.body.records]


def canonical_text(headers: list[tuple[str, str]], records: Iterable[str]) -> str:
    """Return the text that has these headers and, below an empty line, these lines of records."""
    lines = [f"@{name} {value}" for name, value in headers]
    lines.append("")
    lines += records
    if not headers and any(line.startswith("@") for line in lines):
        # A body without headers must not be read as some: it gets a header block that has none.
        lines.insert(0, "@")
    lines.append("")
    text = "\n".join(lines)
    if text.count("\n") >= len(lines):
        raise ValueError("a field holds a line feed, which would begin another record")
    return text


def compute_hash(msg: Message) -> str:
    """Return the SHA-256 of the canonical text without `@hash`, as 64 hex digits (§9.6)."""
    return digest(canonicalize(msg))


def hash_ref(msg: Message) -> str:
    """Return the hash in the form in which `@hash` carries it."""
    return HASH_PREFIX + compute_hash(msg)


def digest(text: str) -> str:
    """Return the SHA-256 of `text` as 64 hex digits; lone surrogates are hashed, not refused."""
    return hashlib.sha256(encode(text)).hexdigest()


def serialize_record(r: Record, *, sort_parameters: bool = True) -> str:
    """Return the canonical line of a record (§9.3, §9.4).

    With `sort_parameters` off, an intent's parameters keep the order they came in. A record whose
    line holds more than its fields can carry stands for its text as it came.

    Raises:
        ValueError: for a record made by hand, if a value cannot be written.

    """
    kind = r.kind
    if kind in _OTHER_KINDS or r.malformed:
        return _other_line(r, sort_parameters=sort_parameters)
    return with_tags(" ".join([f"#{r.name}", *(_pair(key, value) for key, value in r.kv.items())]), r)


def _other_line(r: Record, *, sort_parameters: bool) -> str:
    """Return the canonical line of an intent, a marker, a state token, or what could not be read."""
    if r.malformed or r.kind == "unknown":
        # A row that does not fit its columns may look like an intent; it must not be read as one.
        return f"#{r.name}[] {r.raw}" if r.from_columnar and r.kind == "unknown" else r.raw
    if r.kind == "marker":
        return f"#{r.name}" if r.parent is None else f"#msg {r.name} r={r.role} parent={r.parent}"
    if r.kind == "s":
        return with_tags(f"#s {r.arg}" if r.arg else "#s", r)
    parameters = [
        _pair(key, value)
        for key, value in (sorted(r.kv.items(), key=_parameter_key) if sort_parameters else r.kv.items())
    ]
    return with_tags(f"{r.name}{{{','.join(parameters)}}}", r)


def _pair(key: str, value: str) -> str:
    return f"{key}={value}" if value and not _needs_quotes(value) else f'{key}="{quotable(value)}"'


def with_tags(line: str, r: Record) -> str:
    """Return `line` with the record's `@m=` and `@rid=` behind it (§3.1)."""
    if r.m:
        line += f" @m={r.m}"
    return f"{line} @rid={r.rid}" if r.rid else line


def canonical_headers(
    headers: dict[str, str],
    *,
    for_hash: bool = True,
    order: tuple[str, ...] = CANONICAL_HEADERS,
    keep_derivable: bool = False,
) -> list[tuple[str, str]]:
    """Return the headers in canonical order, without threading fields that follow from others.

    §9.1 and §9.1a: `@root` goes when it equals the parent, `@deps` loses what `@p`, `@parent` or
    `@root` already say, and goes when nothing is left. `order` and `keep_derivable` write headers
    as other implementations do.
    """
    if not keep_derivable and ("root" in headers or "deps" in headers):
        headers = _without_derivable(headers)
    listed = [(name, headers[name]) for name in order if name in headers]
    if len(listed) < len(headers):
        others = sorted(headers.keys() - set(order) - {"hash"})
        listed += [(name, headers[name]) for name in others]
        if not for_hash and "hash" in headers:
            listed.append(("hash", headers["hash"]))
    return listed


def _without_derivable(headers: dict[str, str]) -> dict[str, str]:
    kept = dict(headers)
    implied = {_bare(headers[name]) for name in (*_PARENT_HEADERS, "root") if name in headers}
    if "deps" in kept:
        entries = [entry.strip(BLANKS) for entry in kept["deps"].split(",")]
        entries = [entry for entry in entries if entry and _bare(entry) not in implied]
        if entries:
            kept["deps"] = ",".join(entries)
        else:
            del kept["deps"]
    if "root" in kept and any(
        name in kept and _bare(kept[name]) == _bare(kept["root"]) for name in _PARENT_HEADERS
    ):
        del kept["root"]
    return kept


def _bare(reference: str) -> str:
    return reference.removeprefix("@")


def quotable(value: str) -> str:
    """Return `value` as it is written between quotation marks, if it can be."""
    if value.endswith("\\"):
        raise ValueError(f"a value cannot end in a backslash: {excerpt(value)}")
    if "\n" in value or "\r" in value:
        raise ValueError(f"a value cannot hold LF or CR: {excerpt(value)}")
    return quote(value)


def _parameter_key(item: tuple[str, str]) -> tuple[int, str]:
    key = item[0]
    return _PARAMETER_ORDER.get(key, len(_PARAMETER_ORDER)), key
