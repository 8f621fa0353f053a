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

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from pairl.encode.allowance import Allowance, Sizes, allowance_for
from pairl.encode.body import BodyWriter
from pairl.encode.budget import Budget, Measure
from pairl.encode.history import Call, History, Notice, Result, Said, Turn, Unknown
from pairl.encode.quoting.quote import Propose
from pairl.encode.speakers import Markers, first_turn, letters_do
from pairl.encode.tools.chain import end_of_body
from pairl.encode.tools.records import atoms_of
from pairl.quotation import SourceTurn

DEFAULT_WINDOW = 3


class HistoryChanged(ValueError):  # noqa: N818  # what happened
    """A conversation does not go on where it was encoded before: the body that was written is not its own."""


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


class Encoding(msgspec.Struct, frozen=True):
    """What is remembered of a body so that it can go on: as JSON, it is all that has to be kept.

    `length` is how many turns were encoded, those beside the body at the head included, and `digest` is of
    them. `allowance`, and `is_named`, that no turn of the body has a letter, were decided when it began;
    `balance` is the room that was left over, or is owed.
    """

    options: Options
    length: int
    digest: str
    allowance: Allowance
    balance: int = 0
    is_named: bool = False


class Report(msgspec.Struct, frozen=True):
    """What became of a conversation: turns in the body, sizes, and what was left out.

    `size` is of the texts, arguments and results of the turns that were encoded, and `written` of the body,
    both in characters. `dropped` counts what was cut or left out, by what it was; `notices` are those of the
    importer.
    """

    turns: int
    size: int
    written: int
    dropped: dict[str, int]
    notices: tuple[Notice, ...]


class Encoded(msgspec.Struct, frozen=True):
    """An encoded conversation, to be delivered in this order: `system`, `body`, `recent`.

    `system` are the texts of system turns at the head. `body` is whole lines of records, without headers.
    `recent` are the items of the record, from the first that is not in the body on; where it is not known
    what the items were, they are the turns. `source` are the turns that the body quotes (§11 V15). `state` is
    what the next `encode` needs to go on. `answered` has, by their names, the markers of turns that were
    encoded before and that turns of the body answer.
    """

    body: str
    system: tuple[str, ...]
    recent: tuple[object, ...]
    source: tuple[SourceTurn, ...]
    state: Encoding
    report: Report
    answered: dict[str, str]


def encode(
    history: History,
    options: Options | None = None,
    *,
    before: Encoding | None = None,
    measure: Measure = len,
    propose: Propose | None = None,
    progress: Callable[[int], None] | None = None,
) -> Encoded:
    """Return the body of a conversation; with `before`, what is to be appended to the body that it is of.

    Args:
        history: the conversation, from its beginning.
        options: how it is encoded; without them as before, or by default. Where a body goes on, its budget
            stays what it was.
        before: the `state` of the encoding that goes on.
        measure: how large a text is, in characters by default; what a budget in tokens counts.
        propose: proposes what to quote (`pairl.encode.quoting.quote`); it is asked once for each text.
        progress: is called with the number of each turn that was read, from 1.

    Raises:
        HistoryChanged: the turns that were encoded before are not the beginning of `history` any more.

    The same input gives the same bytes. What is written of a turn depends on this turn and those before it.
    Linear in the history; never raises for what a history holds.
    """
    options = options or (before.options if before else Options())
    turns = history.turns
    first = first_turn(turns)
    start = first
    if before is not None:
        start = max(first, before.length)
        if before.length > len(turns) or fingerprint(turns[: before.length]) != before.digest:
            raise HistoryChanged(
                "the turns that were encoded before are not the beginning of this conversation"
            )
    end = max(start, end_of_body(turns, options.window, is_open=options.is_open))

    if before is None:
        allowance = _allowance(turns, first, options, measure)
        is_named = not options.is_open and not letters_do(turns[first:], first)
    else:
        allowance, is_named = before.allowance, before.is_named
    markers = Markers(first, named=is_named)
    writer = BodyWriter(
        markers, allowance, balance=before.balance if before else 0, measure=measure, propose=propose
    )
    lines: list[str] = []
    source: list[SourceTurn] = []
    answered: dict[str, str] = {}
    size = 0
    for index in range(first, end):
        items = writer.read(turns[index])
        if index >= start:
            section = writer.write(items)
            lines.append(section.text)
            source += section.source
            answered |= markers.answered_before(start)
            size += sum(len(item.plain) for item in items)
        if progress is not None:
            progress(index + 1)
    body = "".join(lines)
    state = Encoding(options, end, fingerprint(turns[:end]), allowance, writer.balance, is_named)
    return Encoded(
        body,
        tuple(part.text for turn in turns[:first] for part in turn.parts if isinstance(part, Said)),
        _recent(history, end),
        tuple(source),
        state,
        Report(end - start, size, len(body), dict(sorted((+writer.dropped).items())), history.notices),
        answered,
    )


def fingerprint(turns: Sequence[Turn]) -> str:
    """Return the SHA-256 of what turns hold, as 64 hex digits. Ids of calls are not part of it."""
    digest = hashlib.sha256()
    for turn in turns:
        digest.update(f"\n{turn.role} {turn.speaker!r} {turn.answers}".encode("utf-8", "backslashreplace"))
        for part in turn.parts:
            if isinstance(part, Call):
                told = [part.tool, *atoms_of(part.arguments)]
                digest.update(f"\n{part.number} {told!r}".encode("utf-8", "backslashreplace"))
                continue
            name = f"{part.__struct_config__.tag}"
            if isinstance(part, Result):
                name += f" {part.call} {part.is_error} {sorted(part.details.items())!r}"
            elif isinstance(part, Said):
                name += f" {part.is_summary}"
            elif isinstance(part, Unknown):
                name += f" {part.kind!r}"
            digest.update(f"\n{name} {len(part.text)} ".encode("utf-8", "backslashreplace"))
            digest.update(part.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _allowance(turns: Sequence[Turn], first: int, options: Options, measure: Measure) -> Allowance:
    sizes = None
    if options.budget is not None and options.budget.share is None:
        weigher = BodyWriter(Markers(first, named=False), Allowance(), measure=measure)
        for turn in turns[first:]:
            weigher.weigh(weigher.read(turn))
        sizes = Sizes(weigher.quotable, weigher.kept)
    has_calls = any(isinstance(part, Call) for turn in turns for part in turn.parts)
    return allowance_for(options.budget, has_calls=has_calls, is_open=options.is_open, sizes=sizes)


def _recent(history: History, end: int) -> tuple[object, ...]:
    """Return what is beside the body, from the turn with this index on."""
    if end >= len(history.turns):
        return ()
    if history.items:
        return history.items[history.turns[end].item :]
    return tuple(msgspec.to_builtins(turn) for turn in history.turns[end:])
