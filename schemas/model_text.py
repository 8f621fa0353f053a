"""The text that a model is given of a session, put together from the parts on the rendered topic.

This module knows the order in which parts are delivered: legend, body in brackets, addenda, state. All
but the last two only ever grow, so that what a provider has cached of an earlier request is found again
at the beginning of the next one (§12b). It does not know where parts are read, and does not have the
specification.
"""

from __future__ import annotations

from schemas.rendering import Part


class ModelText:
    """The parts of one session's text that were read so far."""

    def __init__(self) -> None:
        """Begin without a part."""
        self._begin()

    def _begin(self) -> None:
        self.legend: str | None = None
        self.body: list[str] = []
        self.addenda: list[str] = []
        self.state: str | None = None
        self.specification: Part | None = None
        """The part that asks for the full specification, if one does, and so where it has to go."""
        self.unexplained = ""
        """What it is needed for, a line each."""

    def add(self, part: Part, value: str) -> None:
        """Take in the next part of the session."""
        if part in (Part.LEGEND, Part.SPECIFICATION):
            self._begin()
        if part is Part.LEGEND:
            self.legend = value
        elif part is Part.BODY:
            self.body.append(value)
        elif part is Part.ADDENDUM:
            self.addenda.append(value)
        elif part is Part.STATE:
            self.state = value
        else:
            self.specification = part
            self.unexplained = value

    @property
    def has_beginning(self) -> bool:
        """Whether the text is there from its beginning on; the topic may have deleted that."""
        return self.legend is not None or self.specification is Part.SPECIFICATION

    def __str__(self) -> str:
        """Return the text. Where the specification is needed, whoever delivers the text adds it."""
        legend = [] if self.legend is None else [self.legend]
        state = [] if self.state is None else [self.state]
        return "\n".join([*legend, f"[\n{''.join(self.body)}]", *self.addenda, *state, ""])
