"""V15 quotation-integrity: decision 35, where the source turns are there and where they are not."""

from __future__ import annotations

import pytest

from pairl import Report, Severity, parse, validate
from pairl.quotation import SourceTurn
from tests.unit.messages import with_body

SOURCE = (
    SourceTurn("u1", "My tram card stopped working on Monday.\nThe number is TC-40417."),
    SourceTurn("a2", "Sorry to hear that. A new card costs 5 EUR."),
    SourceTurn(None, "The desk opens at seven."),
)


def judged(body: str, source: tuple[SourceTurn, ...] | None = SOURCE, *, strict: bool = True) -> Report:
    return validate(parse(with_body(body)), strict, source=source)


def codes(body: str, source: tuple[SourceTurn, ...] = SOURCE) -> dict[str, Severity]:
    strict, loose = judged(body, source), judged(body, source, strict=False)
    found = {one.code: one.severity for one in strict.diagnostics if one.rule == "V15"}
    assert found == {one.code: one.severity for one in loose.diagnostics if one.rule == "V15"}
    return found


def error(slug: str) -> dict[str, Severity]:
    return {f"V15/{slug}": Severity.ERROR}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param('#u1\n#req content="stopped working on Monday. The number"', {}, id="across_lines"),
        pytest.param('#u1\n#req content="My tram card [...] TC-40417."', {}, id="extracts"),
        pytest.param('#u1\n#req content="My card is broken"', error("not-in-source"), id="paraphrase"),
        pytest.param('#u1\n#req content="My card is broken" mode=cond', {}, id="summary"),
        pytest.param('#u1\n#req content="TC-40417 [...] Monday"', error("out-of-order"), id="backwards"),
        pytest.param('#u1\n#req content=""', error("empty-content"), id="empty"),
        pytest.param("#u1\n#req note=x", error("empty-content"), id="no_content"),
        pytest.param('#u1\n#req content="Monday. [...]"', error("stray-elision"), id="trailing_elision"),
        pytest.param(
            '#u1\n#req content="My [...] [...] card"', error("empty-fragment"), id="nothing_between"
        ),
        pytest.param("#u1\n#req content=TC-404", {"V15/cut-word": Severity.WARNING}, id="cut"),
        pytest.param('#u1\n#rpt content="A new card"', error("not-in-source"), id="said_in_another_turn"),
        pytest.param('#u1\n#a2\n#rpt content="A new card"', {}, id="the_turn_above"),
        pytest.param('#u1\n#a2\n#req content="My tram card" @m=u1', {}, id="bound_to_an_earlier_turn"),
        pytest.param('#u1\n#rpt content="My tram" @m=a2\n#a2', error("not-in-source"), id="bound_to_another"),
        pytest.param('#req content="A new card"', {}, id="without_a_turn_any_will_do"),
        pytest.param('#u7\n#req content="The desk opens"', {}, id="of_an_unknown_turn_any_will_do"),
        pytest.param('#req content="My tram card [...] A new card"', error("not-in-source"), id="one_turn"),
        pytest.param("#msg a2 r=staff parent=-\n#rpt content=Sorry", {}, id="long_marker"),
        pytest.param('#u1\n#req[content]\n"My tram card"\n"My train"', error("not-in-source"), id="rows"),
        pytest.param("#u1\n#fact content=invented", {}, id="other_records_quote_nothing"),
    ],
)
def test_decision_35_quotations_are_held_against_their_turn(body: str, expected: dict[str, Severity]) -> None:
    assert codes(body) == expected


def test_decision_35_without_the_source_it_is_not_evaluated_and_never_flagged() -> None:
    report = judged('#u1\n#req content="invented"', None)
    assert report.valid
    assert "V15" in report.not_evaluated
    assert "V15" not in judged("ack").not_evaluated


@pytest.mark.parametrize("touched", [False, True])
def test_decision_35_a_message_of_the_fast_case_is_held_against_its_source_too(touched: bool) -> None:
    message = parse(with_body('#u1\n#req content="an invented request"'))
    if touched:
        assert message.records
    assert [line[:17] for line in validate(message, source=SOURCE).errors] == ["V15/not-in-source"]


def test_of_turns_with_one_id_any_may_be_quoted() -> None:
    source = (SourceTurn("u1", "first half"), SourceTurn("u1", "second half"))
    assert codes('#u1\n#req content="second half"', source) == {}


def test_of_a_source_without_turns_nothing_can_be_quoted() -> None:
    assert codes('#req content="The desk"', ()) == error("not-in-source")


def test_where_any_turn_may_be_quoted_the_nearest_is_told_of() -> None:
    (line,) = judged('#req content="A new card [...] costs 6 EUR"').errors
    assert "`costs 6 EUR` does not stand in any turn of the source" in line
    assert codes('#req content="[...] A new card"') == error("stray-elision")


def test_the_place_of_a_fragment() -> None:
    source = (SourceTurn("u1", 'They said "closed" twice.'),)
    (found,) = judged('#u1\n#req content="They said [...] \\"open\\" once"', source).diagnostics
    assert (found.line, found.column, found.length) == (6, 31, 13)
    assert found.help is not None
    assert "mode=cond" in found.help


def test_hostile_fragments_are_told_in_one_line() -> None:
    (line,) = judged('#u1\n#req content="{turn} \x1b[2J {0}"', SOURCE, strict=False).errors
    assert "`{turn} \\x1b[2J {0}` does not stand in turn `u1`" in line
