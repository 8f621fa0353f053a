"""`pairl hash`, `render` and `explain`: the protocol without a bus.

This module knows what these commands print and how they end. Everything they find out comes from
`pairl`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Annotated, NoReturn, TextIO

import msgspec
import typer

from pairl.canonical import hash_ref
from pairl.diagnostics import Severity, printable
from pairl.model import Message
from pairl.nearest import did_you_mean, nearest
from pairl.parser import parse
from pairl.render import Form, render
from pairl.rules import RULES, Policy, Rule, checks, find_rule
from pairl.show import show_diagnostic, show_rule
from pairl.validator import Report, validate
from workers.cli.check import Files
from workers.cli.console import colored, write
from workers.cli.files import Piece, read_pieces
from workers.exit_codes import ExitCode

_CONSTRUCT = re.compile(r"(?<![\w=])[#@][a-z]+\b")
_OF_FORM = ("HDR", "SYN", "V11", "V12")
"""The rules without which a message cannot be read to its end."""


def hash_messages(files: Files) -> None:
    """Print the value for `@hash` of each message; of several, each with where it stands."""
    pieces = read_pieces(files)
    values = [None if (message := readable(piece)) is None else hash_ref(message) for piece in pieces]
    if None in values:
        raise typer.Exit(ExitCode.INVALID)
    for piece, value in zip(pieces, values, strict=True):
        write(f"{value}  {printable(piece.name)}:{piece.first_line}" if len(pieces) > 1 else f"{value}")


def render_messages(
    files: Files, form: Annotated[Form, typer.Option("--to", help="What to render as.")] = Form.MARKDOWN
) -> None:
    """Print messages as documents for people: Markdown, plain text, or fragments of HTML."""
    write("\n".join(render(_parse(piece, Policy()), form) for piece in read_pieces(files)), end="")


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
    typer.echo(f"pairl: {advice} (`pairl explain` lists the rules)", err=True)
    raise typer.Exit(ExitCode.USAGE)


def _drawn(piece: Piece, message: Message, report: Report, stream: TextIO) -> str:
    """Return the diagnostics of a message, each with its line, as they are shown on `stream`."""
    return "".join(
        show_diagnostic(
            diagnostic, message.source, piece.name, first_line=piece.first_line, color=colored(stream)
        )
        + "\n\n"
        for diagnostic in report.diagnostics
    )


def _parse(piece: Piece, policy: Policy) -> Message:
    return parse(piece.data, max_bytes=policy.max_bytes, max_records=policy.max_records)


def readable(piece: Piece) -> Message | None:
    """Return a message that has a canonical form; show what stops it if it has none, and return None."""
    message = _parse(piece, Policy())
    broken = {record.line for record in message.body.records if record.malformed}
    # What is a warning in loose mode, since the rest of the message can be read, is an error here.
    stopping = [
        msgspec.structs.replace(found, severity=Severity.ERROR)
        for found in validate(message).diagnostics
        if found.rule in _OF_FORM and (found.severity is Severity.ERROR or found.line in broken)
    ]
    if not stopping and not broken:
        return message
    # Standard output holds canonical text and hashes, and nothing else.
    typer.echo(_drawn(piece, message, Report(stopping), sys.stderr), err=True, nl=False)
    typer.echo(f"pairl: {printable(piece.name)}: a malformed message has no canonical form", err=True)
    return None
