"""Finds out which records belong to which turn, and who spoke (§3.3).

This module knows turn markers and the binding of records to them. It does not know how a record
reads. Words are put into nobody's mouth: where a marker cannot be read, or `@m=` names a turn that
the body does not have, the speaker is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from pairl.model import Record
from pairl.vocabulary import ROLES

UNKNOWN_SPEAKER = "Unknown speaker"

_LONG_MARKER = re.compile(r"#msg(?![a-z0-9_])")


class Turn(msgspec.Struct):
    """A turn: its id, who speaks, which turn it follows, and its records in the document's order.

    Records above the first marker, and those of a body without markers, are in a turn without a
    speaker.
    """

    name: str | None = None
    speaker: str | None = None
    parent: str | None = None
    records: list[Record] = []


def by_turn(records: Iterable[Record]) -> list[Turn]:
    """Return the turns of a body in the order of their markers, each with the records it owns.

    Turns that `@m=` names and no marker declares come last; without any marker, `@m=` binds nothing.
    """
    turns = [Turn()]
    declared: dict[str, Turn] = {}
    places: list[tuple[Record, Turn]] = []
    for record in records:
        if _begins_turn(record):
            turn = _turn(record)
            turns.append(turn)
            if turn.name is not None:
                declared.setdefault(turn.name, turn)
            if not record.malformed:
                continue
        places.append((record, turns[-1]))
    has_markers = len(turns) > 1
    for record, place in places:
        bound = record.m if has_markers else None
        if bound and bound not in declared:
            declared[bound] = Turn(bound, UNKNOWN_SPEAKER)
            turns.append(declared[bound])
        turn = declared[bound] if bound else place
        turn.records.append(record)
    return turns


def _begins_turn(record: Record) -> bool:
    """Say whether a turn begins here, be it with a marker that cannot be read."""
    if record.from_columnar:
        return False
    return record.kind == "marker" or (
        record.kind == "unknown" and _LONG_MARKER.match(record.raw) is not None
    )


def _turn(marker: Record) -> Turn:
    role = marker.role or UNKNOWN_SPEAKER
    return Turn(marker.name, ROLES.get(role, role), marker.parent)
