"""The examples in docstrings: they run, and print what stands below them."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import pairl

MODULES = ["pairl", *(module.name for module in pkgutil.walk_packages(pairl.__path__, "pairl."))]


def test_there_are_examples() -> None:
    assert any(test.examples for test in doctest.DocTestFinder().find(pairl, "pairl"))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
