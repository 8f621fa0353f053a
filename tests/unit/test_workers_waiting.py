"""Messages that wait for their parents: which do, when they are judged, and what is left of the wait.

Knows the validator's batches. How a session finds out who is free is in `test_workers_conversation`.
"""

from __future__ import annotations

import pytest

from pairl import Policy
from pairl.thread import Status, ThreadNode
from schemas.session_state import SessionNode
from schemas.topics import VALIDATED
from tests.unit.partitions import (
    BROKEN,
    LOOSE,
    STRICT,
    Arrived,
    Partition,
    block,
    codes,
    codes_by_offset,
    decide,
    outputs,
    said,
    verdicts,
    words,
    written,
)
from workers.processors.conversation import Patience
from workers.processors.outcome import Outcome
from workers.processors.reading import read

BOTH = pytest.mark.parametrize("policy", [STRICT, LOOSE], ids=["strict", "loose"])
WAIT = Patience().milliseconds


def _released(outcome: Outcome) -> list[str]:
    """Return the ids of the accepted messages in the order in which they were."""
    return [dict(output.headers)["pairl-id"].decode() for output in outputs(outcome, VALIDATED.name)]  # type: ignore[union-attr]


@BOTH
@pytest.mark.parametrize("parents", ["m1", "m0,m1", "m1#f1", "@m1"])
def test_a_message_waits_for_a_parent_that_has_not_come(policy: Policy, parents: str) -> None:
    partition = Partition(policy)
    partition.take(said("m0"))
    outcome = partition.take(said("m2", parents))
    assert words(outcome) == {1: "parked"}
    assert verdicts(outcome) == {}
    assert outcome.counts == {"accepted": 0, "rejected": 0, "parked": 1, "rerouted": 0}
    (change,) = outcome.changes
    assert (change.session, change.entry, change.due) == ("s", "m2/1", partition.now + WAIT)
    assert block(outcome).next_offset == 2


@BOTH
@pytest.mark.parametrize("from_memory", [True, False])
def test_it_is_judged_as_soon_as_the_parent_is_accepted(policy: Policy, from_memory: bool) -> None:
    partition = Partition(policy)
    partition.take(said("m2", "m1"))
    if not from_memory:
        partition.forget_memory()
    partition.now += 250
    outcome = partition.take(said("m1"), said("m3"))
    assert words(outcome) == {0: "accepted", 1: "accepted", 2: "accepted"}
    # It follows its parent, before the next record.
    assert _released(outcome) == ["m1", "m2", "m3"]
    judged = verdicts(outcome)
    assert [judged[offset].waited_ms for offset in range(3)] == [250, None, None]
    assert codes(judged[0]) == []
    assert set(partition.entries["s"]) == {"m1", "m2", "m3"}


def test_those_that_are_released_come_in_the_order_of_arrival_and_release_others() -> None:
    partition = Partition()
    partition.take(
        said("m9", "m1"), said("m4", "m3"), said("m3", "m2"), said("m2", "m1"), said("m5", "m9,m4")
    )
    assert _released(partition.take(said("m1"))) == ["m1", "m9", "m2", "m3", "m4", "m5"]
    # One that another sets free comes before those that were free already, but arrived later.
    partition.take(said("a", "b"), said("b", "d"), said("c", "d"))
    assert _released(partition.take(said("d"))) == ["d", "b", "a", "c"]


def test_a_wait_that_ends_in_the_batch_leaves_nothing() -> None:
    partition = Partition()
    outcome = partition.take(said("m2", "m1"), said("m1"), said("m4", "m3"))
    assert words(outcome) == {0: "accepted", 1: "accepted", 2: "parked"}
    assert [change.entry for change in outcome.changes] == ["m1", "m2", "m4/2"]
    assert outcome.counts["parked"] == 1


def test_what_arrived_is_passed_on_after_the_wait_just_as_it_was() -> None:
    record = Arrived(written("m2", "m1"), None, (("pairl-session", b"s"), ("h", None), ("h", b"\xff")))
    partition = Partition()
    partition.take(record)
    partition.forget_memory()
    _, output = outputs(partition.take(said("m1")), VALIDATED.name)
    assert (output.key, output.value, output.timestamp) == (None, record.value, record.timestamp)
    assert tuple(output.headers[:3]) == record.headers


@pytest.mark.parametrize(
    ("more", "parents", "rule"),
    [(BROKEN, "m9", "V6"), ("", "m2,m9", "V7"), ("", "bad,m9", "V4")],
    ids=["broken", "names itself", "another parent was rejected"],
)
def test_one_that_is_wrong_in_itself_does_not_wait_and_is_not_blamed_for_the_parent(
    more: str, parents: str, rule: str
) -> None:
    outcome = decide(said("bad", more=BROKEN), said("m2", parents, more))
    assert {code.partition("/")[0] for code in codes_by_offset(outcome)[1]} == {rule}
    assert not any("unresolved" in code for code in codes_by_offset(outcome)[1])


@BOTH
def test_a_message_without_a_session_does_not_wait(policy: Policy) -> None:
    assert words(decide(Arrived(written("m2", "m1"), None), policy=policy)) == {0: "accepted"}


def test_a_rejected_parent_rejects_all_that_wait_for_it() -> None:
    partition = Partition()
    partition.take(said("m3", "m2"), said("m2", "m1"), said("m4", "m3,m8"), said("m5", "m8"))
    outcome = partition.take(said("m1", more=BROKEN))
    assert codes_by_offset(outcome) == {
        0: ["V4/rejected-parent"],
        1: ["V4/rejected-parent"],
        2: ["V4/rejected-parent"],
        4: ["V6/duplicate-rid"],
    }
    assert set(partition.entries["s"]) == {"m1", "m2", "m3", "m4", "m5/3"}


def test_in_loose_mode_a_rejected_parent_is_warned_about() -> None:
    partition = Partition(LOOSE)
    partition.take(said("m2", "m1"))
    outcome = partition.take(said("m1", more=BROKEN))
    assert words(outcome) == {0: "accepted", 1: "rejected"}
    assert codes_by_offset(outcome)[0] == ["V4/rejected-parent"]


def test_those_that_lack_another_parent_still_wait_on_in_loose_mode_and_no_longer_than_before() -> None:
    partition = Partition(LOOSE)
    partition.take(said("m2", "m1,m9"))
    partition.now += WAIT - 1
    outcome = partition.take(said("m1", more=BROKEN))
    assert words(outcome) == {1: "rejected"}
    assert [change.entry for change in outcome.changes] == ["m1"]
    partition.forget_memory()
    after = codes_by_offset(partition.wait(1))
    assert set(after[0]) == {"SES/gave-up-waiting", "V4/rejected-parent", "V4/unresolved-dependency"}


def test_in_loose_mode_a_message_may_demand_its_parents() -> None:
    partition = Partition(LOOSE)
    partition.take(said("m2", "m1,m9", "#rule strict_refs=true\n"), said("m3", "m1,m9"))
    partition.forget_memory()
    outcome = partition.take(said("m1", more=BROKEN))
    assert codes_by_offset(outcome) == {0: ["V4/rejected-parent"], 2: ["V6/duplicate-rid"]}
    assert set(partition.entries["s"]) == {"m1", "m2", "m3/1"}


def test_who_waits_on_does_not_wait_for_what_came_in_between() -> None:
    partition = Partition(LOOSE)
    partition.take(said("m2", "m1"), said("m3", "m1,m2,m9"))
    assert words(partition.take(said("m1", more=BROKEN))) == {0: "accepted", 2: "rejected"}
    assert words(partition.take(said("m9"))) == {1: "accepted", 3: "accepted"}


def test_what_a_message_mentions_of_other_sessions_is_looked_up_when_it_is_judged() -> None:
    partition = Partition()
    partition.take(said("m2", "m1", "#evid claim=f1 src=ref:msg:far:m7 conf=0.5\n"))
    there = SessionNode("far", ThreadNode("m7", Status.ACCEPTED), "t/0/0", 0)
    partition.elsewhere = {("far", "m7"): there.as_change().value}
    assert codes_by_offset(partition.take(said("m1"))) == {0: [], 1: []}


def test_a_clock_that_was_set_back_does_not_make_a_wait_negative() -> None:
    partition = Partition()
    partition.take(said("m2", "m1"))
    partition.now -= 5_000
    assert verdicts(partition.take(said("m1")))[0].waited_ms == 0


def test_a_rejected_message_rejects_nothing_while_another_of_its_id_waits() -> None:
    partition = Partition()
    partition.take(said("m2", "m1"), said("m1", "m0"))
    assert words(partition.take(said("m1", more=BROKEN))) == {2: "rejected"}
    assert words(partition.take(said("m0"))) == {0: "accepted", 1: "accepted", 3: "accepted"}


def test_the_deadline_rejects_in_strict_and_warns_in_loose_mode() -> None:
    for policy, word in ((STRICT, "rejected"), (LOOSE, "accepted")):
        partition = Partition(policy)
        partition.take(said("m2", "m1"))
        assert partition.wait(WAIT - 1).is_empty
        outcome = partition.wait(1)
        assert words(outcome) == {0: word}
        (judged,) = verdicts(outcome).values()
        assert codes(judged) == ["SES/gave-up-waiting", "V4/unresolved-parent"]
        assert "waited 10 s for `m1`" in judged.diagnostics[0].message
        assert judged.waited_ms == WAIT
        assert set(partition.entries["s"]) == {"m2"}
        assert block(outcome).next_offset == 1


def test_the_deadline_of_one_ends_the_wait_of_those_that_wait_for_it() -> None:
    strict, loose = Partition(STRICT), Partition(LOOSE)
    for partition in (strict, loose):
        partition.take(said("m3", "m2"), said("m2", "m1"))
        partition.now += 5
        partition.take(said("m4", "m3"))
    # In strict mode the first is rejected for its own wait, in loose mode it is accepted for it.
    assert codes_by_offset(strict.wait(WAIT - 5)) == {
        0: ["SES/gave-up-waiting", "V4/unresolved-parent"],
        1: ["SES/gave-up-waiting", "V4/unresolved-parent"],
        2: ["V4/rejected-parent"],
    }
    assert codes_by_offset(loose.wait(WAIT - 5)) == {
        0: ["SES/gave-up-waiting", "V4/unresolved-parent"],
        1: ["SES/gave-up-waiting", "V4/unresolved-parent"],
        2: [],
    }


@BOTH
def test_records_of_the_batch_come_before_the_deadlines(policy: Policy) -> None:
    partition = Partition(policy)
    partition.take(said("m2", "m1"))
    partition.now += 2 * WAIT
    assert codes_by_offset(partition.take(said("m1"))) == {0: [], 1: []}


@BOTH
def test_without_patience_nobody_waits(policy: Policy) -> None:
    partition = Partition(policy, Patience(0))
    assert codes_by_offset(partition.take(said("m2", "m1"))) == {0: ["V4/unresolved-parent"]}


@BOTH
def test_when_as_many_wait_as_may_the_next_is_judged_at_once(policy: Policy) -> None:
    partition = Partition(policy, Patience(messages=2))
    outcome = partition.take(
        said("m2", "m1"), said("m3", "m1"), said("m4", "m1"), said("m4", "m1", key=b"other")
    )
    assert codes_by_offset(outcome) == {2: ["SES/gave-up-waiting", "V4/unresolved-parent"]}
    assert "did not wait for `m1`: 2 messages" in verdicts(outcome)[2].diagnostics[0].message
    assert verdicts(outcome)[2].waited_ms is None
    # There is room again once they have been judged.
    assert words(partition.take(said("m1"), said("m6", "m5")))[5] == "parked"


def test_bytes_that_wait_are_bounded_too() -> None:
    record = said("m2", "m1")
    partition = Partition(patience=Patience(bytes=2 * read(record, STRICT).bytes_to_wait))
    assert words(partition.take(record, said("m3", "m1"), said("m4", "m1"))) == {
        0: "parked",
        1: "parked",
        2: "rejected",
    }
    assert words(partition.take(said("m5", "m1", more="#fact long=1\n" * 9)))[3] == "rejected"
    partition.forget_memory()
    assert words(partition.take(said("m6", "m1")))[4] == "rejected"


def test_a_session_waits_for_no_more_parents_than_there_is_memory_for() -> None:
    partition = Partition()
    many = [",".join(f"p{number}x{index}" for index in range(900)) for number in range(40)]
    outcome = partition.take(*(said("m1", parents) for parents in many))
    assert outcome.counts["parked"] == 9
    assert partition.states["s"].weight > 9 * 900


@BOTH
def test_a_record_that_would_not_fit_into_the_changelog_does_not_wait(policy: Policy) -> None:
    record = said("m2", "m1")
    record.headers = (("\1" * 2_200_000, b""),)
    outcome = Partition(policy).take(record)
    assert codes_by_offset(outcome) == {0: ["SES/gave-up-waiting", "V4/unresolved-parent"]}
    assert "too large to be kept" in verdicts(outcome)[0].diagnostics[0].message


def test_two_of_one_id_wait_and_the_second_is_a_duplicate() -> None:
    partition = Partition()
    outcome = partition.take(said("m2", "m1"), said("m2", "m1"))
    assert [change.entry for change in outcome.changes] == ["m2/0", "m2/1"]
    assert codes_by_offset(partition.take(said("m1"))) == {0: [], 1: ["SES/duplicate"], 2: []}


def test_who_waits_has_no_claim_to_its_id() -> None:
    partition = Partition()
    partition.take(said("m2", "m1"), said("m3", "m2"))
    outcome = partition.take(said("m2", more="#fact c=3\n"))
    assert words(outcome) == {1: "accepted", 2: "accepted"}
    assert codes_by_offset(partition.take(said("m1"))) == {0: ["SES/id-conflict"], 3: []}
    assert partition.states["s"].has_accepted("m2")


def test_a_duplicate_of_an_accepted_message_does_not_wait() -> None:
    partition = Partition(LOOSE)
    partition.take(said("m2", "m1"))
    partition.wait(WAIT)
    outcome = partition.take(said("m2", "m1"))
    assert words(outcome) == {1: "accepted"}
    assert set(codes_by_offset(outcome)[1]) == {"SES/duplicate", "V4/unresolved-parent"}
