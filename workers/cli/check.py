"""`pairl check`: judges messages, shows what is wrong with each, and mends what can be mended.

This module knows in which order files are read, mended, judged and shown. What is found out comes from
`pairl`, and how it is shown from `pairl.show`.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Annotated, Literal

import msgspec
import typer

from pairl.diagnostics import Diagnostic, Severity, printable
from pairl.edits import mend, safe_edits
from pairl.parser import parse
from pairl.rules import Policy
from pairl.show import COLORED_TEXT, OUTPUTS, Located, Output
from pairl.validator import Report, validate
from workers.cli.console import colored, write, write_bytes
from workers.cli.counts import Counts
from workers.cli.files import Piece, Source, Unreadable, find_sources, foreign, read, split
from workers.cli.progress import Bar
from workers.cli.replacing import replace_contents

Files = Annotated[
    list[str], typer.Argument(help="Files, directories of .pairl files, or - for standard input.")
]
Loose = Annotated[bool, typer.Option("--loose/--strict", help="Judge in loose or in strict mode.")]
Form = Annotated[
    Literal["text", "json", "github", "sarif"],
    typer.Option(
        "--output", help="For people, or for programs: JSON lines, GitHub annotations, SARIF 2.1.0."
    ),
]
Fix = Annotated[
    bool, typer.Option("--fix", help="Make the edits that keep what a message says, in the files themselves.")
]


def check(files: Files, loose: Loose = False, output: Form = "text", fix: Fix = False) -> None:
    """Judge messages, and show what is wrong with each and how to mend it."""
    sources = list(find_sources(files))
    mended_to_output = fix and any(isinstance(source, Source) and source.path is None for source in sources)
    judge = _Judge(Policy(strict=not loose), fix=fix)
    # Where the mended text goes to standard output, nothing else may.
    shown = _Shown(output, to_errors=mended_to_output)
    with Bar(len(sources)) as bar:
        for source in sources:
            for found in judge.look_at(source):
                with bar.aside():
                    shown.show(found)
            bar.step()
    shown.end(judge.counts)
    raise typer.Exit(judge.counts.exit_code)


class Mended(msgspec.Struct, frozen=True):
    """A file that was changed, and how many edits that took."""

    name: str
    edits: int

    def __str__(self) -> str:
        """Return one line for a terminal."""
        return f"{printable(self.name)}: {self.edits:,} mended"


class _Judge:
    """Reads, judges and mends one file after the other, and keeps nothing but the counts."""

    def __init__(self, policy: Policy, *, fix: bool) -> None:
        self.policy = policy
        self.fix = fix
        self.counts = Counts(strict=policy.strict, mended=0 if fix else None)

    def look_at(self, source: Source | Unreadable) -> list[Located | Unreadable | Mended]:
        """Return what is found in a file, or why it cannot be read or written, and that it was changed."""
        if isinstance(source, Unreadable):
            return [self._unreadable(source)]
        data = read(source)
        if isinstance(data, Unreadable):
            return [self._unreadable(data)]
        self.counts.files += 1
        found: list[Located | Unreadable | Mended] = []
        changed: list[Mended] = []
        if self.fix:
            mended, edits = self._mended(source.name, data)
            fault = _put_back(source, data, mended)
            if fault is None:
                if data != mended and source.path is not None:
                    changed.append(Mended(source.name, edits))
                data = mended
                self.counts.mended = (self.counts.mended or 0) + edits
            else:
                found.append(self._unreadable(fault))
        for number, piece in enumerate(split(source.name, data), 1):
            found += self._judge(piece, number)
        return found + changed

    def _unreadable(self, fault: Unreadable) -> Unreadable:
        """Count a file that cannot be read or written."""
        self.counts.unreadable += 1
        return fault

    def _mended(self, name: str, data: bytes) -> tuple[bytes, int]:
        """Return the bytes of a file with each message mended, and how many edits were made."""
        parts: list[bytes] = []
        behind = edits = 0
        for piece in split(name, data):
            if foreign(piece.data) is None:
                mended = mend(piece.data, self.policy)
                parts += (data[behind : piece.offset], mended.data)
                behind = piece.offset + len(piece.data)
                edits += mended.count
        return b"".join([*parts, data[behind:]]), edits

    def _judge(self, piece: Piece, number: int) -> list[Located]:
        """Return what is found in a message."""
        policy, counts, data = self.policy, self.counts, piece.data
        hint = foreign(data)
        message = parse(data, max_bytes=policy.max_bytes, max_records=policy.max_records)
        report = validate(message, policy=policy)
        diagnostics = report.diagnostics if hint is None else _only_the_cause(report, hint)
        counts.valid += report.valid
        counts.invalid += not report.valid
        severities = Counter(found.severity for found in diagnostics)
        counts.errors += severities[Severity.ERROR]
        counts.warnings += severities[Severity.WARNING]
        counts.not_evaluated.update(report.not_evaluated)
        counts.codes.update(found.code for found in diagnostics)
        counts.mendable += len(safe_edits(report)) if hint is None else 0
        source, own_id = message.source, message.msg_id
        return [Located(found, piece.name, source, piece.first_line, number, own_id) for found in diagnostics]


class _Shown:
    """Puts diagnostics out in a form, and a summary behind them: in the same place if it is for people."""

    def __init__(self, name: str, *, to_errors: bool) -> None:
        self._output: Output = OUTPUTS[name]
        if self._output.for_people and colored(sys.stderr if to_errors else sys.stdout):
            self._output = COLORED_TEXT
        self._put = _put_to_errors if to_errors else _put
        self._begun = False

    def show(self, found: Located | Unreadable | Mended) -> None:
        if not isinstance(found, Located):
            beside = isinstance(found, Unreadable) or not self._output.for_people
            (_put_to_errors if beside else self._put)(f"{found}\n")
            return
        before = self._output.between if self._begun else self._output.begin()
        self._begun = True
        self._put(before + self._output.show(found))

    def end(self, counts: Counts) -> None:
        last = self._output.end if self._begun else self._output.begin() + self._output.end
        if last:
            self._put(last)
        if counts.files:
            for_people = self._output.for_people
            lines = [*(counts.limits() if for_people else []), *counts.lines()]
            (self._put if for_people else _put_to_errors)("".join(f"{line}\n" for line in lines))


def _put(text: str) -> None:
    write(text, end="")


def _put_to_errors(text: str) -> None:
    typer.echo(text, err=True, nl=False)


def _put_back(source: Source, before: bytes, after: bytes) -> Unreadable | None:
    """Put a mended file where it came from; what came from standard input goes to standard output."""
    if source.path is None:
        write_bytes(after)
        return None
    return None if after == before else replace_contents(source.path, before, after)


def _only_the_cause(report: Report, hint: str) -> list[Diagnostic]:
    """Return the one diagnostic that explains all others of something that is no text in UTF-8."""
    causes = ("SYN/not-utf8", "SYN/control-character", "SYN/too-large")
    cause = next((found for found in report.diagnostics if found.code in causes), None)
    if cause is None:
        return report.diagnostics
    return [msgspec.structs.replace(cause, help=hint)]
