"""What ChatGPT and Claude export: branches, attachments, and several conversations in one file.

All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers import chatgpt, claude_ai
from pairl.encode.importers.format import Format, NotATranscript
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]


def node(role: str, parent: str | None, content: Json, **more: object) -> Json:
    author = {"role": role, "name": more.pop("name", None)}
    return {"parent": parent, "message": {"author": author, "content": content, **more}}


def text(*parts: object) -> Json:
    return {"content_type": "text", "parts": list(parts)}


ASKED = node("user", "root", text("How deep?"))
TALK: Json = {
    "create_time": 1_767_225_600,
    "current_node": "e",
    "mapping": {
        "root": {"parent": None, "message": None},
        "hidden": node("system", "root", text("")),
        "a": ASKED,
        "b": node("assistant", "a", {"content_type": "code", "text": '{"pier":3}'}, recipient="sound"),
        "c": node("tool", "b", {"content_type": "execution_output", "text": "4 m"}, name="sound"),
        "other": node("assistant", "a", text("No idea.")),
        "d": node(
            "assistant", "c", {"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]}
        ),
        "e": node("assistant", "d", text("4 m."), recipient="all"),
    },
}


def test_the_branch_that_was_shown_last_is_read() -> None:
    assert chatgpt.FORMAT.recognise(TALK)
    history = chatgpt.FORMAT.read(TALK)
    assert outline(history) == [
        ("user", "How deep?"),
        ("assistant", "1:sound", "1=4 m"),
        ("assistant", "(S\nC)"),
        ("assistant", "4 m."),
    ]
    assert calls(history)[0].arguments == {"pier": 3}
    assert history.began_at == "2026-01-01T00:00:00+00:00"
    assert notices(history)["message of a branch that was left"][0] == 2


def test_without_a_current_node_the_last_one_is_it() -> None:
    history = chatgpt.FORMAT.read({**TALK, "current_node": "nowhere"})
    assert outline(history)[-1] == ("assistant", "4 m.")


@pytest.mark.parametrize("parent", ["a", "b", 3])
def test_a_tree_that_is_none_ends(parent: object) -> None:
    nodes = {"a": {**ASKED, "parent": parent}, "b": {**ASKED, "parent": "a"}}
    assert outline(chatgpt.FORMAT.read({"mapping": nodes}))[-1] == ("user", "How deep?")


@pytest.mark.parametrize(
    ("content", "parts", "noticed"),
    [
        (
            text({"content_type": "image_asset_pointer", "asset_pointer": "x"}, "See."),
            ("See.",),
            "attached image",
        ),
        (text({"content_type": "image_asset_pointer"}), (), "attached image"),
        ({"content_type": "tether_quote", "title": "T", "url": "U", "text": "X"}, ("X\nT\nU",), None),
        ({"content_type": "reasoning_recap", "content": "Thought a while."}, ("Thought a while.",), None),
    ],
)
def test_every_kind_of_content(content: Json, parts: tuple[str, ...], noticed: str | None) -> None:
    history = chatgpt.FORMAT.read({"mapping": {"a": ASKED, "b": node("assistant", "a", content)}})
    assert outline(history)[1] == ("assistant", *parts)
    assert list(notices(history)) == ([noticed] if noticed else [])


def sent(sender: str, words: str, **more: object) -> Json:
    return {"sender": sender, "text": words, **more}


EXPORT: Json = {
    "name": "Depth",
    "created_at": "2026-05-04T10:00:00Z",
    "chat_messages": [
        sent(
            "human",
            "How deep?",
            attachments=[{"extracted_content": "pier 3"}],
            files=[{"file_name": "a.png"}],
        ),
        sent(
            "assistant",
            "4 m.",
            content=[
                {"type": "tool_use", "id": None, "name": "sound", "input": {"pier": 3}},
                {"type": "tool_result", "tool_use_id": None, "content": [{"type": "text", "text": "4 m"}]},
                {"type": "text", "text": "4 m."},
            ],
        ),
    ],
}


def test_messages_of_claude_are_read_with_what_was_attached() -> None:
    assert claude_ai.FORMAT.recognise([EXPORT])
    history = claude_ai.FORMAT.read([EXPORT])
    assert outline(history) == [("user", "How deep?", "pier 3"), ("assistant", "1:sound", "1=4 m", "4 m.")]
    assert history.began_at == "2026-05-04T10:00:00+00:00"
    assert notices(history)["attached file"][0] == 1


def test_a_sender_who_is_not_known_is_kept() -> None:
    history = claude_ai.FORMAT.read({"chat_messages": [sent("human", "a"), sent("ghost", "b")]})
    assert outline(history) == [("user", "a", "?message without a known sender")]


@pytest.mark.parametrize(("form", "talk"), [(chatgpt.FORMAT, TALK), (claude_ai.FORMAT, EXPORT)])
def test_each_conversation_of_an_export_begins_anew(form: Format, talk: Json) -> None:
    history = form.read([talk, talk])
    half = len(history.turns) // 2
    assert answers(history)[half] is None
    assert notices(history)["another conversation, which begins anew"][0] == 1
    assert not form.recognise([{"title": "x"}])
    with pytest.raises(NotATranscript):
        form.read([{"title": "x"}])
