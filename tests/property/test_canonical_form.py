"""Decision 6: the canonical text is its own, the same for both forms of a record, and one message's."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairl import canonicalize, compute_hash, parse, validate
from tests.property.texts import ATOMS, KEYS, QUOTED, TAGS, TEXTS, WELL_FORMED
from tests.property.words import as_words

HEADERS = "@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n"


@settings(max_examples=400)
@given(TEXTS)
@example("#fact a=1\n\n@id m1\n")
@example(f"{HEADERS}#evid[a,b]\nack\n\n#fact a=1")
@example(f"{HEADERS}#evid[a,b]\nack{{s=f,t=x}}\n\n>>> x\n#fact  a=1\n<<<\nack")
@example(f"{HEADERS}#evid[a\nack\n\nack{{s=f,t=x}}\n---\nthanks")
@example(f"{HEADERS}#fact a=1 @rid=x\r\r\n")
@example("@deps ,\n\n@x y")
def test_the_canonical_text_of_a_canonical_text_is_itself(text: str) -> None:
    for strict_text in (text, HEADERS + text):
        once = canonicalize(parse(strict_text))
        assert canonicalize(parse(once)) == once
        assert parse(once).size == len(once.encode("utf-8", "surrogatepass"))


@settings(max_examples=150)
@given(WELL_FORMED)
def test_the_canonical_text_of_a_valid_message_is_valid(text: str) -> None:
    for strict in (True, False):
        if validate(parse(text), strict).valid:
            assert validate(parse(canonicalize(parse(text))), strict).valid


@settings(max_examples=150)
@given(WELL_FORMED)
def test_the_canonical_text_says_what_the_message_says(text: str) -> None:
    message = parse(text)
    again = parse(canonicalize(message))
    assert again.headers == message.headers
    for ours, theirs in zip(message.records, again.records, strict=True):
        assert (ours.kind, ours.name, ours.kv, ours.rid, ours.m) == (
            *(theirs.kind, theirs.name, theirs.kv),
            *(theirs.rid, theirs.m),
        )


@settings(max_examples=200)
@given(
    st.lists(KEYS, min_size=1, max_size=3, unique=True).flatmap(
        lambda keys: st.tuples(
            st.just(keys),
            st.lists(
                st.tuples(
                    st.lists(
                        st.one_of(ATOMS.filter(lambda atom: not atom.startswith(("@m=", "@rid="))), QUOTED),
                        min_size=len(keys),
                        max_size=len(keys),
                    ),
                    TAGS,
                ),
                min_size=1,
                max_size=3,
            ),
        )
    )
)
def test_columns_and_pairs_hash_alike(block: tuple[list[str], list[tuple[list[str], str]]]) -> None:
    keys, rows = block
    columns = "\n".join([f"#call[{','.join(keys)}]", *(" ".join(row) + tags for row, tags in rows)])
    lines = [
        "#call " + " ".join(f"{key}={value}" for key, value in zip(keys, row, strict=True)) + tags
        for row, tags in rows
    ]
    assert compute_hash(parse(HEADERS + columns)) == compute_hash(parse(HEADERS + "\n".join(lines)))


def assert_tells_apart(lines: list[str], *, strict: bool) -> int:
    """Check that lines of different meaning have different canonical texts; return how many are valid."""
    meanings: dict[str, object] = {}
    valid = 0
    for line in lines:
        message = parse(HEADERS + "#u1\n" + line)
        if not validate(message, strict).valid:
            continue
        valid += 1
        meaning = meanings.setdefault(canonicalize(message), as_words(line))
        assert meaning == as_words(line), line
    return valid


def test_no_two_short_records_share_a_canonical_text() -> None:
    """Every line of up to six pieces after `#fact a=`, in strict mode."""
    pieces = ["x", '"', "\\", " ", ",", "b=", "@rid=", "1"]
    lines = [
        "#fact a=" + "".join(chosen) for length in range(1, 6) for chosen in product(pieces, repeat=length)
    ]
    assert assert_tells_apart(lines, strict=True) > 300


def test_no_two_short_intents_share_a_canonical_text() -> None:
    pieces = ["t=x", "s=f", ",", '"', "}", " ", "@rid=q", "{"]
    lines = ["ack{" + "".join(chosen) for length in range(1, 6) for chosen in product(pieces, repeat=length)]
    assert assert_tells_apart(lines, strict=True) > 50


def test_no_two_short_lines_share_a_canonical_text() -> None:
    pieces = ["#s", "#u2", "ack", " ", "{}", "x", "@m=u1", "@rid=q", "#msg"]
    lines = ["".join(chosen) for length in range(1, 5) for chosen in product(pieces, repeat=length)]
    assert assert_tells_apart(lines, strict=True) > 30


def test_no_two_short_rows_share_a_canonical_text() -> None:
    pieces = ["x", '"', "\\", " ", ",", "@rid=", "{}", "@m1"]
    rows = ["".join(chosen) for length in range(1, 6) for chosen in product(pieces, repeat=length)]
    assert assert_tells_apart([f"#think[summary]\n{row}" for row in rows if row.strip()], strict=True) > 50


@pytest.mark.parametrize(("characters", "longest"), [('#sa1=" \\{},@', 3), ('#a=" {}', 4)])
def test_no_two_of_all_short_lines_share_a_canonical_text(characters: str, longest: int) -> None:
    """Every line of these characters, also those that only loose mode accepts."""
    lines = [
        "".join(chosen)
        for length in range(1, longest + 1)
        for chosen in product(characters, repeat=length)
        if " " not in (chosen[0], chosen[-1])
    ]
    assert assert_tells_apart(lines, strict=False) > 1_000


@settings(max_examples=150)
@given(WELL_FORMED, WELL_FORMED)
def test_no_two_valid_messages_share_a_canonical_text(one: str, other: str) -> None:
    if canonicalize(parse(one)) == canonicalize(parse(other)):
        assert parse(one).records == parse(other).records or as_words(one) == as_words(other)
