"""What is readable is returned together with what was not: each line is in one of the two, and once."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairl import partial
from pairl.diagnostics import Findings
from pairl.text import BLANKS, encode, read_text
from tests.property.texts import TEXTS

HEADERS = "@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n"
LIMITS = st.one_of(st.none(), st.integers(0, 80))


@settings(max_examples=250, deadline=None)
@given(TEXTS, LIMITS, st.integers(0, 4))
@example("@v 1\n@v 2\nfree text\n@id m1", None, 4)
@example("#fact a=1\n---\nmore\n---\n", None, 4)
@example("#cost[val,cur]\n1\n1 EUR\n#cost[\n1 EUR", None, 4)
@example("@v 1 \r\n@id m1 \r\n\r\n#fact a=1", 12, 4)
@example("@a b\n" * 900, 50, 4)
def test_each_line_is_readable_or_not_and_once(text: str, max_bytes: int | None, max_records: int) -> None:
    for source in (text, HEADERS + text, encode(HEADERS + text)):
        limit = len(source) * 4 if max_bytes is None else max_bytes
        got = partial(source, max_bytes=limit, max_records=max_records)
        data = source if isinstance(source, bytes) else encode(source)
        lines = read_text(source, data, Findings()).split("\n")
        unreadable = [
            piece.line + further
            for piece in got.unreadable
            for further, line in enumerate(piece.text.split("\n"))
            if line.strip(BLANKS)
        ]
        readable = [record.line for record in got.readable]
        blocks = [block.line for block in got.message.blocks]
        stops = [number for number, line in enumerate(lines, 1) if line.strip(BLANKS) == "---"]
        unread, body = set(unreadable), min([*readable, *blocks, len(lines) + 1])
        headers = [
            number
            for number, line in enumerate(lines[: body - 1], 1)
            if line.strip(BLANKS).startswith("@") and number not in unread
        ]
        accounted = [*unreadable, *readable, *blocks, *headers]
        accounted += [number for number in stops if number not in unread][:1]
        assert sorted(accounted) == [number for number, line in enumerate(lines, 1) if line.strip(BLANKS)]
        assert len(headers) == len(got.message.headers)
        assert all(
            piece.text.split("\n")[0].strip(BLANKS) in lines[piece.line - 1] for piece in got.unreadable
        )
