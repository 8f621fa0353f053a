r"""The grammar of PAIRL 1.6 (§8.3) as regular expressions, each below the production it stands for.

This module knows how a line looks when nothing is wrong with it. It gives no diagnostics: a line
that none of these matches is read again, slowly and with words, by `pairl.lines`.

Every repetition is possessive (`++`, `*+`), so that a match never goes back over what it has
read: the time is linear in the line, whatever the line holds.
"""

from __future__ import annotations

import re

# key    := LOWER *(LOWER / DIGIT / "_")
KEY = r"[a-z][a-z0-9_]*+"

# atom   := 1*(ALNUM / ":" / "." / "_" / "/" / "@" / "+" / "-")
ATOM_CHARACTERS = r"A-Za-z0-9:._/@+\-"
ATOM = rf"[{ATOM_CHARACTERS}]++"

# quoted := DQUOTE *(any character but DQUOTE / '\"') DQUOTE
# A backslash is literal unless a quotation mark follows, so a value cannot end in one (§8.2).
QUOTED_TEXT = r'[^"\\\n]*+(?:\\"?+[^"\\\n]*+)*+'

# ident  := 1*(LOWER / DIGIT / "_" / "-")
IDENT = r"[a-z0-9_\-]++"

# mtag   := "@m=" msgid        rid := "@rid=" 1*8(ALNUM)        trailing order of §3.1
TAGS = r"(?: ++@m=([A-Za-z0-9]{1,8}+))?(?: ++@rid=([A-Za-z0-9]{1,8}+))?"

# hash-record   := "#" ident SP kvpairs [SP mtag] [SP rid]
# Splitting a well-formed record at its pairs, the last of which may have `@rid=` behind it, leaves
# the tag in front and nothing else: ["#evid", key, value, None, "", key, value, "e1", ""].
RECORD_PAIR = re.compile(rf' ++({KEY})=({ATOM}|"{QUOTED_TEXT}")(?: ++@rid=([A-Za-z0-9]{{1,8}}+))?+(?![^ ])')
RECORD_TAG = re.compile(r"#([a-z][a-z0-9_]*+)")
TRAILING_TAGS = re.compile(TAGS)
"""What is left behind the last pair where a record carries `@m=`."""

# intent-record := intent-name ["{" kvpairs "}"] [SP mtag] [SP rid]
# intent-name   := 2*4(LOWER / DIGIT) / ident "." ident *("." ident)
# `m=!` is the one standard value (§4.1) that is no atom.
INTENT_NAME = rf"(?:[a-z0-9]{{2,4}}+(?![a-z0-9_.\-])|{IDENT}(?:\.{IDENT})++)"
_PARAMETER = rf'{KEY}=(?:{ATOM}|!|"{QUOTED_TEXT}")'
PARAMETER = re.compile(rf'({KEY})=(?:({ATOM}|!)|"({QUOTED_TEXT})")')
"""One parameter of a well-formed intent, as (key, atom, quoted text)."""
INTENT = re.compile(rf"({INTENT_NAME})(?:\{{((?:{_PARAMETER}(?:,{_PARAMETER})*+)?)\}})?{TAGS}")

# marker-record := "#" ("u" / "a" / "s") 1*7(DIGIT)
MARKER = re.compile(r"#([uas][0-9]{1,7}+)")

# msg-record    := "#msg" SP msgid SP "r=" role SP "parent=" (msgid / "-")
LONG_MARKER = re.compile(rf"#msg ++([A-Za-z0-9]{{1,8}}+) ++r=({IDENT}) ++parent=([A-Za-z0-9]{{1,8}}+|-)")

# state-record  := "#s" SP atom
STATE = re.compile(rf"#s ++({ATOM})")

# col-header    := "#" ident "[" key *("," key) "]"
BLOCK_HEADER = re.compile(rf"#([a-z][a-z0-9_]*+)\[({KEY}(?:,{KEY})*+)\]")

# col-row       := field *(SP field) [SP mtag] [SP rid]
_FIELD = rf'(?:(?!@(?:m|rid)=){ATOM}|"{QUOTED_TEXT}")'
ROW = re.compile(rf"({_FIELD}(?: ++{_FIELD})*+){TAGS}")
FIELD = re.compile(rf'({ATOM})|"({QUOTED_TEXT})"')
"""One field of a well-formed row, as (atom, quoted text)."""

# header-line   := "@" hkey SP hval
HEADER = re.compile(r"@([A-Za-z0-9_]++) ++([^ \t].*+)")

NOT_ATOM = re.compile(rf"[^{ATOM_CHARACTERS}]")
"""Finds the first character for which a value must be quoted (§8.1)."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""Control characters that no message needs. TAB has a place inside quotes, LF ends lines."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a UTF-16 pair: not a character, and not encodable as UTF-8."""


def quote(value: str) -> str:
    r"""Return `value` as it is written between quotation marks: only `"` is escaped (§8.2)."""
    return value.replace('"', '\\"')


def unquote(text: str) -> str:
    r"""Return the value that the text between two quotation marks stands for: `\"` is `"` (§8.2)."""
    return text.replace('\\"', '"')
