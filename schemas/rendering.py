"""A rendered message: the headers that say what the Markdown in the value was made from.

This module knows the contract of the rendered topic. It does not know how to render.
"""

from __future__ import annotations

import msgspec

from schemas import headers

MARKDOWN = "text/markdown; charset=utf-8"
HUMAN = "human"


class Rendering(msgspec.Struct, frozen=True):
    """What a rendered record says of itself in its headers: the message's hash, and for whom it is."""

    hash: str
    profile: str = HUMAN
    content_type: str = MARKDOWN

    def as_headers(self) -> list[tuple[str, bytes]]:
        """Return the headers of the record."""
        return [
            (headers.CONTENT_TYPE, self.content_type.encode()),
            (headers.HASH, self.hash.encode()),
            (headers.PROFILE, self.profile.encode()),
        ]
