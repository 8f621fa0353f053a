"""The nine examples of the specification through the bus, where a checkout of it is at hand.

They are not ours to copy: `PAIRL_SPEC_DIR` names a directory with `examples/`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conformance.test_specification import PUBLISHED
from tests.integration.bus import Bus

pytestmark = pytest.mark.integration

# 05 is sealed with the hash of nothing; 06 answers `m1`, which its own session does not have. The costs of
# 05, and of 08 in its place, take what is spent under the budget of 02 above it (decision 29).
REJECTED = {"05": "V5,V8", "06": "V4", "08": "V8"}


@pytest.fixture(scope="module")
def examples() -> list[Path]:
    """Return the examples in the order of their thread."""
    directory = os.environ.get("PAIRL_SPEC_DIR")
    if not directory:
        pytest.skip("set PAIRL_SPEC_DIR to a checkout of the PAIRL specification to send its examples")
    return sorted(Path(directory, "examples").glob("*.pairl"))


async def test_the_published_examples_get_their_verdicts_and_hashes(examples: list[Path], bus: Bus) -> None:
    assert [path.name[:2] for path in examples] == [*PUBLISHED]

    bus.start_worker()
    sent = bus.pairl("bus", "send", *examples)
    assert sent.returncode == 1, sent.stderr
    assert sent.stdout.splitlines()[-1] == "9 sent: 6 accepted, 3 rejected"

    judged = {one.inbound.value: one for one in await bus.judgements(9)}
    # 08 ends in the line that separates messages, which is not sent.
    by_number = {path.name[:2]: judged[path.read_bytes().removesuffix(b"---\n")] for path in examples}
    assert {number: one.outcome for number, one in by_number.items() if one.entry.codes} == REJECTED
    assert {number: one.entry.hash for number, one in by_number.items() if one.entry.hash} == {
        number: digest for number, digest in PUBLISHED.items() if number not in REJECTED
    }
    # All messages without `@sid` are in the session of the message that they answer.
    sessions = [one.verdict.session for one in by_number.values()]
    assert len({*sessions[:5], sessions[7]}) == 1
    assert sessions[8] is None
