"""Codes of findings are declared once and used somewhere, and every rule explains itself in the same parts.

Reads source text for what is used, and the rules' own tables for what is declared.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pairl
from pairl.rules import RULES, Rule, checks

PACKAGE = Path(pairl.__file__).parent
WORKERS = PACKAGE.parent / "workers"
_CODE = re.compile(r"(?:HDR|SYN|SES|ENC|V[0-9]+)/[a-z0-9-]*")
PARTS = ("Checks", "Why:", "Example:", "Instead", "Specification:")


def strings() -> Iterator[tuple[str, str]]:
    """Yield every string, whole or the beginning of an f-string, with its place.

    Workers have some, too: what is wrong with the time or place of a message only they can know.
    """
    for path in sorted([*PACKAGE.rglob("*.py"), *WORKERS.rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path.name}:{node.lineno}", node.value


def test_every_code_that_is_used_is_declared() -> None:
    unknown = [
        f"{place}: {text} is not declared"
        for place, text in strings()
        if _CODE.fullmatch(text) and text not in checks()
    ]
    assert unknown == []


def test_every_check_that_is_declared_is_used() -> None:
    used = {text for _, text in strings()}
    assert [code for code in checks() if code not in used] == []


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_rule_explains_itself(rule: Rule) -> None:
    first, _, rest = rule.explanation.partition("\n")
    assert re.fullmatch(rf"{rule.code} {rule.name}: [^A-Z].*\.", first)
    places = [rest.find(f"\n{part}") for part in PARTS]
    assert -1 not in places
    assert places == sorted(places)
    assert inspect.cleandoc(rest).splitlines()[-1] == f"Specification: {rule.section}"


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_rule_is_a_module_of_its_own_name(rule: Rule) -> None:
    name = rule.evaluate.__module__.rpartition(".")[2]
    number = rule.code.lower() if not rule.code.startswith("V") else f"v{int(rule.code[1:]):02}"
    assert name.startswith(f"{number}_")


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_a_module_has_a_docstring_and_a_readable_size(path: Path) -> None:
    source = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= 250
