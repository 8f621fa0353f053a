"""Legends and maintained sessions, for bodies of any kind: nothing raises, nothing earlier changes.

Knows what must hold whatever a body says. Refuses to know how a construct is explained.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairl import parse, validate
from pairl.body import read_body
from pairl.constructs import Uses, scan
from pairl.diagnostics import Findings
from pairl.legend import FIDELITY, FullSpecification, Legend, make_legend
from pairl.model import Body
from pairl.session import Refusal, Session
from pairl.vocabulary import INTENTS
from tests.property.texts import RECORDS, TEXTS, WELL_FORMED_LINES
from tests.unit.messages import with_body

KNOWN_LINES = st.one_of(
    st.sampled_from(
        [
            *["#u1", "#msg t2 r=ana parent=u1", "wrn{m=!,t=x}", "ack", "#fact a=1 @m=u1", "#s plan:1/2"],
            *[
                '#rpt content="a [...] b"',
                '#req content="c" mode=cond',
                "#call tool=x",
                "#edit file=x changes=2",
            ],
            *["#cost[val,cur]\n1 EUR\n", "#req[content,mode]\nx cond\n", ">>>\nzzz{\n<<<"],
        ]
    ),
    st.sampled_from(sorted(INTENTS)),
)
PIECES = st.one_of(
    st.lists(KNOWN_LINES, max_size=4).map("\n".join),
    st.lists(st.one_of(WELL_FORMED_LINES, RECORDS, KNOWN_LINES), max_size=4).map("\n".join),
    TEXTS,
)
QUOTED_LANGUAGE = "zzz{t=x} #memo @m=u9"


def uses_of(body: str) -> Uses:
    """Return the constructs of a body without headers."""
    return scan(Body(*read_body(body, 0, 1, Findings(), body.count("\n") + 1)))


@settings(max_examples=300)
@given(TEXTS, st.one_of(st.text(max_size=40), st.just(FIDELITY), TEXTS))
def test_nothing_raises_whatever_body_and_legend_are(text: str, legend: str) -> None:
    for source in (text, with_body(text)):
        message = parse(source)
        assert isinstance(make_legend(message), Legend | FullSpecification)
        for found in validate(message, strict=True, legend=legend).diagnostics:
            assert str(found).isprintable()


@settings(max_examples=300)
@given(PIECES)
def test_a_legend_passes_v13_and_v14_for_its_own_body(body: str) -> None:
    message = parse(with_body(body))
    legend = make_legend(message)
    if isinstance(legend, Legend):
        assert legend == make_legend(parse(with_body(body)))
        report = validate(message, strict=True, legend=legend.text)
        assert not any(found.rule in ("V13", "V14") for found in report.diagnostics)
    else:
        assert str(legend).isprintable()


@settings(max_examples=200)
@given(st.lists(KNOWN_LINES, max_size=6))
def test_what_is_quoted_changes_no_legend(lines: list[str]) -> None:
    quiet = with_body("\n".join([*lines, '#fact said="nothing"']))
    loud = with_body("\n".join([*lines, f'#fact said="{QUOTED_LANGUAGE}"', f">>>\n{QUOTED_LANGUAGE}\n<<<"]))
    assert make_legend(parse(quiet)) == make_legend(parse(loud))


@settings(max_examples=400)
@given(PIECES, st.lists(PIECES, max_size=4))
def test_earlier_bytes_stay_and_the_whole_body_says_what_its_increments_said(
    first: str, increments: list[str]
) -> None:
    session = Session.begin(first)
    if isinstance(session, Refusal):
        assert str(session).isprintable()
        return
    for increment in increments:
        longer = session.append(increment)
        if isinstance(longer, Refusal):
            assert str(longer).isprintable()
            assert 1 <= longer.line <= increment.count("\n") + 1
            continue
        assert longer.body.startswith(session.body)
        assert longer.legend == session.legend
        earlier, later = session.addendum, longer.addendum
        if isinstance(later, str):
            assert later.startswith(earlier if isinstance(earlier, str) else "")
            assert "EXACT" not in later
        session = longer
    _holds(session)


def _holds(session: Session) -> None:
    body = session.body
    uses = uses_of(body)
    explained = session.legend.explains if isinstance(session.legend, Legend) else frozenset(uses)
    assert {each: line for each, line in uses.items() if each not in explained} == session.later
    assert list(session.later) == [each for each in uses if each not in explained]
    records, _ = read_body(body, 0, 1, Findings(), body.count("\n") + 1)
    assert not any(record.kind == "s" for record in records)


def _body(line: str) -> Callable[[int], str]:
    return lambda size: line * (size // len(line))


def _numbered(line: str) -> Callable[[int], str]:
    return lambda size: "".join(line.format(number) for number in range(size // len(line)))


SHAPES: dict[str, Callable[[int], str]] = {
    "records": _body("#fact a=1\n"),
    "unknown_records": _numbered("#t{} a=1\n"),
    "unknown_intents": _numbered("x.y{}\n"),
    "unknown_modes": _numbered("#req mode=a{}\n"),
    "parameters": lambda size: "ack{" + _numbered("a{}=1,")(size) + "z=1}\n",
    "blocks": _body("#cost[val,cur]\n1 EUR\n"),
    "tool_output": _body(">>>\nx\n<<<\n"),
    "record_ids": _numbered("ack @rid=a{}\n"),
}
LEGENDS = ("a-", "a.", "#a", "not a ", "ref:", " \n", "mode=", "a" * 50 + "B", FIDELITY)


def seconds(body: str, legend: str) -> float:
    """Return the processor time that scanning, explaining, appending and judging takes, at best of two."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        message = parse(with_body(body), max_records=10**6)
        make_legend(message)
        validate(message, strict=True, legend=legend)
        session = Session.begin(body)
        if isinstance(session, Session):
            session.append("#fact z=1\n")
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_body_and_no_faster(shape: str) -> None:
    large = SHAPES[shape](98_304)
    small = SHAPES[shape](24_576)
    assert seconds(large, large) < max(0.03, 9 * seconds(small, small))


@pytest.mark.parametrize("piece", LEGENDS)
def test_time_grows_with_the_legend_and_no_faster(piece: str) -> None:
    large = seconds("#fact a=1\nzzz\n", piece * (98_304 // len(piece)))
    assert large < max(0.03, 9 * seconds("#fact a=1\nzzz\n", piece * (24_576 // len(piece))))
