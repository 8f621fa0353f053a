"""Mending keeps what a message says: no new error, no other hash where it was valid, and it comes to rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairl import compute_hash, parse, validate
from pairl.diagnostics import Severity
from pairl.edits import mend
from pairl.rules import Policy
from pairl.validator import Report
from tests.property.texts import NEARLY, TEXTS, in_message

ODD_LINES = st.sampled_from(
    [
        *["#fact share=50%", '#fact a=x"y b=1', "#fact a=50%,b=60%", "#fact amount=1,000", "#fact a = 1"],
        *["ack{ }", "upd{ t=a , s=f }", "upd{t=a s=f}", "upd{t=a  b}", "upd{t=50% }", "upd{t=a}@rid=z1"],
        *[
            "#cost[val,cur]\n0.02 $\n1 USD @rid=q%",
            "#evid[claim,src,conf]\n50% a% 0.5",
            "  #fact   a=%  @rid=z1",
        ],
    ]
)
ODD = st.builds(
    "{}{}".format,
    st.sampled_from(["", "\ufeff", "\ufeff\ufeff"]),
    st.lists(st.one_of(ODD_LINES, NEARLY), max_size=5).map(in_message),
)
NEARLY_MESSAGES = st.one_of(
    TEXTS, ODD, ODD.map(lambda text: text.replace("Z\n\n", "Z\n", 1).replace("@v 1", "@v 1.6"))
)
LINE_ENDS = st.sampled_from(["\n", "\r\n"])


def _errors(report: Report) -> set[str]:
    return {found.code for found in report.diagnostics if found.severity is Severity.ERROR}


@given(NEARLY_MESSAGES, LINE_ENDS, st.booleans())
def test_mending_adds_no_error_keeps_the_hash_of_what_is_valid_and_comes_to_rest(
    text: str, line_end: str, strict: bool
) -> None:
    data = text.replace("\n", line_end).encode("utf-8", "surrogatepass")
    before = validate(parse(data), strict)
    mended = mend(data, Policy(strict=strict))
    assert _errors(mended.report) <= _errors(before)
    assert (mended.data == data) == (mended.count == 0)
    if before.valid:
        assert compute_hash(mended.message) == compute_hash(parse(data))
    again = mend(mended.data, Policy(strict=strict))
    assert (again.data, again.count) == (mended.data, 0)
