"""Names of arguments as keys, and what a call tells of its arguments."""

from __future__ import annotations

import re

import pytest

from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Turn
from pairl.encode.reread import reread
from pairl.encode.tools import argument_names
from pairl.encode.tools.argument_names import is_stand_in, key_for, name_of, spelled_out

ROWS = re.findall(r"^\| (`.*`) \| (`.*`) \|", argument_names.__doc__ or "", re.MULTILINE)


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_table_has_rows() -> None:
    assert len(ROWS) >= 6


@pytest.mark.parametrize(
    ("name", "key"),
    [(name, key) for names, keys in ROWS for name, key in zip(words(names), words(keys), strict=True)],
)
def test_the_table_is_true(name: str, key: str) -> None:
    assert key_for(name) == key
    assert name_of(key) == name


@pytest.mark.parametrize(
    "name", ["", "x", "xPos", "x__a", "paths", "ID", "$ref", "größe", "\ud800", "_", "a_", "x" * 64]
)
def test_names_come_back(name: str) -> None:
    assert name_of(key_for(name)) == name


def test_a_name_that_is_too_long_is_spelled_out_beside_its_key() -> None:
    name = "Working Directory " * 9
    key = key_for(name)
    assert is_stand_in(key)
    assert name_of(key) == key
    assert name_of(key, {key: spelled_out(name)}) == name


def test_any_name_comes_back_from_a_body() -> None:
    names = [
        "file_path",
        "filePath",
        "-i",
        "tool",
        "paths",
        "",
        "rid",
        "call",
        "Long Name " * 20,
        "\0",
        "größe",
    ]
    call = Call(1, "Bash", {name: f"value {number}" for number, name in enumerate(names)})
    back = reread(encode(History("x", (Turn("assistant", (call,)),)), Options(window=0)).body)
    assert back.turns[0].parts == (Call(1, "Bash", call.arguments),)


def told(**arguments: object) -> str:
    history = History("x", (Turn("assistant", (Call(1, "Bash", arguments),)),))
    return encode(history, Options(window=0)).body.splitlines()[1]


def test_values_of_json_are_told_as_texts() -> None:
    line = told(n=3, on=True, none=None, ratio=0.5, text="a\nb  c")
    assert line == '#call tool=Bash n=3 on=true none=null ratio=0.5 text="a b c" @rid=c1'


def test_of_a_long_value_the_beginning_is_told_and_of_a_list_the_paths() -> None:
    line = told(command="run the tool that makes all tables again /a/b.csv", todos=[{"file": "/c/d.md"}])
    assert line == '#call tool=Bash command="run the tool that makes all tables…" @rid=c1'


def test_paths_that_no_value_shows_stand_below_and_one_with_spaces_alone() -> None:
    call = Call(1, "Bash", {"todos": [{"file": "/c/d.md"}, {"file": 'see "/c/my d.md"'}, {"file": "/e.md"}]})
    body = encode(History("x", (Turn("assistant", (call,)),)), Options(window=0)).body
    assert body.splitlines()[2:] == ['#fact paths="/c/d.md /e.md"', '#fact path="/c/my d.md"']


def test_an_argument_with_the_name_of_these_facts_is_an_argument() -> None:
    assert told(paths="/a.py") == "#call tool=Bash paths=/a.py @rid=c1"


def test_a_value_that_is_a_path_with_spaces_is_told_whole() -> None:
    path = "/quay/berth log/" + "x" * 60 + ".txt"
    assert told(file=path) == f'#call tool=Bash file="{path}" @rid=c1'


def test_decision_11_a_mark_stands_behind_a_backslash_at_the_end() -> None:
    assert told(folder="D:\\my files\\") == '#call tool=Bash folder="D:\\my files\\…" @rid=c1'


def test_a_value_tells_whether_it_is_whole() -> None:
    history = History("x", (Turn("assistant", (Call(1, "Bash", {"a": "wait…", "b": "so " * 40}),)),))
    encoded = encode(history, Options(window=0))
    (call,) = reread(encoded.body).turns[0].parts
    assert isinstance(call, Call)
    assert call.arguments == {"a": "wait…", "b": "so so so so so so so so so so so so so…"}
    assert "wait……" in encoded.body
    assert encoded.report.dropped == {"arguments cut": 1}


def test_decision_13_what_looks_like_a_tag_is_a_value() -> None:
    assert told(text="x @rid=c9") == '#call tool=Bash text="x @rid=c9" @rid=c1'
