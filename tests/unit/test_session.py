"""Maintained sessions: what is appended, what is refused, and what follows the body."""

from __future__ import annotations

import pytest

from pairl import parse, validate
from pairl.legend import FIDELITY, FullSpecification, Legend
from pairl.session import Reason, Refusal, Session
from tests.unit.messages import with_body

FIRST = "#u1\nreq{t=move} @rid=a1\n#fact port=8443 @rid=f1\n"


def begun(body: str = FIRST) -> Session:
    """Return a session that begins with `body`."""
    session = Session.begin(body)
    assert isinstance(session, Session)
    return session


def appended(session: Session, *increments: str) -> Session:
    """Return the session with the increments appended."""
    for increment in increments:
        longer = session.append(increment)
        assert isinstance(longer, Session)
        session = longer
    return session


def legend_of(session: Session) -> str:
    """Return the text of the session's legend."""
    assert isinstance(session.legend, Legend)
    return session.legend.text


def test_decision_38_the_legend_is_frozen_when_the_session_begins() -> None:
    session = begun()
    longer = appended(session, "#a2\nwrn{t=expiry,m=!}\n", "#u3\n#ref doc=ref:doc:x\n")
    assert longer.legend == session.legend
    assert legend_of(session).endswith(f"\n{FIDELITY}")
    assert "wrn" not in legend_of(session)


def test_decision_38_the_addendum_lists_what_is_new_in_order_of_occurrence_and_only_grows() -> None:
    session = appended(begun(), '#a2\n#think summary="s"\nwrn{m=!,t=expiry} @m=u1\n')
    addendum = session.addendum
    assert isinstance(addendum, str)
    starts = [" ".join(line.split(" ")[:3]) for line in addendum.split("\n")]
    assert starts == [
        *['#think summary="…" —', "Tool records describe", "Intent wrn warns", "Intent parameter m"],
        "@m=id — the",
    ]
    assert "EXACT" not in addendum
    more = appended(session, '#u3\nack\n#req content="x"\n').addendum
    assert isinstance(more, str)
    assert more.startswith(f"{addendum}\nIntent ack acknowledges\n#req ")


def test_there_is_no_addendum_while_nothing_is_new() -> None:
    assert begun().addendum is None
    assert appended(begun(), "#u2\nreq{t=more}\n").addendum is None
    summaries = begun('#req content="x"\n')
    assert appended(summaries, '#req content="y" mode=cond\n').addendum is None


def test_decision_38_what_cannot_be_explained_later_takes_the_specification_as_addendum() -> None:
    session = appended(begun(), "#a2\nwrn{t=x}\n", "zzz{t=x}\n", "#u3\nack\n")
    assert isinstance(session.addendum, FullSpecification)
    assert str(session.addendum) == "line 7: intent `zzz` needs the full specification"
    assert session.body.split("\n")[7 - 1] == "zzz{t=x}"
    assert session.legend == begun().legend


def test_what_cannot_be_explained_at_the_beginning_takes_the_specification_as_legend() -> None:
    session = appended(begun("hello\n"), "zzz{t=x}\n", "ack\n")
    assert str(session.legend) == "line 1: free text needs the full specification"
    assert session.addendum is None


def test_decision_39_what_was_sent_stays_as_it_was() -> None:
    session = begun()
    longer = appended(session, "#a2\nack\n", "#u3\nthx")
    assert session.body == FIRST
    assert longer.body == f"{FIRST}#a2\nack\n#u3\nthx\n"
    assert longer.increments == (FIRST, "#a2\nack\n", "#u3\nthx\n")


@pytest.mark.parametrize("increment", ["ack{t=x}\n", "  wrn\n", '"a" b\n', ">>> ls\n<<<\n"])
def test_decision_39_an_increment_is_never_read_as_the_row_of_an_open_block(increment: str) -> None:
    session = begun("#cost[val,cur]\n1 EUR\n")
    longer = appended(session, increment)
    assert longer.body == f"{session.body}\n{increment}"
    assert len(parse(with_body(longer.body)).blocks[0].rows) == 1


def test_an_increment_that_begins_with_a_record_needs_no_empty_line() -> None:
    assert appended(begun("#cost[val,cur]\n1 EUR\n"), "#u2\n").body == "#cost[val,cur]\n1 EUR\n#u2\n"


@pytest.mark.parametrize(
    ("increment", "refusal"),
    [
        pytest.param("#fact b=2 @rid=F1", Refusal(Reason.REPEATED_RID, 1, "F1"), id="rid_of_the_body"),
        pytest.param("ack @rid=x\nack @rid=X", Refusal(Reason.REPEATED_RID, 2, "X"), id="rid_of_itself"),
        pytest.param("#cost[val]\n1 @rid=a1", Refusal(Reason.REPEATED_RID, 2, "a1"), id="rid_of_a_row"),
        pytest.param("#a2\n#s done", Refusal(Reason.STATE_TOKEN, 2), id="state"),
        pytest.param("#s", Refusal(Reason.STATE_TOKEN, 1), id="empty_state"),
        pytest.param("#a2\n ---\n\n", Refusal(Reason.END_OF_MESSAGE, 2), id="end"),
        pytest.param("#a2\n---\nack", Refusal(Reason.END_OF_MESSAGE, 2), id="end_within"),
        pytest.param("#a2\n>>>\nack\n", Refusal(Reason.OPEN_TOOL_OUTPUT, 3), id="open_output"),
    ],
)
def test_decision_39_what_may_not_be_appended_is_refused(increment: str, refusal: Refusal) -> None:
    session = begun()
    assert session.append(increment) == refusal
    assert session == begun()


def test_a_session_does_not_begin_with_what_may_not_be_appended() -> None:
    assert Session.begin("ack @rid=x\nack @rid=X") == Refusal(Reason.REPEATED_RID, 2, "X")
    assert Session.begin("#s plan") == Refusal(Reason.STATE_TOKEN, 1)


@pytest.mark.parametrize("headers", ["@v 1\n@id m1\n", "\n @id m1\n", "@ts 2026-03-04T05:06:07Z\n@v 1\n"])
def test_a_whole_message_is_no_increment(headers: str) -> None:
    refusal = Session.begin(f"{headers}\nack\n")
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.HEADERS
    assert headers.split("\n")[refusal.line - 1].strip().startswith(f"@{refusal.word} ")
    assert "leave the headers out" in str(refusal)
    assert begun().append(f"{headers}\nack\n") == refusal


def test_free_text_that_begins_like_a_header_may_be_appended() -> None:
    assert appended(begun(), "@pilot please wait\n").body.endswith("@pilot please wait\n")


def test_a_refusal_is_one_line_and_names_the_record_id() -> None:
    assert str(Refusal(Reason.REPEATED_RID, 2, "X\n")).startswith("line 2: the record id `X\\n` is taken")


def test_record_ids_in_tool_output_are_nobodys() -> None:
    assert appended(begun(), ">>>\nack @rid=a1\n---\n#s x\n<<<\n", "ack @rid=b1\n")


def test_white_space_is_no_increment() -> None:
    assert begun().append(" \n\t\n") == begun()
    assert begun("").body == ""
    assert begun("").increments == ("",)


def test_line_ends_are_made_one_kind_before_anything_is_sent() -> None:
    assert appended(begun("ack\r\n"), "#u2\r\nthx").body == "ack\n#u2\nthx\n"


def test_legend_and_addendum_together_pass_v13_and_v14() -> None:
    session = appended(begun(), '#a2\n#call tool=x @rid=c1\nwrn{m=!}\n#rpt content="x" mode=cond\n')
    message = parse(with_body(session.body))
    assert not validate(message, strict=True, legend=legend_of(session)).valid
    assert validate(message, strict=True, legend=f"{session.addendum}\n{legend_of(session)}").valid
