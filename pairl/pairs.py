r"""Reads `key=value` pairs that are not well-formed, left to right, with words for each fault.

This module knows how far faulty pairs can still be understood. It does not know what kind of line
they stand in, only whether that is between `{` and `}`, where a comma separates them, or behind a
record's type, where a space does.
"""

from __future__ import annotations

import re

from pairl import advice, grammar
from pairl.diagnostics import Edit, excerpt
from pairl.pair_faults import read_missing_value, report_words
from pairl.scanner import TAG_NAMES, Scanner

_KEY_EQUALS = re.compile(r'([^ =,"{}]*+)=')
_BARE = re.compile(r"[^ ,]*+")
_BARE_IN_BRACES = re.compile(r"[^ ,}]*+")
_SPACED_EQUALS = re.compile(r" *+= *+")
_COMMAS = re.compile(r",*+")
_MORE_WORDS = re.compile(r'(?: ++[^ ,="{}]++(?= |\Z)(?! *+=))*+')
_KEY = re.compile(grammar.KEY)


def read_pairs(scanner: Scanner, *, in_braces: bool) -> dict[str, str]:
    """Read pairs and tags up to the end of the line, or up to the `}` that closes an intent."""
    reader = _PairReader(scanner, in_braces=in_braces)
    reader.read()
    return reader.kv


class _PairReader:
    """The pairs read so far from where `scanner` stands, and how the line goes on behind one."""

    def __init__(self, scanner: Scanner, *, in_braces: bool) -> None:
        self.scanner = scanner
        self.in_braces = in_braces
        self.kv: dict[str, str] = {}
        self.bare = _BARE_IN_BRACES if in_braces else _BARE
        self.quote_fault = False
        self.last: tuple[str, int, int] | None = None

    def read(self) -> None:
        """Read up to the end."""
        scanner = self.scanner
        while True:
            start = scanner.position
            scanner.skip_spaces()
            if self.in_braces and scanner.position > start:
                self.spaces(start)
            if scanner.at_end or (self.in_braces and scanner.next_is("}")):
                return
            match = _KEY_EQUALS.match(scanner.text, scanner.position)
            if match is None:
                self.bare_token()
            elif match[1] in TAG_NAMES and not self.in_braces:
                scanner.tag(*scanner.word())
            else:
                self.pair(match)

    def spaces(self, start: int) -> None:
        """Report the spaces from `start` to here, which stand between braces."""
        scanner = self.scanner
        text, end = scanner.text, scanner.position
        edit = None
        if text[start - 1] in "{," or text.startswith("}", end):
            edit = scanner.edit(start, end, "", safe=True)
        elif _KEY_EQUALS.match(text, end) and not scanner.malformed:
            edit = scanner.edit(start, end, ",", safe=True)
        scanner.report(
            "SYN/spaces-in-braces",
            "spaces between `{` and `}` are not part of the parameters",
            start,
            end,
            "separate parameters with a comma and nothing else",
            edit,
        )

    def pair(self, match: re.Match[str]) -> None:
        """Read one `key=value`; `match` has found its key."""
        scanner, key, start = self.scanner, match[1], match.start()
        scanner.after_tag(start, match.end())
        if not _KEY.fullmatch(key):
            scanner.report(
                "SYN/bad-key",
                f"`{excerpt(key, 40)}` is no key" if key else "the key before `=` is missing",
                start,
                max(start + 1, match.end() - 1),
                "a key is a lower-case letter, then lower-case letters, digits and `_`, at most 64 together",
            )
        value_start = scanner.position = match.end()
        quoted = scanner.next_is('"')
        value = self.quoted_value() if quoted else self.bare_value(key)
        if scanner.next_is(",") and not self.comma(None if quoted else value_start) and not quoted:
            value = scanner.text[value_start : scanner.position]
        self.last = None if quoted or not value else (key, value_start, scanner.position)
        if key in self.kv:
            scanner.report(
                "SYN/duplicate-key",
                f"`{excerpt(key, 40)}` is given twice",
                start,
                scanner.position,
                "use two records, or one value",
            )
        else:
            self.kv[key] = value

    def comma(self, value_start: int | None) -> bool:
        """Read what begins with a comma behind a value; return whether a pair follows it.

        `value_start` is where the value begins, if it has no quotation marks.
        """
        scanner, start = self.scanner, self.scanner.position
        if self.pair_follows():
            scanner.position = start + 1
            return True
        scanner.position = scanner.end_of(_COMMAS)
        if self.in_braces:
            scanner.position = scanner.end_of(self.bare)
        else:
            scanner.word()
        edit = None
        if value_start is not None:
            value = scanner.text[value_start : scanner.position]
            edit = self.quoting(value_start, value, safe=False)
        scanner.report(
            "SYN/comma",
            f"`{excerpt(scanner.text[start : scanner.position], 40)}` after a value is not `,key=value`",
            start,
            scanner.position,
            advice.comma(scanner.text, start),
            edit,
        )
        return False

    def pair_follows(self) -> bool:
        """Say whether a pair follows the comma that stands here."""
        scanner, start = self.scanner, self.scanner.position
        scanner.position += 1
        if self.in_braces:
            scanner.skip_spaces()
        following = _KEY_EQUALS.match(scanner.text, scanner.position)
        scanner.position = start
        return following is not None and bool(following[1]) and following[1] not in TAG_NAMES

    def quoting(self, start: int, value: str, *, safe: bool) -> Edit | None:
        """Return the change that puts a value, which begins at `start`, between quotation marks."""
        if value.endswith("\\"):
            return None
        return self.scanner.edit(start, start + len(value), f'"{grammar.quote(value)}"', safe=safe)

    def bare_value(self, key: str) -> str:
        """Read a value without quotation marks; the position stands just behind `=`."""
        scanner, start = self.scanner, self.scanner.position
        end = scanner.position = scanner.end_of(self.bare)
        value = scanner.text[start:end]
        if not value:
            read_missing_value(scanner, key, self.bare)
        elif value.endswith("\\"):
            scanner.report(
                "SYN/trailing-backslash",
                "a value cannot end in a backslash: in canonical form it would escape the closing quote",
                start,
                end,
                "leave the backslash out, or add a character after it",
            )
        elif "\t" in value:
            scanner.report_tab(start, end)
        elif grammar.NOT_ATOM.search(value) and value != "!" and not grammar.REFERENCE.fullmatch(value):
            scanner.report(
                "SYN/unquoted-value",
                f"`{excerpt(value, 40)}` has characters that call for quotation marks",
                start,
                end,
                advice.unquoted(key, value),
                None if self.is_guess(value) else self.quoting(start, value, safe=self.ends_here()),
            )
        return value

    def is_guess(self, value: str) -> bool:
        """Say whether quotation marks around `value`, which ends here, are most likely not what was meant."""
        return (
            advice.glued_tag(value) is not None
            or advice.begins_with_other_mark(value)
            or bool(self.end_of_words() > self.scanner.position)
        )

    def ends_here(self) -> bool:
        """Say whether a value ends where the scanner stands, because no comma belongs to it."""
        return not self.scanner.next_is(",") or self.pair_follows()

    def end_of_words(self) -> int:
        """Return where the words end that stand behind a value of a record, and are no pairs."""
        return self.scanner.position if self.in_braces else self.scanner.end_of(_MORE_WORDS)

    def quoted_value(self) -> str:
        """Read a value between quotation marks, and report what is glued to them."""
        scanner = self.scanner
        value = scanner.quotation()
        after = scanner.position
        if not scanner.at_end and scanner.text[after] not in (" ,}" if self.in_braces else " ,"):
            scanner.position = scanner.end_of(self.bare)
            # What follows was most likely meant to be inside the quotation: one finding says it all.
            self.quote_fault = True
            scanner.report_after_quotation(after)
        return value

    def bare_token(self) -> None:
        """Report a word where a pair was expected, and pass over it."""
        scanner, start = self.scanner, self.scanner.position
        text = scanner.text
        scanner.after_tag(start, start + 1)
        if text[start] == '"':
            self.quoted_value()
        else:
            scanner.position = max(start + 1, scanner.end_of(self.bare))
        if self.quote_fault:
            return
        word = text[start : scanner.position]
        equals = _SPACED_EQUALS.match(text, scanner.position)
        if equals is not None:
            spaces_start, scanner.position = scanner.position, equals.end()
            scanner.position = scanner.end_of(self.bare)
            scanner.report(
                "SYN/spaces-around-equals",
                f"there are spaces between `{excerpt(word, 32)}` and `=`",
                start,
                equals.end(),
                "write `key=value` without spaces",
                scanner.edit(spaces_start, equals.end(), "="),
            )
            return
        scanner.position = self.end_of_words()
        report_words(scanner, start, self.last)
        self.last = None
