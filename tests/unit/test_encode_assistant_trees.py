"""Trees of messages, of which each branch is kept.

All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.assistant_trees import FORMAT
from pairl.encode.importers.format import Lines, NotATranscript
from tests.unit.outlines import answers, notices, outline

Json = dict[str, object]


def message(text: str, role: str, *replies: Json, **more: object) -> Json:
    return {"message_id": text, "text": text, "role": role, "replies": list(replies), **more}


TREE: Json = {
    "message_tree_id": "t",
    "tree_state": "ready_for_export",
    "prompt": message(
        "q",
        "prompter",
        message("a1", "assistant", message("q2", "prompter", message("a3", "assistant"))),
        message("a2", "assistant", deleted=True),
        created_date="2026-01-01T00:00:00Z",
    ),
}


@pytest.mark.parametrize("record", [TREE, [TREE], Lines([TREE])])
def test_all_branches_are_kept(record: object) -> None:
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert outline(history) == [
        ("user", "q"),
        ("assistant", "a1"),
        ("user", "q2"),
        ("assistant", "a3"),
        ("assistant", "a2"),
    ]
    assert answers(history) == [None, 0, 1, 2, 0]
    assert history.began_at == "2026-01-01T00:00:00+00:00"
    assert notices(history) == {"message that was marked as deleted, and is kept": (1, 0)}


def test_several_trees_stand_beside_one_another() -> None:
    history = FORMAT.read(Lines([TREE, TREE, {"message_tree_id": "broken"}]))
    assert answers(history) == [None, 0, 1, 2, 0, None, 5, 6, 7, 5]


def test_a_branch_of_ten_thousand_messages_is_read() -> None:
    leaf = message("end", "assistant")
    for number in range(10_000):
        leaf = message(str(number), "prompter", leaf)
    history = FORMAT.read({"message_tree_id": "t", "prompt": leaf})
    assert len(history.turns) == 10_001


@pytest.mark.parametrize("record", [{}, [], "x", {"prompt": "x"}, {"message_tree_id": "t"}, Lines([])])
def test_what_is_no_tree_is_neither_recognised_nor_read(record: object) -> None:
    assert not FORMAT.recognise(record)
    with pytest.raises(NotATranscript, match="there is no tree of messages in it"):
        FORMAT.read(record)
