"""Coverage: which constructs a legend explains, whoever wrote it.

This module knows what counts as explained: that the legend's text names the construct, as a whole word and
in the way a body writes it. It does not judge how well something is explained. The canonical fidelity line
names record types without explaining them, and counts for nothing here.

Named means: `#fact` for a record type, also as `#fact[`; the intent's name by itself, not behind `#` or
`=` and not as the beginning of a reference; a parameter's key by itself; a marker such as `#u1`, `#u<n>` or
`#<role><n>`; `#msg`; `@m=`; `mode=cond`; columns or positions for columnar blocks; and for the history of
tools that something is not to be repeated or executed.
"""

from __future__ import annotations

import re

from pairl.constructs import FREE_TEXT, Category, Construct
from pairl.legend import FIDELITY, MEANINGS

_WHITE_SPACE = re.compile(r"[ \t\r\n]++")
_TAG = re.compile(r"#[A-Za-z][A-Za-z0-9_]*+")
_WORD = re.compile(r"(?<![\w#=@.\-])[a-z0-9_\-]++(?:\.[a-z0-9_\-]++)*+(?!\w)")
_REFERENCE = re.compile(r"(?<!\w)ref:(?=[\w<])")
_MODE = re.compile(r"mode=([A-Za-z0-9_\-]++)")
_MARKER = re.compile(r"#(?:[uas](?:[0-9]|[nN]\b|<n>)|<role>)")
_COLUMNS = re.compile(r"\b(?:column|position)", re.IGNORECASE)
_NOT_AGAIN = re.compile(
    r"\b(?:not|never|don['\u2019]t)(?: \w++){0,2}? (?:repeat|(?:re-?)?(?:execut|run)|redo)", re.IGNORECASE
)


class Coverage:
    """What a legend's text explains. It is read once, and asked as often as there are constructs."""

    def __init__(self, legend: str) -> None:
        """Read the text of a legend."""
        text = one_spaced(legend).replace(FIDELITY, "\n")
        self._named = {
            Category.RECORD: set(_TAG.findall(text)),
            Category.INTENT: set(_WORD.findall(_REFERENCE.sub("\n", text))),
            Category.CARRIAGE: {f"mode={name}" for name in _MODE.findall(text)},
        }
        self._named[Category.PARAMETER] = {f"{word}=" for word in self._named[Category.INTENT]}
        self._named[Category.TURN_MARKER] = {
            *({"#u1"} if _MARKER.search(text) else ()),
            *(self._named[Category.RECORD] & {"#msg"}),
        }
        self._rules = {
            Category.OVERRIDE: "@m=" in text,
            Category.BLOCK: _COLUMNS.search(text) is not None,
            Category.TOOL_HISTORY: _NOT_AGAIN.search(text) is not None,
        }

    def explains(self, construct: Construct) -> bool:
        """Say whether the legend explains a construct; free text is explained by no legend."""
        if construct.category in self._rules:
            return self._rules[construct.category]
        return construct != FREE_TEXT and construct.name in self._named[construct.category]

    @property
    def is_full_specification(self) -> bool:
        """Whether the text names every construct there is: then it is the specification, not a legend."""
        return all(map(self.explains, MEANINGS))


def one_spaced(legend: str) -> str:
    """Return the text of a legend with single spaces for line ends and other runs of white space."""
    return _WHITE_SPACE.sub(" ", legend).strip(" ")
