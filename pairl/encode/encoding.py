"""Encodes a conversation: the body that carries it, and what is to stand beside the body (§7.7, §12b).

This module knows which turns are in the body, and what has to be remembered so that it can go on. It does not
know where conversations come from, how a turn is written, or how messages travel.

    >>> from pairl.encode.history import History, Said, Turn
    >>> asked = Turn("user", (Said("Is the bridge open at 7?"),))
    >>> first = encode(History("chat", (asked,)))
    >>> print(first.body, end="")
    #u1
    #req content="Is the bridge open at 7?"
    >>> told = Turn("assistant", (Said("No, from 8 on."),), answers=0)
    >>> print(encode(History("chat", (asked, told)), before=first.state).body, end="")
    #a2
    #rpt content="No, from 8 on."
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pairl.encode.addition import Addition
from pairl.encode.allowance import Allowance, allowance_for
from pairl.encode.body import BodyWriter, sizes_of
from pairl.encode.budget import Budget, Measure
from pairl.encode.history import Call, History, Notice, Said, Turn
from pairl.encode.past import Past, compared, remembered
from pairl.encode.quoting.quote import BY_DEFAULT, Quoting
from pairl.encode.speakers import Markers, first_turn, letters_do
from pairl.encode.window import DEFAULT_WINDOW, end_of_body
from pairl.quotation import SourceTurn


class Options(msgspec.Struct, frozen=True):
    """How a conversation is encoded.

    Without a `budget`, what is carried follows from the conversation (`pairl.encode.allowance`). The last
    `window` calls with their results, and all that follows, stay as they are beside the body; 0 puts
    everything into it. `is_open` says that the conversation goes on: what may still be answered waits, and a
    longer history will have the same body at its beginning.
    """

    budget: Budget | None = None
    window: int = DEFAULT_WINDOW
    is_open: bool = False


class BodyState(msgspec.Struct, frozen=True):
    """What is remembered of a body so that it can go on: as JSON, it is all that has to be kept.

    `past` are its turns; those beside it at the head do not count. `allowance`, and `is_named`, that no turn
    of the body has a letter, were decided when it began; `balance` is the room that was left over, or is
    owed.
    """

    options: Options
    past: Past
    allowance: Allowance
    balance: int = 0
    is_named: bool = False


class EncodingReport(msgspec.Struct, frozen=True):
    """What became of a conversation: how many turns were written, what was left out, and what it takes.

    `dropped` counts what was cut or left out, by what it was. `notices` are the importer's, and tell of turns
    that are not what they were when they were encoded. `taken` is the size of a body with a budget in
    characters or tokens, in these, and `over` how much more that is than the budget, of which what is written
    in any case may take more than there is; of all others both are 0.
    """

    turns: int
    dropped: dict[str, int]
    notices: tuple[Notice, ...]
    taken: int = 0
    over: int = 0


class Encoded(msgspec.Struct, frozen=True):
    """An encoded conversation, to be delivered in this order: `system`, `body`, `recent`.

    `system` are the texts of system turns at the head. `body` is whole lines of records, without headers.
    `recent` are the items of the record, from the first that is not in the body on; where it is not known
    what the items were, they are the turns. `source` are the turns that the body quotes (§11 V15). `state` is
    what the next `encode` needs to go on. `earlier` has, by their names, the markers of turns that were
    encoded before and that the body names.
    """

    body: str
    system: tuple[str, ...]
    recent: tuple[object, ...]
    source: tuple[SourceTurn, ...]
    state: BodyState
    report: EncodingReport
    earlier: dict[str, str]


def encode(
    history: History,
    options: Options | None = None,
    *,
    before: BodyState | None = None,
    quoting: Quoting = BY_DEFAULT,
    progress: Callable[[int], None] | None = None,
) -> Encoded:
    """Return the body of a conversation; with `before`, what is to be appended to the body that it is of.

    Args:
        history: the conversation, from its beginning.
        options: how it is encoded; without them as before, or by default. Where a body goes on, its budget
            stays what it was.
        before: the `state` of the encoding that goes on.
        quoting: how texts are quoted: what a budget in tokens counts, who proposes what to quote, and the
            table of what is worth it.
        progress: is called with the number of each turn that was read, from 1.

    Raises:
        HistoryChanged: the turns that were encoded before are not the beginning of `history` any more.

    The same input gives the same bytes. What is written of a turn depends on this turn and those before it;
    a result that came behind the turn of its call is written first. Linear in the history; never raises for
    what a history holds.
    """
    options = options or (before.options if before else Options())
    first = first_turn(history.turns)
    state = _begun(history.turns, first, options, quoting.measure) if before is None else before
    turns = history.turns[first:]
    since = compared(state.past, turns, first)
    start = len(since.turns)
    end = max(start, end_of_body(history.turns, options.window, is_open=options.is_open) - first)

    markers = Markers(first, named=state.is_named)
    writer = BodyWriter(markers, state.allowance, balance=state.balance, quoting=quoting)
    addition = Addition(writer, markers, first + start)
    for index, turn in enumerate((*since.turns, *turns[start:end])):
        items = writer.read(turn)
        if index == start - 1 and since.late:
            addition.add_late(since.late)
        if index >= start:
            addition.add(turn, items)
        if progress is not None:
            progress(first + index + 1)

    past = remembered(turns[:end], first, since) if addition.lines else state.past
    body = "".join(addition.lines)
    limit = 0 if before is not None or options.budget is None else options.budget.amount or 0
    taken = quoting.measure(body) if limit else 0
    return Encoded(
        body,
        tuple(part.text for turn in history.turns[:first] for part in turn.parts if isinstance(part, Said)),
        _recent(history, first + end),
        tuple(addition.source),
        BodyState(options, past, state.allowance, writer.balance, state.is_named),
        EncodingReport(
            end - start,
            dict(sorted((+writer.dropped).items())),
            (*since.notices, *history.notices),
            taken,
            max(0, taken - limit),
        ),
        addition.earlier,
    )


def _begun(turns: Sequence[Turn], first: int, options: Options, measure: Measure) -> BodyState:
    """Return what is decided of a body before anything is written."""
    sizes = None
    if options.budget is not None and options.budget.share is None:
        sizes = sizes_of(turns[first:], first, measure)
    has_calls = any(isinstance(part, Call) for turn in turns for part in turn.parts)
    allowance = allowance_for(options.budget, has_calls=has_calls, is_open=options.is_open, sizes=sizes)
    is_named = not options.is_open and not letters_do(turns[first:], first)
    return BodyState(options, Past(), allowance, is_named=is_named)


def _recent(history: History, end: int) -> tuple[object, ...]:
    """Return what is beside the body, from the turn with this index on."""
    if end >= len(history.turns):
        return ()
    if history.items:
        return history.items[history.turns[end].item :]
    return tuple(msgspec.to_builtins(turn) for turn in history.turns[end:])
