"""What must hold when a storm is over, as anybody sees it who reads the topics.

Knows what each message must have become, from the traffic alone. That every record is accounted for and
unchanged, and the audit trail whole, is checked by `tests.integration.trail`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.chaos.conversations import ACCEPTED, Said
from tests.chaos.traffic import NUMBER
from tests.integration.trail import Judgement


def check(said: Sequence[Said], judged: Sequence[Judgement], seen: Counter[bytes], wait_seconds: int) -> None:
    """Check that each message got the one verdict that it must have, once, and at home.

    `seen` is how often a consumer saw a verdict on each message, by its number.

    Raises:
        AssertionError: one has not.

    """
    numbers = {str(number).encode() for number in range(len(said))}
    for counted in (seen, Counter(dict(one.output.headers)[NUMBER] for one in judged)):
        assert counted.keys() == numbers
        assert set(counted.values()) == {1}
    wrong = [
        f"{one.outcome} instead of {find(said, one)}: {one.entry}, {one.verdict}"
        for one in judged
        if one.outcome != find(said, one).expected
    ]
    assert wrong == []
    for one in judged:
        expected = find(said, one)
        sent = expected.sent
        assert (one.output.key, one.output.value) == (sent.key, sent.value)
        assert tuple(one.output.headers[: len(sent.headers)]) == sent.headers
        assert one.entry.session == expected.session
        assert expected.home in (None, one.output.partition)
        assert is_rerouted(one) == expected.is_astray
        if expected.is_orphan:
            assert (one.verdict.waited_ms or 0) >= 1000 * wait_seconds
            assert "SES/gave-up-waiting" in one.findings
    _check_order(said, judged)


def _check_order(said: Sequence[Said], judged: Sequence[Judgement]) -> None:
    """Check that a message was accepted after its parents, and for the first time once."""
    accepted: dict[str, set[str]] = defaultdict(set)
    for one in sorted(judged, key=lambda one: (one.output.partition, one.output.offset)):
        expected = find(said, one)
        if expected.session and expected.id and one.outcome == ACCEPTED:
            before = accepted[expected.session]
            assert before.issuperset(expected.parents), one
            assert (expected.id in before) == ("SES/duplicate" in one.findings), one
            before.add(expected.id)


def is_rerouted(one: Judgement) -> bool:
    """Say whether a message had come to a wrong partition."""
    return one.origin != (one.inbound.partition, one.inbound.offset)


def find(said: Sequence[Said], one: Judgement) -> Said:
    """Return what was said that this is the judgement of."""
    return said[int(dict(one.inbound.headers)[NUMBER])]
