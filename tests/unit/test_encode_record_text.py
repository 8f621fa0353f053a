"""What the text of a record holds, and what is said of texts that hold no conversation.

Knows the faults of real files. All samples are made up.
"""

from __future__ import annotations

import json

import pytest

from pairl.encode.history import Notice
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.formats import import_history
from pairl.encode.importers.record_text import value_of
from tests.unit.outlines import answers, outline

ASKED = {"role": "user", "content": "Moor?"}
SAID = {"role": "assistant", "content": "At 4."}
CHAT: list[object] = [ASKED, SAID]
OTHER = [{"role": "user", "content": "Anchor?"}, {"role": "assistant", "content": "No."}]
NAMED = [{"from": "human", "value": "Moor?"}, {"from": "gpt", "value": "At 4."}]
NAMED_OTHER = [{"from": "human", "value": "Anchor?"}, {"from": "gpt", "value": "No."}]
OUTLINE = [("user", "Moor?"), ("assistant", "At 4.")]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps(one, indent=1) for one in CHAT),
        ",\n".join(json.dumps(one, indent=1) for one in CHAT),
        " ".join(map(json.dumps, CHAT)),
    ],
)
def test_values_that_stretch_over_lines_are_read(text: str) -> None:
    assert value_of(text.encode()) == (Lines(CHAT), [])


@pytest.mark.parametrize("noise", ["INFO start", '{"half', "[10:02] started"])
def test_a_line_above_the_lines_of_json_is_left_out_with_a_notice(noise: str) -> None:
    history = import_history("\n".join([noise, *map(json.dumps, CHAT)]))
    assert outline(history) == OUTLINE
    assert history.notices == (Notice("line that is no JSON", "line 1", 1, len(noise), is_left_out=True),)


def test_json_in_a_text_stays_a_part_of_it() -> None:
    text = 'user: What is this?\n{"a": 1}\nassistant: An object.'
    assert outline(import_history(text)) == [("user", 'What is this?\n{"a": 1}'), ("assistant", "An object.")]


@pytest.mark.parametrize("head", ["[a note]", "[10:02] anna: hi", "[3] x"])
def test_what_begins_in_brackets_is_no_broken_json(head: str) -> None:
    assert value_of(head.encode()) == (head, [])


@pytest.mark.parametrize(
    "record",
    [
        [{"messages": CHAT}, {"messages": OTHER}],
        [CHAT, OTHER],
        [{"conversations": NAMED}, {"conversations": NAMED_OTHER}],
        [NAMED, NAMED_OTHER],
        [{"contents": CHAT}, {"contents": OTHER}],
    ],
    ids=["objects", "lists", "named", "named lists", "contents"],
)
@pytest.mark.parametrize("are_lines", [True, False], ids=["lines", "list"])
def test_each_of_several_conversations_begins_anew(record: list[object], are_lines: bool) -> None:
    history = import_history("\n".join(map(json.dumps, record)) if are_lines else json.dumps(record))
    assert outline(history) == [*OUTLINE, ("user", "Anchor?"), ("assistant", "No.")]
    assert answers(history) == [None, 0, None, 2]
    assert history.notices == (Notice("another conversation, which begins anew", "turn 3"),)


@pytest.mark.parametrize(
    ("text", "reason", "advice"),
    [
        ("role,content\nuser,hi\n", "most likely a table", "a line of JSON"),
        ("role\tcontent\nuser\thi\n", "most likely a table", "a line of JSON"),
        ("<!DOCTYPE html>\n<p>user: hi</p>", "a page of HTML", "export the conversation as JSON"),
        ("[10:02] anna: hi\n[10:03] ben: ho\n", "most likely the log of a chat", "replace the time"),
        ("[04.05.26, 10:02:11] Anna: hi", "most likely the log of a chat", "replace the time"),
        ("2026-05-04 10:02 - Anna Berg: hi", "most likely the log of a chat", "replace the time"),
        (
            "A talk.\n\nuser: a\nassistant: b",
            "line 3 names `user`, but other text stands above",
            "plain_text",
        ),
        ("[HumanMessage(content='Hi', id=None)]", "what Python prints of a value", "json.dumps"),
        ("[{'role': 'user', 'content': 'Hi'}]", "what Python prints of a value", "json.dumps"),
        ("{'messages': [HumanMessage(content='Hi')]}", "what Python prints of a value", "json.dumps"),
        ('[{"role": "user" "content": "Hi"}]', "the JSON is broken in line 1", "keep the JSON alone"),
        ("assistant: b", "line 1 names `assistant`, but nobody else speaks", "name the format plain_text"),
        ("Once, in May, it rained.\nThen, in June, it did not.", "begins with `Once", "known are"),
    ],
)
def test_a_text_without_a_conversation_is_named(text: str, reason: str, advice: str) -> None:
    with pytest.raises(NotATranscript) as refusal:
        import_history(text)
    assert reason in refusal.value.reason
    assert advice in refusal.value.advice
