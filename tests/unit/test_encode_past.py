"""A conversation whose past is not what it was: what still goes on, what is told, and what is refused."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime

import msgspec
import pytest

from pairl import Message, Session, validate
from pairl.encode import marks as marking
from pairl.encode import past as remembering
from pairl.encode.encoding import BodyState, Encoded, Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Thought, Turn, Unknown
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.formats import import_history
from pairl.encode.messages import as_messages
from pairl.encode.past import CHANGED_RESULTS, CHANGED_THOUGHTS, Past, compared, remembered
from pairl.encode.reread import reread
from tests.skeletons import skeleton

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
OPEN = Options(window=0, is_open=True)
LOG = "Error: berth 4 is taken, see /port/log.txt\n" + "the tide was as expected\n" * 20
CLEARED = "[the text of this result was removed, it is kept in /cache/7.txt]"


def history(*turns: tuple[Part, ...], system: str = "") -> History:
    """Return a conversation in which users and assistants take turns, behind a system prompt."""
    head = [Turn("system", (Said(system),))] if system else []
    first = len(head)
    spoken = [
        Turn(
            "assistant" if index % 2 else "user", parts, answers=first + index - 1 if first + index else None
        )
        for index, parts in enumerate(turns)
    ]
    return History("x", (*head, *spoken))


ASKED: tuple[Part, ...] = (Said("Where can the Petrel moor?"),)
LOOKED: tuple[Part, ...] = (
    Thought("The log knows, in /port/notes.txt."),
    Call(1, "read", {"path": "/port/log.txt", "lines": 9}, "k1"),
    Result(1, LOG, is_error=True),
)
TOLD: tuple[Part, ...] = (Said("At berth 5."),)
LOOKED_AGAIN: tuple[Part, ...] = (
    Call(2, "read", {"path": "/port/log.txt", "lines": 9}, "k2"),
    Result(2, LOG, is_error=True),
)
BEGUN = encode(history(ASKED, LOOKED, TOLD), OPEN)


def added(now: History, before: BodyState = BEGUN.state) -> Encoded:
    """Return what is added, once it is known to be valid, alone and behind what there was."""
    encoded = encode(now, before=before)
    for message in as_messages(encoded, id="m2", ts=NOW):
        assert validate(message, strict=True, source=encoded.source).diagnostics == []
    return encoded


@pytest.mark.parametrize(
    "parts",
    [
        LOOKED[1:],
        (Thought("Another thought."), *LOOKED[1:]),
        (*LOOKED[:2], Result(1, CLEARED)),
        LOOKED[:2],
        (*LOOKED[:1], Call(1, "read", {"lines": 9, "path": "/port/log.txt"}, "other"), *LOOKED[2:]),
        (*LOOKED, Unknown("tide", "{}")),
    ],
)
def test_what_stands_beside_what_was_said_may_change(parts: tuple[Part, ...]) -> None:
    assert added(history(ASKED, parts, TOLD, (Said("Good."),))).body == "#a4\n#rpt content=Good.\n"


@pytest.mark.parametrize("text", ["At berth 5. \n", "At  berth\r\n5.", "\tAt berth 5."])
def test_white_space_may_change_as_programs_trim_it(text: str) -> None:
    turns = (Said(" "), Said(text)), (Said("Good."),)
    assert added(history(ASKED, LOOKED, *turns)).body == "#a4\n#rpt content=Good.\n"


@pytest.mark.parametrize("system", ["It is Monday.", "It is Tuesday, and warm."])
def test_a_system_prompt_at_the_head_may_come_change_and_go(system: str) -> None:
    with_prompt = history(ASKED, LOOKED, TOLD, (Said("Good."),), system=system)
    assert added(with_prompt).body == "#a4\n#rpt content=Good.\n"
    state = encode(history(ASKED, LOOKED, TOLD, system="It is Sunday."), OPEN).state
    assert state.past == BEGUN.state.past
    assert added(with_prompt, state).system == (system,)


def told(encoded: Encoded) -> list[tuple[str, str, int]]:
    """Return the notices of what was encoded."""
    return [(one.what, one.where, one.count) for one in encoded.report.notices]


def test_turns_of_which_something_was_changed_are_told_once() -> None:
    cleared = (*LOOKED[:2], Result(1, CLEARED))
    thought = (Thought("Another one."), *LOOKED[1:])
    state = BEGUN.state
    for parts, notices in (
        (LOOKED[1:2], []),
        (cleared, [(CHANGED_RESULTS, "turn 2", 1)]),
        (cleared, []),
        (thought, [(CHANGED_THOUGHTS, "turn 2", 1)]),
        (LOOKED, []),
    ):
        turns = (Said("Good."),), *[(Said("Now?"),)] * (state.past.length - 3)
        encoded = added(history(ASKED, parts, TOLD, *turns), state)
        assert encoded.body.count("\n") == 2
        assert told(encoded) == notices
        state = BEGUN.state if parts == LOOKED[1:2] else encoded.state


def test_that_thoughts_were_taken_out_leaves_what_was_told_of_results() -> None:
    encoded = added(history(ASKED, LOOKED[1:], TOLD, LOOKED_AGAIN))
    assert "same_as=c1" in encoded.body
    assert told(encoded) == []


def test_nothing_counts_as_told_that_only_stands_in_a_changed_past() -> None:
    cleared = (*LOOKED[:2], Result(1, CLEARED))
    shown = (Call(2, "read", {"path": "/port/log.txt", "lines": 9}), Result(2, CLEARED))
    assert "paths=/cache/7.txt" in added(history(ASKED, cleared, TOLD, shown)).body
    assert "same_as" not in added(history(ASKED, cleared, TOLD, shown)).body
    assert "same_as=c1" in added(history(ASKED, LOOKED, TOLD, LOOKED_AGAIN)).body
    assert "same_as" not in added(history(ASKED, LOOKED[:2], TOLD, LOOKED_AGAIN)).body


def late() -> tuple[Encoded, History, History]:
    """Return a body with a call without a result, a record with it, and another that goes on."""
    before = encode(history(ASKED, LOOKED[:2], (Said("And now?"),), TOLD), OPEN)
    turns = (ASKED, LOOKED, (Said("And now?"),), TOLD)
    return before, history(*turns), history(*turns, (Said("Thanks."),), LOOKED_AGAIN)


def test_a_result_that_comes_late_is_written_for_the_turn_of_its_call() -> None:
    before, answered, longer = late()
    assert "#call tool=read" in before.body
    result = added(answered, before.state)
    assert result.body == (
        '#fact late_result=err call=c1 lines=21 err="Error: berth 4 is taken, see /port/log.txt" @m=a2\n'
    )
    assert result.report.notices == ()
    more = added(longer, result.state)
    assert more.body.startswith("#u5\n#req content=Thanks.\n#a6\n#call tool=read ")
    assert "same_as=c1" in more.body
    at_once = added(longer, before.state)
    assert at_once.body == result.body + more.body
    assert at_once.state.past == more.state.past
    assert skeleton(reread(before.body + at_once.body)) == skeleton(longer)


def test_a_late_result_is_valid_in_a_body_and_in_a_message_of_its_own() -> None:
    before, answered, longer = late()
    result = encode(answered, before=before.state)
    more = encode(longer, before=result.state)
    messages: list[Message] = []
    for number, encoded in enumerate((before, result, more), 1):
        messages += as_messages(encoded, id=f"m{number}", ts=NOW)
    assert messages[1].source.endswith("\n\n#a2\n" + result.body)
    assert reread(messages) == reread(before.body + result.body + more.body)
    assert skeleton(reread(messages)) == skeleton(longer)
    session = Session.begin(before.body)
    assert isinstance(session, Session)
    assert isinstance(session.append(result.body), Session)


LOST = Result(None, "Error: no such berth, see /port/map.txt", is_error=True)


def test_what_is_of_no_call_and_comes_behind_the_last_turn_is_written_for_it() -> None:
    before = encode(history(ASKED, (*LOOKED, LOST)), OPEN)
    assert before.state.past.loose == 1
    grown = history(ASKED, (*LOOKED, LOST, Unknown("tide", "{}"), Result(None, "17")), TOLD)
    encoded = added(grown, before.state)
    assert encoded.body == (
        '#fact unknown_item=tide @m=a2\n#fact orphan_result=ok @m=a2\n#u3\n#req content="At berth 5."\n'
    )
    assert encoded.report.notices == ()
    assert skeleton(reread(before.body + encoded.body)) == skeleton(grown)
    first = added(history(ASKED, (*LOOKED, LOST)), encode(history(ASKED, LOOKED), OPEN).state)
    assert first.body == (
        '#fact orphan_result=err err="Error: no such berth, see /port/map.txt" paths=/port/map.txt @m=a2\n'
    )


def test_what_is_of_no_call_is_no_addition_in_a_turn_before_the_last() -> None:
    assert told(added(history(ASKED, (*LOOKED, LOST), TOLD))) == [(CHANGED_RESULTS, "turn 2", 1)]


def test_a_result_that_was_taken_out_and_comes_back_is_not_written_twice() -> None:
    taken_out = added(history(ASKED, LOOKED[:2], TOLD, (Said("Good."),)))
    assert taken_out.state.past.unanswered == ()
    assert "late" not in added(history(ASKED, LOOKED, TOLD, *[(Said("Good."),)] * 2), taken_out.state).body


def test_late_results_of_several_turns_with_names_come_in_order() -> None:
    turns = [Turn("user", ASKED, "Anna", None)]
    for number in (1, 2):
        call = Call(number, "count", {})
        turns += [
            Turn("assistant", (call,), f"clerk {number}", 0),
            Turn("assistant", TOLD, f"clerk {number}", 0),
        ]
    before = encode(History("x", tuple(turns)), OPEN)
    answered = [*turns]
    for index, number in ((1, 1), (3, 2)):
        results = (Result(number, "17"), Result(number, "Error: 18"))
        answered[index] = msgspec.structs.replace(turns[index], parts=(*turns[index].parts, *results))
    encoded = added(History("x", (*answered, Turn("user", TOLD, "Anna", 3))), before.state)
    assert encoded.body.splitlines()[:4] == [
        "#fact late_result=ok call=c1 @m=a2",
        '#fact late_result=err call=c1 err="Error: 18" @m=a2',
        "#fact late_result=ok call=c2 @m=t4",
        '#fact late_result=err call=c2 err="Error: 18" @m=t4',
    ]
    (message,) = as_messages(encoded, id="m2", ts=NOW)
    assert [record.name for record in message.records if record.kind == "marker"] == ["a2", "t4", "t6"]


def test_a_call_that_nobody_answers_is_a_call_without_a_result() -> None:
    before, _, _ = late()
    (message,) = as_messages(before, id="m1", ts=NOW)
    assert validate(message, strict=True, source=before.source).diagnostics == []
    assert skeleton(reread(before.body))[1].chain == (("read", ()),)


@pytest.mark.parametrize(
    ("turns", "turn", "shown"),
    [
        (
            ((Said("In short: a mooring was asked for."),), TOLD),
            1,
            "user: In short: a mooring was asked for.",
        ),
        ((ASKED, (*LOOKED[:1], Call(1, "read", {"path": "/x"})), TOLD), 2, "assistant: read(path=/x)"),
        ((ASKED, LOOKED, (Said("At\nberth\x1b[2J 6."),)), 3, "user: At berth\\x1b[2J 6."),
        ((ASKED, LOOKED, ()), 3, "user:"),
    ],
)
def test_the_first_turn_that_differs_is_named(
    turns: tuple[tuple[Part, ...], ...], turn: int, shown: str
) -> None:
    with pytest.raises(HistoryChanged) as raised:
        encode(history(*turns, (Said("Good."),), system="It is Monday."), before=BEGUN.state)
    assert raised.value.turn == turn
    assert raised.value.reason == (
        f"of the 3 turns that were encoded before, turn {turn} is the first that differs: it is now `{shown}`"
    )
    assert raised.value.causes.startswith("most often the context was compacted or summarised")


def test_turns_that_are_missing_at_the_end_are_counted() -> None:
    with pytest.raises(HistoryChanged) as raised:
        encode(history(ASKED, LOOKED), before=BEGUN.state)
    assert raised.value.turn is None
    assert raised.value.reason == ("3 turns were encoded before, and this conversation ends after 2 of them")
    assert "an earlier copy that comes late" in str(raised.value)


def test_turns_of_a_long_conversation_share_their_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "MOST_MARKS", 2)
    turns = history(ASKED, LOOKED, TOLD, (Said("Good."),), (Said("Is it?"),)).turns
    past = remembered(turns)
    assert (len(past.turns), len(past.results), len(past.thoughts)) == (8, 8, 8)
    assert compared(past, turns).changed_results == frozenset()
    cleared = msgspec.structs.replace(turns[1], parts=(*LOOKED[:2], Result(1, CLEARED)))
    since = compared(past, (turns[0], cleared, *turns[2:]))
    assert (since.changed_results, since.changed_thoughts) == (frozenset({0, 1, 2}), frozenset())
    assert [one.count for one in since.notices] == [1]
    other = (*turns[:4], Turn("user", TOLD, answers=3))
    with pytest.raises(HistoryChanged, match="the first that differs is one of turns 4 to 5"):
        compared(past, other)
    with pytest.raises(HistoryChanged, match="ends after 4 of them"):
        compared(past, turns[:4])


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "MOST_UNANSWERED", 2)
    calls = tuple(Call(number, "look", {}) for number in range(1, 5))
    assert remembered([Turn("assistant", calls)]).unanswered == (3, 4)
    assert len(remembered([Turn("user", TOLD)] * 9_000).turns) <= 4 * marking.MOST_MARKS


@pytest.mark.parametrize(
    "past",
    [
        Past(2, "0" * 64, "", ""),
        Past(2, "", "x", "-", "-"),
        msgspec.structs.replace(BEGUN.state.past, results="", unanswered=(-1, 7)),
    ],
)
def test_a_past_that_somebody_has_written_by_hand_is_refused_or_goes_on(past: Past) -> None:
    state = msgspec.structs.replace(BEGUN.state, past=past)
    with contextlib.suppress(HistoryChanged):
        assert encode(history(ASKED, LOOKED, TOLD), before=state).body in (
            "",
            '#a3\n#rpt content="At berth 5."\n',
        )


@pytest.mark.parametrize(
    "calling",
    [
        {"tool_calls": [{"id": "k1", "function": {"name": "", "arguments": "{}"}}]},
        {"tool_calls": [{"call_id": "k1", "arguments": {"berth": 4}}]},
        {"parts": [{"type": "dynamic-tool", "toolCallId": "k1", "input": {"berth": 4}}]},
        {"parts": [{"type": "tool-invocation", "toolInvocation": {"toolCallId": "k1", "args": {}}}]},
        {"parts": [{"functionCall": {"id": "k1", "args": {"berth": 4}}}]},
        {"content": [{"type": "tool_use", "id": "k1", "name": "", "input": {"berth": 4}}]},
    ],
)
def test_ids_may_change_of_calls_without_a_name_too(calling: dict[str, object]) -> None:
    record = [{"role": "user", "content": "Which?"}, {"role": "assistant", **calling}]
    before = encode(import_history(record), Options(window=0))
    assert "#call" in before.body
    assert "k1" not in before.body
    renumbered = json.dumps([*record, {"role": "user", "content": "Well?"}]).replace("k1", "k2")
    assert added(import_history(renumbered), before.state).body == '#u3\n#req content="Well?"\n'
