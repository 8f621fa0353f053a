"""The construct scan: what counts as language, what as content, and in which order it is found."""

from __future__ import annotations

import pytest

from pairl import parse
from pairl.constructs import Category, in_legend_order, scan
from tests.unit.messages import with_body

FIRST_LINE = 5


def names(body: str) -> list[str]:
    """Return the constructs of a body as they are written, in legend order."""
    return [
        construct.name or construct.category
        for construct in in_legend_order(scan(parse(with_body(body)).body))
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param("#fact a=1\n#fact b=2", ["#fact"], id="once"),
        pytest.param("ack", ["ack"], id="intent_without_braces"),
        pytest.param("org.acme.x{q=1}", ["org.acme.x", "q="], id="custom_intent"),
        pytest.param("#u3\n#a4\n#s5", ["#u1"], id="compact_markers_are_one_construct"),
        pytest.param("#msg t1 r=anna parent=-\n#u2", ["#msg", "#u1"], id="both_forms_of_markers"),
        pytest.param("#u1\nack @m=u1", ["#u1", "@m=", "ack"], id="override"),
        pytest.param('#req content="x"', ["#req"], id="quotation"),
        pytest.param('#rpt content="x" mode=cond', ["#rpt", "mode=cond"], id="condensate"),
        pytest.param("#fact mode=cond", ["#fact"], id="mode_of_a_fact_is_its_key"),
        pytest.param("#s exec:1/2", ["#s"], id="state"),
        pytest.param("#memo a=1", ["#memo"], id="unknown_record"),
        pytest.param("hello there", ["free text"], id="free_text"),
        pytest.param("#fact a=1 b", ["free text"], id="more_than_the_fields_can_carry"),
        pytest.param('#think summary="s"', ["#think", "history of tools"], id="tool_history"),
        pytest.param("#ref a=ref:doc:x\nref{t=a}", ["ref", "t=", "#ref"], id="record_and_intent_of_one_name"),
    ],
)
def test_decision_37_every_construct_is_found(body: str, found: list[str]) -> None:
    assert names(body) == found


def test_decision_37_categories_in_the_order_of_the_specification_and_then_first_occurrence() -> None:
    body = (
        "#cost[val,cur]\n1 EUR\n\n#s plan\nwrn{m=!,t=x} @m=u1\n#call tool=grep @rid=c1\nack{t=x}\n"
        '#u1\n#msg t2 r=bo parent=u1\n#fact a=1\n#rpt content="y" mode=cond'
    )
    assert names(body) == [
        *["#u1", "#msg", "@m=", "wrn", "ack", "m=", "t="],
        *["#cost", "#s", "#call", "#fact", "#rpt", "mode=cond", "#type[key,key]", "history of tools"],
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param('#fact a="#memo wrn{t=x} @m=u1 mode=cond"', ["#fact"], id="quotes"),
        pytest.param('#evid[claim,src,conf]\n"#s x" wrn 0.5', ["#evid", "#type[key,key]"], id="rows"),
        pytest.param(
            "#fact a=1\n>>>\n#memo x=1\n\n---\nwrn{t=x}\n<<< end\nack", ["ack", "#fact"], id="output"
        ),
        pytest.param(">>> grep\nfree text", [], id="output_that_is_not_closed"),
        pytest.param(
            "#evid[claim,src,conf]\na b 1\n>>>\nwrn\n<<<", ["#evid", "#type[key,key]"], id="in_block"
        ),
    ],
)
def test_decision_16_and_37_content_is_never_a_construct(body: str, found: list[str]) -> None:
    assert names(body) == found


def test_a_row_may_override_its_turn_and_carry_a_condensate() -> None:
    assert names("#u1\n#req[content,mode]\nx cond @m=u1") == [
        *["#u1", "@m=", "#req", "mode=cond", "#type[key,key]"]
    ]


def test_a_row_that_does_not_fit_its_columns_is_text() -> None:
    assert Category.TEXT in names("#cost[val,cur]\n1 EUR\nwrn{t=x}")


def test_a_construct_comes_with_the_line_in_which_it_occurs_first() -> None:
    uses = scan(parse(with_body("#fact a=1\n\n#cost[val,cur]\n1 EUR\n#fact b=1\nwrn")).body)
    lines = {construct.name: line - FIRST_LINE for construct, line in uses.items()}
    assert lines == {"#fact": 0, "#cost": 2, "#type[key,key]": 2, "wrn": 5}
