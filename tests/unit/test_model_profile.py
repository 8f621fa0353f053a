"""The renderer's batches: records for people and for models, what is remembered, and what is forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from pairl import Diagnostic, Severity
from pairl.legend import FIDELITY
from schemas import headers, session_legend, verdict
from schemas.changelog import Change
from schemas.headers import Headers
from schemas.model_text import ModelText
from schemas.rendering import Part, Profile
from schemas.topics import LEGENDS, RENDERED
from schemas.verdict import Accepted
from workers.processors.model_profile import GrowingText, is_repeated
from workers.processors.outcome import Outcome, OutputRecord, Turn
from workers.processors.renderer import Renderer

PARTITION = 1
NOW = 1_777_000_000_000


class Validated(msgspec.Struct):
    """A record of the validated topic as the client hands it over."""

    value: bytes | None
    key: bytes | None = b"s"
    headers: Headers = ()
    topic: str = "pairl.validated"
    partition: int = PARTITION
    offset: int = 0
    timestamp: int = NOW - 5


def said(name: str, body: str, key: bytes | None = b"s", more: Headers = ()) -> Validated:
    """Return a record with a message that was accepted; its hash is its id."""
    text = f"@v 1\n@id {name}\n@ts 2026-05-04T10:00:00Z\n\n{body}\n"
    session = [] if key is None else [(headers.SESSION, key)]
    return Validated(text.encode(), key, [*more, (headers.HASH, name.encode()), *session])


def accepted(*codes: str) -> bytes:
    """Return a verdict with warnings of these codes."""
    warnings = [Diagnostic(code, Severity.WARNING, "SES/duplicate") for code in codes]
    return verdict.encode(Accepted("0" * 64, "m1", "strict", "p", "s", warnings))


class Sessions:
    """What a renderer remembers, kept as the changelog keeps it."""

    def __init__(self, *profiles: Profile) -> None:
        self.renderer = Renderer(profiles or (Profile.MODEL,))
        self.entries: dict[str, list[tuple[str, bytes]]] = {}

    def take(
        self, *records: Validated, idle: Sequence[str] = (), idle_before: int = 0, now: int = NOW
    ) -> Outcome:
        """Render records, each session loaded from its entries."""
        batch = self.renderer.read(records, lambda _: PARTITION)
        states = {
            name: self.renderer.load(name, self.entries.get(name, ())) for name in batch.sessions.union(idle)
        }
        turn = Turn("pairl.validated", PARTITION, now, idle=idle, idle_before=idle_before)
        assert batch.foreign(states) == set()
        outcome = batch.decide(states, turn)
        for change in outcome.changes:
            self.entries[change.session] = [] if change.value is None else [(change.entry, change.value)]
        return outcome


def rendered(outcome: Outcome) -> Sequence[OutputRecord]:
    """Return the records of an outcome."""
    ((topic, records),) = outcome.outputs
    assert topic is RENDERED
    return records


def parts(outcome: Outcome) -> list[str]:
    """Return which parts the records for models are; `` is one for people."""
    return [(headers.last(record.headers, headers.PART) or b"").decode() for record in rendered(outcome)]


def test_for_people_nothing_is_remembered() -> None:
    sessions = Sessions(Profile.HUMAN)
    assert (sessions.renderer.changelog, sessions.renderer.targets) == (None, (RENDERED,))
    outcome = sessions.take(said("m1", "#fact a=1"), said("m2", "ack", None))
    assert [record.key for record in rendered(outcome)] == [b"s", None]
    assert (parts(outcome), outcome.changes) == (["", ""], [])


def test_for_models_what_is_remembered_has_a_changelog_of_its_own() -> None:
    renderer = Sessions().renderer
    assert (renderer.changelog, renderer.targets) == (LEGENDS, (RENDERED, LEGENDS))


def test_a_batch_remembers_once_what_it_appended_to_a_session() -> None:
    outcome = Sessions().take(said("m1", "ack"), said("m1", "ack", b"t"), said("m2", "thx"))
    assert parts(outcome) == ["legend", "body", "legend", "body", "body", "addendum"]
    assert [(change.session, change.at) for change in outcome.changes] == [("s", NOW), ("t", NOW)]
    kept = session_legend.decode("legend", outcome.changes[0].value or b"")
    assert list(kept.body.turns) == ["m1", "m2"]


def test_the_same_messages_make_the_same_records_however_they_are_batched() -> None:
    records = [
        said(f"m{number}", f"#fact a={number} @rid=f1\n{intent}")
        for number, intent in enumerate(["ack", "thx", "wrn"])
    ]
    at_once = Sessions()
    one_by_one = Sessions()
    apart = [record for each in records for record in rendered(one_by_one.take(each))]
    assert list(rendered(at_once.take(*records))) == apart
    assert at_once.entries == one_by_one.entries


def test_a_record_for_models_says_what_it_is_of_which_message() -> None:
    legend, body = rendered(Sessions().take(said("m1", "ack", more=[("pairl-speaker", b"planner")])))
    assert dict(legend.headers) == {
        "content-type": b"text/plain; charset=utf-8",
        "pairl-hash": b"m1",
        "pairl-profile": b"model",
        "pairl-part": b"legend",
    }
    assert (body.key, body.timestamp, body.value) == (b"s", NOW - 5, b"#msg m1 r=planner parent=-\nack\n")


def test_a_message_without_a_session_is_a_text_by_itself() -> None:
    sessions = Sessions()
    outcome = sessions.take(said("m1", "ack", None), said("m1", "thx\n#s done", None))
    assert parts(outcome) == ["legend", "body", "legend", "body", "addendum", "state"]
    assert {record.key for record in rendered(outcome)} == {None}
    assert sessions.entries == {}


def test_a_repeated_delivery_adds_nothing_for_models() -> None:
    sessions = Sessions(Profile.HUMAN, Profile.MODEL)
    again = said("m1", "ack", more=[(headers.VERDICT, accepted("SES/duplicate"))])
    assert parts(sessions.take(said("m1", "ack"), again)) == ["", "legend", "body", ""]


@pytest.mark.parametrize(
    ("decision", "repeated"),
    [(accepted("V4/other-session", "SES/duplicate"), True), (accepted("V1/number"), False), (None, False)],
)
def test_a_verdict_tells_whether_a_message_is_a_repeated_one(decision: bytes | None, repeated: bool) -> None:
    assert is_repeated(decision) is repeated
    assert not is_repeated(b"SES/duplicate")


def test_an_idle_session_is_forgotten_and_begins_anew() -> None:
    sessions = Sessions()
    sessions.take(said("m1", "ack"))
    kept = sessions.take(said("m2", "ack"), idle=["s"], idle_before=NOW)
    assert [change.value is None for change in kept.changes] == [False]
    forgotten = sessions.take(idle=["s"], idle_before=NOW + 1)
    assert forgotten.changes == [Change("s", "legend", None)]
    assert parts(sessions.take(said("m1", "ack"))) == ["legend", "body"]


def test_entries_of_other_programs_are_passed_over() -> None:
    entries = [
        ("legend", b"{"),
        ("other", b'{"session":"s","body":{"explained":[]},"at":1}'),
        ("legend", b'{"at":1}'),
    ]
    assert GrowingText.load("s", entries).kept is None


def test_a_specification_that_is_needed_is_asked_for_once_with_what_for() -> None:
    unknown = "\n".join(f"#memo{number} a=1" for number in range(30))
    sessions = Sessions()
    first = sessions.take(said("m1", "ack"), said("m2", unknown), said("m3", unknown))
    assert parts(first) == ["legend", "body", "body", "more-specification", "body"]
    listed = (rendered(first)[3].value or b"").decode().split("\n")
    assert (listed[0], len(listed), listed[-1]) == ("record type `#memo0`", 21, "and 10 more")
    assert parts(Sessions().take(said("m1", unknown), said("m2", "ack"))) == ["specification", "body", "body"]


def read(outcomes: Sequence[Outcome]) -> ModelText:
    """Return the text that the records of outcomes make."""
    text = ModelText()
    for outcome in outcomes:
        for record in rendered(outcome):
            part = headers.last(record.headers, headers.PART)
            assert part is not None
            text.add(Part(part.decode()), (record.value or b"").decode())
    return text


def test_a_reader_puts_legend_body_addenda_and_state_together() -> None:
    sessions = Sessions()
    outcome = sessions.take(said("m1", "ack"), said("m2", "thx\n#s plan"), said("m3", "#s done\nwrn"))
    text = str(read([outcome]))
    legend, _, rest = text.partition("\n[\n")
    assert legend.endswith(FIDELITY)
    body, _, tail = rest.partition("\n]\n")
    assert body.split("\n")[::2] == [f"#msg m{number} r=unknown parent=-" for number in (1, 2, 3)]
    assert [line.split(" ")[:2] for line in tail.split("\n")] == [
        ["Intent", "thx"],
        ["#s", "phase:progress"],
        ["Intent", "wrn"],
        ["#s", "done"],
        [""],
    ]


def test_a_text_without_its_beginning_is_known_by_that() -> None:
    outcome = Sessions().take(said("m1", "ack"), said("m2", "#memo a=1"))
    assert read([outcome]).has_beginning
    text = ModelText()
    assert not text.has_beginning
    for part in (Part.BODY, Part.ADDENDUM, Part.MORE_SPECIFICATION, Part.STATE):
        text.add(part, "")
        assert not text.has_beginning
    text.add(Part.SPECIFICATION, "")
    assert text.has_beginning


def test_a_text_that_begins_anew_has_nothing_of_the_one_before() -> None:
    sessions = Sessions()
    outcomes = [
        sessions.take(said("m1", "#memo a=1\n#s done")),
        sessions.take(idle=["s"], idle_before=NOW + 1),
    ]
    text = read(outcomes)
    assert (text.legend, text.specification, text.unexplained) == (
        None,
        Part.SPECIFICATION,
        "record type `#memo`",
    )
    assert str(text) == "[\n#msg m1 r=unknown parent=-\n#memo a=1\n]\n#s done\n"
    text = read([*outcomes, sessions.take(said("m9", "ack"))])
    assert (text.specification, text.unexplained, text.state) == (None, "", None)
    assert text.body == ["#msg m9 r=unknown parent=-\nack\n"]
