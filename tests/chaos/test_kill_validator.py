"""The short form of `kill_validator`, with another seed in every run; the report names it."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import pytest

from tests.chaos.kill_validator import open_bus, report, run
from tests.integration.stacks import StackMissing, running_apache_stack

pytestmark = pytest.mark.integration


def test_a_validator_killed_three_times_leaves_no_trace(tmp_path: Path) -> None:
    seed = random.randrange(1_000_000)
    print(f"seed {seed}")
    try:
        with running_apache_stack(tmp_path) as stack, open_bus(stack, tmp_path) as bus:
            result = asyncio.run(run(bus, messages=3_000, sessions=200, kills=3, seed=seed))
    except StackMissing as fault:
        if os.environ.get("PAIRL_TESTS_REQUIRE_APACHE") == "1":
            pytest.fail(str(fault))
        pytest.skip(str(fault))
    print(*report(result), sep="\n")
    assert len(result.recoveries) == 3
    assert result.outcomes.keys() == {"accepted", "V4", "V6", "SES"}
    assert sum(result.outcomes.values()) == 3_000
