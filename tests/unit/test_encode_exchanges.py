"""Of exchanges that repeat each other each conversation is read once, and nothing is lost.

Messages are letters here: what stands in them does not matter.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.exchanges import Exchange, conversations, note_left_out
from pairl.encode.importers.history_builder import HistoryBuilder


def exchange(messages: str, answer: str, *, id: str = "", continues: str = "") -> Exchange:  # noqa: A002
    return Exchange(list(messages), list(answer), id=id, continues=continues)


def key(message: object) -> str:
    """Return the letter; `S` is the system's and does not count."""
    return "" if message == "S" else str(message)


def read(*exchanges: Exchange) -> list[list[str]]:
    chains = conversations(exchanges, key)
    return [["".join(map(str, [*one.messages, *one.answer])) for one in chain] for chain in chains]


@pytest.mark.parametrize(
    ("exchanges", "wanted"),
    [
        ([], []),
        ([("a", "b")], ["ab"]),
        ([("a", "b"), ("abc", "d"), ("abcde", "f")], ["abcdef"]),
        # The answer was replayed in other words.
        ([("a", "b"), ("aBc", "d")], ["aBcd"]),
        # The same request twice: the later answer stands.
        ([("a", "b"), ("a", "c")], ["ac"]),
        # The span of an agent opens as its last request does.
        ([("a", "f"), ("abcde", "f")], ["abcdef"]),
        ([("abcde", "f"), ("a", "f")], ["abcdef"]),
        # Two conversations, one after another and mixed.
        ([("a", "b"), ("x", "y"), ("abc", "d"), ("xyz", "w")], ["abcd", "xyzw"]),
        # Conversations that open alike and go on differently.
        ([("abc", "d"), ("axy", "z")], ["abcd", "axyz"]),
        ([("abcdz", "e"), ("avwxyz", "f")], ["abcdze", "avwxyzf"]),
        # What was sent again had one message shortened.
        ([("abcd", "e"), ("aBcdef", "g")], ["aBcdefg"]),
        # What the system says does not make a conversation another one.
        ([("Sa", "b"), ("SSabc", "d")], ["SSabcd"]),
        ([("", "b"), ("", "c")], ["b", "c"]),
    ],
)
def test_each_conversation_is_read_once(exchanges: list[tuple[str, str]], wanted: list[str]) -> None:
    assert read(*[exchange(*one) for one in exchanges]) == [[one] for one in wanted]


def test_what_continues_a_response_by_its_id_is_read_after_it() -> None:
    first = exchange("a", "b", id="r1")
    other = exchange("x", "y", id="r9")
    second = exchange("c", "d", id="r2", continues="r1")
    third = exchange("e", "f", id="r3", continues="r2")
    assert read(first, other, second, third) == [["ab", "cd", "ef"], ["xy"]]


def test_what_continues_a_response_that_is_not_there_stands_alone() -> None:
    assert read(exchange("c", "d", continues="lost")) == [["cd"]]


@pytest.mark.parametrize(
    ("exchanges", "wanted"),
    [
        ([("a", "b"), ("abc", "d")], "exchange that another one repeats"),
        ([("a", "b"), ("a", "b")], "exchange that another one repeats"),
        ([("a", "S"), ("a", "b")], "exchange that another one repeats"),
        ([("a", "b"), ("a", "c")], "exchange that another one repeats, but for its answer"),
        ([("a", "b"), ("abc", "d"), ("abc", "e")], "exchange that another one repeats, but for its answer"),
    ],
)
def test_what_is_left_out_is_told_and_whether_its_answer_is(
    exchanges: list[tuple[str, str]], wanted: str
) -> None:
    given = [exchange(*each) for each in exchanges]
    history = HistoryBuilder("x")
    note_left_out(history, given, conversations(given, key), key)
    notices = {notice.what: notice.count for notice in history.history().notices}
    assert notices[wanted] == 1
    assert sum(notices.values()) == len(given) - 1
