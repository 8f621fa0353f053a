"""Names of a tool's arguments as keys of a `#call`, and back (§7.1, §8.3).

This module knows how any name becomes a key that the format allows, so that no two names become one key and
each key tells its name. It does not know what the arguments are.

| name | key | how |
|---|---|---|
| `file_path` | `file_path` | most names are keys |
| `filePath` | `file__path` | `__` and a letter are the letter in upper case |
| `body.text` | `body__46_text` | `__`, a number and `_` are the character with this code point |
| `a__b`, `end_` | `a__95___95_b`, `end__95_` | so is an underscore with no letter or digit on both sides |
| `-i`, `2fa` | `x__45_i`, `x__50_fa` | where a key could not begin so, or must not, `x` goes before it |
| `tool` | `x__116_ool` | a key that means something else has its first letter written as a number |
| none | `x__` | what was given without a name |
| a long one | `x__0_` and 16 digits | a stand-in; what it stands for is spelled out beside it |

    >>> [name_of(key_for(name)) for name in ("filePath", "-i", "tool", "", "x__")]
    ['filePath', '-i', 'tool', '', 'x__']
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from types import MappingProxyType

RESERVED = frozenset({"tool"})
"""Keys of a `#call` that are no arguments."""

LONGEST_KEY = 64
"""§8.3, and what a reader takes."""

_PLAIN = re.compile(r"[a-z](?:_?[a-z0-9])*+")
_ESCAPED = re.compile(r"__(?:([a-z])|([0-9]{1,7})_)")
_TO_ESCAPE = re.compile(r"(?<![a-z0-9])_|_(?![a-z0-9])|[^a-z0-9_]")
_FORCED = "x"
_NO_NAME = "x__"
_STAND_IN = "x__0_"
_MOST_CODE_POINTS = 0x110000


def key_for(name: str) -> str:
    """Return the key that stands for an argument's name."""
    if len(name) <= LONGEST_KEY:
        if _PLAIN.fullmatch(name) and name not in RESERVED:
            return name
        key = spelled_out(name)
        if len(key) <= LONGEST_KEY and not name.startswith("\0"):
            return key
    digits = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return _STAND_IN + digits[:16]


def is_stand_in(key: str) -> bool:
    """Say whether a key tells its name only together with what it stands for."""
    return key.startswith(_STAND_IN)


def spelled_out(name: str) -> str:
    """Return a name with everything escaped that a key cannot hold, however long that is."""
    if not name:
        return _NO_NAME
    escaped = _TO_ESCAPE.sub(_escape, name)
    if name in RESERVED or name[0].isdigit() or escaped.startswith(_NO_NAME):
        escaped = f"__{ord(name[0])}_{escaped[1:]}" if escaped[0] != "_" else escaped
    return _FORCED + escaped if escaped.startswith("_") else escaped


def name_of(key: str, stood_for: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the name that a key stands for. `stood_for` has, by stand-in, what is spelled out beside it.

    A stand-in for which nothing is spelled out is returned as it is.
    """
    spelled = stood_for.get(key)
    if spelled is None and is_stand_in(key):
        return key
    key = spelled or key
    if key == _NO_NAME:
        return ""
    return _ESCAPED.sub(_unescape, key[1:] if key.startswith(_NO_NAME) else key)


def _escape(character: re.Match[str]) -> str:
    found = character[0]
    return f"__{found.lower()}" if "A" <= found <= "Z" else f"__{ord(found)}_"


def _unescape(escaped: re.Match[str]) -> str:
    letter, number = escaped.groups()
    if letter:
        return str(letter).upper()
    return chr(int(number)) if int(number) < _MOST_CODE_POINTS else escaped[0]
