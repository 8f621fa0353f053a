r"""A text with each run of white space as one character, which still says where lines and paragraphs end.

This module knows white space. It does not know sentences.

    >>> lined("Ship it.  Then\r\nrest.\n\n- tea")
    'Ship it. Then\nrest.\x0b- tea'
"""

from __future__ import annotations

import re

LINE_END = "\n"
PARAGRAPH_END = "\v"
"""What stands for white space with one line end in it, and for white space with more."""

_WHITE_SPACE = r"[ \t\r\n\v\f\x85\u2028\u2029]"
_RUN = re.compile(rf"{_WHITE_SPACE}(?:(?<! )|{_WHITE_SPACE}){_WHITE_SPACE}*+")


def lined(text: str) -> str:
    """Return `text` with each run of white space as one character: a blank, or what it says of lines.

    White space is what it is in a quotation (§3.1). The offsets are those of the normalised text.
    """
    return _RUN.sub(_kind_of_space, text)


def _kind_of_space(run: re.Match[str]) -> str:
    line_ends = len(f"{run[0]}.".splitlines()) - 1
    return (" ", LINE_END)[line_ends] if line_ends < 2 else PARAGRAPH_END
