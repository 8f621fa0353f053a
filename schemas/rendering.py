"""A rendered message: the headers that say what the value was made from, and for whom.

This module knows the contract of the rendered topic: Markdown for people, parts of a text for models. It
does not know how to render, or how the parts are put together (`schemas.model_text`).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from schemas import headers

MARKDOWN = "text/markdown; charset=utf-8"
PLAIN_TEXT = "text/plain; charset=utf-8"


class Profile(StrEnum):
    """For whom a record was rendered."""

    HUMAN = "human"
    MODEL = "model"


class Part(StrEnum):
    """What a record for models holds of the text of its session (§12a, §12b).

    A text begins with `LEGEND` or `SPECIFICATION`; what came before in the same session is over then.
    """

    LEGEND = "legend"
    """What explains the first message, for good."""
    SPECIFICATION = "specification"
    """The full specification must take the legend's place; the value says what no legend explains."""
    BODY = "body"
    """What a message adds to the body, in whole lines."""
    ADDENDUM = "addendum"
    """Explanations of what no part before explains; they follow the body."""
    MORE_SPECIFICATION = "more-specification"
    """The full specification must follow the body; the value says what nothing explains."""
    STATE = "state"
    """Where an agent stands. It comes last, and takes the place of the state before it."""


class Rendering(msgspec.Struct, frozen=True):
    """What a rendered record says of itself in its headers: the message's hash, and for whom it is."""

    hash: str
    profile: Profile = Profile.HUMAN
    content_type: str = MARKDOWN
    part: Part | None = None

    def as_headers(self) -> list[tuple[str, bytes]]:
        """Return the headers of the record."""
        written = [
            (headers.CONTENT_TYPE, self.content_type.encode()),
            (headers.HASH, self.hash.encode()),
            (headers.PROFILE, self.profile.encode()),
        ]
        if self.part is not None:
            written.append((headers.PART, self.part.encode()))
        return written
