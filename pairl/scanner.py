r"""Stands at a place in a line that is not well-formed, and reads its words, tags and quotations.

This module knows how a fault becomes a finding with a place, and what a fault means for the record.
It does not know pairs (`pairl.pairs`), kinds of line (`pairl.lines`) or rows (`pairl.columnar`).
Only lines that `pairl.grammar` does not match come here, so it may take a step for each token; it
never goes back over what it has read, so its time is linear in the line.
"""

from __future__ import annotations

import re

from pairl import advice, grammar, syntax
from pairl.diagnostics import Edit, Finding, Findings, excerpt, make_edit
from pairl.model import Record

_WORD = re.compile(r"[^ ]*+")
_SPACES = re.compile(r" *+")
_QUOTED = re.compile(rf'"({grammar.QUOTED_TEXT_WITH_CR})"')
_NOT_IN_A_TAG = re.compile(r'[",=]')
_TAG_FORM = re.compile(grammar.SHORT_ID)

_MOST_FAULTS = 100

TAG_NAMES = ("@m", "@rid")


class Scanner:
    """A position in a line, the tags seen so far, and whether a fault was met.

    What a line holds beyond its fields (a bare word, a second value for a key) cannot be carried by
    a `Record`; a record read from such a line is marked `malformed` and stands for its text, so
    that nothing is lost. So is one whose line holds a CR, which no writer would write again.
    """

    def __init__(self, text: str, line: int, indent: int, findings: Findings) -> None:
        """Stand at the start of `text`, a line without white space around it.

        `line` is its number, `indent` the number of characters that stood before it: columns of
        findings count them. Findings go to `findings`.
        """
        self.text = text
        self.line = line
        self.indent = indent
        self.findings = findings
        self.position = 0
        self.tags: dict[str, str] = {}
        self.malformed = "\r" in text
        self._faults = 0
        self._tag_fault = False

    def report(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        advice: str | None = None,
        edit: Edit | None = None,
    ) -> None:
        """Add a finding about `text[start:end]`; the line may be malformed by it."""
        column = self.indent + start + 1
        self.findings.add(Finding(code, message, self.line, column, max(1, end - start), advice, edit=edit))
        if code not in syntax.CARRIED:
            self.malformed = True
            self._faults += 1

    def edit(self, start: int, end: int, text: str, *, safe: bool = False) -> Edit | None:
        """Return the change that puts `text` in the place of `text[start:end]`, if it can be made."""
        return make_edit(self.line, self.indent + start + 1, end - start, text, safe=safe)

    def record(
        self, kind: str, name: str | None, kv: dict[str, str] | None = None, arg: str | None = None
    ) -> Record:
        """Return a record with what was read."""
        return Record(
            kind=kind,
            name=name,
            kv=kv or {},
            rid=self.tags.get("@rid") or None,
            m=self.tags.get("@m") or None,
            raw=self.text,
            line=self.line,
            arg=arg,
            malformed=self.malformed,
        )

    def end_of(self, pattern: re.Pattern[str]) -> int:
        """Return where `pattern`, which matches the empty string too, ends when it starts here."""
        match = pattern.match(self.text, self.position)
        return match.end() if match else self.position

    def skip_spaces(self) -> None:
        """Move to the next character that is no space, or to the end."""
        self.position = self.end_of(_SPACES)

    def next_is(self, character: str) -> bool:
        """Say whether `character` stands here."""
        return self.text.startswith(character, self.position)

    @property
    def at_end(self) -> bool:
        """Whether the whole line was read, or has so many faults that reading on is of no use."""
        return self.position >= len(self.text) or self.gave_up

    @property
    def gave_up(self) -> bool:
        """Whether the line has so many faults that the rest of it is not read."""
        return self._faults >= _MOST_FAULTS

    def word(self) -> tuple[int, str]:
        """Read up to the next space; return where the word starts, and the word."""
        start, self.position = self.position, self.end_of(_WORD)
        return start, self.text[start : self.position]

    def report_tab(self, start: int, end: int) -> None:
        """Report a TAB somewhere in `text[start:end]`, which is not between quotation marks."""
        self.report(
            "SYN/control-character",
            "a TAB stands outside quotation marks",
            start,
            end,
            "separate with one space, or quote the value",
        )

    def quotation(self, fault: str = "SYN/unterminated-quote") -> str:
        """Read a value between quotation marks; `fault` is the code if they are never closed."""
        text, start = self.text, self.position
        match = _QUOTED.match(text, start)
        if match is not None:
            self.position = match.end()
            return grammar.unquote(match[1])
        self.report(
            fault,
            "the quotation mark is still open at the end of the line",
            start,
            len(text),
            r'close it on the same line; inside, write `"` as `\"`; a value cannot end in `\`',
        )
        self.position = len(text)
        return text[start + 1 :]

    def report_after_quotation(self, start: int) -> None:
        """Report that the text from `start` to here is glued to a closing quotation mark."""
        self.report(
            "SYN/text-after-quote",
            f"`{excerpt(self.text[start : self.position], 40)}` is glued to a closing quotation mark",
            start,
            self.position,
            advice.glued_tag(self.text[start : self.position])
            or r"a quotation mark inside a value is written `\"`",
        )

    def tag(self, start: int, word: str) -> None:
        """Take note of `@m=…` or `@rid=…`, a word that starts at `start`."""
        name, _, value = word.partition("=")
        end = start + len(word)
        if name in self.tags:
            self.report(
                "SYN/duplicate-tag",
                f"`{name}=` is given twice",
                start,
                end,
                f"keep one `{name}=`",
            )
        elif not value:
            self.report(
                "SYN/empty-tag",
                f"`{name}=` has no value",
                start,
                end,
                f"leave `{name}=` out where there is nothing to name",
            )
        elif "\t" in value:
            self.report_tab(start, end)
        elif _NOT_IN_A_TAG.search(value):
            self.report(
                "SYN/malformed-tag",
                f"`{name}={excerpt(value, 40)}` runs to the next space",
                start,
                end,
                "an id has 1 to 8 letters and digits; pairs go before the tags",
            )
        elif not _TAG_FORM.fullmatch(value):
            self.report(
                "SYN/tag-form",
                f"`{name}={excerpt(value, 40)}` is not 1 to 8 letters and digits",
                start,
                end,
                f"shorten it, in every place that names it: `{name}=f1`",
            )
        self.tags.setdefault(name, value)

    def after_tag(self, start: int, end: int) -> None:
        """Report, once a line, that something follows a tag."""
        if self.tags and not self._tag_fault:
            self._tag_fault = True
            self.report(
                "SYN/tag-not-last",
                f"`{excerpt(self.text[start:end], 40)}` follows a tag",
                start,
                end,
                "`@m=` and then `@rid=` end the line",
            )


def is_tag(word: str) -> bool:
    """Say whether `word` begins like `@m=` or `@rid=`."""
    return word.partition("=")[0] in TAG_NAMES and "=" in word
