"""Answers calls to whatever package is imported as `pairl`: a JSON line in, a JSON line out.

Runs under either interpreter, so it knows only what both packages have: the names and call shapes that code
written for the published one relies on. Refuses to know which of the two it is talking to.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pairl

FIELDS = ("kind", "name", "kv", "rid", "m", "from_columnar", "role", "parent", "arg")


def read(text: str) -> dict[str, Any]:
    """Return everything that can be asked of a text."""
    message = pairl.parse(text)
    reports = [pairl.validate(message, strict=strict) for strict in (True, False)]
    return {
        "headers": message.headers,
        "msg_id": message.msg_id,
        "records": [[getattr(record, field) for field in FIELDS] for record in message.records],
        "raw": [record.raw.strip() for record in message.records],
        "lines": [pairl.serialize_record(record) for record in message.records],
        "blocks": [[block.rtype, block.columns, block.rows, block.raw_header] for block in message.blocks],
        "parse_errors": list(message.errors),
        "valid": [report.valid for report in reports],
        "errors": [list(report.errors) for report in reports],
        "warnings": [list(report.warnings) for report in reports],
        "hash": pairl.compute_hash(message),
        "hash_ref": pairl.hash_ref(message),
        "canonical": pairl.canonicalize(message),
        "canonical_with_hash": pairl.canonicalize(message, for_hash=False),
        "rendered": pairl.render(message),
    }


def run(code: str) -> object:
    """Return what code that was written for the published package makes of `answer`."""
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - the code is a test's own
    return names["answer"]


def main() -> None:
    """Answer the calls on standard input, in order."""
    for line in sys.stdin:
        call = json.loads(line)
        answer = read(call["text"]) if "text" in call else run(call["code"])
        sys.stdout.write(f"{json.dumps(answer)}\n")


if __name__ == "__main__":
    main()
