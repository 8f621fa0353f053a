"""What tests against the published package share: an interpreter that has it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.published import UnavailableError, published_interpreter


@pytest.fixture(scope="session")
def published() -> Path:
    """Return a Python that has the published package; without one, skip, or fail if it is required."""
    try:
        return published_interpreter()
    except UnavailableError as reason:
        if os.environ.get("PAIRL_TESTS_REQUIRE_PUBLISHED") == "1":
            pytest.fail(f"PAIRL_TESTS_REQUIRE_PUBLISHED=1, and there is no published package: {reason}")
        pytest.skip(f"the published package cannot be installed: {reason}")
