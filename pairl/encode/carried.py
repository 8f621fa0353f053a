"""Texts as a value of a record can carry them, where they are no quotation (§8.2, §9.5).

This module knows what no value may hold and takes it out: control characters, with the sequences that
colour a terminal; halves of surrogate pairs; line ends; a backslash at the end. It does not know what is
worth carrying. What a turn said is never changed so: quotations are cut around such characters instead.
"""

from __future__ import annotations

import re

from pairl.grammar import CONTROL, SURROGATE
from pairl.quotation import normalise

CUT = "…"
"""Stands at the end of a value of which the rest was left out; a whole value that ends so has one more."""

_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)?|[@-Z^_])")
_LONGEST_WORD_TO_SPARE = 24


def without_colours(text: str) -> str:
    """Return a text without the sequences that colour a terminal."""
    return _TERMINAL.sub("", text) if "\x1b" in text else text


def line_carried(line: str, most: int) -> str:
    """Return the first characters of a line as they are, spaces within included; `…` stands for more.

    It also stands behind a backslash at the end, which would have to be left out.
    """
    if not line.isprintable():
        line = _writable(line.replace("\n", " "))
    line = line.strip()
    return line[:most] + CUT if len(line) > most or line.endswith("\\") else line


def name_carried(name: str, most: int) -> str:
    """Return at most so many characters of a name, on one line, without a backslash at the end."""
    # What is taken out shortens it, and seldom by so much: of what is no name not all is looked at.
    return _on_one_line(name[: 4 * most])[:most].rstrip("\\ ")


def value_carried(text: str) -> str:
    """Return a text on one line so that it tells whether it is whole: see `is_cut`.

    A backslash at the end has `…` behind it, since no value could end so.
    """
    carried = _on_one_line(text)
    return carried + CUT if carried.endswith(("\\", CUT)) else carried


def is_cut(value: str) -> bool:
    """Say whether a value is not the whole text that it stands for."""
    return value.endswith(CUT) and not value.endswith(CUT + CUT)


def whole(value: str) -> str:
    """Return the text that a value stands for, as far as it has it: less a `…` that is not its own."""
    return value[: -len(CUT)] if value.endswith(CUT + CUT) else value


def beginning(text: str, most: int) -> str:
    """Return at most so many characters of a value, cut at the end of a word; one `…` says so.

    Nothing where there is no room for a character.
    """
    if len(text) <= most:
        return text
    if most < len(CUT) + 1:
        return ""
    end = most - len(CUT)
    space = text.rfind(" ", max(0, end - _LONGEST_WORD_TO_SPARE), end + 1)
    return text[: space if space > 0 else end].rstrip(" " + CUT) + CUT


def _on_one_line(text: str) -> str:
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    text = normalise(text)
    if CONTROL.search(text) or SURROGATE.search(text):
        text = normalise(_writable(text))
    return text.strip(" ")


def _writable(text: str) -> str:
    """Return a text without the characters that no value may hold."""
    return SURROGATE.sub("\ufffd", CONTROL.sub("", without_colours(text)))
