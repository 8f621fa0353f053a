"""A conversation on which model and validators do not agree, as a person reads it.

Knows how what was said and what was found are shown in lines. Does not know who is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.model.comparison import Codes, Difference, Judged
from tests.model.conversations import Conversation
from tests.model.model import Said


def listing(one: Conversation, judged: Sequence[Judged], wrong: Sequence[Difference]) -> Iterator[str]:
    """Yield a line for each message, in the order in which they came to their partition."""
    yield f"seed {one.seed}, session {_short(one.session or '-')!r}"
    expected = {difference.number: difference for difference in wrong}
    for each in judged:
        said = each.sent.said
        offset = each.judgement.inbound.offset
        line = f"phase {each.phase} offset {offset}: {shown(said)} -> {_codes(each.codes)}"
        if said.number in expected:
            difference = expected[said.number]
            line += f"   BUT {_codes(difference.expected)} {difference.how}"
        yield line


def shown(said: Said) -> str:
    """Return a message on one line; what it lacks is left out."""
    parts = [f"#{said.number} {_short(said.id or '-')} {said.content}"]
    parts += [f"parent={_short(said.parent)}"] if said.parent else []
    parts += [f"deps={','.join(map(_short, said.deps))}"] if said.deps else []
    parts += [f"root={_short(said.root)}"] if said.root else []
    parts += [f"budget={said.budget[0]}{said.budget[1]}"] if said.budget else []
    parts += [f"cost={amount}{unit}" for amount, unit in said.costs]
    parts += ["projected"] * said.is_projection + ["demands parents"] * said.demands_parents
    parts += [f"broken: {_codes(said.faults)}"] if said.faults else []
    return " ".join(parts)


def _short(name: str) -> str:
    return name if len(name) < 20 else f"{name[:3]}…{name[-3:]}"


def _codes(codes: Codes) -> str:
    return ",".join(sorted(codes)) or "accepted"
