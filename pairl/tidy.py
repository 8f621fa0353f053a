"""Makes the canonical text of a body out of the text as it came, where the two differ in little.

This module knows what may differ: needless or missing quotation marks, spaces, rows of columnar blocks
instead of records. Of a body in which anything else is unusual it says that it cannot tell, and
`pairl.canonical`, which alone defines the canonical form, writes every record. A property test holds the
two against each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from pairl.grammar import ATOM, ATOM_CHARACTERS, FURTHER_PAIR, KEY, QUOTED_TEXT, REFERENCE, SHORT_ID
from pairl.headers import END_OF_MESSAGE
from pairl.model import Message
from pairl.plain import has_plain_text, parameters
from pairl.vocabulary import INTENT_PARAMETERS, RECORD_TYPES

# What is between quotation marks has a character that calls for them, or there is nothing between them.
_CANONICAL_VALUE = (
    rf'(?:{ATOM}|"(?:[{ATOM_CHARACTERS}]*+(?:[^{ATOM_CHARACTERS}"\\\n]|\\"?+){QUOTED_TEXT})?+")'
)
_UNTIDY_VALUE = rf'(?:{REFERENCE.pattern}|{ATOM}|"{QUOTED_TEXT}")'


def _body_of(value: str, parameter: str, space: str) -> re.Pattern[str]:
    """Return a pattern for bodies of known records with such values, and `space` between their parts."""
    tags = rf"(?:{space}@m={SHORT_ID})?+(?:{space}@rid={SHORT_ID})?+"
    lines = (
        rf"#(?:{'|'.join(RECORD_TYPES)})(?:{space}{KEY}={value})++{tags}",
        "#[uas][0-9]{1,7}+",
        rf"#s {ATOM}{tags}",
        rf"[a-z0-9]{{2,4}}+\{{{parameters(dict.fromkeys(INTENT_PARAMETERS, parameter))}\}}{tags}",
    )
    return re.compile(rf"(?:(?:{'|'.join(lines)})(?:\n|\Z))++")


_is_canonical = _body_of(_CANONICAL_VALUE, _CANONICAL_VALUE, " ").fullmatch
_is_untidy = _body_of(_UNTIDY_VALUE, f"(?:!|{_UNTIDY_VALUE})", " ++").fullmatch

# What is searched for begins with a character that is found quickly.
_BRACELESS = re.compile(r"\n([a-z]{3})(?=[ \n]|\Z)")
_has_braceless = _BRACELESS.search
_find_braceless = _BRACELESS.sub
_find_blocks = re.compile(r"\n#([a-z]++)\[([a-z,]++)\]((?:\n[^#\n][^\n]*+)++)").sub
_find_spaces = re.compile("  +").sub
_split_at_quoted_atoms = re.compile(rf'"({ATOM})"').split
_ODD_REFERENCE = rf'(?=@|ref:)[{ATOM_CHARACTERS}]++[^{ATOM_CHARACTERS} ,"\\\x00-\x1f][^ ,"\\\x00-\x1f]*+'
_find_unquoted = re.compile(f"=({_ODD_REFERENCE}|!)").sub
# A message with such a character is odd, so meanwhile it can stand for an escaped quotation mark.
_ESCAPED = "\x00"


def canonical_body(message: Message) -> str | None:
    """Return the canonical text of the body if its source tells it; None if that is not certain."""
    if not message.is_whole:
        return None
    known = message.known_canonical_body
    if known is None:
        known = _canonical(message)
        if known is not None:
            message.remember("canonical_body", known)
    return known


def _canonical(message: Message) -> str | None:
    text, start = message.source, message.body_start
    # Of what is known to be plain it is quicker to write the canonical text than to see whether it is that.
    if not message.known_plainness and _is_canonical(text, start) is not None:
        body = text[start:]
    elif has_plain_text(message):
        body = _of_plain_text(text[start - 1 :])
    elif _is_untidy(text, start) is not None and not _has_key_twice(text[start:]):
        body = _tidied(text[start:])
    else:
        return None
    return body if body.endswith("\n") else f"{body}\n"


def _of_plain_text(body: str) -> str:
    """Return the canonical text of a body that is plain, and given with the line feed before it."""
    head, line_feed, last = body.removesuffix("\n").rpartition("\n")
    if last == END_OF_MESSAGE:
        body = head + line_feed
    if "]\n" in body:
        body = _find_blocks(_expanded, body)
    if _has_braceless(body):
        body = _find_braceless(r"\n\1{}", body)
    return _tidied(body)[1:]


def _has_key_twice(body: str) -> bool:
    """Say whether a record of the body has a key twice: such a line is malformed, and stands as it is."""
    for line in body.split("\n"):
        keys = [key for key, _ in FURTHER_PAIR.findall(line)]
        if len(set(keys)) < len(keys):
            return True
    return False


def _expanded(block: re.Match[str]) -> str:
    """Return the records that the rows of a block stand for (§9.4a)."""
    tag, columns, rows = block.groups()
    find_rows, record = _row(tag, columns)
    return "".join([record % row for row in find_rows(rows)])


@lru_cache(maxsize=64)
def _row(tag: str, columns: str) -> tuple[Callable[[str], list[tuple[str, ...]]], str]:
    """Return what finds the rows of a block that is known to be plain, and a format for their records."""
    names = columns.split(",")
    fields = " ++".join([rf'("{QUOTED_TEXT}"|[^ "\n]++)'] * len(names))
    pairs = " ".join([f"{name}=%s" for name in names])
    return re.compile(rf"\n{fields}([^\n]*+)").findall, f"\n#{tag} {pairs}%s"


def _tidied(body: str) -> str:
    """Return `body` with single spaces, and quotation marks around just the values that need them."""
    escapes = '\\"' in body
    if escapes:
        body = body.replace('\\"', _ESCAPED)
    # Between a closing and an opening quotation mark there is a space or a comma: no atom is found there.
    body = "".join(_split_at_quoted_atoms(body))
    if _may_be_untidy(body):
        parts = body.split('"')
        parts[::2] = map(_tidied_between_quotations, parts[::2])
        body = '"'.join(parts)
    return body.replace(_ESCAPED, '\\"') if escapes else body


def _may_be_untidy(text: str) -> bool:
    """Say whether there can be doubled spaces in a text, or values that lack quotation marks."""
    return "  " in text or "=@" in text or "=ref:" in text or "=!" in text


def _tidied_between_quotations(text: str) -> str:
    if not _may_be_untidy(text):
        return text
    return _find_unquoted(_quoted, _find_spaces(" ", text) if "  " in text else text)


def _quoted(match: re.Match[str]) -> str:
    return f'="{match[1]}"'
