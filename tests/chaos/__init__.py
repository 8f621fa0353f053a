"""Killing workers at the worst moments, and proving from the topics alone that nothing came of it."""

import pytest

pytest.register_assert_rewrite("tests.chaos.kill_validator")
