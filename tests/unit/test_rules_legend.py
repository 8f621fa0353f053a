"""V13 and V14: the legend that came with a body, whoever wrote it."""

from __future__ import annotations

import pytest

from pairl import Severity, parse, validate
from pairl.legend import FIDELITY, MEANINGS, Legend, make_legend
from pairl.plain import is_plain
from tests.unit.messages import STRICT_ERROR, Weights, with_body


def weights(body: str, legend: str) -> dict[str, Weights]:
    """Return what V13 and V14 report of a body and a legend, with its weight in strict and loose mode."""
    message = parse(with_body(body))
    found: list[dict[str, Severity]] = []
    for strict in (True, False):
        report = validate(message, strict, legend=legend)
        found.append({each.code: each.severity for each in report.diagnostics if each.rule in ("V13", "V14")})
    assert found[0].keys() == found[1].keys()
    return {code: (severity, found[1][code]) for code, severity in found[0].items()}


def unexplained(body: str, legend: str) -> list[str]:
    """Return the words of what V13 misses in a legend."""
    report = validate(parse(with_body(body)), legend=f"{legend}\n{FIDELITY}")
    beginning = "the legend does not explain the "
    return [each.message.removeprefix(beginning) for each in report.diagnostics if each.rule == "V13"]


def test_decision_35_without_a_legend_they_are_not_evaluated() -> None:
    report = validate(parse(with_body("zzz")), strict=True)
    assert {"V13", "V14"} <= set(report.not_evaluated)
    assert not any(found.rule in ("V13", "V14") for found in report.diagnostics)


def test_with_a_legend_they_are_evaluated() -> None:
    assert {"V13", "V14"}.isdisjoint(validate(parse(with_body("ack")), legend="").not_evaluated)


def test_a_message_without_fault_is_judged_as_any_other() -> None:
    message = parse(with_body("#fact a=1\nwrn{t=x}"))
    assert is_plain(message, 1_000, 100)
    report = validate(message, strict=True, legend=f"#fact key=value is exact\n{FIDELITY}")
    assert [(found.code, found.line, found.column, found.length) for found in report.diagnostics] == [
        ("V13/unexplained", 6, 1, 3),
        ("V13/unexplained", 6, 1, 8),
    ]
    taken_apart = parse(with_body("#fact a=1\nwrn{t=x}"))
    assert taken_apart.records
    assert validate(taken_apart, strict=True, legend=f"#fact key=value is exact\n{FIDELITY}") == report


@pytest.mark.parametrize("legend", ["#fact is exact", f"{FIDELITY}\n#fact is exact"])
def test_a_legend_without_fidelity_line_at_its_end_is_told_what_to_do(legend: str) -> None:
    [found] = validate(parse(with_body("#fact a=1")), legend=legend).diagnostics
    assert (found.rule, found.line) == ("V14", 0)
    assert found.help


def test_our_own_legend_passes() -> None:
    message = parse(with_body('#u1\nreq{t=x} @m=u1\n#cost[val,cur]\n1 EUR\n\n#rpt content="y" mode=cond'))
    legend = make_legend(message)
    assert isinstance(legend, Legend)
    assert validate(message, strict=True, legend=legend.text).valid


def test_an_unexplained_construct_weighs_in_strict_mode() -> None:
    assert weights("#memo a=1", f"read this\n{FIDELITY}") == {"V13/unexplained": STRICT_ERROR}
    assert weights("#fact a=1 b", f"#fact is exact\n{FIDELITY}") == {"V13/free-text": STRICT_ERROR}


@pytest.mark.parametrize(
    ("body", "legend"),
    [
        pytest.param("req{t=x}", "`req` = asks; t = topic", id="intent"),
        pytest.param("req{t=x}", "intents: ack/req/pln, params t=topic", id="intents_in_a_list"),
        pytest.param("ref{t=x}", "ref: refuses. t: topic", id="intent_that_begins_like_a_reference"),
        pytest.param("org.acme.go", "org.acme.go starts the machine.", id="custom_intent"),
        pytest.param("#memo a=1", "#memo is a note", id="own_record_type"),
        pytest.param("#cost[val,cur]\n1 EUR", "#cost[val,cur]: columns are positional", id="block"),
        pytest.param("#u1", "#<role><n> begins a turn", id="marker_in_general"),
        pytest.param("#a2", "#u<n> and #a<n> begin a turn", id="marker_with_number"),
        pytest.param("#msg t1 r=bo parent=-", "#msg <id> begins a turn", id="long_marker"),
        pytest.param("#u1\n#fact a=1 @m=u1", "#u1 speaker, @m=<id> overrides, #fact exact", id="override"),
        pytest.param('#req content="x" mode=cond', "#req, with mode=cond a summary", id="condensate"),
        pytest.param("#call tool=x", "#call: done, never repeat it", id="guard"),
        pytest.param("#call tool=x", "#call: must not be executed again", id="guard_in_other_words"),
        pytest.param("#s done", "#s is the state", id="state"),
    ],
)
def test_a_construct_is_explained_by_a_legend_that_names_it(body: str, legend: str) -> None:
    assert unexplained(body, legend) == []


@pytest.mark.parametrize(
    ("body", "legend", "missing"),
    [
        pytest.param(
            "#fact a=1", "values are exact", ["record type `#fact`"], id="fidelity_line_is_no_reading"
        ),
        pytest.param("req", "#req is a request", ["intent `req`"], id="record_type_is_no_intent"),
        pytest.param('#req content="x"', "req asks", ["record type `#req`"], id="intent_is_no_record_type"),
        pytest.param("ref", "#ref key=ref:<ns>:<id>", ["intent `ref`"], id="reference_is_no_intent"),
        pytest.param(
            "#ret call=c1", "#retry", ["record type `#ret`", "history of tools"], id="part_of_a_word"
        ),
        pytest.param("#s done", "#s3 is a turn", ["record type `#s`"], id="marker_is_no_state"),
        pytest.param("#u1", "#s is the state", ["turn marker `#u1`"], id="state_is_no_marker"),
        pytest.param("#msg t r=b parent=-", "#u1 is a turn", ["turn marker `#msg`"], id="long_marker"),
        pytest.param("#call tool=x", "#call: a call", ["history of tools"], id="no_guard"),
        pytest.param("#call tool=x", "#call: repeat it", ["history of tools"], id="contrary_of_a_guard"),
    ],
)
def test_a_construct_that_is_not_named_is_not_explained(body: str, legend: str, missing: list[str]) -> None:
    assert unexplained(body, legend) == missing


def test_tool_output_is_not_to_be_explained() -> None:
    assert unexplained("#fact a=1\n>>>\nzzz\n<<<", "#fact is exact") == []


def test_the_full_specification_is_enough_for_any_body() -> None:
    everything = "\n".join(f"{construct.name} {meaning}" for construct, meaning in MEANINGS.items())
    assert weights("zzz{t=x}\n#memo a=1\nhello you", everything) == {}


@pytest.mark.parametrize("legend", [FIDELITY, FIDELITY.replace(" ", "\n  "), f"#fact\n{FIDELITY} \r\n"])
def test_decision_37_only_white_space_may_differ_in_the_fidelity_line(legend: str) -> None:
    assert "V14" not in "".join(weights("#fact a=1", legend))


@pytest.mark.parametrize(
    ("legend", "code"),
    [
        pytest.param("#fact is exact", "V14/no-fidelity-line", id="missing"),
        pytest.param("", "V14/no-fidelity-line", id="empty"),
        pytest.param("#fact, values are exact", "V14/no-fidelity-line", id="paraphrase"),
        pytest.param(f"#fact\n{FIDELITY.replace('EXACT', 'exact')}", "V14/no-fidelity-line", id="other_case"),
        pytest.param(f"{FIDELITY}\n#fact is exact", "V14/fidelity-not-last", id="not_last"),
    ],
)
def test_decision_37_the_fidelity_line_closes_the_legend(legend: str, code: str) -> None:
    found = weights("#fact a=1", legend)
    assert found.pop(code) == STRICT_ERROR
    assert not any(each.startswith("V14") for each in found)
