"""V5 hash: the message is the one that was hashed.

Checks `@hash` against the SHA-256 of the canonical text. The hash that `pairl` 1.6.2 computes for
the same records is accepted too: it writes `@p` before `@root`, keeps intent parameters in the
order they came in, and keeps threading fields that follow from others. A hash of another algorithm,
or of a message with malformed lines, cannot be verified, which is said.

Why: a hash that does not match says that the message was changed after it was finished, or that
the sender hashed something else. Nothing in it can be relied on.

Example:
    @hash ref:hash:sha256:e3b0c442…     (of an earlier draft, or of nothing)

Instead, compute it last:
    pairl hash message.pairl

Specification: §9, §11 V5
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from pairl.canonical import (
    HASH_PREFIX,
    canonical_headers,
    canonical_lines,
    canonical_text,
    compute_hash,
    digest,
)
from pairl.diagnostics import Finding, error, excerpt, strict_error, warning
from pairl.model import Message
from pairl.rules.evidence import Evidence, Rule
from pairl.tidy import canonical_body
from pairl.vocabulary import CANONICAL_HEADERS

_SHA256 = re.compile(r"ref:hash:sha256:([0-9A-Fa-f]{64})")
_OTHER = re.compile(r"ref:hash:(?!sha256:)([A-Za-z0-9_\-]++):[^ ]++")
_PARENT_FIRST = ("v", "id", "mid", "sid", "ts", "p", "parent", "root", "deps", "budget", "limit")


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield whether `@hash` is the hash of the message."""
    value = evidence.headers["hash"]
    match = _SHA256.fullmatch(value)
    if match is None:
        other = _OTHER.fullmatch(value)
        if other is not None:
            yield evidence.finding(
                "V5/unknown-algorithm",
                f"cannot verify a hash of the algorithm `{excerpt(other[1], 40)}`",
                "hash",
                value,
                "use `ref:hash:sha256:` and 64 hex digits",
            )
        else:
            yield evidence.finding(
                "V5/hash-form",
                f"`{excerpt(value, 40)}` is not `{HASH_PREFIX}` and 64 hex digits",
                "hash",
                value,
                "`pairl hash FILE` prints the value for `@hash`",
            )
        return
    claimed = match[1].lower()
    computed = compute_hash(evidence.message)
    if claimed == computed:
        return
    body = canonical_body(evidence.message)
    if any(record.malformed for record in evidence.message.body.records):
        yield evidence.finding(
            "V5/not-verified", "lines are malformed, so the hash was not compared", "hash", value
        )
    elif claimed not in map(digest, _published_variants(evidence.message, body)):
        yield evidence.finding(
            "V5/mismatch",
            f"the message hashes to {computed}, not to {claimed}",
            "hash",
            value,
            "the message was changed after it was hashed, or hashed before it was finished: "
            "compute `@hash` last",
            instead=HASH_PREFIX + computed,
        )


def _published_variants(message: Message, body: str | None) -> Iterator[str]:
    """Yield the texts that `pairl` 1.6.2 would hash, each difference alone and together with others.

    `body` is the source of the body where that is canonical: its intents are in order as they stand.
    """
    blocks = [canonical_headers(message.headers)]
    if "root" in message.headers or "deps" in message.headers:
        for order, derivable in product((CANONICAL_HEADERS, _PARENT_FIRST), (False, True)):
            block = canonical_headers(message.headers, order=order, keep_derivable=derivable)
            if block not in blocks:
                blocks.append(block)
    lines = canonical_lines(message) if body is None else body[:-1].split("\n")
    as_written = canonical_lines(message, sort_parameters=False) if body is None else lines
    for block in blocks:
        if block is not blocks[0]:
            yield canonical_text(block, lines)
        if as_written != lines:
            yield canonical_text(block, as_written)


RULE = Rule(
    "V5",
    "hash",
    "§9, §11 V5",
    (
        error("mismatch", "`@hash` is not the hash of the message"),
        error("hash-form", "`@hash` is not `ref:hash:sha256:` and 64 hex digits"),
        strict_error("unknown-algorithm", "`@hash` names an algorithm that cannot be verified"),
        warning("not-verified", "`@hash` cannot be verified because lines are malformed"),
    ),
    evaluate,
    frozenset({"@hash"}),
    evaluate_plain=evaluate,
)
