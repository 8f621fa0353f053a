"""However records are cut into batches, and whenever sessions are loaded again: the same comes of them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pairl import Policy
from schemas.topics import AUDIT
from tests.unit.partitions import BROKEN, LOOSE, STRICT, Arrived, Partition, block, outputs, written
from workers.processors.conversation import Patience

_IDS = st.sampled_from(["m1", "m2", "m3", "m4", "m5"])
_MORE = st.sampled_from(
    [
        "",
        "",
        "#fact c=3\n",
        BROKEN,
        "#cost val=1 cur=USD\n",
        "#evid claim=f1 src=ref:msg:t:m1 conf=1\n",
        "#evid claim=f1 src=@m1#f1 conf=1\n",
    ]
)
_HEADERS = st.sampled_from(["", "", "", "@budget 2USD\n", "@root m1\n"])
_MESSAGES = st.builds(
    lambda name, parents, more, headers, key: Arrived(written(name, ",".join(parents), more, headers), key),
    _IDS,
    st.lists(_IDS, max_size=3, unique=True),
    _MORE,
    _HEADERS,
    st.sampled_from([b"s", b"s", b"s", b"t"]),
)
_PHASES = st.lists(st.lists(_MESSAGES, max_size=10), min_size=1, max_size=3)


def _batches(messages: list[Arrived], sizes: list[int]) -> Iterator[list[Arrived]]:
    """Cut messages into batches of these sizes, and one of the rest."""
    start = 0
    for size in sizes:
        yield messages[start : start + size]
        start += size
    yield messages[start:]


def _run(
    partition: Partition, phases: list[list[Arrived]], sizes: list[int], *, is_forgetful: bool
) -> tuple[object, ...]:
    """Return all that comes of the messages; after each phase the deadlines of those that wait pass."""
    written_to: dict[str, list[object]] = {}
    final: dict[int, object] = {}
    for phase in phases:
        copies = [msgspec.structs.replace(record) for record in phase]
        for batch in [*filter(None, _batches(copies, sizes)), None]:
            if is_forgetful:
                partition.forget_memory()
            outcome = (
                partition.wait(partition.validator.patience.milliseconds)
                if batch is None
                else partition.take(*batch)
            )
            for topic, records in outcome.outputs:
                if topic is not AUDIT:
                    written_to.setdefault(topic.name, []).extend(records)
            if outputs(outcome, AUDIT.name):
                final |= {entry.offset: entry for entry in block(outcome).entries}
    return written_to, final, partition.entries


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([STRICT, LOOSE]),
    st.sampled_from([Patience(), Patience(messages=2), Patience(0)]),
    _PHASES,
    st.lists(st.integers(1, 4), max_size=10),
    st.booleans(),
)
def test_batches_and_memory_do_not_matter(
    policy: Policy,
    patience: Patience,
    phases: list[list[Arrived]],
    sizes: list[int],
    is_forgetful: bool,
) -> None:
    at_once = _run(Partition(policy, patience), phases, [], is_forgetful=False)
    in_parts = _run(Partition(policy, patience), phases, sizes, is_forgetful=is_forgetful)
    assert in_parts == at_once
    entries = at_once[1]
    assert isinstance(entries, dict)
    assert {entry.verdict for entry in entries.values()} <= {"accepted", "rejected"}
    assert len(entries) == sum(map(len, phases))
