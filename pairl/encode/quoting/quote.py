"""Quotes a turn within a room: whole where it fits, else what is worth most of it, in its own words.

This module knows when all of a text fits, whom to ask where it does not, and that whatever is returned was
verified. It does not know how parts are chosen (`.chooser`), what no message can carry (`.quotable`), or what
room a turn gets.

Whatever it returns was verified as a quotation of the text (§3.1, §11 V15).

    >>> quote("The tide turns at 14:05. We went for a walk. Do not row out after 15:30!", 60)
    Quotation(content='The tide turns at 14:05. [...] Do not row out after 15:30!', is_whole=False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from pairl.encode.budget import Measure
from pairl.encode.quoting.chooser import Chooser
from pairl.encode.quoting.heuristics import HEURISTICS, Heuristic
from pairl.encode.quoting.quotable import Quotable
from pairl.quotation import verify

Propose = Callable[[str, int], Iterable[str]]
"""Proposes fragments of a text, its first argument, that fit together in a room, its second: a model's."""


class Quoting(msgspec.Struct, frozen=True):
    """How texts are quoted.

    `measure` says how large a text is, in characters by default. `propose` is asked once for each text that
    has to be cut; where nothing of its proposals holds, or there is none, the table of `heuristics` chooses.
    """

    measure: Measure = len
    propose: Propose | None = None
    heuristics: tuple[Heuristic, ...] = HEURISTICS


BY_DEFAULT = Quoting()


class Quotation(msgspec.Struct, frozen=True):
    """A content that quotes a turn, and whether nothing of the turn but white space is left out."""

    content: str
    is_whole: bool


def quote(text: str, room: int | None = None, quoting: Quoting = BY_DEFAULT) -> Quotation | None:
    """Return a quotation of `text` that takes at most `room`, as its measure says; None where there is none.

    Without a room everything is quoted. What is proposed is quoted as far as it stands in the text, cuts no
    word and no clause with a negation, and fits; where nothing of it does, the heuristics choose. What they
    choose is the same each time. Linear in the text.
    """
    measure, propose = quoting.measure, quoting.propose
    turn = Quotable(text, measure)
    if turn.is_a_quotation and (room is None or measure(turn.stripped) <= room):
        return Quotation(turn.stripped, is_whole=True)
    content = turn.content([turn.whole])
    if not content or (room is not None and measure(content) > room):
        room = measure(text) if room is None else room
        chooser = Chooser(turn, quoting.heuristics)
        content = chooser.proposed(propose(text, room), room) if propose is not None else ""
        content = content or chooser.chosen(room)
        if measure(content) > room:
            return None
    if not content or verify(content, turn.source):
        return None
    return Quotation(content, is_whole=content == turn.stripped)


def quote_a_sentence(text: str, longest: int, quoting: Quoting = BY_DEFAULT) -> Quotation | None:
    """Return a quotation of the sentence that is worth most among those of at most `longest` characters.

    For a text of which nothing fits its room: a sentence with a negation is not cut (see `.restrictions`).
    None where there is no such sentence.
    """
    chooser = Chooser(Quotable(text, len), quoting.heuristics)
    for sentence in chooser.by_worth():
        if sentence.end - sentence.start <= longest:
            found = quote(chooser.text(sentence))
            if found is not None:
                return Quotation(found.content, is_whole=False)
    return None
