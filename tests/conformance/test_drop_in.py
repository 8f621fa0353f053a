"""Code that was written for the published package gives the same answers with ours.

Each call goes to both packages, each in a process of its own. What differs on purpose, severities and words
of diagnostics, is not compared here: `test_differential` names every such difference.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

import pytest

import pairl
from tests.conformance.test_corpus import AS_WRITTEN, CASES
from tests.published import answers

SAMPLE = Path(pairl.__file__).parents[1] / "workers" / "sample"
SAME = ("headers", "msg_id", "records", "raw", "blocks", "parse_errors")
SAME_UNLESS_AS_WRITTEN = ("lines", "hash", "hash_ref", "canonical", "canonical_with_hash")

TEXT = "@v 1\\n@id m1\\n@ts 2026-01-01T00:00:00Z\\n\\nupd{t=tide} @rid=a1\\n#fact depth=4 @rid=f1\\n"
PROGRAMS = {
    "the names": """
        import pairl
        answer = sorted({"SPEC_VERSION", "Message", "Record", "ColumnarBlock", "parse", "validate", "Result",
            "canonicalize", "serialize_record", "compute_hash", "hash_ref", "render"} - set(pairl.__all__))
        """,
    "the names of one star import": """
        from pairl import *
        answer = [Message.__name__, Record.__name__, ColumnarBlock.__name__, SPEC_VERSION, Result().valid]
        """,
    "a message made at once": """
        from pairl import Message, Record, canonicalize, compute_hash, validate
        message = Message(
            headers={"v": "1", "id": "m1", "ts": "2026-01-01T00:00:00Z"},
            records=[Record(kind="fact", name="fact", kv={"depth": "4 m"}, rid="f1"),
                     Record(kind="intent", name="upd", kv={"t": "tide"}, m="u1"),
                     Record(kind="marker", name="u1", role="u"),
                     Record(kind="marker", name="v2", role="pilot", parent="u1"),
                     Record(kind="s", name="s", arg="dock:1/2")])
        answer = [canonicalize(message), compute_hash(message), validate(message).valid, message.msg_id]
        """,
    "a message made bit by bit": """
        from pairl import Message, Record, canonicalize, validate
        message = Message()
        message.headers["v"] = "1"
        message.headers.update(id="m1", ts="2026-01-01T00:00:00Z")
        record = Record("fact")
        record.kv["depth"] = "4"
        message.records.append(Record("fact", "fact", record.kv, "f1", None))
        answer = [canonicalize(message), validate(message, strict=True).valid, message.blocks, message.errors]
        """,
    "what a new record holds": """
        from pairl import ColumnarBlock, Message, Record
        record, other = Record(kind="cost"), Record(kind="cost")
        record.kv["val"] = "1"
        block = ColumnarBlock(rtype="cost", columns=["val"], rows=[[("1", False)]])
        answer = [record.kind, record.name, record.rid, record.m, record.raw, record.role, record.parent,
            record.arg, record.from_columnar, other.kv, record == other, Message() == Message(),
            Message().msg_id, block.rtype, block.columns, block.rows, block.raw_header]
        """,
    "a header changed after hashing": f"""
        import pairl
        message = pairl.parse("{TEXT}")
        before = pairl.compute_hash(message)
        message.headers["p"] = "m0"
        message.headers["hash"] = pairl.hash_ref(message)
        answer = [before, pairl.canonicalize(message, for_hash=False), pairl.validate(message, True).valid]
        """,
    "a header taken away": f"""
        import pairl
        message = pairl.parse("{TEXT}")
        first = pairl.validate(message).valid
        del message.headers["ts"]
        answer = [first, pairl.validate(message).valid, pairl.canonicalize(message)]
        """,
    "values changed after hashing": f"""
        import pairl
        message = pairl.parse("{TEXT}")
        before = pairl.compute_hash(message)
        message.records[1].kv["depth"] = "5 m"
        message.records[0].kv["m"] = "+"
        answer = [before, pairl.canonicalize(message), pairl.compute_hash(message)]
        """,
    "records added and taken away": f"""
        import pairl
        message = pairl.parse("{TEXT}")
        before = pairl.compute_hash(message)
        message.records.append(pairl.Record(kind="fact", name="fact", kv={{"late": "1"}}, rid="f1"))
        report = pairl.validate(message)
        del message.records[:2]
        answer = [before, report.valid, pairl.canonicalize(message), pairl.validate(message).valid]
        """,
    "a report": f"""
        import pairl
        report = pairl.validate(pairl.parse("{TEXT}#evid claim=c\\n"), strict=False)
        types = [type(report.errors).__name__, type(report.warnings).__name__, type(report.valid).__name__]
        answer = [types, isinstance(report, pairl.Result), [type(line).__name__ for line in report.errors],
            any("V2" in line and "missing" in line for line in report.errors)]
        """,
    "a text without a body": """
        import pairl
        message = pairl.parse("@v 1\\n@id m1\\n")
        answer = [message.headers, message.records, len(message.errors), pairl.validate(message).valid]
        """,
    "no text": """
        import pairl
        message = pairl.parse("")
        answer = [message.headers, message.records, bool(message.errors), pairl.validate(message).valid]
        """,
    "there and back": f"""
        import pairl
        message = pairl.parse("{TEXT}")
        again = pairl.parse(pairl.canonicalize(message, for_hash=False))
        answer = [[pairl.serialize_record(record) for record in again.records],
            [record.kv for record in again.records] == [record.kv for record in message.records]]
        """,
}


def sample_messages() -> list[str]:
    """Return the messages of the sample conversation that are valid by themselves."""
    pieces = [
        piece for path in sorted(SAMPLE.glob("*.pairl")) for piece in pairl.split_messages(path.read_bytes())
    ]
    return [piece.decode() for piece in pieces if pairl.validate(pairl.parse(piece), strict=True).valid]


@functools.cache
def _both(published: Path) -> dict[str, tuple[Any, Any]]:
    calls = {f"program: {name}": {"code": _dedented(code)} for name, code in PROGRAMS.items()}
    calls |= {f"case: {name}": {"text": text} for name, text in CASES.items()}
    calls |= {f"sample: {number}": {"text": text} for number, text in enumerate(sample_messages())}
    ours = answers(Path(sys.executable), calls.values(), with_our_package=True)
    theirs = answers(published, calls.values(), with_our_package=False)
    return {name: pair for name, *pair in zip(calls, ours, theirs, strict=True)}  # type: ignore[misc]  # a pair is two answers


def _dedented(code: str) -> str:
    lines = code.split("\n")
    return "\n".join(line.removeprefix(" " * 8) for line in lines)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_unchanged(name: str, published: Path) -> None:
    ours, theirs = _both(published)[f"program: {name}"]
    assert ours == theirs


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_the_corpus_reads_the_same(name: str, published: Path) -> None:
    ours, theirs = _both(published)[f"case: {name}"]
    assert_same(ours, theirs, as_written=name in AS_WRITTEN)


def test_the_sample_conversation_reads_the_same(published: Path) -> None:
    pairs = [pair for name, pair in _both(published).items() if name.startswith("sample: ")]
    assert len(pairs) > 40
    for ours, theirs in pairs:
        assert_same(ours, theirs, as_written=ours["hash"] != theirs["hash"])
    assert sum(ours["hash"] != theirs["hash"] for ours, theirs in pairs) < len(pairs) / 4


def assert_same(ours: dict[str, Any], theirs: dict[str, Any], *, as_written: bool) -> None:
    """Compare everything but the words of diagnostics, and what is rendered."""
    same = SAME if as_written else SAME + SAME_UNLESS_AS_WRITTEN
    assert {key: ours[key] for key in same} == {key: theirs[key] for key in same}
    assert ours["valid"] == [True, True]
    assert theirs["valid"] == [True, True]
    for record in ours["records"]:
        plain = [value for value in record[2].values() if record[0] in ("fact", "evid") and value.isalnum()]
        assert [value for value in plain if value not in ours["rendered"]] == []


def test_what_is_left_to_the_published_package() -> None:
    """Values are frozen: whoever wants another record makes one. The refusal says so."""
    message = pairl.parse(TEXT.replace("\\n", "\n"))
    with pytest.raises(AttributeError, match="make another one"):
        message.headers = {}
    with pytest.raises(AttributeError, match="immutable"):
        message.records[0].rid = "f9"  # type: ignore[misc]  # that is what is refused
    with pytest.raises(TypeError):
        pairl.Result(errors=["V1"])  # type: ignore[call-arg]  # so is this


def test_decision_10_a_header_that_was_changed_begins_no_other() -> None:
    message = pairl.parse(TEXT.replace("\\n", "\n"))
    message.headers["p"] = "m0\n@deps m2"
    with pytest.raises(ValueError, match="line feed"):
        pairl.canonicalize(message)
