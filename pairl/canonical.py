"""The canonical text of a message, and its hash (§9).

This module knows the one way in which a message is written for hashing, comparing and storing. It
depends on the message alone: never on what the receiver knows of the thread, so a hash computed
anywhere is the same everywhere.
"""

from __future__ import annotations

import hashlib

from pairl.grammar import NOT_ATOM, quote
from pairl.model import Message, Record
from pairl.vocabulary import CANONICAL_HEADERS, INTENT_PARAMETERS

HASH_PREFIX = "ref:hash:sha256:"

_PARAMETER_ORDER = {key: position for position, key in enumerate(INTENT_PARAMETERS)}
_PARENT_HEADERS = ("p", "parent")
_needs_quotes = NOT_ATOM.search


def canonicalize(msg: Message, *, for_hash: bool = True) -> str:
    """Return the canonical text of a message, which ends with one LF.

    With `for_hash` (the default) `@hash` is left out (§9.6); without it, `@hash` is the last header.
    """
    headers = canonical_headers(msg.headers, for_hash=for_hash)
    lines = [f"@{name} {value}" for name, value in headers]
    lines.append("")
    lines.extend(map(serialize_record, msg.records))
    lines.append("")
    return "\n".join(lines)


def compute_hash(msg: Message) -> str:
    """Return the SHA-256 of the canonical text without `@hash`, as 64 hex digits (§9.6)."""
    return digest(canonicalize(msg))


def hash_ref(msg: Message) -> str:
    """Return the hash in the form in which `@hash` carries it."""
    return HASH_PREFIX + compute_hash(msg)


def digest(text: str) -> str:
    """Return the SHA-256 of `text` as 64 hex digits; lone surrogates are hashed, not refused."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def serialize_record(r: Record, *, sort_parameters: bool = True) -> str:
    """Return the canonical line of a record (§9.3, §9.4).

    With `sort_parameters` off, an intent's parameters keep the order they came in. A record whose
    line holds more than its fields can carry stands for its text as it came.
    """
    if r.malformed:
        return r.raw
    kind = r.kind
    if kind == "intent":
        kv = r.kv
        if sort_parameters and len(kv) > 1:
            kv = dict(sorted(kv.items(), key=_parameter_key))
        line = f"{r.name}{{{','.join(_pairs(kv))}}}"
    elif kind == "marker":
        return f"#{r.name}" if r.parent is None else f"#msg {r.name} r={r.role} parent={r.parent}"
    elif kind == "s":
        line = f"#s {r.arg}" if r.arg else "#s"
    elif kind == "unknown":
        return r.raw
    else:
        line = f"#{r.name} {' '.join(_pairs(r.kv))}" if r.kv else f"#{r.name}"
    if r.m:
        line += f" @m={r.m}"
    if r.rid:
        line += f" @rid={r.rid}"
    return line


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
        entries = [entry.strip() for entry in kept["deps"].split(",")]
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


def _pairs(kv: dict[str, str]) -> list[str]:
    return [
        f"{key}={value}" if value and not _needs_quotes(value) else f'{key}="{quote(value)}"'
        for key, value in kv.items()
    ]


def _parameter_key(item: tuple[str, str]) -> tuple[int, str]:
    return _PARAMETER_ORDER.get(item[0], len(_PARAMETER_ORDER)), item[0]
