"""Legends: what they say, in which order, and when there is none."""

from __future__ import annotations

import hashlib

import pytest

from pairl import parse
from pairl.coverage import Coverage
from pairl.legend import FIDELITY, FRAMING, MEANINGS, FullSpecification, Legend, make_legend
from pairl.vocabulary import INTENT_PARAMETERS, INTENTS, PARAMETER_VALUES, RECORD_TYPES
from tests.unit.messages import with_body


def lines(body: str) -> list[str]:
    """Return the lines of the legend for a body."""
    legend = make_legend(parse(with_body(body)))
    assert isinstance(legend, Legend)
    return legend.text.split("\n")


def test_decision_37_the_fidelity_line_is_that_of_the_specification() -> None:
    # The SHA-256 of the line in §12a.2(7), its lines joined by single spaces.
    digest = hashlib.sha256(FIDELITY.encode()).hexdigest()
    assert digest == "041600de6cd9d3caff868aa4d4860fad58c5161c76c2f4baeed7fba06fe1fe7a"


def test_decision_37_framing_comes_first_and_the_fidelity_line_last() -> None:
    assert lines("#fact a=1") == [FRAMING, lines("#fact a=2")[1], FIDELITY]
    assert lines("#fact a=1")[1].startswith("#fact key=value — ")


def test_decision_37_one_item_a_line_in_the_order_of_the_specification() -> None:
    body = (
        '#req content="x" mode=cond\nwrn{m=!}\n#u1\n#call tool=x @rid=c1\n#cost[val,cur]\n1 EUR\n\n'
        "ack{t=x} @m=u1\n#msg t2 r=bo parent=u1\n#s exec"
    )
    starts = [line.split(" ")[0] for line in lines(body)[1:-1]]
    assert starts == [
        *["#u1", "#msg", "@m=id", "Intents,", "Parameters", "#req", "#call", "#cost", "#s"],
        *["#type[key,key]", "Tool"],
    ]
    assert "wrn warns; ack acknowledges" in "\n".join(lines(body))


def test_decision_37_a_carried_turn_says_how_it_is_to_be_read() -> None:
    for tag in ("req", "rpt"):
        (line,) = lines(f'#{tag} content="x"')[1:-1]
        assert " [...] " in line
        assert "quoted source text" in line
        assert "mode=cond content is a summary" in line


def test_a_legend_explains_nothing_that_the_body_does_not_use() -> None:
    text = "\n".join(lines("wrn{t=x}")[1:-1])
    assert "ack" not in text
    assert "style" not in text
    assert "#" not in text


def test_items_end_without_punctuation_and_hold_no_line_ends() -> None:
    for meaning in MEANINGS.values():
        assert not meaning.endswith((".", ";", ",", ":"))
        assert "\n" not in meaning


def test_everything_that_the_language_registers_has_a_meaning() -> None:
    named = {construct.name for construct in MEANINGS}
    assert named >= {
        *INTENTS,
        *(f"{key}=" for key in INTENT_PARAMETERS),
        *(f"#{tag}" for tag in RECORD_TYPES),
    }
    assert named >= {"#u1", "#msg", "@m=", "mode=cond", "#s"}
    assert PARAMETER_VALUES.keys() < INTENT_PARAMETERS.keys()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("ack\nzzz{t=x}", "line 6: intent `zzz` needs", id="unknown_intent"),
        pytest.param("org.acme.go", "line 5: intent `org.acme.go` needs", id="custom_intent"),
        pytest.param("ack{zoom=1}", "line 5: intent parameter `zoom=` needs", id="unknown_parameter"),
        pytest.param("#memo a=1", "line 5: record type `#memo` needs", id="unknown_record"),
        pytest.param('#req content="x" mode=brief', "line 5: carriage form `mode=brief`", id="unknown_mode"),
        pytest.param("#fact a=1\n\nhello you", "line 7: free text needs", id="free_text"),
    ],
)
def test_a_body_that_cannot_be_explained_gets_no_part_of_a_legend(body: str, reason: str) -> None:
    fallback = make_legend(parse(with_body(body)))
    assert isinstance(fallback, FullSpecification)
    assert str(fallback).startswith(reason)


def test_every_construct_that_is_not_explained_is_named() -> None:
    fallback = make_legend(parse(with_body("zzz\n#memo a=1\nack\nzzz")))
    assert isinstance(fallback, FullSpecification)
    assert {construct.name: line for construct, line in fallback.unexplained.items()} == {
        "zzz": 5,
        "#memo": 6,
    }


def test_tool_output_needs_no_explanation() -> None:
    assert lines("#fact a=1\n>>> ls\nwhat $#? ever\n<<<") == lines("#fact a=1")


def test_a_text_that_explains_everything_is_the_full_specification() -> None:
    everything = "\n".join(f"{construct.name} {meaning}" for construct, meaning in MEANINGS.items())
    assert Coverage(everything).is_full_specification
    assert not Coverage(everything.replace("#quota", "quota")).is_full_specification
