"""What others ask of a body: its record ids, costs and quotas, and the messages that it refers to.

This module knows how to find these in the text of a plain body (`pairl.plain`), which is much quicker than
taking it apart; of any other body the records tell. It judges nothing. A property test holds the two ways
against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from pairl.budget import LONGEST_WORD, Quota, actual_costs, as_spent, reported_quotas
from pairl.grammar import ATOM, KEY, SHORT_ID
from pairl.model import Message, Record
from pairl.plain import CLAIM_ROWS, SOMETHING, has_plain_text, plain_costs, plain_rids

MOST_REFERENCES = 1_000
"""So many references of a body are looked at, each once."""

_LONGEST_RIDS = 32_768
_LONGEST_QUOTA = 4 * LONGEST_WORD + len("#quota type= total= used= rem= @rid=12345678")

_MESSAGE = r"(?:@[^ \t#,@\"\n]++|ref:msg:[^ \t#\"\n]++)(?:#[^ \t\"\n]++)?"
_names_message = re.compile(_MESSAGE).fullmatch
_REFERENCE = re.compile(rf'\n#(?:ref ++{KEY}|evid ++claim={SOMETHING} ++src)="?({_MESSAGE})')
_REFERENCE_IN_ROW = re.compile(rf'\n{SOMETHING} ++"?({_MESSAGE})')
_match_quota = re.compile(
    rf"#quota ++type=({ATOM}) ++total=({ATOM})(?: ++used=({ATOM}))?+(?: ++rem=({ATOM}))?+"
    rf"(?: ++@rid={SHORT_ID})?+"
).fullmatch


def rids_of(message: Message) -> str | None:
    """Return the record ids of a message in lower case, spaces between them; None if that is too long."""
    if has_plain_text(message):
        rids = plain_rids(message)
    else:
        rids = " ".join([record.rid for record in message.body.records if record.rid]).lower()
    return rids if len(rids) <= _LONGEST_RIDS else None


def costs_of(message: Message) -> dict[str, Decimal]:
    """Return what a message has spent, by unit, as `actual_costs` does."""
    costs = told_costs(message)
    return actual_costs(message) if costs is None else costs


def told_costs(message: Message) -> dict[str, Decimal] | None:
    """Return what a message has spent, by unit, if its text tells that all its costs are spent, else None."""
    if not has_plain_text(message):
        return None
    known = message.known_spending
    if known is None:
        costs = plain_costs(message)
        if costs:
            text, start = message.source, message.body_start - 1
            if text.find("\nbid", start) >= 0 or text.find("\nref", start) >= 0:
                return None
        known = None if costs is None else as_spent(costs)
        message.remember("spending", known)
    return known


def quotas_of(message: Message) -> tuple[Quota, ...]:
    """Return the quotas that a message reports, as `reported_quotas` does."""
    if not has_plain_text(message):
        return reported_quotas(message)
    text = message.source
    found: list[Quota] = []
    end = message.body_start - 1
    while (start := text.find("\n#quota", end)) >= 0:
        end = text.find("\n", start + 1)
        line = text[start + 1 : end] if end >= 0 else text[start + 1 :]
        quota = _quota(line) if len(line) <= _LONGEST_QUOTA else None
        if quota is None:
            return reported_quotas(message)
        found.append(quota)
        if end < 0:
            break
    return tuple(found)


@lru_cache(maxsize=1_024)
def _quota(line: str) -> Quota | None:
    """Return the quota in a line, if it is kept: agents report the same ones again and again."""
    match = _match_quota(line)
    quota = None if match is None else Quota(*(word or "" for word in match.groups()))
    return quota if quota is not None and quota.is_kept else None


def references_of(message: Message) -> tuple[str, ...]:
    """Return the references to messages in `#ref`, and in `src` of `#evid`, each once (§5.2, §5.3, §10).

    At most `MOST_REFERENCES` are returned, the first ones.
    """
    if not has_plain_text(message):
        found = (reference for _, reference in located_references(message.body.records))
        return tuple(islice(dict.fromkeys(found), MOST_REFERENCES))
    text, start = message.source, message.body_start - 1
    references: list[str] = _REFERENCE.findall(text, start)
    if text.find("\n#evid[", start) >= 0:
        references = _references_with_rows(text, start)
    return tuple(references) if len(references) < 2 else tuple(dict.fromkeys(references))[:MOST_REFERENCES]


def _references_with_rows(text: str, start: int) -> list[str]:
    """Return the references of a plain body that has blocks of claims, in the order in which they stand."""
    matches = list(_REFERENCE.finditer(text, start))
    for rows in CLAIM_ROWS.finditer(text, start):
        matches += _REFERENCE_IN_ROW.finditer(text, *rows.span(1))
    return [match[1] for match in sorted(matches, key=re.Match.start)]


def located_references(records: list[Record]) -> Iterator[tuple[Record, str]]:
    """Yield the references to messages in records, with the record that each stands in."""
    for record in records:
        if record.kind == "ref":
            values = list(record.kv.values())
        elif record.kind == "evid":
            values = [record.kv.get("src", "")]
        else:
            continue
        for value in values:
            if _names_message(value):
                yield record, value
