"""Builder and parser are inverse: what is written reads back as the values given, without a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairl import MessageBuilder, canonicalize, compact, compute_hash, parse, validate
from pairl.values import Value
from tests.property.texts import WELL_FORMED

NOW = datetime(2026, 3, 4, 5, 6, 7, 890, tzinfo=UTC)
TAKEN_ON_PURPOSE = {"SYN/unknown-record", "SYN/unknown-intent"}

TRICKY = st.sampled_from(
    ["@rid=x1", "@m=u1", "---", ">>> ls", "<<<", "a,b=c", 'say "x"', "a=b", "!", "", " ", "@m1#a1", "ref:a:b"]
)
CARRIED = st.text(
    st.one_of(st.sampled_from('ab "\\=,{}@#-[]\t!'), st.characters(exclude_categories=["Cs", "Cc"]))
)
TEXTS = st.one_of(TRICKY, CARRIED.filter(lambda text: not text.endswith("\\")))
OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
VALUES: st.SearchStrategy[Value] = st.one_of(
    TEXTS,
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20),
    st.dates(),
    st.datetimes(timezones=OFFSETS),
)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,31}", fullmatch=True).filter(lambda key: key not in ("rid", "turn"))
FIELDS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)
TYPES = st.sampled_from(
    ["fact", "evid", "cost", "quota", "call", "ret", "think", "edit", "rule", "memo", "sx"]
)
IDS = st.from_regex(r"[A-Za-z0-9]{1,8}", fullmatch=True)
RECORDS = st.lists(st.tuples(st.one_of(TYPES, st.just("")), FIELDS), min_size=1, max_size=6)


def read_back(text: str, value: Value) -> Value:
    """Return what `text` says, as the type that `value` has."""
    if isinstance(value, bool):
        return {"true": True, "false": False}[text]
    if isinstance(value, datetime):
        return datetime.fromisoformat(text)
    for kind in (int, float, Decimal):
        if isinstance(value, kind):
            assert not isinstance(value, float | Decimal) or "e" not in text.lower()
            return kind(text)
    return date.fromisoformat(text) if isinstance(value, date) else text


def written(records: Sequence[tuple[str, Mapping[str, Value]]], *, rids: bool) -> MessageBuilder:
    builder = MessageBuilder(id="m1", ts=NOW)
    for number, (tag, fields) in enumerate(records):
        rid = f"r{number}" if rids else None
        if tag:
            builder.record(tag, fields, rid=rid)
        else:
            builder.intent("org.x", rid=rid, **fields)  # type: ignore[arg-type]  # no key is `rid` or `turn`
    return builder


@settings(max_examples=300)
@given(RECORDS, st.booleans())
@example([("fact", {"a": "@rid=x1", "b": 'x" @rid=y'})], True)
@example([("think", {"summary": "---"}), ("think", {"summary": "---"}), ("", {"m": "!"})], False)
def test_what_is_written_reads_back(records: list[tuple[str, dict[str, Value]]], rids: bool) -> None:
    builder = written(records, rids=rids)
    for source in (builder.text(with_hash=True), compact(builder.message(with_hash=True))):
        message = parse(source)
        report = validate(message, strict=True)
        codes = {
            found.code for found in report.diagnostics if found.rule in ("HDR", "SYN", "V5", "V6", "V12")
        }
        assert codes <= TAKEN_ON_PURPOSE, report.diagnostics
        assert len(message.records) == len(records)
        for number, (record, (tag, fields)) in enumerate(zip(message.records, records, strict=True)):
            assert record.kind == (tag or "intent")
            assert record.rid == (f"r{number}" if rids else None)
            assert {key: read_back(record.kv[key], value) for key, value in fields.items()} == fields
            assert record.kv.keys() == fields.keys()


@settings(max_examples=300)
@given(WELL_FORMED)
@example(
    '@v 1\n@id m1\n\n#think[summary]\n"---"\n"---"\n\nack\n#cost val=1 cur=x\n#cost val=2 cur=y\nack{m=!}'
)
@example("@v 1\n@id m1\n@p m0\n@root m0\n@deps m0\n\n#ref a=@m0#x\n#rule a=ref:x:y\n#rule a=ref:x:\u00e4")
@example("@v 1\n@id m1\n\n#fact a=1\n@x{} @rid=a")
def test_the_compact_form_is_short_and_says_the_same(text: str) -> None:
    message = parse(text)
    short = compact(message)
    again = parse(short)
    canonical = canonicalize(message, for_hash=False)
    assert compute_hash(again) == compute_hash(message)
    assert canonicalize(again, for_hash=False) == canonical
    assert len(short.encode()) <= len(canonical.encode())
    assert compact(again) == short
    if not any(found.rule in ("HDR", "SYN", "V11", "V12") for found in validate(message).diagnostics):
        assert len(short.encode()) <= len(f"{text.rstrip()}\n".encode())
