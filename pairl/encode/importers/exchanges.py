"""Requests to a model and its responses, of which each request repeats what was said before.

This module knows which of many exchanges have to be read so that all is told, and nothing twice. It does not
know what a message holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pairl.encode.importers.history_builder import HistoryBuilder


class Exchange(msgspec.Struct, frozen=True):
    """What was sent to a model, and what it answered.

    `speaker` is the name of the one who answered, where the record gives one; `began_at` is in ISO 8601.
    `alternatives` counts the other answers that the model gave. `is_of_items` says that what was sent and
    answered are items of the Responses interface, and no messages. `id` is the response's, and `continues`
    the id of the response that the model was to remember.
    """

    messages: Sequence[object]
    answer: Sequence[object]
    system: Sequence[object] = ()
    speaker: str | None = None
    began_at: str | None = None
    alternatives: int = 0
    is_of_items: bool = False
    id: str = ""
    continues: str = ""


def conversations(exchanges: Sequence[Exchange], key: Callable[[object], str]) -> list[list[Exchange]]:
    """Return what has to be read of exchanges: a list for each conversation, in the order of the record.

    `key` tells messages apart; it is empty for one that does not count, as those of the system. An exchange
    is repeated by one that opens with the same message, has no fewer of them, and holds its last one and most
    others, since some are shortened when they are sent again; of two that repeat each other the later one is
    read. What continues another by its id follows that one.
    """
    chains: list[list[int]] = []
    chain_of: dict[str, list[int]] = {}
    for index, exchange in enumerate(exchanges):
        chain = chain_of.get(exchange.continues) if exchange.continues else None
        if chain is None:
            chains.append(chain := [])
        chain.append(index)
        if exchange.id:
            chain_of[exchange.id] = chain
    if len(chains) == 1:
        return [list(exchanges)]
    keys = [
        [found for message in exchanges[chain[0]].messages if (found := key(message))] for chain in chains
    ]
    told: dict[str, set[str]] = {}
    read: list[int] = []
    for place in sorted(range(len(chains)), key=lambda place: (-len(keys[place]), -place)):
        if keys[place]:
            seen = told.setdefault(keys[place][0], set())
            repeated = sum(found in seen for found in keys[place])
            if keys[place][-1] in seen and repeated * 2 >= len(keys[place]) and len(chains[place]) == 1:
                continue
            seen.update(keys[place])
        read.append(place)
    return [[exchanges[index] for index in chains[place]] for place in sorted(read)]


def note_left_out(
    history: HistoryBuilder,
    exchanges: Sequence[Exchange],
    read: Sequence[Sequence[Exchange]],
    key: Callable[[object], str],
    *,
    kind: str = "exchange",
) -> None:
    """Take notice of exchanges that are not read, and of those of them whose answer is told nowhere else.

    An answer that was shortened when it was sent again counts as one that is not. `kind` is what a record
    calls an exchange.
    """
    kept = {id(exchange) for chain in read for exchange in chain}
    if len(kept) == len(exchanges):
        return
    told = {
        key(one) for chain in read for exchange in chain for one in (*exchange.messages, *exchange.answer)
    }
    for exchange in exchanges:
        if id(exchange) not in kept:
            is_told = told.issuperset(found for one in exchange.answer if (found := key(one)))
            history.notice(f"{kind} that another one repeats{'' if is_told else ', but for its answer'}")
