"""The skeletons of conversations: what a body keeps in any case, for comparing it with what is read back.

Knows what of a turn is never left out, whatever room there is. Paths, errors and exit statuses are no part of
it. It tests nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pairl.encode.history import Call, History, Part, Result, Role, Turn
from pairl.encode.reread import EDITS, FORMAT
from pairl.encode.speakers import first_turn, name_of_speaker
from pairl.encode.tools.chain import Edits, aggregated
from pairl.encode.tools.records import ORPHAN, edited_file, tool_name
from pairl.encode.tools.results import read_result


class Shape(msgspec.Struct, frozen=True):
    """The skeleton of a turn: who spoke, which turn it answers, and its chain of tools.

    The chain has, in order, each call with the statuses of its results, each run of edits as the file and
    their number, and each result without a call.
    """

    role: Role
    speaker: str | None
    answers: int | None
    chain: tuple[tuple[str, tuple[str, ...]], ...]


def skeleton(history: History) -> tuple[Shape, ...]:
    """Return what of a conversation its body keeps in any case, but for paths, errors and exit statuses.

    Turns of the system at the head stand beside the body and are no part of it.
    """
    first = first_turn(history.turns)
    is_reread = history.format == FORMAT
    return tuple(
        Shape(
            turn.role,
            name_of_speaker(turn),
            _answered(turn, index, first),
            tuple(_chain(turn.parts, is_reread)),
        )
        for index, turn in enumerate(history.turns[first:])
    )


def _answered(turn: Turn, index: int, first: int) -> int | None:
    answers = turn.answers
    return answers - first if answers is not None and first <= answers < index + first else None


def _chain(parts: tuple[Part, ...], is_reread: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    readings = {place: read_result(part) for place, part in enumerate(parts) if isinstance(part, Result)}
    replaced: Mapping[int, Edits | None] = {} if is_reread else aggregated(parts, readings)
    chain: list[tuple[str, list[str]]] = []
    calls: dict[int, list[str]] = {}
    for place, part in enumerate(parts):
        edits = replaced.get(place)
        if edits is not None:
            chain.append((edited_file(edits.file), [str(edits.changes)]))
        elif place in replaced:
            continue
        elif isinstance(part, Call) and is_reread and part.tool == EDITS:
            chain.append((str(part.arguments.get("file")), [str(part.arguments.get("changes"))]))
        elif isinstance(part, Call):
            calls[part.number] = []
            chain.append((tool_name(part.tool), calls[part.number]))
        elif isinstance(part, Result):
            status = "ok" if readings[place].is_ok else "err"
            if part.call in calls:
                calls[part.call or 0].append(status)
            else:
                chain.append((ORPHAN, [status]))
    for name, told in chain:
        yield name, tuple(told)
