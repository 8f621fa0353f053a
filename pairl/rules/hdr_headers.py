"""HDR headers: the header block says which message this is.

Checks that the message begins with headers, one a line, followed by an empty line and a body; that
`@v`, `@ts` and exactly one of `@id` and `@mid` are there; that none is given twice; and that each
has the form the specification gives it.

Why: everything else hangs on the headers. A message without an id cannot be answered, one without
a time cannot be ordered, and of two values for one header nobody knows which was meant.

Example:
    @v 1.6
    @id m1
    @ts 2026-05-04 09:30

Instead:
    @v 1
    @id m1
    @ts 2026-05-04T09:30:00.000+02:00

Specification: §2, §13.3
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from pairl import grammar
from pairl.diagnostics import Finding, excerpt
from pairl.nearest import did_you_mean, nearest
from pairl.rules.evidence import Evidence, Rule
from pairl.syntax import HDR_CHECKS
from pairl.thread import MESSAGE_PREFIX, SESSION_PREFIX
from pairl.vocabulary import CANONICAL_HEADERS, KNOWN_HEADERS

_VERSION = re.compile(r"([0-9]{1,9})(?:\.[0-9]{1,9})*+")
_SHORT_ID = re.compile(grammar.SHORT_ID)
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]++)?"
    r"(?:Z|[+\-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_ID_FORMS = {
    "id": "an id is 1 to 8 letters and digits: `@id m1`",
    "mid": f"the old form is `{MESSAGE_PREFIX}` and a ULID; write `@id m1`",
}
_OTHER_NAMES = {
    "session": "sid",
    "version": "v",
    "timestamp": "ts",
    "time": "ts",
    "date": "ts",
    "parents": "deps",
}
_LAST_DAY_OF_EVERY_MONTH = "28"


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with the headers."""
    headers = evidence.headers
    if not headers and evidence.message.findings:
        return
    if "v" not in headers:
        yield _missing(evidence, "@v", "`@v 1`")
    if "id" not in headers and "mid" not in headers:
        yield _missing(evidence, "@id", "`@id` and a short name for the message, such as `@id m1`")
    if "ts" not in headers:
        yield _missing(evidence, "@ts", "`@ts` and the time with an offset: `@ts 2026-05-04T09:30:00.000Z`")
    if headers.get("v", "1") != "1":
        yield from _version(evidence, headers["v"])
    yield from _ids(evidence)
    if "ts" in headers and not _is_timestamp(headers["ts"]):
        meant = _as_timestamp(headers["ts"])
        yield evidence.finding(
            "HDR/timestamp",
            f"`{excerpt(headers['ts'], 40)}` is not a time with an offset",
            "ts",
            headers["ts"],
            did_you_mean("write `YYYY-MM-DDThh:mm:ss` and `Z` or `+hh:mm`", meant and excerpt(meant, 40)),
            instead=meant,
        )
    if "limit" in headers and not grammar.LIMIT.fullmatch(headers["limit"]):
        yield evidence.finding(
            "HDR/limit-form",
            f"`{excerpt(headers['limit'], 40)}` is not a whole number and a unit",
            "limit",
            headers["limit"],
            "write `5000t`, `10api` or `60s`",
        )
    if not headers.keys() <= KNOWN_HEADERS:
        yield from _unknown(evidence)


def _unknown(evidence: Evidence) -> Iterator[Finding]:
    headers = evidence.headers
    for name in sorted(headers.keys() - KNOWN_HEADERS):
        absent = [known for known in CANONICAL_HEADERS if known not in headers]
        guess = nearest(name, absent) if evidence.lists("HDR/unknown-header") else None
        if _OTHER_NAMES.get(name) in absent:
            guess = _OTHER_NAMES[name]
        yield evidence.finding(
            "HDR/unknown-header",
            f"`@{excerpt(name, 40)}` is kept, but nobody need know it",
            name,
            f"@{name}",
            guess and f"did you mean `@{guess}`?",
            instead=guess and f"@{guess}",
        )


def _missing(evidence: Evidence, name: str, example: str) -> Finding:
    return evidence.finding(
        "HDR/missing-header", f"missing required header `{name}`", advice=f"add {example}"
    )


def _version(evidence: Evidence, value: str) -> Iterator[Finding]:
    match = _VERSION.fullmatch(value)
    if match is not None and int(match[1]) == 1:
        yield evidence.finding(
            "HDR/version-form",
            f"`@v {value}` names more than the major version",
            "v",
            value,
            "write `@v 1`",
            instead="1",
            # In loose mode the message is valid as it is, and its hash would be another.
            safe=evidence.policy.strict and "hash" not in evidence.headers,
        )
    else:
        yield evidence.finding(
            "HDR/unsupported-version",
            f"`@v {excerpt(value, 40)}` is not a version this reader knows",
            "v",
            value,
            "PAIRL 1.x is written `@v 1`",
        )


def _ids(evidence: Evidence) -> Iterator[Finding]:
    headers = evidence.headers
    if "id" in headers and "mid" in headers:
        yield evidence.finding(
            "HDR/two-ids",
            "both `@id` and `@mid` are given",
            "mid",
            advice="keep `@id`; `@mid` is the old form",
        )
    session = headers.get("sid")
    if session is not None and not _ULID.fullmatch(session.removeprefix(SESSION_PREFIX)):
        yield evidence.finding(
            "HDR/sid-form",
            f"`{excerpt(session, 40)}` is not a ULID",
            "sid",
            session,
            "26 characters, without I L O U",
        )
    name = "id" if "id" in headers else "mid"
    value = headers.get(name)
    if value is None:
        return
    if " " in value or value == MESSAGE_PREFIX:
        yield evidence.finding(
            "HDR/malformed-id",
            f"`@{name} {excerpt(value, 40)}` cannot be referred to",
            name,
            value,
            "an id is one word of 1 to 8 letters and digits",
        )
    elif not (_SHORT_ID.fullmatch(value) if name == "id" else value.startswith(MESSAGE_PREFIX)):
        yield evidence.finding(
            "HDR/id-form",
            f"`@{name} {excerpt(value, 40)}` has not the usual form of an id",
            name,
            value,
            _ID_FORMS[name],
        )


def _as_timestamp(value: str) -> str | None:
    """Return the time that a value most likely stands for: with `T` and `Z` as they are to be written."""
    candidate = value.replace(" ", "T", 1).replace(" ", "").upper()
    return candidate if _is_timestamp(candidate) else None


def _is_timestamp(value: str) -> bool:
    match = _TIMESTAMP.fullmatch(value)
    if match is None:
        return False
    year, month, day = match.groups()
    if year == "0000":
        return False
    if day <= _LAST_DAY_OF_EVERY_MONTH:
        return True
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


RULE = Rule("HDR", "headers", "§2, §13.3", HDR_CHECKS, evaluate, evaluate_plain=evaluate)
