"""Edits in a row, and results that came before."""

from __future__ import annotations

from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Thought, Turn
from pairl.encode.tools.chain import Edits, aggregated, edit_of
from pairl.encode.tools.results import read_result

LONG = "The file was read, and here is what it says about the tides: nothing."


def edit(number: int, file: str = "/a.py", text: str = "done") -> list[Part]:
    return [Call(number, "Edit", {"file_path": file, "old_string": "x"}), Result(number, text)]


def replaced(*parts: Part) -> dict[int, Edits | None]:
    return aggregated(
        parts, {place: read_result(part) for place, part in enumerate(parts) if isinstance(part, Result)}
    )


def body(*turns: tuple[Part, ...]) -> list[str]:
    history = History(
        "x",
        tuple(
            Turn("assistant", parts, None, index - 1 if index else None) for index, parts in enumerate(turns)
        ),
    )
    return encode(history, Options(window=0)).body.splitlines()


def test_which_calls_edit_what() -> None:
    assert edit_of(Call(1, "Write", {"file_path": "/a"})) == ("/a", 1)
    assert edit_of(Call(1, "MultiEdit", {"file_path": "/a", "edits": [{}, {}, {}]})) == ("/a", 3)
    assert edit_of(Call(1, "str_replace_editor", {"command": "insert", "path": "/a"})) == ("/a", 1)
    assert edit_of(Call(1, "str_replace_editor", {"command": "view", "path": "/a"})) is None
    assert edit_of(Call(1, "Read", {"file_path": "/a"})) is None
    assert edit_of(Call(1, "Edit", {"file_path": ["/a"]})) is None
    assert edit_of(Call(1, "Edit", {})) is None


def test_edits_of_a_file_in_a_row_are_told_as_one() -> None:
    assert body((*edit(1), *edit(2), *edit(3), *edit(4, "/b.py"))) == [
        "#a1",
        "#edit file=/a.py changes=3",
        "#call tool=Edit file_path=/b.py old_string=x @rid=c4",
        "#ret call=c4 status=ok",
    ]


def test_edits_that_are_answered_together_are_told_behind_the_last_answer() -> None:
    one, two = edit(1), edit(2)
    assert replaced(one[0], two[0], two[1], one[1]) == {
        0: None,
        1: None,
        2: None,
        3: Edits("/a.py", 2, (0, 1, 2, 3)),
    }


def test_whatever_stands_between_edits_keeps_them_apart() -> None:
    assert replaced(*edit(1)) == {}
    assert replaced(*edit(1), Said("Next."), *edit(2)) == {}
    assert replaced(*edit(1), Thought("Hm."), *edit(2)) == {}
    assert replaced(*edit(1), Call(2, "Bash", {}), *edit(3)) == {}
    assert replaced(*edit(1), *edit(2, "/b.py")) == {}
    assert replaced(*edit(1), *edit(2, text="Error: not found")) == {}
    assert replaced(*edit(1), *edit(2)[:1]) == {}


def test_edits_are_not_told_as_one_across_turns() -> None:
    assert len([line for line in body(tuple(edit(1)), tuple(edit(2))) if line.startswith("#call")]) == 2


def test_a_result_that_came_before_is_named_only() -> None:
    first = (Call(1, "Read", {"file_path": "/a.py"}), Result(1, f"{LONG} /b.py\nerror: x"))
    again = (Call(2, "Read", {"file_path": "/a.py"}), Result(2, f"{LONG} /b.py\nerror: x"))
    other = (Call(3, "Read", {"file_path": "/c.py"}), Result(3, f"{LONG} /b.py\nerror: x"))
    lines = body(first, again, other)
    assert '#ret call=c1 status=err lines=2 err="error: x" paths=/b.py' in lines
    assert "#ret call=c2 status=err same_as=c1" in lines
    assert '#ret call=c3 status=err lines=2 err="error: x"' in lines
