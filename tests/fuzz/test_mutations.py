"""The short form of fuzzing: some thousand mutations, the same each time, and what fuzzing found before."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.mutations import SEEDS, mutate
from tests.fuzz.properties import check

MUTATIONS = 2_100
GENERATIONS = 3

FOUND = (b"@v 1\n\nack\nack\n---\nA", b"@v 1\n\n>>>\nx\ny\n---\n")
"""What the long form (`tests.fuzz.fuzz_protocol`) once found."""


@pytest.mark.parametrize("data", [b"", *SEEDS, *FOUND])
def test_what_fuzzing_begins_with_and_found(data: bytes) -> None:
    check(data)


def test_whatever_becomes_of_a_message_it_is_read_judged_and_written() -> None:
    random = Random(16)
    for _ in range(MUTATIONS // GENERATIONS):
        data = random.choice(SEEDS)
        for _ in range(GENERATIONS):
            data = mutate(random, data)
            try:
                check(data)
            except Exception as fault:  # noqa: BLE001  # whatever it is, the text is wanted
                pytest.fail(f"{fault!r} with {data!r}")
