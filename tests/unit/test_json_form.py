"""How a message looks as JSON, and what is refused in either direction, and with what words."""

from __future__ import annotations

import json

import pytest

from pairl import NoJsonForm, from_json, parse, to_json
from tests.unit.messages import with_body

BODY = """#u1
req{t=lamps,m=!} @rid=a1
#fact title="two words" @m=u1 @rid=f1
#cost[val,cur]
0.02 EUR @rid=k1
0.03
#msg t2 r=pilot parent=u1
#s exec:1/2
free text"""


def test_every_kind_of_line_has_its_shape() -> None:
    said = json.loads(to_json(parse(with_body(BODY, "@zone x\n@p m1\n"))))
    assert said == {
        "headers": {"v": "1", "id": "m7", "ts": "2026-04-02T08:15:00.250+02:00", "zone": "x", "p": "m1"},
        "body": [
            {"kind": "turn", "id": "u1", "speaker": "u"},
            {"kind": "intent", "name": "req", "parameters": {"t": "lamps", "m": "!"}, "rid": "a1"},
            {"kind": "record", "type": "fact", "fields": {"title": "two words"}, "rid": "f1", "turn": "u1"},
            {
                "kind": "block",
                "type": "cost",
                "columns": ["val", "cur"],
                "rows": [{"values": ["0.02", "EUR"], "rid": "k1"}, {"raw": "0.03"}],
            },
            {"kind": "turn", "id": "t2", "speaker": "pilot", "parent": "u1"},
            {"kind": "state", "value": "exec:1/2"},
            {"kind": "malformed", "raw": "free text"},
        ],
        "format": "pairl-json/1",
    }
    assert list(said["headers"]) == ["v", "id", "ts", "zone", "p"]


def test_text_comes_back_with_its_headers_parameters_and_blocks_as_they_were() -> None:
    text = from_json(to_json(parse(with_body(BODY, "@zone x\n@p m1\n"))))
    assert text == with_body(BODY.replace("m=!", 'm="!"'), "@zone x\n@p m1\n")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (b"@v 1\n@id m1\n\n#fact a=\xff\n", 4),
        (b"@v 1\n@id m1\n@id m2\n\n#fact a=1\n", 3),
        (b"@v 1\nid m1\n@id: m2\n\n#fact a=1\n", 2),
    ],
)
def test_what_is_not_in_the_message_is_not_lost_silently(source: bytes, line: int) -> None:
    with pytest.raises(NoJsonForm, match="not all of the message") as refusal:
        to_json(parse(source))
    assert refusal.value.line == line


def test_records_that_were_not_read_are_not_lost_silently() -> None:
    with pytest.raises(NoJsonForm, match="too-many-records"):
        to_json(parse(with_body("#fact a=1\n#fact a=2"), max_records=1))


def document(*body: object, **headers: str) -> bytes:
    return json.dumps({"headers": {"v": "1", "id": "m1", **headers}, "body": body}).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "truncated"),
        (b" \n", "it is empty"),
        (b"[]", "Expected `object`, got `array`: messages stand each on a line"),
        (document({"kind": "record", "type": "fact", "fields": {"a": "1", "A b": "1"}}), "the key `A b`"),
        (document({"kind": "intent", "name": "ack", "parameters": {"=": "1"}}), "the key `=`"),
        (b'{"headers": {}}', "missing required field `body`"),
        (document({"kind": "fact"}), r"`\$.body\[0\].kind`"),
        (document({"kind": "record", "type": "fact", "fields": {"a": 1}}), r"`\$.body\[0\].fields\[...\]`"),
        (document({"kind": "record", "type": "fact", "fields": {"a": "1"}, "x": 1}), "unknown field `x`"),
        (document({"kind": "record", "type": "fact", "fields": {"a": "x\ny"}}), "LF or CR"),
        (document({"kind": "record", "type": "fact", "fields": {"a": "x\\"}}), "backslash"),
        (document({"kind": "state"}, {"kind": "record", "type": "s", "fields": {"a": "x"}}), r"body\[1\]"),
        (document({"kind": "malformed", "raw": "#fact a=1"}), r"`\$.body\[0\]`"),
        (document({"kind": "malformed", "raw": "#fact a=1\n#fact b=1"}), "line feed"),
        (document({"kind": "malformed", "raw": ""}), r"`\$.body\[0\]`"),
        (document({"kind": "block", "type": "cost", "columns": ["val"], "rows": [{}]}), r"`\$.body\[0\]`"),
        (document(zone=" x"), r"`\$.headers`, `zone`: it"),
        (document(zone="x\n@id m2"), "line feed"),
    ],
)
def test_json_that_says_what_no_message_can_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(NoJsonForm, match=words) as refusal:
        from_json(data)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("text", ["---", "---\n", " --- \n\n"])
def test_text_that_is_no_message_is_not_told_as_an_empty_one(text: str) -> None:
    with pytest.raises(NoJsonForm, match="there is no message"):
        to_json(parse(text))
