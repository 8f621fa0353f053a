"""What Claude Code tells of a result apart from its text, by the names that `#ret` has for it (§7.2).

This module knows the structured twin that stands beside each result (`toolUseResult`), and takes from it the
numbers that the text does not say; all else in it repeats the text or the call. It does not know which call
a result belongs to.
"""

from __future__ import annotations

import re

from pairl.encode.importers.json_values import as_list, as_number, as_object, as_text

_COUNTS = (
    ("lines", "numLines"),
    ("files", "numFiles"),
    ("matches", "numMatches"),
)
"""What `#ret` calls a number, and what the twin calls it."""

_EXIT_CODE = re.compile(r"(?:Error: )?Exit code ([0-9]{1,6})\b")


def details_of(twin: object, text: str, *, is_error: bool | None) -> dict[str, str]:
    """Return lines, files, matches, changes and exit code of a result, as far as the record tells them."""
    record = as_object(twin)
    found = {
        name: str(number)
        for place in (as_object(record.get("file")), record)
        for name, key in _COUNTS
        if (number := as_number(place.get(key))) is not None
    }
    if record.get("mode") == "content":
        found.pop("files", None)  # a search that shows lines counts no files: the twin always says 0
    changes = len(as_list(record.get("edits")) or as_list(record.get("structuredPatch")))
    if changes and as_text(record.get("filePath")):
        found["changes"] = str(changes)
    failed = _EXIT_CODE.match(text) if is_error else None
    if failed:
        found["exit"] = failed[1]
    return found
