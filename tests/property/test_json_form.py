"""A message that goes through JSON comes back as it was: same headers, records, blocks and canonical text."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pairl import canonicalize, parse
from pairl.json_form import LOSSY, NoJsonForm, from_json, to_json
from pairl.model import Message
from tests.property.texts import TEXTS, WELL_FORMED

HEADERS = "@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n@zz  last\n@hash x\n\n"


def _said(message: Message) -> object:
    """Return what a message says, without where it says it and how that was written."""
    return (
        list(message.headers.items()),
        [
            [
                *(record.kind, record.name, list(record.kv.items()), record.rid, record.m),
                *(record.role, record.parent, record.arg, record.from_columnar, record.malformed),
                record.malformed and record.raw,
            ]
            for record in message.records
        ],
        [
            (block.rtype, block.columns, [[cell for cell, _ in row] for row in block.rows])
            for block in message.blocks
        ],
    )


@settings(max_examples=500)
@given(st.one_of(TEXTS, WELL_FORMED))
@example("#evid[a\nack\n\nack{s=f,t=x}\n\nfree text")
@example("#evid[a\nlost\n\n#fact a=1")
@example("#cost[val,cur]\n0.02 USD\n0.02\n\nfree text\nack")
@example("#cost[val,val]\n1 2\n#cost[a,b]\n#s\n#think[summary]\n---")
@example('#think[summary]\n"---"\nack')
@example(">>> run\nack\n\n<<<\nack{t=x\nack @rid=a1\n---\n#fact a=1")
@example("@id m1\n@x y")
@example("#fact\n\n@v 1\n")
@example("---")
def test_a_message_survives_json(text: str) -> None:
    for source in (text, HEADERS + text):
        message = parse(source)
        if any(finding.code in LOSSY for finding in message.findings):
            continue
        if message.source.strip(" \t\n") and not (message.headers or message.body.records or message.blocks):
            with pytest.raises(NoJsonForm, match="there is no message"):
                to_json(message)
            continue
        again = parse(from_json(to_json(message)))
        assert _said(again) == _said(message)
        assert canonicalize(again, for_hash=False) == canonicalize(message, for_hash=False)
        assert to_json(again) == to_json(message)


@given(TEXTS)
def test_text_from_json_is_told_the_same_in_json(text: str) -> None:
    message = parse(HEADERS + text)
    assume(not any(finding.code in LOSSY for finding in message.findings))
    once = from_json(to_json(message))
    assert from_json(to_json(parse(once))) == once
