"""Diagnostics as SARIF 2.1.0, the interchange format of static analysis.

This module knows the parts of a log: the tool with a row for each check, and the results. A log is
written from front to back, so that results need not be kept: `log_begin()`, results separated by commas,
`LOG_END`.
"""

from __future__ import annotations

import json
import string
from functools import cache
from typing import Any

from pairl.diagnostics import Edit
from pairl.rules import RULES
from pairl.show.located import Located, Region

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LOG_END = "\n]}]}\n"

# RFC 3986: what a path need not escape.
_UNRESERVED = frozenset(f"{string.ascii_letters}{string.digits}-._~/".encode())
_BYTE_ORDER_MARK = {"byteOffset": 0, "byteLength": 3}


def log_begin() -> str:
    """Return the beginning of a log, up to its results."""
    driver = {"name": "pairl", "rules": _descriptors()}
    run = json.dumps({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"})
    return f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{run[:-1]}, "results": [\n'


def show_as_sarif(located: Located) -> str:
    """Return a diagnostic as a result of a log."""
    found = located.diagnostic
    artifact = {"uri": _uri(located.file)}
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": found.severity.value,
        "message": {"text": located.text},
        "locations": [
            {"physicalLocation": {"artifactLocation": artifact, "region": _region(located.region)}}
        ],
    }
    if found.code in _indices():
        result["ruleIndex"] = _indices()[found.code]
    if found.edit is not None:
        result["fixes"] = [_fix(located, found.edit, artifact)]
    return json.dumps(result)


def _descriptors() -> list[dict[str, Any]]:
    return [
        {
            "id": f"{rule.code}/{check.slug}",
            "name": check.slug.title().replace("-", ""),
            "shortDescription": {"text": check.summary},
            "help": {
                "text": f"`pairl explain {rule.code}/{check.slug}` says why, and what to write instead."
            },
            "defaultConfiguration": {"level": check.strict.value},
            "properties": {"rule": rule.name, "section": rule.section, "loose": check.loose.value},
        }
        for rule in RULES
        for check in rule.checks
    ]


@cache
def _indices() -> dict[str, int]:
    """Return the position of each check in the tool's table."""
    return {descriptor["id"]: index for index, descriptor in enumerate(_descriptors())}


def _region(region: Region) -> dict[str, int]:
    return {"startLine": region.line, "startColumn": region.column, "endColumn": region.end_column}


def _fix(located: Located, edit: Edit, artifact: dict[str, str]) -> dict[str, Any]:
    """Return the edit as a fix; the byte order mark has no column, and is told by its bytes."""
    if edit.column:
        deleted = _region(located.region_of(edit.line, edit.column, edit.length))
    else:
        deleted = _BYTE_ORDER_MARK
    replacement = {"deletedRegion": deleted, "insertedContent": {"text": edit.text}}
    return {
        "description": {"text": "keeps what the message says" if edit.safe else "a guess: look at it first"},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
    }


def _uri(name: str) -> str:
    """Return a file's name as a URI reference; bytes of it that are no text are kept as they are."""
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a surrogate pair, which no name of a file gives
        data = name.encode("utf-8", "surrogatepass")
    path = "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)
    return f"file://{path}" if path.startswith("/") else path
