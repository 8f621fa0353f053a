"""The report of `pairl encode`: numbers beside those that they have to be compared with."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from pairl.encode.budget import Budget
from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Notice, Result, Said, Turn
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.messages import as_messages
from pairl.encode.past import CHANGED_RESULTS
from pairl.encode.quoting.quote import Quoting
from pairl.validator import validate
from workers.cli import measuring
from workers.cli.encoding_report import lines_of, lines_of_missing, lines_of_notices, over_budget
from workers.cli.measuring import BODY, CHARACTERS, JSON, LEGEND, PLAIN, SAME, Measured, measured

TIME = datetime(2026, 5, 4, tzinfo=UTC)
LOOKED = (
    Call(1, "Read", {"path": "/srv/log.txt"}),
    Result(1, "Error: disk full\n" + "line after line of it\n" * 60),
)
HISTORY = History(
    "chat",
    (
        Turn("system", (Said("Be brief."),)),
        Turn("user", (Said("Why is it slow since 7 May?"),), answers=0, item=1),
        Turn("assistant", LOOKED, answers=1, item=2),
    ),
    ({"system": "Be brief."}, {"user": "Why is it slow since 7 May?"}, {"calls": 1}),
)


@pytest.fixture(autouse=True)
def _in_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "counter", lambda _: None)


def _measured(history: History, window: int = 0, budget: Budget | None = None) -> Measured:
    encoded = encode(history, Options(budget, window))
    messages = as_messages(encoded, id="m1", ts=TIME)
    judged = [(message, validate(message, strict=True, source=encoded.source)) for message in messages]
    return measured(history, encoded, judged)


def test_a_body_is_compared_with_what_it_carries() -> None:
    found = _measured(HISTORY)
    sizes = {name: size[CHARACTERS] for name, size in found.sizes.items()}
    assert list(sizes) == [JSON, PLAIN, SAME, BODY, LEGEND]
    assert sizes[JSON] == len('[{"user":"Why is it slow since 7 May?"},{"calls":1}]')
    assert sizes[PLAIN] > 1_300
    assert sizes[SAME] < sizes[BODY] < sizes[PLAIN]
    assert (found.turns, found.messages, found.valid, found.quotations, found.verified) == (2, 1, 1, 1, 1)


def test_what_stays_beside_the_body_counts_on_neither_side() -> None:
    found = _measured(HISTORY, window=1)
    assert found.turns == 1
    assert found.sizes[JSON][CHARACTERS] == len('[{"user":"Why is it slow since 7 May?"}]')
    assert found.sizes[PLAIN][CHARACTERS] == len("user: Why is it slow since 7 May?\n")
    assert "beside the body:\n  the system prompt, 9 characters\n  the last item of the record" in "\n".join(
        lines_of("x", found)
    )


def test_a_record_without_items_has_no_json() -> None:
    assert JSON not in _measured(History("chat", HISTORY.turns)).sizes


def test_progress_counts_texts() -> None:
    encoded = encode(HISTORY, Options(window=0))
    told: list[tuple[int, int]] = []
    measured(HISTORY, encoded, [], progress=lambda done, more: told.append((done, more)))
    assert told == [(0, 5), *[(1, 0)] * 5]


def test_numbers_stand_in_columns_and_nothing_is_praised() -> None:
    lines = lines_of("chat.json", _measured(HISTORY))
    assert lines[0] == "chat.json: 2 turns in the body, 1 message"
    assert lines[2].split() == ["characters"]
    [of_plain] = [line for line in lines if line.startswith("body, of plain text")]
    assert of_plain.endswith(" %")
    assert not {"saves", "saved", "smaller", "reduction"} & set(" ".join(lines).split())


def test_what_was_noticed_is_named_and_cannot_move_the_cursor() -> None:
    builder = HistoryBuilder("chat")
    builder.turn("user")
    builder.say("Look at this.")
    builder.notice("picture\x1b[2J", "line 3", 12_000)
    builder.notice("picture\x1b[2J", "line 9", 500)
    lines = lines_of("x", _measured(builder.history()))
    assert lines[-2:] == [
        "noticed in the record:",
        "  picture\\x1b[2J: 2, first at line 3, 12,500 characters",
    ]


def test_a_part_of_the_conversation_that_is_left_out_is_missing_in_what_is_printed() -> None:
    builder = HistoryBuilder("chat")
    builder.turn("user")
    builder.say("Look at this.")
    builder.leave_out("image", size=500)
    builder.notice("field that is no part of the conversation", "mood", 3)
    encoded = encode(builder.history(), Options(window=0))
    assert lines_of_missing(encoded) == ["image: 1, 500 characters"]
    assert lines_of_notices(encoded) == [
        "field that is no part of the conversation: 1, first at mood, 3 characters"
    ]
    lines = lines_of("x", _measured(builder.history()))
    assert lines[lines.index("left out or cut:") + 1] == "  image: 1, 500 characters"


def test_a_notice_that_tells_of_one_thing_as_a_whole_has_no_count() -> None:
    history = History(
        "chat", (Turn("user", (Said("Moor."),)),), notices=(Notice("it looks like another", ""),)
    )
    assert lines_of_notices(encode(history)) == ["it looks like another"]


def test_a_kind_that_does_not_occur_has_no_row() -> None:
    lines = lines_of("x", _measured(History("chat", (Turn("user", (Said("Hello there."),)),))))
    assert not [line for line in lines if line.startswith("kept")]
    assert "quotations that V15 verifies: 1 of 1 (100 %)" in lines


def test_what_was_left_out_is_counted_on_one_line_and_why_if_nobody_asked_for_it() -> None:
    history = History("chat", (Turn("user", (Said("Moor at \0 berth 4."),)), Turn("user", (Said("\0"),))))
    counts = "1 text left out, 1 text quoted in part, 1 turn of which nothing is left"
    encoded = encode(history, Options(window=0))
    assert lines_of_missing(encoded) == [f"{counts}: no message can carry all of it"]
    assert lines_of_missing(encode(history, Options(Budget(share=0.9), 0))) == [counts]


def test_a_past_that_was_changed_is_noticed_and_a_later_run_says_no_more() -> None:
    state = encode(HISTORY, Options(window=0, is_open=True)).state
    cleared = replace(HISTORY.turns[2], parts=(LOOKED[0], Result(1, "[cleared]")))
    more = Turn("user", (Said("So?"),), answers=2, item=2)
    now = History("chat", (*HISTORY.turns[:2], cleared, more), notices=(Notice("picture", "line 3"),))
    encoded = encode(now, before=state)
    assert lines_of_missing(encoded, is_first=False) == []
    changed = f"{CHANGED_RESULTS}: 1, first at turn 2"
    assert lines_of_notices(encoded, is_first=False) == [changed]
    assert lines_of_notices(encoded) == [changed, "picture: 1, first at line 3"]


def test_a_few_kinds_of_notices_are_told_without_being_asked_for() -> None:
    builder = HistoryBuilder("chat")
    builder.turn("user")
    builder.say("Moor at berth 4.")
    assert lines_of_notices(encode(builder.history())) == []
    for what in ("picture", "sound", "picture", "smell"):
        builder.notice(what, "line 3")
    told = ["picture: 2, first at line 3", "sound: 1, first at line 3", "smell: 1, first at line 3"]
    assert lines_of_notices(encode(builder.history())) == told
    for _ in range(2):
        builder.notice("taste")
    assert lines_of_notices(encode(builder.history())) == [*told, "2 things more: --report names them"]


def test_a_body_that_is_larger_than_its_budget_says_so() -> None:
    turns = tuple(
        Turn("user", (Said("Is it lit?"),), answers=index - 1 if index else None) for index in range(9)
    )
    encoded = encode(History("chat", turns), Options(Budget(characters=100), 0))
    assert (encoded.report.taken, encoded.report.over) == (len(encoded.body), len(encoded.body) - 100)
    assert over_budget(encoded).startswith(
        f"the body takes {len(encoded.body)} characters, {len(encoded.body) - 100} more than --budget 100c: "
    )
    assert over_budget(encoded) in lines_of("x", _measured(History("chat", turns), 0, Budget(characters=100)))
    counted = encode(
        History("chat", turns), Options(Budget(tokens=2), 0), quoting=Quoting(lambda text: len(text.split()))
    )
    assert " 45 tokens, 43 more than --budget 2t: " in over_budget(counted)
    fits = encode(History("chat", turns), Options(Budget(characters=1_000), 0))
    assert fits.report.over == encode(History("chat", turns), Options(Budget(share=0.01), 0)).report.over == 0
