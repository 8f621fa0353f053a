r"""Reads the parts of a line that is not well-formed: pairs, values and tags, left to right.

This module knows how far a faulty line can still be understood, and the words for each fault. It
does not know what kind of line it reads (`pairl.lines`, `pairl.columnar`) or what a record means.
Only lines that `pairl.grammar` does not match come here, so it may take a step for each token; it
never goes back over what it has read, so its time is linear in the line.
"""

from __future__ import annotations

import re

from pairl import grammar, syntax
from pairl.diagnostics import Finding, Findings, excerpt
from pairl.model import Record

_KEY_EQUALS = re.compile(r'([^ =,"{}]*+)=')
_BARE = re.compile(r"[^ ,]*+")
_BARE_IN_BRACES = re.compile(r"[^ ,}]*+")
_WORD = re.compile(r"[^ ]*+")
_SPACES = re.compile(r" *+")
_SPACED_EQUALS = re.compile(r" *+= *+")
_QUOTED = re.compile(rf'"({grammar.QUOTED_TEXT})"')
_KEY = re.compile(grammar.KEY)
_TAG_FORM = re.compile(r"[A-Za-z0-9]{1,8}")

TAG_NAMES = ("@m", "@rid")


class Scanner:
    """A position in a line, the tags seen so far, and whether a fault was met.

    What a line holds beyond its fields (a bare word, a second value for a key) cannot be carried by
    a `Record`; a record read from such a line is marked `malformed` and stands for its text, so
    that nothing is lost.
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
        self.tag_fault = False
        self.quote_fault = False
        self.malformed = False

    def report(self, code: str, message: str, start: int, end: int, advice: str | None = None) -> None:
        """Add a finding about `text[start:end]`; unless it is a mere warning, the line is malformed."""
        self.findings.add(
            Finding(code, message, self.line, self.indent + start + 1, max(1, end - start), advice)
        )
        if code not in syntax.WARNINGS:
            self.malformed = True

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
        """Whether the whole line was read."""
        return self.position >= len(self.text)

    def word(self) -> tuple[int, str]:
        """Read up to the next space; return where the word starts, and the word."""
        start, self.position = self.position, self.end_of(_WORD)
        return start, self.text[start : self.position]

    def pairs(self, *, in_braces: bool) -> dict[str, str]:
        """Read `key=value` pairs up to the end of the line, or up to the `}` that closes an intent."""
        text = self.text
        kv: dict[str, str] = {}
        while True:
            start = self.position
            self.skip_spaces()
            if in_braces and self.position > start:
                self.report(
                    "SYN/spaces-in-braces",
                    "spaces between `{` and `}` are not part of the parameters",
                    start,
                    self.position,
                    "separate parameters with a comma and nothing else",
                )
            if self.at_end or (in_braces and self.next_is("}")):
                return kv
            if in_braces and self.next_is(",") and kv:
                self.position += 1
                continue
            match = _KEY_EQUALS.match(text, self.position)
            if match is None:
                self.bare_token(in_braces=in_braces)
            elif match[1] in TAG_NAMES and not in_braces:
                self.tag(*self.word())
            else:
                self.pair(match, kv, in_braces=in_braces)

    def pair(self, match: re.Match[str], kv: dict[str, str], *, in_braces: bool) -> None:
        """Read one `key=value` into `kv`; `match` has found its key."""
        key, start = match[1], match.start()
        self.after_tag(start, match.end())
        if not _KEY.fullmatch(key):
            self.report(
                "SYN/bad-key",
                f"`{excerpt(key, 40)}` is no key" if key else "the key before `=` is missing",
                start,
                match.end(),
                "a key is a lower-case letter, then digits, lower-case letters and `_`",
            )
        self.position = match.end()
        value = self.value(key, in_braces=in_braces)
        if key in kv:
            self.report(
                "SYN/duplicate-key",
                f"`{excerpt(key, 40)}` is given twice",
                start,
                self.position,
                "use two records, or one value",
            )
        else:
            kv[key] = value
        if not in_braces and self.next_is(","):
            self.comma()

    def comma(self) -> None:
        """Read a comma behind a value: it separates pairs, or should have been quoted."""
        following = _KEY_EQUALS.match(self.text, self.position + 1)
        if following is not None and following[1]:
            self.position += 1
            return
        start, word = self.word()
        self.report(
            "SYN/comma",
            f"`{excerpt(word, 40)}` after a value is not `,key=value`",
            start,
            self.position,
            "put quotation marks around a value that has a comma in it",
        )

    def value(self, key: str, *, in_braces: bool) -> str:
        """Read a value, quoted or bare; the position stands just behind `=`."""
        start = self.position
        if self.next_is('"'):
            return self.quoted_value(in_braces=in_braces)
        self.position = self.end_of(_BARE_IN_BRACES if in_braces else _BARE)
        value = self.text[start : self.position]
        if not value:
            self.missing_value(key)
            return ""
        if value.endswith("\\"):
            self.report(
                "SYN/trailing-backslash",
                "a value cannot end in a backslash: in canonical form it would escape the closing quote",
                start,
                self.position,
                "leave the backslash out, or add a character after it",
            )
        elif "\t" in value:
            self.report(
                "SYN/control-character",
                "a TAB stands outside quotation marks",
                start,
                self.position,
                "separate with one space, or quote the value",
            )
        elif grammar.NOT_ATOM.search(value) and not (value.startswith(("ref:", "@")) or value == "!"):
            self.report(
                "SYN/unquoted-value",
                f"`{excerpt(value, 40)}` has characters that call for quotation marks",
                start,
                self.position,
                f'write `{excerpt(key, 32)}="{excerpt(grammar.quote(value), 40)}"`',
            )
        return value

    def quoted_value(self, *, in_braces: bool, fault: str = "SYN/unterminated-quote") -> str:
        """Read a value between quotation marks; `fault` is the code if they are never closed."""
        text, start = self.text, self.position
        match = _QUOTED.match(text, start)
        if match is None:
            self.report(
                fault,
                "the quotation mark is still open at the end of the line",
                start,
                len(text),
                r'close it on the same line; inside, write `"` as `\"`; a value cannot end in `\`',
            )
            self.position = len(text)
            return text[start + 1 :]
        self.position = match.end()
        if not self.at_end and text[self.position] not in (" ,}" if in_braces else " ,"):
            after, word = self.word()
            # What follows was most likely meant to be inside the quotation: one finding says it all.
            self.quote_fault = True
            self.report(
                "SYN/text-after-quote",
                f"`{excerpt(word, 40)}` is glued to a closing quotation mark",
                after,
                self.position,
                r"a quotation mark inside a value is written `\"`",
            )
        return grammar.unquote(match[1])

    def missing_value(self, key: str) -> None:
        """Report that nothing stands behind `=`, and pass over a word that was meant to."""
        start = self.position
        self.skip_spaces()
        value_start = self.position
        self.position = self.end_of(_BARE)
        value = self.text[value_start : self.position]
        if value_start > start and value and "=" not in value:
            self.report(
                "SYN/spaces-around-equals",
                f"there is a space between `{excerpt(key, 32)}=` and its value",
                start - 1,
                self.position,
                f"write `{excerpt(key, 32)}={excerpt(value, 40)}`",
            )
            return
        self.position = start
        self.report(
            "SYN/empty-value",
            f"`{excerpt(key, 32)}=` has no value",
            start - 1,
            start,
            f'write `{excerpt(key, 32)}=""` for an empty value',
        )

    def bare_token(self, *, in_braces: bool) -> None:
        """Report a word where a pair was expected, and pass over it."""
        text, start = self.text, self.position
        self.after_tag(start, start + 1)
        if text[start] == '"':
            self.quoted_value(in_braces=in_braces)
        else:
            self.position = max(start + 1, self.end_of(_BARE_IN_BRACES if in_braces else _BARE))
        if self.quote_fault:
            return
        word = text[start : self.position]
        equals = _SPACED_EQUALS.match(text, self.position)
        if equals is not None:
            self.position = equals.end()
            self.word()
            self.report(
                "SYN/spaces-around-equals",
                f"there are spaces between `{excerpt(word, 32)}` and `=`",
                start,
                equals.end(),
                "write `key=value` without spaces",
            )
            return
        self.report(
            "SYN/bare-token",
            f"`{excerpt(word, 40)}` stands where `key=value` is expected",
            start,
            self.position,
            "give it a key, or quote the value that it belongs to",
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
        elif not _TAG_FORM.fullmatch(value):
            self.report(
                "SYN/tag-form",
                f"`{name}={excerpt(value, 40)}` is not 1 to 8 letters and digits",
                start,
                end,
            )
        self.tags.setdefault(name, value)

    def after_tag(self, start: int, end: int) -> None:
        """Report, once a line, that something follows a tag."""
        if self.tags and not self.tag_fault:
            self.tag_fault = True
            self.report(
                "SYN/tag-not-last",
                f"`{excerpt(self.text[start:end], 40)}` follows a tag",
                start,
                end,
                "`@m=` and then `@rid=` end the line",
            )
