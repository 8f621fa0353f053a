"""What a format of recorded conversations is: a name, how it is recognised, and how it is read.

This module knows the shape that all formats share, and the refusal of what is none of them. It knows no
format; those that there are, are collected in `pairl.encode.importers.formats`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pairl.encode.history import History


class NotATranscript(ValueError):  # noqa: N818  # what the text is not
    """A text is no recorded conversation of the format that was asked for, or of any.

    Its own words are one sentence or two on one line: what is wrong, where, and what to do.
    """

    def __init__(self, reason: str, advice: str) -> None:
        """Say what is wrong and where (`reason`), its usual cause, and what to do (`advice`)."""
        super().__init__(f"{reason}; {advice}")
        self.reason = reason
        self.advice = advice


def nested_too_deeply() -> NotATranscript:
    """Return what to raise for a text whose values stand deeper in one another than can be read."""
    return NotATranscript(
        "the JSON is nested too deeply to be read",
        "no recorded conversation is, so it is something else, or damaged: look at its beginning",
    )


class Lines(msgspec.Struct, frozen=True):
    """JSON lines: the values of a file that holds one on each line."""

    items: list[object]


def joined(value: object) -> object:
    """Return JSON lines as the list of their values, and anything else as it is."""
    return value.items if isinstance(value, Lines) else value


def values_of(value: object) -> list[object]:
    """Return the values of JSON lines or of a list, and anything else as the only one."""
    value = joined(value)
    return value if isinstance(value, list) else [value]


class Format(msgspec.Struct, frozen=True):
    """A way in which conversations are recorded.

    `recognise` and `read` get what the text holds: the value of a JSON text, the `Lines` of one that holds a
    value a line, a `str` of any other. `recognise` says whether that can only be this format, or whether no
    other reads it better; `read` raises `NotATranscript` if it is something else. Neither raises anything
    else, whatever they are given, and neither takes more time than linear in the size of the text.
    """

    name: str
    description: str
    recognise: Callable[[object], bool]
    read: Callable[[object], History]
