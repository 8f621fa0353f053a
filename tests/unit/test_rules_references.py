"""V4 thread-integrity beyond parents: records, references in bodies, other sessions, messages that wait."""

from __future__ import annotations

import pytest

from pairl import Message, Thread, parse, validate
from pairl.thread import Status, ThreadNode, foreign_references
from tests.unit.messages import (
    STRICT_ERROR,
    WARNING,
    DictThread,
    accepted,
    rejected,
    weights,
    with_body,
)


def waiting(name: str, *parents: str) -> ThreadNode:
    return ThreadNode(name, Status.WAITING, "", parents)


def having(name: str, rids: str) -> ThreadNode:
    return ThreadNode(name, Status.ACCEPTED, rids=rids)


THREAD = DictThread(
    having("m1", "a1 f2"), having("m2", ""), accepted("m3"), rejected("m4"), waiting("m5", "m8")
)

FOUND_NOTHING: tuple[str, ...] = ()
RECORD = ("V4/unknown-record",)
MESSAGE = ("V4/unknown-message",)
ELSEWHERE = ("V4/other-session",)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("#ref of=@m1#a1", FOUND_NOTHING),
        ("#ref of=@m1#A1", FOUND_NOTHING),
        ('#ref of="@m1#f2"', FOUND_NOTHING),
        ("#ref of=@m1", FOUND_NOTHING),
        ("#ref of=@m2#a1", RECORD),
        ("#ref of=@m1#a", RECORD),
        ('#ref of="@m1#a2"', RECORD),
        ("#ref of=ref:msg:m1#a2", RECORD),
        ("#ref of=@m3#a1", FOUND_NOTHING),
        ("#ref of=@m9#a1", MESSAGE),
        ("#ref of=@m9", MESSAGE),
        ("#ref of=ref:msg:m9", MESSAGE),
        ("#ref of=@m4#a1", MESSAGE),
        ("#ref of=@m5#a1", MESSAGE),
        ("#ref of=@m7#k1 @rid=k1", FOUND_NOTHING),
        ("#ref of=@m7#k2 @rid=k1", RECORD),
        ("#ref of=@m1#a1 more=@m9", MESSAGE),
        ("#evid claim=x src=@m1#a1 conf=1", FOUND_NOTHING),
        ("#evid claim=x src=@m1#a9 conf=1", RECORD),
        ('#evid claim="src=@m9" src="@m9#a1" conf=1', MESSAGE),
        ("#evid[claim,src,conf]\nx @m1#a1 1\ny @m1#a9 0.5", RECORD),
        ('#evid[claim,src,conf]\n"x y" "@m9" 1', MESSAGE),
        ("#fact by=@m9", FOUND_NOTHING),
        ('#call tool=Read text="see =@m9#a1" @rid=c1', FOUND_NOTHING),
        ("#ref of=ref:doc:m9#a1", FOUND_NOTHING),
        ("#ref of=ref:msg:S:m1#a9", ELSEWHERE),
    ],
)
@pytest.mark.parametrize("touched", [False, True])
def test_a_reference_in_the_body_is_looked_up(line: str, found: tuple[str, ...], *, touched: bool) -> None:
    message = parse(with_body(line))
    if touched:
        assert message.records
    for strict in (True, False):
        report = validate(message, strict, thread=THREAD)
        assert tuple(each.code for each in report.diagnostics) == found
        assert report.valid


def test_what_is_found_is_placed_and_worded() -> None:
    message = parse(with_body('#ref a=@m1#b1\n#ref b=@m9#a1\n#evid claim="c" src=@m4 conf=1\n#ref c=@m5'))
    found = validate(message, True, thread=THREAD).diagnostics
    assert [(each.line, each.column, each.length) for each in found] == [
        (5, 8, 6),
        (6, 8, 6),
        (7, 21, 3),
        (8, 8, 3),
    ]
    assert [each.message for each in found] == [
        "`m1` has no record `b1`",
        "`m9` is not known in this session",
        "`m4` was rejected",
        "`m5` waits itself for a message that has not come",
    ]
    assert found[0].help is not None
    assert "did you mean `#a1`?" in found[0].help


def test_each_place_of_a_reference_is_told_and_the_first_ones_listed() -> None:
    message = parse(with_body("#ref a=@m9\n" * 30))
    found = validate(message, thread=THREAD).diagnostics
    assert [each.code for each in found] == ["V4/unknown-message"] * 21
    assert "10 more findings" in found[-1].message or "10 more findings" in found[-2].message


def test_a_message_that_a_header_misses_is_told_once() -> None:
    assert weights(with_body("#ref of=@m9#a1", "@p m9\n"), THREAD) == {"V4/unresolved-parent": STRICT_ERROR}


def test_many_references_are_looked_at_in_linear_time() -> None:
    pairs = " ".join(f"a{number}=@m1#x{number}" for number in range(50_000))
    thread = DictThread(having("m1", " ".join(f"r{number}" for number in range(5_000))))
    assert weights(with_body(f"#ref {pairs}"), thread) == {"V4/unknown-record": WARNING}


@pytest.mark.parametrize("headers", ["@p @m1#a9\n", "@deps m3#a9,m1#a9\n", "@parent ref:msg:m1#a9\n"])
def test_a_header_may_name_a_record(headers: str) -> None:
    assert weights(with_body("ack", headers), THREAD) == {"V4/unknown-record": WARNING}
    assert weights(with_body("ack", headers.replace("a9", "f2")), THREAD) == {}


@pytest.mark.parametrize(
    ("headers", "code"),
    [("@p m5\n", "V4/unresolved-parent"), ("@deps m5\n", "V4/unresolved-dependency")],
)
def test_a_message_that_waits_is_not_there_yet(headers: str, code: str) -> None:
    assert weights(with_body("ack", headers), THREAD) == {code: STRICT_ERROR}
    (line,) = validate(parse(with_body("ack", headers)), True, thread=THREAD).errors
    assert "`m5`, named in" in line
    assert "waits itself for a message that has not come" in line


def test_a_circle_may_lead_through_messages_that_wait() -> None:
    thread = Thread()
    for name, parent in (("m1", "m7"), ("m2", "m1")):
        message = parse(f"@v 1\n@id {name}\n@ts 2026-05-01T10:00:00Z\n@p {parent}\n\nack\n")
        thread.add(message, Status.WAITING)
    found = weights(with_body("ack", "@p m2\n"), thread)
    assert found == {"V7/cycle": STRICT_ERROR, "V4/unresolved-parent": STRICT_ERROR}


class Sessions(DictThread):
    """A thread beside others, of which some messages were looked up."""

    def is_elsewhere(self, session: str, message_id: str) -> bool | None:  # type: ignore[override]
        """Answer for m1 and m2 of session S."""
        return {("S", "m1"): True, ("S", "m2"): False}.get((session, message_id))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("m1", None),
        ("m2", "no message `m2` is known in session `S`"),
        ("m3", "`ref:msg:S:m3` is in another session and was not looked up"),
    ],
)
@pytest.mark.parametrize(
    "where", ["@p ref:msg:S:{}\n\nack", "@deps ref:msg:S:{}\n\nack", "\n#ref a=ref:msg:S:{}"]
)
def test_a_message_of_another_session_is_looked_up_there(where: str, name: str, words: str | None) -> None:
    message = parse(f"@v 1\n@id m7\n@ts 2026-05-01T10:00:00Z\n{where.format(name)}\n")
    report = validate(message, True, thread=Sessions())
    assert report.valid
    assert [each.message for each in report.diagnostics] == ([words] if words else [])


def _of_session(headers: str, body: str = "ack") -> Message:
    return parse(with_body(body, headers))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (_of_session("@p m1\n"), set()),
        (_of_session("@p ref:msg:m1\n"), set()),
        (_of_session("@sid S\n@p ref:msg:S:m1\n"), set()),
        (_of_session("@sid S\n@p ref:msg:T:m1#a1\n@deps m1,ref:msg:U:m2\n"), {("T", "m1"), ("U", "m2")}),
        (_of_session("", "#ref a=ref:msg:S:m1 b=ref:msg:S:m1#a2"), {("S", "m1")}),
        (_of_session("", "#evid claim=x src=ref:msg:S:m1 conf=1"), {("S", "m1")}),
        (_of_session("", "#fact a=ref:msg:S:m1"), set()),
        (_of_session("", "#ref a=ref:msg:S:"), set()),
    ],
)
def test_what_a_message_refers_to_in_other_sessions(message: Message, expected: set[tuple[str, str]]) -> None:
    assert foreign_references(message) == expected


def test_a_root_that_is_kept_is_found_without_the_way_to_it() -> None:
    far = ThreadNode("m2", Status.ACCEPTED, parents=("m9",), parent="m9", root="m1")
    thread = DictThread(accepted("m1"), far)
    assert weights(with_body("ack", "@p m2\n@root m1\n"), thread) == {}


def test_ids_may_be_kept_under_other_names() -> None:
    thread = Thread(str.lower)
    thread.add(parse(with_body("#cost val=1 cur=EUR", "@budget 1.50EUR\n").replace("m7", "M1")))
    thread.add(parse(with_body("ack @rid=K1", "@p M1\n")))
    node = thread.node("M7")
    assert node is not None
    assert (node.id, node.parents, node.parent, node.root, node.rids) == ("m7", ("m1",), "m1", "m1", "k1")
    assert thread.is_awaited("M1") is False
    text = with_body("#cost val=1 cur=EUR\n#ref a=@M7#k1", "@p M7\n@root M1\n").replace("@id m7", "@id M8")
    codes = [found.code for found in validate(parse(text), True, thread=thread).diagnostics]
    assert codes == ["V8/over-thread-budget"]
