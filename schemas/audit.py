"""The audit trail: for a transaction that decides on records a block or more, for every record an entry.

This module knows the shape of a block, how blocks are chained, and what the digest of a record
covers. It does not know where blocks are kept. A block names the digest of the block before it, so
that no block can be changed or taken out without every later one showing it.
"""

from __future__ import annotations

import hashlib

import msgspec

from schemas.headers import Headers

GENESIS = "0" * 64
"""What the first block of a partition names as the digest of the block before it."""

ACCEPTED = "accepted"
REJECTED = "rejected"
PARKED = "parked"
"""The message waits for a parent; another entry for its offset, in a later block, says what became of it."""
REROUTED = "rerouted"
"""The record was passed on to the inbound partition of its session, and is judged there."""


class AuditEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of the record at `offset`: `verdict` is one of the words above.

    `record` is `record_digest` of its key, value and headers as they arrived. `hash` is the hash of
    the canonical message where it was accepted; `codes` are the rules it broke where it was not; `to` is
    the partition to which it was passed on.
    """

    offset: int
    verdict: str
    record: str
    id: str | None = None
    session: str | None = None
    hash: str | None = None
    codes: tuple[str, ...] = ()
    to: int | None = None


class AuditBlock(msgspec.Struct, frozen=True):
    """The verdicts of one transaction, in the order of offsets; very many are spread over several blocks.

    `sequence` counts the blocks of the partition from 0, `previous` is the digest of the block
    before, `policy` that of the policy and rule set. Every record before `next_offset` has an entry in
    this block or in one before it. Entries of a message that waited can be of any earlier offset.
    """

    topic: str
    partition: int
    sequence: int
    previous: str
    policy: str
    entries: tuple[AuditEntry, ...]
    next_offset: int = 0


class ChainHead(msgspec.Struct, frozen=True):
    """Where a partition's chain ends: the next block's number, the last one's digest, and how far it goes.

    `next_offset` is the input offset that the next block begins with, or something behind it.
    """

    sequence: int = 0
    digest: str = GENESIS
    next_offset: int = 0


_decoder = msgspec.json.Decoder(AuditBlock)
encode = msgspec.json.Encoder().encode


def decode(data: bytes) -> AuditBlock:
    """Return the block that a record of the audit topic holds.

    Raises:
        msgspec.DecodeError: the bytes are not the JSON of a block.

    """
    return _decoder.decode(data)


def head_after(block: AuditBlock, value: bytes) -> ChainHead:
    """Return the head of the chain whose last block is `block`; `value` are its bytes on the topic."""
    return ChainHead(block.sequence + 1, hashlib.sha256(value).hexdigest(), block.next_offset)


def record_digest(key: bytes | None, value: bytes | None, headers: Headers) -> str:
    """Return the SHA-256, in hex, of the MessagePack array `[key, value, [[name, value], …]]`."""
    return hashlib.sha256(msgspec.msgpack.encode((key, value, headers))).hexdigest()
