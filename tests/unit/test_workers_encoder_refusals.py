"""Transcripts that become no message: refused as dead letters, or passed on to their session's partition."""

from __future__ import annotations

import pytest

from pairl import Policy
from schemas import headers
from schemas.changelog import Change
from schemas.topics import LARGEST_INBOUND_RECORD
from tests.unit.encoder_sessions import (
    ASKED,
    NOW,
    PARTITION,
    THANKED,
    TOLD,
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


def test_a_conversation_that_has_changed_its_past_is_refused_and_may_go_on_as_it_was() -> None:
    sessions = Sessions()
    sessions.take(transcript(ASKED, TOLD))
    changed = sessions.take(transcript(ASKED, {**TOLD, "content": "There are 16 of them."}, THANKED))
    shorter = sessions.take(transcript(ASKED))
    assert refused(changed) == refused(shorter) == ["ENC/history-changed"]
    assert (made(changed), made(shorter), changed.changes) == ([], [], [])
    found, found_shorter = (refusals(outcome)[0].diagnostics[0] for outcome in (changed, shorter))
    assert found.message.endswith(
        " turn 2 is the first that differs: it is now `assistant: There are 16 of them.`"
    )
    assert "most often the context was compacted or summarised" in (found.help or "")
    assert "goes on under another session, where it begins anew" in (found.help or "")
    assert found_shorter.message == "2 turns were encoded before, and this conversation ends after 1 of them"
    assert "#u3" in bodies(sessions.take(transcript(ASKED, TOLD, THANKED)))


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"\xff",
        b"{}",
        b'{"session":"s","encoding":{"options":{},"length":2,"digest":"0","allowance":{}},"at":1}',
    ],
)
def test_a_session_that_another_version_remembers_is_refused_until_it_is_forgotten(entry: bytes) -> None:
    sessions = Sessions()
    sessions.entries["s"] = [("encoding", entry)]
    outcome = sessions.take(transcript(ASKED, TOLD), transcript(ASKED, key=b"t"))
    assert refused(outcome) == ["ENC/state-unreadable"]
    assert [change.session for change in outcome.changes] == ["t"]
    assert sessions.take(idle=("s",), idle_before=NOW).changes == [Change("s", "encoding", None)]
    assert len(made(sessions.take(transcript(ASKED, TOLD)))) == 1


@pytest.mark.parametrize(
    "value",
    [
        None,
        b"",
        b"\xff\xfe\x00",
        b"Two boats came in.",
        b"{",
        b"[" * 100_000,
        b"[]",
        b"17",
        b'{"role": 1}',
        b'[{"role": "user", "content": {"a": 1}}',
        b'{"\\ud800": "\\ud800"}',
        b"\x1b[31m\n" * 9,
    ],
)
def test_what_is_no_transcript_becomes_a_dead_letter_as_it_came(value: bytes | None) -> None:
    arrived = (("other", b"\xff"), ("pairl-codes", b"forged"))
    outcome = Sessions().take(Written(value, b"s", arrived))
    _, (_, (letter,)) = outcome.outputs
    assert (letter.key, letter.value, letter.timestamp) == (b"s", value, WRITTEN_AT)
    assert list(letter.headers[:2]) == list(arrived)
    added = dict(letter.headers[2:])
    assert added.keys() == {headers.VERDICT, headers.CODES, headers.SOURCE}
    assert (added["pairl-codes"], added["pairl-source"]) == (b"ENC", b"pairl.transcripts/1/0")
    (rejection,) = refusals(outcome)
    assert (rejection.codes, rejection.session, rejection.id) == (("ENC",), "s", None)
    (found,) = rejection.diagnostics
    assert found.code == "ENC/not-a-transcript"
    assert found.message.isprintable()
    assert found.help
    assert (made(outcome), outcome.changes) == ([], [])


def test_a_dead_letter_names_the_policy_of_the_validator() -> None:
    strict, loose = (
        refusals(Sessions(policy=Policy(strict=is_strict)).take(Written(b"")))[0]
        for is_strict in (True, False)
    )
    assert (strict.mode, loose.mode) == ("strict", "loose")
    assert strict.policy != loose.policy


def test_a_transcript_in_another_partition_is_passed_on_as_it_is() -> None:
    record = transcript(ASKED, more=(("other", b"1"),))
    alone = transcript(ASKED, key=None)
    outcome = Sessions().take(record, alone, home=PARTITION + 1)
    ((home, (copy,)),) = outcome.rerouted.items()
    assert (home, copy.key, copy.value, copy.timestamp) == (2, b"s", record.value, WRITTEN_AT)
    assert copy.headers == [("other", b"1"), (headers.REROUTED, b"pairl.transcripts/1/0")]
    assert [text.partition("\n@ts")[0] for text in texts(outcome)] == ["@v 1\n@id m1"]
    assert (outcome.changes, outcome.counts["rerouted"]) == ([], 1)


def test_a_transcript_too_large_to_be_passed_on_is_refused() -> None:
    huge = transcript({"role": "user", "content": "x" * (LARGEST_INBOUND_RECORD - 1024)})
    outcome = Sessions().take(huge, home=PARTITION + 1)
    assert refused(outcome) == ["SES/wrong-partition"]
    assert outcome.rerouted == {}
