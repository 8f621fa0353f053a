"""Nothing raises: whatever the bytes are, there is a message, a report, a hash, a line for each finding."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairl import canonicalize, compute_hash, hash_ref, parse, serialize_record, split_messages, validate
from pairl.model import Message
from pairl.thread import message_id, parent_ids, session_id
from tests.property.texts import TEXTS
from tests.unit.messages import DictThread, accepted, rejected

THREAD = DictThread(accepted("m1", "m2"), rejected("m2", "m1"), accepted("a", "m1"))


def use(message: Message) -> None:
    """Do with a message everything that can be done with one."""
    for strict in (True, False):
        for thread in (None, THREAD):
            report = validate(message, strict, thread=thread)
            assert report.valid is (not report.errors)
            for found in report.diagnostics:
                assert str(found).startswith(f"{found.code}: ")
                assert str(found).isprintable()
                assert 0 <= found.line <= message.source.count("\n") + 1
                lines = message.source.split("\n")
                assert found.line == 0 or found.column <= len(lines[found.line - 1]) + 1
    assert all(line.isprintable() for line in message.errors)
    assert len(compute_hash(message)) == 64
    assert hash_ref(message).endswith(compute_hash(message))
    assert canonicalize(message, for_hash=False).endswith("\n")
    assert all("\n" not in serialize_record(record) for record in message.records)
    message_id(message), session_id(message), parent_ids(message)


@settings(max_examples=250)
@given(TEXTS)
@example("")
@example("\ufeff")
@example("@")
@example("---")
@example("\r")
@example("\r\r")
def test_any_text(text: str) -> None:
    use(parse(text))


@settings(max_examples=150)
@given(st.one_of(st.binary(max_size=80), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))))
@example(b"\xff\xfe@\x00v\x00")
@example(b"\xef\xbb\xbf")
def test_any_bytes(data: bytes) -> None:
    use(parse(data))
    for piece in split_messages(data):
        use(parse(piece))


@settings(max_examples=100)
@given(TEXTS, st.integers(0, 50), st.integers(0, 5))
def test_any_text_within_small_limits(text: str, max_bytes: int, max_records: int) -> None:
    message = parse(text, max_bytes=max_bytes, max_records=max_records)
    assert len(message.records) <= max_records
    use(message)


@settings(max_examples=150)
@given(TEXTS)
def test_text_and_its_bytes_are_one_message(text: str) -> None:
    if text.isascii():
        assert parse(text) == parse(text.encode())


@settings(max_examples=150)
@given(TEXTS)
def test_no_line_is_lost(text: str) -> None:
    """Every line of a body is a record, part of a block, or blank; `raw` is what it was."""
    message = parse(f"@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n{text}")
    kept = {record.line for record in message.records} | {block.line for block in message.blocks}
    for number, line in enumerate(message.source.split("\n")[4:], 5):
        if line.strip(" \t") not in ("", "---"):
            assert number in kept
    lines = message.source.split("\n")
    assert all(record.raw == lines[record.line - 1].strip(" \t") for record in message.records)


@settings(max_examples=150)
@given(TEXTS)
def test_loose_mode_accepts_what_strict_mode_accepts(text: str) -> None:
    message = parse(text)
    if validate(message, strict=True).valid:
        assert validate(message, strict=False).valid
