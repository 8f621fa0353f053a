"""The encoder's batches: what transcripts become, and what is remembered.

Knows how transcripts of one session follow each other. How a conversation is encoded is tested with
`pairl.encode`.
"""

from __future__ import annotations

import json

import pytest

from pairl import parse, validate
from pairl.encode.budget import Budget
from pairl.encode.encoding import Options
from pairl.encode.past import CHANGED_RESULTS
from pairl.thread_memory import Thread
from schemas import headers, session_encoding
from schemas.changelog import Change
from schemas.topics import ENCODINGS, INBOUND, REJECTED, TRANSCRIPTS
from tests.unit.encoder_sessions import (
    ASKED,
    COUNTED,
    COUNTING,
    NOW,
    PARTITION,
    THANKED,
    TOLD,
    TOPIC,
    WRITTEN_AT,
    Sessions,
    Written,
    bodies,
    made,
    refusals,
    refused,
    texts,
    transcript,
)
from tests.unit.session_lines import SessionLines, call, returned, text
from workers.processors.outcome import Outcome


def test_an_encoder_reads_transcripts_and_has_a_changelog_of_its_own() -> None:
    encoder = Sessions().encoder
    assert (encoder.name, encoder.source, encoder.changelog) == ("encoder", TRANSCRIPTS, ENCODINGS)
    assert encoder.targets == (INBOUND, REJECTED, ENCODINGS)


def test_a_transcript_becomes_a_message_of_its_session() -> None:
    outcome = Sessions().take(transcript(ASKED, TOLD))
    (record,) = made(outcome)
    assert (record.key, record.timestamp) == (b"s", WRITTEN_AT)
    assert record.headers == [(headers.SOURCE, f"{TOPIC}/{PARTITION}/0".encode())]
    (text,) = texts(outcome)
    assert text == (
        "@v 1\n"
        "@id m1\n"
        "@ts 2026-04-24T03:06:39.250000Z\n"
        "\n"
        "#u1\n"
        '#req content="How many boats lie in the harbour tonight?"\n'
        "#a2\n"
        '#rpt content="There are 17 of them."\n'
    )
    assert outcome.counts == {"messages": 1, "rejected": 0, "unchanged": 0, "rerouted": 0}


def test_the_next_transcript_of_a_session_adds_what_is_new() -> None:
    sessions = Sessions()
    first = sessions.take(transcript(ASKED, COUNTING, COUNTED))
    second = sessions.take(transcript(ASKED, COUNTING, COUNTED, TOLD, THANKED))
    third = sessions.take(transcript(ASKED, COUNTING, COUNTED, TOLD, THANKED, TOLD))
    parsed = [parse(text) for outcome in (first, second, third) for text in texts(outcome)]
    assert [message.headers.get("p") for message in parsed] == [None, "m1", "m2"]
    thread = Thread(str)
    for message in parsed:
        report = validate(message, strict=True, thread=thread)
        assert (report.errors, report.warnings) == ([], [])
        thread.add(message)
    whole = Sessions().take(transcript(ASKED, COUNTING, COUNTED, TOLD, THANKED, TOLD))
    assert bodies(first) + bodies(second) + bodies(third) == bodies(whole)


def test_a_call_waits_for_its_result() -> None:
    sessions = Sessions()
    asked = sessions.take(transcript(ASKED, COUNTING))
    assert "#call" not in bodies(asked)
    answered = sessions.take(transcript(ASKED, COUNTING, COUNTED))
    assert "#call tool=count_boats" in bodies(answered)
    assert "#ret call=c1 status=ok" in bodies(answered)
    assert validate(parse(texts(answered)[0]), strict=True).valid


def test_the_same_transcript_again_says_nothing_new() -> None:
    sessions = Sessions()
    sessions.take(transcript(ASKED, TOLD))
    again = sessions.take(transcript(ASKED, TOLD))
    assert (made(again), refusals(again), again.changes) == ([], [], [])
    assert again.counts["unchanged"] == 1


def test_the_same_transcripts_make_the_same_messages_however_they_are_batched() -> None:
    parts = [(ASKED,), (ASKED, COUNTING, COUNTED), (ASKED, COUNTING, COUNTED, TOLD)]
    at_once, one_by_one = Sessions(), Sessions()
    apart = [record for part in parts for record in made(one_by_one.take(transcript(*part)))]
    assert list(made(at_once.take(*(transcript(*part) for part in parts)))) == apart
    assert at_once.entries == one_by_one.entries


def test_a_batch_remembers_once_how_far_it_came_with_a_session() -> None:
    outcome = Sessions().take(
        transcript(ASKED), transcript(ASKED, key=b"t"), transcript(ASKED, TOLD), transcript(ASKED, TOLD)
    )
    kept = [session_encoding.decode(change.entry, change.value or b"") for change in outcome.changes]
    assert [(one.session, one.messages, one.last, one.at) for one in kept] == [
        ("s", 2, "m2", NOW),
        ("t", 1, "m1", NOW),
    ]
    assert [one.encoding.past.length for one in kept] == [2, 1]


def test_what_is_remembered_is_a_few_bytes_for_each_turn_and_bounded() -> None:
    talk = [ASKED, TOLD] * 5_000
    few, more, most = (
        len(Sessions().take(transcript(*talk[:count])).changes[0].value or b"")
        for count in (2, 1_000, 10_000)
    )
    assert 1_000 < more - few < 13 * 1_000
    assert most - few < 30_000


def test_a_session_is_called_by_the_key_or_else_by_a_header() -> None:
    named = ((headers.SESSION, b"t"),)
    outcome = Sessions().take(
        transcript(ASKED, more=named), transcript(ASKED, key=None, more=named), transcript(ASKED, key=b"\xff")
    )
    assert [record.key for record in made(outcome)] == [b"s", b"t", b"\xff"]
    assert [change.session for change in outcome.changes] == ["s", "t", "bytes:ff"]


def test_a_transcript_without_a_session_is_a_conversation_that_does_not_go_on() -> None:
    outcome = Sessions().take(
        transcript(ASKED, COUNTING, key=None), transcript(ASKED, COUNTING, COUNTED, key=None)
    )
    assert [record.key for record in made(outcome)] == [b"pairl.transcripts/1/0", b"pairl.transcripts/1/1"]
    assert all(text.startswith("@v 1\n@id m1\n") for text in texts(outcome))
    assert all("#call tool=count_boats" in text for text in texts(outcome))
    assert outcome.changes == []


def test_the_format_can_be_named() -> None:
    right, wrong, unknown = (
        Sessions().take(transcript(ASKED, more=((headers.FORMAT, name),)))
        for name in (b"openai_chat", b"claude_code", b"\xff")
    )
    assert len(made(right)) == 1
    assert refused(wrong) == refused(unknown) == ["ENC/not-a-transcript"]


def test_what_could_not_be_carried_is_said_with_the_first_message() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    shown = {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]}
    (record,) = made(Sessions().take(transcript(shown)))
    assert json.loads(headers.last(record.headers, headers.LEFT_OUT) or b"") == {"image": 1}


def test_how_much_is_said_of_what_was_left_out_is_bounded() -> None:
    odd = [{"type": f"kind {number} " + "x" * 1_000, "n": number} for number in range(100)]
    (record,) = made(
        Sessions().take(transcript({"role": "user", "content": [*odd, {"type": "text", "text": "a"}]}))
    )
    left_out = headers.last(record.headers, headers.LEFT_OUT) or b""
    assert len(left_out) < 2_000
    counts = json.loads(left_out)
    assert len(counts) == 21
    assert (counts["other things"], sum(counts.values())) == (80, 100)


def test_a_long_conversation_becomes_several_messages_in_a_row() -> None:
    talk = [ASKED, TOLD] * 1_200
    sessions = Sessions()
    first = sessions.take(transcript(*talk[:-2]))
    second = sessions.take(transcript(*talk))
    parsed = [parse(text) for text in [*texts(first), *texts(second)]]
    assert len(parsed) > 3
    assert [message.headers.get("p") for message in parsed] == [None, *(one.msg_id for one in parsed[:-1])]
    assert len({message.msg_id for message in parsed}) == len(parsed)
    assert all(validate(message, strict=True).valid for message in parsed)


@pytest.mark.parametrize(
    ("timestamp", "time"),
    [
        (-1, "1970-01-01T00:00:00Z"),
        (0, "1970-01-01T00:00:00Z"),
        (WRITTEN_AT, "2026-04-24T03:06:39.250000Z"),
        (1 << 62, "9999-12-31T23:59:59.999000Z"),
        (-(1 << 62), "1970-01-01T00:00:00Z"),
    ],
)
def test_a_message_bears_the_time_of_its_record_whatever_that_is(timestamp: int, time: str) -> None:
    record = transcript(ASKED)
    record.timestamp = timestamp
    (message,) = map(parse, texts(Sessions().take(record)))
    assert message.headers["ts"] == time
    assert validate(message, strict=True).valid


def test_a_session_keeps_the_options_it_began_with() -> None:
    sessions = Sessions(Options(Budget(share=0.5), 0, is_open=True))
    words = {
        "role": "user",
        "content": "The ferry leaves at 7:15. " * 40 + "Nobody waits for it on a Sunday.",
    }
    half = sessions.take(transcript(words))
    sessions.encoder = Sessions().encoder
    again = sessions.take(transcript(words, {**words, "role": "assistant"}))
    assert len(bodies(half)) < 700
    assert len(bodies(again)) < 700


def test_with_a_window_the_latest_calls_come_with_a_later_transcript() -> None:
    sessions = Sessions(Options(window=1, is_open=True))
    first = sessions.take(transcript(ASKED, COUNTING, COUNTED, TOLD))
    second = sessions.take(transcript(ASKED, COUNTING, COUNTED, TOLD, ASKED, COUNTING, COUNTED))
    assert [bodies(outcome).count("#call ") for outcome in (first, second)] == [0, 1]
    assert bodies(second).startswith("#a2\n#call tool=count_boats")


def test_an_idle_session_is_forgotten_and_begins_afresh() -> None:
    sessions = Sessions()
    sessions.take(transcript(ASKED, TOLD), transcript(ASKED, TOLD, key=b"t"))
    outcome = sessions.take(transcript(ASKED, TOLD, THANKED, key=b"t"), idle=("s", "t"), idle_before=NOW)
    assert [(change.session, change.value is None) for change in outcome.changes] == [("t", False)]
    outcome = sessions.take(idle=("s",), idle_before=NOW + 1)
    assert outcome.changes == [Change("s", "encoding", None)]
    assert texts(sessions.take(transcript(ASKED)))[0].startswith("@v 1\n@id m1\n")


@pytest.mark.parametrize("entry", [("other", b"{}"), ("", b"")])
def test_what_others_have_written_into_the_changelog_is_passed_over(entry: tuple[str, bytes]) -> None:
    sessions = Sessions()
    sessions.entries["s"] = [entry]
    assert len(made(sessions.take(transcript(ASKED)))) == 1


def test_a_past_that_was_told_otherwise_goes_on_and_a_late_result_is_a_message() -> None:
    sessions = Sessions()
    sessions.take(transcript(ASKED, COUNTING, ASKED, TOLD))
    prompt = {"role": "system", "content": "It is Tuesday."}
    late = sessions.take(transcript(prompt, ASKED, COUNTING, ASKED, TOLD, COUNTED))
    assert bodies(late) == "#a2\n#fact late_result=ok call=c1 @m=a2\n"
    assert headers.last(made(late)[0].headers, headers.LEFT_OUT) is None
    cleared = {**COUNTED, "content": "[cleared]"}
    again = sessions.take(transcript(ASKED, COUNTING, ASKED, TOLD, cleared))
    assert (made(again), refusals(again), again.changes) == ([], [], [])
    last = sessions.take(transcript(ASKED, COUNTING, ASKED, TOLD, cleared, THANKED))
    (record,) = made(last)
    assert json.loads(headers.last(record.headers, headers.LEFT_OUT) or b"") == {CHANGED_RESULTS: 1}
    assert bodies(last).startswith("#u5\n")


def test_a_session_file_can_be_sent_after_each_line() -> None:
    lines = SessionLines()
    sessions = Sessions()
    outcomes: list[Outcome] = []

    def send() -> None:
        outcomes.append(sessions.take(Written("\n".join(map(json.dumps, lines.lines)).encode())))

    for number in range(1, 4):
        lines.user(f"Where is key {number}?")
        send()
        lines.assistant(f"a{number}", text("I am going to look."))
        send()
        lines.assistant(f"a{number}", call("look", f"k{number}"))
        send()
        lines.results(returned(f"k{number}", f"on shelf {number}"))
        send()
    assert [refusals(outcome) for outcome in outcomes] == [[]] * 12
    at_once = Sessions().take(Written("\n".join(map(json.dumps, lines.lines)).encode()))
    assert "".join(map(bodies, outcomes)) == bodies(at_once)
    assert bodies(at_once).count("#ret call=") == 2
