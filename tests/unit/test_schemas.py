"""The contracts: what is written can be read, by readers that are older and by readers that are newer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec
import pytest

from pairl.budget import Budget, Quota
from pairl.constructs import COMPACT_MARKER, Category, Construct
from pairl.diagnostics import Diagnostic, Severity
from pairl.encode.allowance import Allowance
from pairl.encode.budget import Budget as Room
from pairl.encode.encoding import BodyState, Options
from pairl.encode.past import Past
from pairl.increment import MaintainedBody
from pairl.thread import Status, ThreadNode
from schemas import (
    audit,
    headers,
    json_schema,
    session_encoding,
    session_legend,
    session_state,
    topics,
    verdict,
)
from schemas.audit import GENESIS, AuditBlock, AuditEntry, ChainHead
from schemas.rendering import PLAIN_TEXT, Part, Profile, Rendering
from schemas.session_encoding import SessionEncoding
from schemas.session_legend import SessionLegend
from schemas.session_state import SessionNode, WaitingMessage
from schemas.verdict import Accepted, Rejected

DIAGNOSTIC = Diagnostic("V9/orphan-ret", Severity.ERROR, 'says "\x1b[31m\u2028"', 14, 6, 7, "mend it")
ODD = 'a"b\\c\n\x00\x1b\u2028\N{PILE OF POO}'

ACCEPTED = [
    Accepted(hash="0" * 64, id="m1", mode="strict", policy="p"),
    Accepted("0" * 64, ODD, "loose", "p", ODD, [DIAGNOSTIC, DIAGNOSTIC], ("V4", "V7"), 0),
]
REJECTED = [
    Rejected(codes=("V6",), source="t/0/1", mode="strict", policy="p"),
    Rejected(("V6", "SYN"), "t/0/1", "loose", "p", ODD, ODD, [DIAGNOSTIC], ("V4",), 10_000),
]
NODES = [
    SessionNode("s", ThreadNode("m1", Status.ACCEPTED), "t/0/1", 1),
    SessionNode(
        ODD,
        ThreadNode(
            ODD,
            Status.ACCEPTED,
            "0" * 64,
            ("m0", ODD),
            "m0",
            "m0",
            3,
            "a1 b2",
            {"USD": Decimal("0.10"), ODD: Decimal("1E-27")},
            Budget(Decimal("2.50"), "USD"),
            (Quota("tokens", "9", "1.5"),),
        ),
        "t/0/1",
        2,
    ),
    SessionNode("s", ThreadNode(ODD, Status.REJECTED), "t/0/1", 3, ("V6: line 1", ODD)),
]
WAITING = [
    WaitingMessage("s", "m1", 1, 2, "t", 0, 1, 0),
    WaitingMessage(ODD, ODD, 1, 2, "t", 3, 4, 5, b"\xff", b"\x00", (("h", b"\xff"), ("h", b""), (ODD, None))),
]
LEGENDS = [
    SessionLegend("s", MaintainedBody(None), 1),
    SessionLegend(
        ODD, MaintainedBody((COMPACT_MARKER, Construct(Category.INTENT, ODD)), 7, {"m1": "m1", ODD: "2"}), 2
    ),
]
ENCODINGS = [
    SessionEncoding("s", BodyState(Options(), Past(), Allowance()), 1),
    SessionEncoding(
        ODD,
        BodyState(
            Options(Room(share=0.5), 3, True),
            Past(7, ODD, ODD, ODD, ODD, (1, 4)),
            Allowance(0.5, True, True),
            -4,
            True,
        ),
        2,
        9,
        ODD,
    ),
]
BLOCKS = [
    AuditBlock("t", 0, 0, GENESIS, "p", (AuditEntry(0, "accepted", "0" * 64),)),
    AuditBlock(
        "t",
        3,
        9,
        "f" * 64,
        "p",
        (
            AuditEntry(41, "accepted", "1" * 64, ODD, ODD, "2" * 64),
            AuditEntry(42, "rejected", "3" * 64, codes=("V6", "V9")),
            AuditEntry(43, "parked", "4" * 64, "m2", "s"),
            AuditEntry(44, "rerouted", "5" * 64, "m3", "t", to=0),
        ),
        45,
    ),
]


def _value(entry: SessionNode | WaitingMessage | SessionLegend | SessionEncoding) -> bytes:
    """Return what a changelog holds of an entry."""
    return entry.as_change().value or b""


Codec = tuple[Callable[[Any], bytes], Callable[[bytes], Any]]
CODECS: list[tuple[Codec, msgspec.Struct]] = [
    *(((verdict.encode, verdict.decode), one) for one in [*ACCEPTED, *REJECTED]),
    *(((_value, partial(session_state.decode, "m1")), one) for one in NODES),
    *(((_value, partial(session_state.decode, "m1/7")), one) for one in WAITING),
    *(((_value, partial(session_legend.decode, "legend")), one) for one in LEGENDS),
    *(((_value, partial(session_encoding.decode, "encoding")), one) for one in ENCODINGS),
    *(((audit.encode, audit.decode), one) for one in BLOCKS),
]


@pytest.mark.parametrize(("codec", "value"), CODECS)
def test_what_is_encoded_is_decoded(codec: Codec, value: msgspec.Struct) -> None:
    encode, decode = codec
    data = encode(value)
    assert decode(data) == value
    assert b"\n" not in data
    json.loads(data)


@pytest.mark.parametrize(("codec", "value"), CODECS)
def test_a_field_of_the_future_is_passed_over(codec: Codec, value: msgspec.Struct) -> None:
    encode, decode = codec
    fields = json.loads(encode(value)) | {"of_the_future": {"deep": [1, None]}}
    assert decode(json.dumps(fields).encode()) == value


@pytest.mark.parametrize(("codec", "value"), CODECS)
def test_every_field_without_a_default_is_required(codec: Codec, value: msgspec.Struct) -> None:
    encode, decode = codec
    required = {
        field.encode_name
        for field in msgspec.structs.fields(value)
        if field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
    }
    for name in required:
        fields = json.loads(encode(value))
        del fields[name]
        with pytest.raises(msgspec.ValidationError):
            decode(json.dumps(fields).encode())


@pytest.mark.parametrize("data", [b"", b"{", b"null", b"[]", b'{"verdict":"maybe"}', b"\xff"])
@pytest.mark.parametrize(
    "decode",
    [
        verdict.decode,
        partial(session_state.decode, "m1"),
        partial(session_state.decode, "m1/7"),
        partial(session_legend.decode, "legend"),
        partial(session_encoding.decode, "encoding"),
        audit.decode,
    ],
)
def test_what_is_no_contract_is_a_decode_error(decode: Callable[[bytes], object], data: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        decode(data)


def test_the_verdict_says_which_one_it_is() -> None:
    assert json.loads(verdict.encode(ACCEPTED[0]))["verdict"] == "accepted"
    assert json.loads(verdict.encode(REJECTED[0]))["verdict"] == "rejected"


def test_the_schema_describes_every_contract_and_refers_to_nothing_that_is_missing() -> None:
    schema = json.loads(json.dumps(json_schema.json_schema()))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    definitions = schema["$defs"]
    for contract in json_schema.CONTRACTS:
        definition = definitions[contract.__name__]
        assert definition["type"] == "object"
        fields = {field.encode_name for field in msgspec.structs.fields(contract)}
        assert definition["properties"].keys() - {"verdict"} == fields
        assert definition.get("additionalProperties", True) is not False
    references = {reference.removeprefix("#/$defs/") for reference in _references(schema)}
    assert references == definitions.keys()


def _references(schema: object) -> set[str]:
    """Return every `$ref` in a schema."""
    if isinstance(schema, list):
        return set().union(*map(_references, schema))
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
    return own.union(*map(_references, schema.values()))


@pytest.mark.parametrize("value", [*ACCEPTED, *REJECTED, *NODES, *WAITING, *LEGENDS, *ENCODINGS, *BLOCKS])
def test_what_is_encoded_has_the_fields_and_the_kinds_that_the_schema_gives(value: msgspec.Struct) -> None:
    schema = json_schema.json_schema()
    definition = schema["$defs"][type(value).__name__]
    fields = json.loads(msgspec.json.encode(value))
    assert set(definition["required"]) <= fields.keys() <= definition["properties"].keys()
    kinds = {str: "string", int: "integer", list: "array", dict: "object", type(None): "null"}
    for name, content in fields.items():
        expected = definition["properties"][name]
        options = [option.get("type") for option in expected.get("anyOf", [expected])]
        assert kinds[type(content)] in options or "$ref" in expected or "enum" in expected, name


def test_the_chain_goes_on_behind_a_block() -> None:
    value = audit.encode(BLOCKS[1])
    assert audit.head_after(BLOCKS[1], value) == ChainHead(10, hashlib.sha256(value).hexdigest(), 45)
    assert ChainHead() == ChainHead(0, GENESIS, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((b"ab", b"c", []), (b"a", b"bc", [])),
        ((None, b"c", []), (b"", b"c", [])),
        ((b"a", None, []), (b"a", b"", [])),
        ((b"a", b"c", [("h", b"1"), ("g", b"2")]), (b"a", b"c", [("g", b"2"), ("h", b"1")])),
        ((b"a", b"c", [("h", b"1")]), (b"a", b"c", [("h", b"1"), ("h", b"1")])),
        ((b"a", b"c", [("h", b"")]), (b"a", b"c", [("h", None)])),
        ((b"a", b"c", [("ha", b"1")]), (b"a", b"c", [("h", b"a1")])),
    ],
)
def test_records_that_differ_have_different_digests(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert audit.record_digest(*one) != audit.record_digest(*other)
    assert audit.record_digest(*one) == audit.record_digest(*one)
    assert audit.record_digest(one[0], one[1], tuple(one[2])) == audit.record_digest(*one)


def test_the_digest_of_a_record_is_as_documented() -> None:
    # The MessagePack array [key, value, [[name, value], …]], spelled out byte by byte.
    data = b"\x93\xc4\x01k\xc4\x01v\x92\x92\xa1h\xc4\x011\x92\xa1h\xc0"
    headers_of_record: Any = [("h", b"1"), ("h", None)]
    assert audit.record_digest(b"k", b"v", headers_of_record) == hashlib.sha256(data).hexdigest()


def test_the_last_header_of_a_name_counts() -> None:
    given = [("a", b"1"), ("b", b"2"), ("a", b"3"), ("A", b"4")]
    assert headers.last(given, "a") == b"3"
    assert headers.last(given, "c") is None
    assert headers.last((), "a") is None


def test_headers_belong_to_topics_and_have_names_of_their_own() -> None:
    names = [header.name for header in headers.HEADERS]
    assert len(set(names)) == len(names)
    for header in headers.HEADERS:
        assert header.topics
        assert all(topics.find_topic(topic) is not None for topic in header.topics)
        assert header.form
        assert header.meaning


def test_a_rendering_has_the_headers_that_the_table_promises() -> None:
    promised = {header.name for header in headers.HEADERS if "rendered" in header.topics}
    for_people = dict(Rendering("0" * 64).as_headers())
    assert for_people.keys() == promised - {headers.PART}
    assert for_people["content-type"] == b"text/markdown; charset=utf-8"
    for_models = dict(Rendering("0" * 64, Profile.MODEL, PLAIN_TEXT, Part.BODY).as_headers())
    assert for_models.keys() == promised
    assert (for_models["pairl-profile"], for_models["pairl-part"]) == (b"model", b"body")


def test_the_parts_are_those_that_the_table_of_headers_lists() -> None:
    (row,) = (header for header in headers.HEADERS if header.name == headers.PART)
    assert re.findall("`([a-z-]+)`", row.form) == [part.value for part in Part]


def test_the_topics_have_room_for_what_they_carry() -> None:
    by_name = {topic.name: int(topic.config["max.message.bytes"]) for topic in topics.TOPICS}
    assert by_name["inbound"] == by_name["transcripts"] == topics.LARGEST_INBOUND_RECORD
    assert by_name["validated"] > by_name["inbound"]
    assert by_name["rejected"] > by_name["inbound"]
    assert topics.find_topic("threads") is topics.THREADS
    assert topics.find_topic("nothing") is None
    assert topics.THREADS.config["cleanup.policy"] == "compact"
    assert {topic.name for topic in topics.TOPICS if topic.config.get("retention.ms") == "-1"} == {
        "rejected",
        "audit",
    }
