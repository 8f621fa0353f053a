"""Partial parsing (§13.2): what cannot be read is kept beside what can, with its line and the reason."""

from __future__ import annotations

from pairl import partial

HEADERS = "@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n"


def _unread(source: str, **limits: int) -> list[tuple[int, str, list[str]]]:
    return [
        (piece.line, piece.text, [found.code for found in piece.findings])
        for piece in partial(source, **limits).unreadable
    ]


def test_a_message_without_fault_has_nothing_unreadable() -> None:
    got = partial(f"{HEADERS}\n#fact a=1\n#cost[val,cur]\n1 EUR\n\nack\n---\n")
    assert [record.kind for record in got.readable] == ["fact", "cost", "intent"]
    assert got.unreadable == ()


def test_lines_that_are_no_record_are_returned_with_what_was_found() -> None:
    source = f"{HEADERS}\n#fact a=1\n  so it goes\n#cost[val,cur]\n1\n2 EUR\n"
    assert [record.line for record in partial(source).readable] == [5, 9]
    assert _unread(source) == [
        (6, "so it goes", ["SYN/free-text"]),
        (8, "1", ["V12/field-count"]),
    ]


def test_malformed_and_repeated_headers_are_returned() -> None:
    source = f"{HEADERS}@id m2\nnot one\n@p m0\n\n#fact a=1\n"
    assert partial(source).message.headers["p"] == "m0"
    assert _unread(source) == [
        (4, "@id m2", ["HDR/duplicate-header"]),
        (5, "not one", ["HDR/malformed-header"]),
    ]


def test_text_behind_the_end_is_returned() -> None:
    assert _unread(f"{HEADERS}\nack\n---\n#fact a=1\n") == [
        (6, "---", []),
        (7, "#fact a=1", ["SYN/content-after-end"]),
    ]


def test_what_stands_above_a_limit_is_returned_in_one_piece() -> None:
    source = f"{HEADERS}\n#fact a=1\n#fact a=2\n\nack"
    assert _unread(source, max_records=1) == [(6, "#fact a=2\n\nack", ["SYN/too-many-records"])]
    got = partial(source, max_bytes=60)
    assert (got.readable, got.message.headers["id"]) == ((), "m1")
    assert [piece.text.strip() for piece in got.unreadable] == ["#fact a=1\n#fact a=2\n\nack"]
    assert [found.code for found in got.unreadable[0].findings] == ["SYN/too-large"]
