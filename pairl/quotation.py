"""Quotation: what a turn said, and whether a record quotes it faithfully (§3.1, §11 V15).

This module knows the source turns that an encoder had before it, and how fragments of them are found.
It does not know where a conversation comes from.
"""

from __future__ import annotations

import msgspec


class SourceTurn(msgspec.Struct, frozen=True):
    """A turn of the source conversation: the id of its marker in the body, if it has one, and its text."""

    id: str | None
    text: str
