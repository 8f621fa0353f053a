"""What the text of a plain body tells against what its records tell: they must not differ.

Each message is read twice; of the second the records are taken, after which its text stands for nothing.
"""

from __future__ import annotations

from decimal import Decimal

from hypothesis import example, given, settings
from hypothesis import strategies as st

import pairl
from pairl.contents import costs_of, quotas_of, references_of, rids_of, told_costs
from pairl.plain import has_plain_text
from pairl.thread import foreign_references
from tests.property.texts import TEXTS

_VALUES = ("0.10", "1", "0", "00.50", "1e1", "-1", "much", "1.", "0.1234567890123", '"1"', '"0.5"')
_UNITS = ("EUR", "USD", "€", "tokens", "A_unit_that_is_far_too_long_to_be_one", '"EUR"')
_NAMES = (
    "@m1",
    "@m1#a1",
    "@m2#A1",
    '"@m3#b"',
    "ref:doc:a",
    "ref:msg:m1",
    "ref:msg:S:m4",
    "s1",
    '"ref:msg:S:m4"',
)
_RIDS = ("", "", " @rid=a1", "  @rid=B2", " @m=u1 @rid=c3")


def _lines(pattern: str, *choices: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.builds(pattern.format, *map(st.sampled_from, choices))


_COSTS = st.one_of(
    _lines("#cost val={} cur={}{}{}", _VALUES, _UNITS, ("", " model=x", '  note="val=3 cur=EUR"'), _RIDS),
    _lines("#cost[val,cur]\n{} {}{}", _VALUES, _UNITS, _RIDS),
    _lines("{}{}", ("bid{t=x}", "bid", "ref{t=x}", "#fact reason=budget_exceeded", "#ref bid=@m1"), _RIDS),
)
_QUOTAS = st.one_of(
    _lines(
        "#quota type={} total={}{}{}", _UNITS, _VALUES, ("", " used=1", " rem=9", ' used="2"', " b=1"), _RIDS
    ),
    _lines("#quota type={} total={} used={} rem={}{}", _UNITS, _VALUES, ("1",), ("2", "3" * 40), _RIDS),
    _lines("#quota total={} type={}{}", _VALUES, _UNITS, _RIDS),
    _lines("#quota[type,total,rem]\n{} {} {}{}", _UNITS, _VALUES, ("1", '""'), _RIDS),
)
_REFERENCES = st.one_of(
    _lines("#ref a={}{}", _NAMES, _RIDS),
    _lines("#evid claim={} src={} conf=0.5{}", ("x", '"src=@m9#z9 a"'), _NAMES, _RIDS),
    _lines("#evid[claim,src,conf]\n{} {} 0.5{}\ny {} 1{}", ("x", '"# @m9"'), _NAMES, _RIDS, _NAMES, _RIDS),
    _lines("#fact see={}{}", ("@m7", '"=@m8#x @rid=z1"', '"#ref a=@m9"'), _RIDS),
    _lines("{}", ("#u1", "ack @rid=D4", "---", "")),
)
_BODIES = st.lists(_COSTS | _QUOTAS | _REFERENCES, min_size=1, max_size=5).map("\n".join)
_HEAD = "@v 1\n@id m1\n@ts 2026-05-01T10:00:00Z\n@p ref:msg:T:m0\n\n"


def _contents(message: pairl.Message) -> list[tuple[str, object]]:
    return [
        (find.__name__, find(message))
        for find in (rids_of, costs_of, quotas_of, references_of, foreign_references)
    ]


@given(_BODIES.map(lambda body: _HEAD + body) | TEXTS)
@example(_HEAD + "#quota[type,total]\nbidding 5\n#cost val=1 cur=EUR")
@example(_HEAD + "#evid[claim,src,conf]\nx @m1 0.5\n#ref a=@m2#a1")
@settings(max_examples=1_500, deadline=None)
def test_the_text_tells_what_the_records_tell(text: str) -> None:
    told, taken_apart = pairl.parse(text), pairl.parse(text)
    _ = taken_apart.records
    assert not has_plain_text(taken_apart)
    assert _contents(told) == _contents(taken_apart)


def test_a_plain_body_is_not_taken_apart() -> None:
    body = (
        "#call tool=Count @rid=c1\n#ret call=c1 status=ok @rid=r1\n"
        '#evid claim="all are there" src=@m1#r1 conf=0.9\n#evid[claim,src,conf]\nsome @m0#a1 0.5\n'
        "#cost val=0.10 cur=EUR model=small\n#cost val=0.05 cur=EUR\n#quota type=calls total=9 used=2\n"
    )
    message = pairl.parse(_HEAD + body)
    assert all(found for _, found in _contents(message))
    assert told_costs(message) == {"EUR": Decimal("0.15")}
    assert message._body is None
