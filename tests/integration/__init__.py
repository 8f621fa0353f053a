"""The whole bus on real brokers. Assertions of the modules that the tests share explain themselves too."""

import pytest

pytest.register_assert_rewrite("tests.integration.bus", "tests.integration.stacks", "tests.integration.trail")
