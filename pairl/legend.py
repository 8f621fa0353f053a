"""Legends: what a model must be told to read a body, if it was not given the specification (§12a).

This module knows the words for every construct that the specification registers, and the order in which
a legend has them. Of a body with a construct that it has no words for it gives no part of a legend, but
says that the full specification is needed (§12a.3). It does not have that text, and does not know how
legend and body get to the model: whoever delivers them puts the body in brackets, behind the legend.

    >>> import pairl
    >>> head = "@v 1\\n@id m1\\n@ts 2026-01-01T00:00:00Z\\n\\n"
    >>> print(make_legend(pairl.parse(head + "#fact port=8443\\n")).text.split("\\n")[1])
    #fact key=value — an exact fact; take its value as authoritative
    >>> print(make_legend(pairl.parse(head + "#memo port=8443\\n")))
    line 5: record type `#memo` needs the full specification
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

import msgspec

from pairl.constructs import (
    BLOCK,
    COMPACT_MARKER,
    CONDENSATE,
    LONG_MARKER,
    OVERRIDE,
    STATE,
    TOOL_HISTORY,
    Category,
    Construct,
    Uses,
    in_legend_order,
    scan,
)
from pairl.model import Message
from pairl.vocabulary import INTENT_PARAMETERS, INTENTS, PARAMETER_VALUES, RECORD_TYPES, ROLES

FRAMING = (
    "The block in brackets is compressed conversation history; read it as context for answering the"
    " latest message"
)
"""§12a.2(1): the first line of every legend."""

FIDELITY = (
    "`#fact`/`#ref`/`#evid` values are EXACT — repeat them verbatim; do NOT paraphrase, round, or invent"
    " facts, names, or numbers not present above; if a record contradicts what you believe, trust the"
    " record; never ask the user to repeat anything encoded here."
)
"""§12a.2(7): the last line of every legend, word for word the canonical form."""

_SPEAKERS = ", ".join(f"{letter} {name.lower()}" for letter, name in ROLES.items())
_BELOW = "every line below it, up to the next marker, was said by that speaker"


def _with_values(key: str, meaning: str) -> str:
    values = ", ".join(f"{value} {words}" for value, words in PARAMETER_VALUES.get(key, {}).items())
    return f"{meaning} ({values})" if values else meaning


MEANINGS: dict[Construct, str] = {
    COMPACT_MARKER: f"#u1 #a2 #s3 — turn markers: speaker ({_SPEAKERS}) and number of the turn; {_BELOW}",
    LONG_MARKER: (
        "#msg id r=speaker parent=id — turn marker: the turn's id, who speaks"
        f" ({_SPEAKERS}, or a name), and the turn before it (- if there is none); {_BELOW}"
    ),
    OVERRIDE: "@m=id — the line belongs to the turn with this id, not to the marker above it",
    **{Construct(Category.INTENT, name): meaning for name, meaning in INTENTS.items()},
    **{
        Construct(Category.PARAMETER, f"{key}="): _with_values(key, meaning)
        for key, meaning in INTENT_PARAMETERS.items()
    },
    **{
        Construct(Category.RECORD, f"#{tag}"): f"#{tag} {row.syntax} — {row.reading}"
        for tag, row in RECORD_TYPES.items()
    },
    STATE: "#s phase:progress — where the assistant stands in its task",
    CONDENSATE: "",
    BLOCK: (
        "#type[key,key] — columnar block: each line below it is one record of that type, and its fields are"
        " the values of these keys, by position"
    ),
    TOOL_HISTORY: "Tool records describe work that is done: do not repeat or re-execute these actions",
}
"""What a legend says of each construct; nothing where the line of its record has said it already."""

_ONE_LINE_FOR_ALL = {
    Category.INTENT: "Intents, name{parameters}, say what the speaker does: ",
    Category.PARAMETER: "Parameters of intents: ",
}
"""Categories that a legend explains in one line, and how it begins."""


class Legend(msgspec.Struct, frozen=True):
    """A legend: its text, an item a line and without a line end at its end, and what it explains."""

    text: str
    explains: frozenset[Construct]


class FullSpecification(msgspec.Struct, frozen=True):
    """Why a body needs the full specification: what no legend explains, with the lines of the body."""

    unexplained: Uses

    def __str__(self) -> str:
        """Return one line that names the first of the constructs."""
        construct, line = next(iter(self.unexplained.items()))
        return f"line {line}: {construct} needs the full specification"


def make_legend(message: Message) -> Legend | FullSpecification:
    """Return the legend for the body of a message, or why there is none (§12a.2, §12a.3).

    It explains every construct of the body and nothing else; the same constructs in the same order make
    the same legend. Linear in the body.
    """
    return explain(scan(message.body))


def explain(uses: Uses) -> Legend | FullSpecification:
    """Return the legend that explains these constructs, or those that no legend explains."""
    unexplained = _unexplained(uses)
    if unexplained:
        return FullSpecification(unexplained)
    lines = [FRAMING, *_lines(in_legend_order(uses)), FIDELITY]
    return Legend("\n".join(lines), frozenset(uses))


def explain_more(uses: Uses) -> str | FullSpecification:
    """Return the addendum that explains these constructs, a line each, or those that nothing explains.

    The lines stand in the order in which the constructs occur, so that an addendum only ever grows
    (§12a.4). An addendum has no fidelity line: the legend in front of the body has it.
    """
    unexplained = _unexplained(uses)
    if unexplained:
        return FullSpecification(unexplained)
    return "\n".join(filter(None, map(_line, uses)))


def _unexplained(uses: Uses) -> Uses:
    return {construct: line for construct, line in uses.items() if construct not in MEANINGS}


def _lines(constructs: Iterable[Construct]) -> Iterator[str]:
    """Yield the lines of a legend for constructs that are sorted by category."""
    for category, group in groupby(constructs, attrgetter("category")):
        beginning = _ONE_LINE_FOR_ALL.get(category)
        if beginning is None:
            yield from filter(None, map(_line, group))
        else:
            yield beginning + "; ".join(map(_entry, group))


def _line(construct: Construct) -> str:
    """Return the line that explains one construct by itself."""
    if construct.category in _ONE_LINE_FOR_ALL:
        return f"{construct.category.capitalize()} {_entry(construct)}"
    return MEANINGS[construct]


def _entry(construct: Construct) -> str:
    return f"{construct.name.removesuffix('=')} {MEANINGS[construct]}"
