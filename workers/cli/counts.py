"""What `pairl check` counted, and the summary that it makes of it.

This module knows numbers and the words around them. It does not know how messages are judged.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from pairl.rules import RULES, Needs
from workers.cli.console import counted
from workers.exit_codes import ExitCode

_MANY = 10
_WANTING = {Needs.THREAD: "need the thread", Needs.LEGEND: "the legend", Needs.SOURCE: "the turns quoted"}
"""What a file does not hold, in the few words of a summary."""


class Counts(msgspec.Struct):
    """What was read, and what was found in it."""

    strict: bool
    files: int = 0
    valid: int = 0
    invalid: int = 0
    errors: int = 0
    warnings: int = 0
    unreadable: int = 0
    mended: int | None = None
    mendable: int = 0
    codes: Counter[str] = msgspec.field(default_factory=Counter)
    not_evaluated: set[str] = msgspec.field(default_factory=set)

    @property
    def exit_code(self) -> ExitCode:
        """How the command ends: what could not be read weighs more than what is not valid."""
        if self.unreadable:
            return ExitCode.USAGE
        return ExitCode.INVALID if self.invalid else ExitCode.OK

    def lines(self) -> list[str]:
        """Return the summary; of many diagnostics it says how many there are of each code."""
        found = self.codes.total()
        lines = []
        if found > _MANY:
            rows = self.codes.most_common()
            lines.append("found most often:")
            lines += [f"{count:>7,}  {code}" for code, count in rows[:_MANY]]
            if rest := rows[_MANY:]:
                lines.append(f"{sum(count for _, count in rest):>7,}  of {counted(len(rest), 'other code')}")
        if self.mended is not None:
            lines.append(f"{self.mended:,} mended, {found:,} left")
        elif self.mendable:
            lines.append(f"{self.mendable:,} can be mended with `pairl check --fix`")
        of_files = f" in {counted(self.files, 'file')}" if self.files > 1 else ""
        lines.append(
            f"{counted(self.valid + self.invalid, 'message')}{of_files} checked "
            f"({'strict' if self.strict else 'loose'}): {self.valid:,} valid, {self.invalid:,} invalid, "
            f"{counted(self.errors, 'error')}, {counted(self.warnings, 'warning')}"
        )
        return lines

    def limits(self) -> list[str]:
        """Return a line on the rules that could not be evaluated on a file alone, if there are any."""
        groups = []
        for need, words in _WANTING.items():
            codes = [rule.code for rule in RULES if rule.needs is need and rule.code in self.not_evaluated]
            if codes:
                groups.append(f"{' and '.join(codes)} ({words})")
        return [f"not evaluated: {', '.join(groups)}"] if groups else []
