"""`pairl explain`: finds a rule by whatever one knows of it.

This module knows the names that rules and checks go by. What a rule explains stands in its own module.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Annotated, NoReturn

import typer

from pairl.diagnostics import printable
from pairl.nearest import did_you_mean, nearest
from pairl.rules import RULES, Rule, checks, find_rule
from pairl.show import show_rule
from workers.cli.console import colored, give_up, write
from workers.exit_codes import ExitCode

_CONSTRUCT = re.compile(r"(?<![\w=])[#@][a-z]+\b")


def explain(
    about: Annotated[
        str | None,
        typer.Argument(
            help="A rule (V9, budget), a check (V9/orphan-ret, orphan-ret), or a construct (#fact, @p)."
        ),
    ] = None,
) -> None:
    """Explain a rule: what it checks, why, an example, and what to write instead; or list the rules."""
    if about is None or about.startswith(("#", "@")):
        listed = RULES if about is None else [rule for rule in RULES if about.lower() in _constructs(rule)]
        if not listed:
            constructs = [construct for rule in RULES for construct in sorted(_constructs(rule))]
            _no_such_thing("rule that names", about or "", dict.fromkeys(constructs))
        write("\n".join(f"{rule.code:<4} {_sentence(rule)}" for rule in listed))
        return
    code = _codes().get(about.lower())
    if code is None:
        within = find_rule(about) if "/" in about else None
        known = [code for code in checks() if within and code.startswith(f"{within.code}/")]
        _no_such_thing("check" if within else "rule or check", about, known or _codes())
    rule = find_rule(code)
    assert rule is not None  # noqa: S101  # the codes are the table's rows
    write(show_rule(rule, code, color=colored(sys.stdout)))


def _codes() -> dict[str, str]:
    """Return the code of what can be explained, by each name that it has."""
    codes = {name.lower(): rule.code for rule in RULES for name in (rule.code, rule.name)}
    for code in checks():
        codes.setdefault(code.partition("/")[2], code)
    return codes | {code.lower(): code for code in checks()}


def _constructs(rule: Rule) -> set[str]:
    """Return the records and headers that a rule's explanation names, its examples included."""
    return set(_CONSTRUCT.findall(rule.explanation))


def _sentence(rule: Rule) -> str:
    """Return the first line of a rule's explanation, from its name on."""
    return rule.explanation.strip().partition("\n")[0].removeprefix(f"{rule.code} ")


def _no_such_thing(kind: str, wanted: str, known: Iterable[str]) -> NoReturn:
    advice = did_you_mean(f"there is no {kind} {printable(wanted)}", nearest(wanted, known))
    give_up(ExitCode.USAGE, f"{advice} (`pairl explain` lists the rules)")
