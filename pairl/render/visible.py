r"""Makes characters visible that control a terminal, reorder writing or hide text: ESC becomes `\x1b`.

This module knows which characters those are, for every form alike. It does not know any markup.

What scripts and emoji need stays as it is: joiners, variation selectors, spaces of all kinds, and TAB.
"""

from __future__ import annotations

import re

# Control characters but TAB; line and paragraph separators; what sets the direction of writing; what has
# no width and joins nothing; the byte order mark and the tag characters, with which text is hidden; halves
# of surrogate pairs, which no encoding can write.
_UNSEEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)


def visible(value: str) -> str:
    r"""Return `value` on one line, characters that control or hide something written as escapes."""
    if value.isprintable():
        return value
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), value)
