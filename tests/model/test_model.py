"""The model itself, on conversations that are short enough to know what is right."""

from __future__ import annotations

from random import Random

import pytest

from pairl import parse, validate
from pairl.diagnostics import Severity
from pairl.thread import message_id, parent_ids
from tests.model.conversations import conversation
from tests.model.model import Said, Session
from tests.model.writing import FAULTS, Fault, Style, write

STRICT, LOOSE = True, False


class Script:
    """Messages as they come, each with a number of its own."""

    def __init__(self, *, strict: bool = STRICT, most_waiting: int = 1_000) -> None:
        self.session = Session(strict=strict, most_waiting=most_waiting)
        self._count = 0

    def say(self, name: str | None, *deps: str, content: str = "", **more: object) -> int:
        """Say something, and return its number."""
        self._count += 1
        said = Said(self._count, name, content, deps=deps, **more)  # type: ignore[arg-type]
        self.session.receive(said)
        return self._count

    def verdict(self, number: int) -> str:
        """Return the rules that a message breaks, `accepted`, or `waits`."""
        codes = self.session.verdicts.get(number)
        return "waits" if codes is None else ",".join(sorted(codes)) or "accepted"

    @property
    def verdicts(self) -> list[str]:
        """The verdicts on all messages, in the order in which they were said."""
        return [self.verdict(number) for number in range(1, self._count + 1)]


@pytest.fixture
def script() -> Script:
    return Script()


def test_a_message_waits_for_all_that_it_names(script: Script) -> None:
    script.say("c", "a", "b")
    script.say("b")
    assert script.verdicts == ["waits", "accepted"]
    script.say("a")
    assert script.verdicts == ["accepted"] * 3


def test_a_chain_that_arrives_backwards_is_judged_at_once(script: Script) -> None:
    for name, parent in (("d", "c"), ("c", "b"), ("b", "a")):
        script.say(name, parent)
    script.say("a")
    assert script.verdicts == ["accepted"] * 4


def test_those_that_wait_for_a_refused_message_are_refused(script: Script) -> None:
    script.say("c", "b")
    script.say("b", "a")
    script.say("a", faults=frozenset({"V6"}))
    assert script.verdicts == ["V4", "V4", "V6"]


def test_a_corrected_message_can_be_answered(script: Script) -> None:
    script.say("a", faults=frozenset({"V6"}))
    script.say("b", "a", content="early")
    script.say("a", content="corrected")
    script.say("b", "a", content="late")
    assert script.verdicts == ["V6", "V4", "accepted", "accepted"]


def test_another_message_of_the_id_may_still_come_good(script: Script) -> None:
    """The first `b` waits for `a`, so that a second one that is refused decides nothing for `c`."""
    script.say("b", "a", content="first")
    script.say("c", "b")
    script.say("b", content="second", faults=frozenset({"V3"}))
    assert script.verdicts == ["waits", "waits", "V3"]
    script.say("a")
    assert script.verdicts == ["accepted", "accepted", "V3", "accepted"]


def test_what_is_broken_in_itself_does_not_wait(script: Script) -> None:
    script.say("b", "a", faults=frozenset({"V9"}))
    assert script.verdicts == ["V9"]


def test_at_the_deadline_strict_refuses_and_loose_accepts() -> None:
    for strict, outcome in ((STRICT, "V4"), (LOOSE, "accepted")):
        script = Script(strict=strict)
        script.say("c", "b")
        script.say("b", "a")
        script.session.reach_deadlines()
        assert script.verdicts == [outcome] * 2


def test_in_loose_mode_a_message_may_demand_its_parents() -> None:
    script = Script(strict=LOOSE)
    script.say("a", faults=frozenset({"V6"}))
    script.say("b", "a")
    script.say("c", "a", demands_parents=True)
    script.say("e", "d", demands_parents=True)
    script.session.reach_deadlines()
    assert script.verdicts == ["V6", "accepted", "V4", "V4"]


def test_there_is_no_room_for_more_to_wait() -> None:
    script = Script(most_waiting=1)
    script.say("b", "a")
    script.say("c", "a")
    script.say("a")
    assert script.verdicts == ["accepted", "V4", "accepted"]


def test_the_same_again_is_accepted_and_another_one_of_the_id_is_not(script: Script) -> None:
    script.say("a", content="this")
    script.say("a", content="this")
    script.say("a", content="that")
    assert script.verdicts == ["accepted", "accepted", "SES"]


def test_of_two_that_wait_under_one_id_the_older_one_gets_it(script: Script) -> None:
    script.say("b", "a", content="older")
    script.say("b", "a", content="younger")
    script.say("c", "b")
    script.say("a")
    assert script.verdicts == ["accepted", "SES", "accepted", "accepted"]


def test_whoever_closes_a_circle_is_refused_and_then_the_others(script: Script) -> None:
    script.say("a", "b")
    script.say("b", "c")
    script.say("c", "a")
    assert script.verdicts == ["V4", "V4", "V7"]


def test_in_loose_mode_a_circle_is_accepted() -> None:
    script = Script(strict=LOOSE)
    script.say("a", "b")
    script.say("b", "a")
    assert script.verdicts == ["accepted", "accepted"]


def test_a_message_that_names_itself_does_not_wait_for_itself() -> None:
    for strict, outcome in ((STRICT, "V7"), (LOOSE, "accepted")):
        script = Script(strict=strict)
        script.say("a", "a")
        assert script.verdicts == [outcome]


def test_a_budget_is_for_all_that_go_back_to_it_each_once(script: Script) -> None:
    cost = ((20, "USD"),)
    script.say("a", budget=(60, "USD"))
    script.say("b", "a", costs=cost)
    script.say("c", "a", costs=cost)
    script.say("d", "b", "c", costs=cost)
    script.say("e", "d", costs=((1, "USD"),))
    script.say("f", "d", costs=((99, "USD"),), is_projection=True)
    script.say("g", "d", costs=((99, "EUR"),))
    assert script.verdicts == [*["accepted"] * 4, "V8", "accepted", "accepted"]


def test_a_message_may_not_spend_more_than_it_has_itself(script: Script) -> None:
    script.say("a", budget=(10, "USD"), costs=((6, "USD"), (5, "USD")))
    assert script.verdicts == ["V8"]


def test_a_late_parent_answers_for_what_was_spent_below_it() -> None:
    script = Script(strict=LOOSE)
    script.say("b", "a", costs=((20, "USD"),))
    script.session.reach_deadlines()
    script.say("a", budget=(10, "USD"), content="too small")
    script.say("a", budget=(30, "USD"), content="enough")
    assert script.verdicts == ["accepted", "V8", "accepted"]


def test_a_root_is_on_the_way_from_parent_to_parent(script: Script) -> None:
    script.say("a")
    script.say("b", parent="a")
    script.say("x")
    script.say("c", parent="b", root="a")
    script.say("d", parent="b", root="x")
    assert script.verdicts == ["accepted"] * 4 + ["V4"]


def test_a_session_that_has_expired_knows_nobody(script: Script) -> None:
    script.say("a", content="this")
    script.session.expire()
    script.say("a", content="that")
    assert script.verdicts == ["accepted"] * 2


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_table_of_faults_is_right(fault: Fault) -> None:
    for strict, expected in ((True, fault.strict), (False, fault.loose)):
        sent = write(Said(1, "m1", "c1"), fault, Style(1, "s1", b"s1", may_declare=False), Random(1))
        report = validate(parse(sent.value or b""), strict)
        assert {found.rule for found in report.diagnostics if found.severity is Severity.ERROR} == expected


def test_what_is_written_down_is_what_was_said() -> None:
    for seed in range(300):
        for sent in conversation(seed, strict=True).sent:
            message = parse(sent.value or b"")
            assert message_id(message) == sent.said.id
            assert set(parent_ids(message)) - {sent.said.id} == sent.said.parents
