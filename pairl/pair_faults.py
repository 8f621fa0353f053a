"""Reports what stands where a value or a pair was expected, and passes over it.

This module knows how a missing value and stray words are told apart from what was meant. It does not
know how a line of pairs goes on: `pairl.pairs` does.
"""

from __future__ import annotations

import re

from pairl import advice, grammar
from pairl.diagnostics import excerpt
from pairl.scanner import Scanner


def read_missing_value(scanner: Scanner, key: str, bare: re.Pattern[str]) -> None:
    """Report that nothing stands behind `=`, and pass over a word that was meant to."""
    start = scanner.position
    scanner.skip_spaces()
    value_start = scanner.position
    scanner.position = scanner.end_of(bare)
    value = scanner.text[value_start : scanner.position]
    if value_start > start and value and "=" not in value:
        scanner.report(
            "SYN/spaces-around-equals",
            f"there is a space between `{excerpt(key, 32)}=` and its value",
            start - 1,
            scanner.position,
            f"write `{excerpt(key, 32)}={excerpt(value, 40)}`",
            scanner.edit(start, value_start, ""),
        )
        return
    scanner.position = start
    scanner.report(
        "SYN/empty-value",
        f"`{excerpt(key, 32)}=` has no value",
        start - 1,
        start,
        f'write `{excerpt(key, 32)}=""` for an empty value',
        scanner.edit(start, start, '""'),
    )


def report_words(scanner: Scanner, start: int, last: tuple[str, int, int] | None) -> None:
    """Report the words from `start` to here, which stand where a pair was expected.

    `last` is the pair before them, if its value has no quotation marks: its key, and where the value
    begins and ends. Words that follow such a value are most likely a part of it.
    """
    text, end = scanner.text, scanner.position
    help_text, edit = "give it a key, or quote the value that it belongs to", None
    if last is not None and not text[last[2] : start].strip(" "):
        key, value_start, _ = last
        meant = grammar.quote(advice.words(text[value_start:end]))
        help_text = f'write `{excerpt(key, 32)}="{excerpt(meant, 80)}"`'
        if not text.endswith("\\", start, end):
            edit = scanner.edit(value_start, end, f'"{meant}"')
    scanner.report(
        "SYN/bare-token",
        f"`{excerpt(text[start:end], 40)}` stands where `key=value` is expected",
        start,
        end,
        help_text,
        edit,
    )
