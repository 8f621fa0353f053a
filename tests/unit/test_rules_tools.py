"""V9 tool-chain and V10 state-token: decisions 30 and 31."""

from __future__ import annotations

import pytest

from pairl import parse, validate
from tests.unit.messages import ERROR, STRICT_ERROR, WARNING, Weights, place, weights, with_body

CALL = "#call tool=Bash cmd=ls @rid=c1\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param(CALL, {}, id="call_without_result"),
        pytest.param(f"{CALL}#ret call=c1 status=ok", {}, id="call_and_result"),
        pytest.param(f"{CALL}#ret call=C1 status=err", {}, id="case_does_not_count"),
        pytest.param(f"{CALL}#ret call=c1 status=ok\n#ret call=c1 status=ok", {}, id="two_results"),
        pytest.param(f"{CALL}#ret call=c7 status=ok", {"V9/orphan-ret": STRICT_ERROR}, id="orphan"),
        pytest.param("#ret call=c1 status=ok", {"V9/orphan-ret": STRICT_ERROR}, id="no_call_at_all"),
        pytest.param(
            "#fact a=1 @rid=c1\n#ret call=c1 status=ok", {"V9/orphan-ret": STRICT_ERROR}, id="answers_a_fact"
        ),
        pytest.param(f"#ret call=c1 status=ok\n{CALL}", {"V9/ret-before-call": WARNING}, id="result_first"),
        pytest.param(f"{CALL}#ret call=c1 status=maybe", {"V9/status": ERROR}, id="status"),
        pytest.param(f"{CALL}#ret call=c1 status=OK", {"V9/status": ERROR}, id="status_upper_case"),
        pytest.param(f"{CALL}#ret call=c1", {"V9/missing-key": ERROR}, id="no_status"),
        pytest.param("#ret status=ok", {"V9/missing-key": ERROR}, id="no_call"),
        pytest.param('#ret call="" status=""', {"V9/missing-key": ERROR}, id="empty"),
        pytest.param("#call cmd=ls @rid=c1", {"V9/missing-key": ERROR}, id="no_tool"),
        pytest.param("#think text=x", {"V9/missing-key": ERROR}, id="no_summary"),
        pytest.param("#edit file=/a", {"V9/missing-key": ERROR}, id="no_changes"),
        pytest.param("#edit changes=1", {"V9/missing-key": ERROR}, id="no_file"),
    ],
)
def test_decision_30_calls_and_results(body: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(body)) == found


@pytest.mark.parametrize("changes", ["1", "12", "007", "9" * 18])
def test_decision_30_changes_is_a_whole_number_of_at_least_1(changes: str) -> None:
    assert weights(with_body(f"#edit file=/a changes={changes}")) == {}


@pytest.mark.parametrize(
    "changes", ["0", "000", "-1", "+1", "1.0", "many", "9" * 19, "0" * 18 + "1", "٣", "²"]
)
def test_decision_30_other_changes_are_errors(changes: str) -> None:
    assert weights(with_body(f"#edit file=/a changes={changes}"))["V9/changes"] == ERROR


def test_an_orphan_is_told_which_calls_there_are() -> None:
    (found,) = validate(parse(with_body(f"{CALL}#ret call=c7 status=ok")), True).diagnostics
    assert found.help == "the declared call is c1; did you mean `call=c1`?"
    assert place(with_body(f"{CALL}#ret call=c7 status=ok"), "V9/orphan-ret") == (6, 6, 7)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("#s done", {}),
        ("#s exec:2/4", {}),
        ("#s", {"V10/empty-state": STRICT_ERROR}),
        ("#s @rid=s1", {"V10/empty-state": STRICT_ERROR}),
        ("#s explore:1/3\n#s done", {"V10/superseded-state": WARNING}),
        ("#s done now", {"SYN/state-payload": STRICT_ERROR}),
        ('#s "done"', {"SYN/unquoted-value": WARNING}),
        ("#s @rid=s1 done", {"SYN/tag-not-last": STRICT_ERROR}),
    ],
)
def test_decision_31_the_state_token(body: str, found: dict[str, Weights]) -> None:
    assert weights(with_body(body)) == found


def test_decision_31_each_superseded_state_is_named() -> None:
    report = validate(parse(with_body("#s a\n#s b\nack\n#s c")), True)
    assert [found.line for found in report.diagnostics] == [5, 6]
    assert all("`#s c`" in found.message for found in report.diagnostics)
