r"""The grammar of PAIRL 1.6 (§8.3) as regular expressions, each below the production it stands for.

This module knows how a line looks when nothing is wrong with it. It gives no diagnostics: a line
that none of these matches is read again, slowly and with words, by `pairl.lines`.

Every repetition is possessive (`++`, `*+`), so that a match never goes back over what it has read,
and what is searched for is anchored to the start of a line or follows the match before it: the time
is linear in the text, whatever the text holds.
"""

from __future__ import annotations

import re

# key    := LOWER *(LOWER / DIGIT / "_")
# At most 64 characters: a block names a key once, and its canonical text names it once a row.
KEY = r"[a-z][a-z0-9_]{0,63}+"

# atom   := 1*(ALNUM / ":" / "." / "_" / "/" / "@" / "+" / "-")
ATOM_CHARACTERS = r"A-Za-z0-9:._/@+\-"
ATOM = rf"[{ATOM_CHARACTERS}]++"


# quoted := DQUOTE *(any character but DQUOTE / '\"') DQUOTE
# A backslash is literal unless a quotation mark follows, so a value cannot end in one (§8.2).
def _quoted_text(line_ends: str) -> str:
    return rf'[^"\\{line_ends}]*+(?:\\"?+[^"\\{line_ends}]*+)*+'


QUOTED_TEXT = _quoted_text(r"\r\n")
QUOTED_TEXT_WITH_CR = _quoted_text(r"\n")
"""What a reader takes for one quotation although a CR, which the grammar does not allow, stands in it."""

# ident  := 1*(LOWER / DIGIT / "_" / "-")
IDENT = r"[a-z0-9_\-]++"

# msgid  := 1*8(ALNUM)
SHORT_ID = r"[A-Za-z0-9]{1,8}+"

# §2.3: a whole number and a unit.
LIMIT = re.compile(r"[0-9]++[A-Za-z_]++")

# mtag   := "@m=" msgid        rid := "@rid=" 1*8(ALNUM)        trailing order of §3.1
TAGS = rf"(?: ++@m=({SHORT_ID}))?+(?: ++@rid=({SHORT_ID}))?+"

# header-line   := "@" hkey SP hval
HEADER = re.compile(r"@([A-Za-z0-9_]++) ++([^ \t].*+)")
PLAIN_HEADERS = re.compile(r"(?m)^@([A-Za-z0-9_]++) ++([^ \t\n][^\t\n]*+)(?<! )$")
"""Finds the lines of a header block that have nothing odd about them, as (name, value)."""

# hash-record   := "#" ident SP kvpairs [SP mtag] [SP rid]
# References are values too, and need no quotes for the `#` before a record id (§8.3, §10).
_REFERENCE = r'(?:@|ref:)[^ ,"\\\x00-\x1f]++'
REFERENCE = re.compile(_REFERENCE)
"""A value that may stand without quotation marks although it may have more than an atom's characters."""
_VALUE = rf'(?:{_REFERENCE}|{ATOM}|"{QUOTED_TEXT}")'
_RECORD = rf"#([a-z][a-z0-9_]*+)(?: ++({KEY})=({_VALUE})((?: ++{KEY}={_VALUE})*+))?+"
FURTHER_PAIR = re.compile(rf" ++({KEY})=({_VALUE})")
"""One pair of those behind a record's first, as (key, value); a quoted value keeps its quotes."""

# intent-record := intent-name ["{" kvpairs "}"] [SP mtag] [SP rid]
# intent-name   := 2*4(LOWER / DIGIT) / ident "." ident *("." ident)
# `m=!` is the one standard value (§4.1) that is no atom.
INTENT_NAME = rf"(?:[a-z0-9]{{2,4}}+(?![a-z0-9_.\-])|{IDENT}(?:\.{IDENT})++)"
_PARAMETER = rf'{KEY}=(?:{ATOM}|!|"{QUOTED_TEXT}")'
_INTENT = rf"({INTENT_NAME})(?:\{{((?:{_PARAMETER}(?:,{_PARAMETER})*+)?+)\}})?+"
PARAMETER = re.compile(rf'({KEY})=(?:({ATOM}|!)|"({QUOTED_TEXT})")')
"""One parameter of a well-formed intent, as (key, atom, quoted text)."""

LINE = re.compile(rf"(?m)^(?:((?:{_RECORD}|{_INTENT}){TAGS})[ \t]*+$|([^\n]*+))")
"""Finds every line of a body, as (well-formed record, marker or intent, and its parts; any other line).

The parts are tag, key, value and further pairs of a record, name and parameters of an intent, and
the two tags of either. What a line does not have is empty.
"""

# marker-record := "#" ("u" / "a" / "s") 1*7(DIGIT)
MARKER = re.compile(r"#([uas][0-9]{1,7}+)")

# msg-record    := "#msg" SP msgid SP "r=" role SP "parent=" (msgid / "-")
LONG_MARKER = re.compile(rf"#msg ++({SHORT_ID}) ++r=({IDENT}) ++parent=({SHORT_ID}|-)")

# state-record  := "#s" SP atom
STATE = re.compile(rf"#s ++({ATOM})")

# col-header    := "#" ident "[" key *("," key) "]"
BLOCK_HEADER = re.compile(rf"#([a-z][a-z0-9_]*+)\[({KEY}(?:,{KEY})*+)\]")

# col-row       := field *(SP field) [SP mtag] [SP rid]
_FIELD = rf"(?!@(?:m|rid)=){_VALUE}"
ROW = re.compile(rf"({_FIELD}(?: ++{_FIELD})*+){TAGS}")
FIELD = re.compile(rf'({_REFERENCE}|{ATOM})|"({QUOTED_TEXT})"')
"""One field of a well-formed row, as (atom or reference, quoted text)."""

# §2.3: a decimal and a unit. An exponent would read as one (`1e3USD`), and is none.
BUDGET = re.compile(r"([0-9]{1,30}+(?:\.[0-9]{1,30}+)?)(?![eE][0-9])([A-Za-z][A-Za-z0-9_]{0,15}+)")

NOT_ATOM = re.compile(rf"[^{ATOM_CHARACTERS}]")
"""Finds the first character for which a value must be quoted (§8.1)."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""A control character that no message needs. TAB has a place inside quotes, LF ends lines."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a UTF-16 pair: not a character, and not encodable as UTF-8."""


def quote(value: str) -> str:
    r"""Return `value` as it is written between quotation marks: only `"` is escaped (§8.2)."""
    return value.replace('"', '\\"')


def unquote(text: str) -> str:
    r"""Return the value that the text between two quotation marks stands for: `\"` is `"` (§8.2)."""
    return text.replace('\\"', '"')
