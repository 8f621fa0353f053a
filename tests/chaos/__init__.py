"""Faults at the worst moments, and proving from the topics alone that nothing came of them."""

import pytest

pytest.register_assert_rewrite("tests.chaos.kill_validator", "tests.chaos.verdicts", "tests.chaos.faults")
