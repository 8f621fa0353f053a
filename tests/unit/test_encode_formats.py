"""Which format a text is in, what is said where it is in none, and that a format can be named.

Knows a small sample of each format. All samples are made up.
"""

from __future__ import annotations

import json

import pytest

from pairl.encode.history import Notice, Said
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.formats import FORMATS, import_history
from pairl.encode.importers.unrecognised import MARKS
from tests.unit.outlines import calls, outline

CHAT = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Ho."}]
BLOCKS = [{"type": "tool_use", "id": "a", "name": "look", "input": {}}]
SESSION = [
    {"type": "user", "uuid": "1", "parentUuid": None, "sessionId": "s", "message": CHAT[0]},
    {
        "type": "assistant",
        "uuid": "2",
        "parentUuid": "1",
        "sessionId": "s",
        "message": {"id": "m", **CHAT[1]},
    },
]
SAMPLES: dict[str, str] = {
    "claude_code": "\n".join(map(json.dumps, SESSION)),
    "codex": "\n".join(
        json.dumps({"timestamp": "t", "type": "response_item", "payload": {"type": "message", **one}})
        for one in CHAT
    ),
    "chatgpt": json.dumps(
        {"mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi."]}}}}}
    ),
    "claude_ai": json.dumps([{"chat_messages": [{"sender": "human", "text": "Hi."}]}]),
    "swe_agent": json.dumps(
        {"trajectory": [{"action": "ls"}], "history": [{**one, "agent": "x"} for one in CHAT]}
    ),
    "langchain": json.dumps([{"type": "human", "content": "Hi."}, {"type": "ai", "content": "Ho."}]),
    "otel": json.dumps({"gen_ai.input.messages": CHAT}),
    "assistant_trees": json.dumps({"message_tree_id": "t", "prompt": {"text": "Hi.", "replies": []}}),
    "anthropic": json.dumps([CHAT[0], {"role": "assistant", "content": BLOCKS}]),
    "openai_responses": json.dumps([CHAT[0], {"type": "function_call", "call_id": "a", "name": "look"}]),
    "group_chat": json.dumps([{"speaker": "Anna", "text": "Hi."}, {"speaker": "Ben", "text": "Ho."}]),
    "openai_chat": json.dumps(CHAT),
    "plain_text": "user: Hi.\nassistant: Ho.",
}


def test_every_format_has_a_name_a_description_and_a_sample_here() -> None:
    assert [form.name for form in FORMATS] == list(SAMPLES)
    assert all(form.description and len(form.description) < 110 for form in FORMATS)
    assert set(MARKS) | {"plain_text"} == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_format_of_a_text_is_recognised(name: str) -> None:
    history = import_history(SAMPLES[name])
    assert history.format == name
    assert history.turns
    assert import_history(SAMPLES[name].encode()) == history
    assert import_history(SAMPLES[name], name) == history


@pytest.mark.parametrize("name", SAMPLES)
def test_marks_and_encodings_of_a_file_do_not_matter(name: str) -> None:
    wanted = import_history(SAMPLES[name]).turns
    for data in (
        b"\xef\xbb\xbf" + SAMPLES[name].encode(),
        SAMPLES[name].encode("utf-16"),
        SAMPLES[name].encode("utf-16-le"),
        ("\n\n" + SAMPLES[name] + "\n\n").encode(),
    ):
        assert import_history(data).turns == wanted


@pytest.mark.parametrize(
    "name", [name for name in SAMPLES if name not in ("plain_text", "claude_code", "codex")]
)
def test_a_file_that_was_cut_off_is_refused_with_the_place(name: str) -> None:
    with pytest.raises(NotATranscript, match=r"the JSON is broken in line 1, column \d+.*cut off"):
        import_history(SAMPLES[name][:-3])


def test_the_place_of_what_is_broken_counts_all_lines() -> None:
    with pytest.raises(NotATranscript, match="broken in line 4, column 3"):
        import_history("\n\n[\n1 2]")


def test_a_session_that_is_still_being_written_is_read_with_a_notice() -> None:
    history = import_history(SAMPLES["claude_code"][:-3])
    assert outline(history) == [("user", "Hi.")]
    assert history.notices[0].what == "half a line at the end"
    assert history.notices[0].where == "line 2"


def test_a_file_of_lines_that_has_one_so_far_is_recognised() -> None:
    history = import_history(json.dumps(SESSION[0]))
    assert (history.format, len(history.turns)) == ("claude_code", 1)


def test_half_characters_stay_in_the_text() -> None:
    history = import_history(
        b'[{"role": "user", "content": "\\ud83d"}, {"role": "assistant", "content": "\xc3\xa9\xff"}]'
    )
    assert [turn.parts for turn in history.turns] == [(Said("\ud83d"),), (Said("\xe9\udcff"),)]
    assert history.notices == (Notice("bytes that are not UTF-8", "line 1", 1, 1),)
    assert import_history("user: \ud83d\nassistant: b").turns[0].parts == (Said("\ud83d"),)


def test_a_text_that_only_begins_like_json_is_plain() -> None:
    assert import_history("[a note]\nuser: Hi.\nassistant: Ho.", "plain_text").format == "plain_text"


def test_notices_of_lines_stand_before_those_of_the_format() -> None:
    lines = [json.dumps(CHAT[0]), "noise", json.dumps({**CHAT[1], "mood": "x"})]
    history = import_history("\n".join(lines))
    assert history.notices == (
        Notice("line that is no JSON", "line 2", 1, 5, is_left_out=True),
        Notice("field that is no part of the conversation", "mood", 1, 3),
    )


@pytest.mark.parametrize(
    ("text", "reason", "advice"),
    [
        ("", "the text is empty", "the command before it failed"),
        ("\ufeff \n", "the text is empty", "the command before it failed"),
        (
            b"\x89PNG\r\n\x1a\n",
            "no text, but something that begins with `‰PNG",
            "known are claude_code, codex",
        ),
        ("Once upon a time.", "a text that begins with `Once upon a time.`", "lines that begin with `user:`"),
        ("[]", "an empty list", "known are"),
        ("{}", "an object with no fields", "known are"),
        ('{"a": 1, "b": 2}', "an object with `a`, `b`", "known are"),
        ("[[[[1]]]]", "a list of 1, of which the first is a list of 1", "known are"),
        ("[1, 2]", "a list of 2, of which the first is a number", "known are"),
        ('{"messages": [{"body": "x"}]}', "an object with `messages`", "the nearest format is openai_chat"),
        ('[{"content": "x"}]', "a list of 1, of which the first is an object with `content`", "openai_chat"),
        ('{"resourceSpans": []}', "`resourceSpans`", "the nearest format is otel"),
        ('{"uuid": "1"}\n{"uuid": "2"}', "the first of 2 is an object", "claude_code"),
        ('{"\\u001b[31m": 1}', "`\\x1b[31m`", "known are"),
        ("[true]", "a single word", "known are"),
        ('{"name": "quay", "version": "1"}', "an object with `name`, `version`", "known are"),
        ('{"message": "x", "chat_history": []}', "a conversation with Cohere, which is not read", "`role`"),
        ('{"timestamp": 1, "type": "event_msg", "payload": {}}', "`payload`", "the nearest format is codex"),
    ],
)
def test_what_is_in_no_format_is_refused_and_the_nearest_one_is_named(
    text: bytes | str, reason: str, advice: str
) -> None:
    with pytest.raises(NotATranscript) as refusal:
        import_history(text)
    assert reason in refusal.value.reason
    assert advice in refusal.value.advice
    assert str(refusal.value).isprintable()


def test_a_format_that_there_is_not_is_refused() -> None:
    with pytest.raises(NotATranscript, match="there is no format `morse`; name one of claude_code, "):
        import_history(SAMPLES["openai_chat"], "morse")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_text_of_another_format_is_refused_where_one_is_named(name: str) -> None:
    with pytest.raises(NotATranscript):
        import_history('{"colour": "blue"}', name)


def test_a_record_without_a_message_is_refused() -> None:
    with pytest.raises(NotATranscript, match=r"no message in it \(it was read as openai_responses\)"):
        import_history('[{"type": "mcp_list_tools", "tools": []}]')


@pytest.mark.parametrize("depth", [5_000, 200_000])
def test_json_that_is_nested_too_deeply_is_refused(depth: int) -> None:
    with pytest.raises(NotATranscript, match="nested too deeply"):
        import_history('[{"role": "user", "content": ' + "[" * depth + "]" * depth + "}]")


def test_arguments_that_are_nested_too_deeply_are_a_text() -> None:
    deep = '{"a": ' + "[" * 5_000 + "]" * 5_000 + "}"
    call = {"id": "a", "function": {"name": "dig", "arguments": deep}}
    history = import_history(json.dumps([{"role": "assistant", "content": "x", "tool_calls": [call]}]))
    assert calls(history)[0].arguments == {"": deep}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_json_lines_end_in_any_way(line_end: str) -> None:
    lines = ('{"role": "user", "content": "Moor?"}', '{"role": "assistant", "content": "At 4."}')
    assert len(import_history(line_end.join(lines)).turns) == 2


def test_a_format_that_there_is_not_is_guessed() -> None:
    with pytest.raises(NotATranscript, match="did you mean `openai_chat`"):
        import_history("[]", "openai")


def test_a_record_that_is_read_as_another_format_is_noticed() -> None:
    data = '[{"type": "human", "content": "Moor?"}, {"type": "ai", "content": "At 4."}]'
    assert import_history(data).notices == import_history(data, "langchain").notices == ()
    (notice, *_) = import_history(data, "openai_chat").notices
    assert notice.what == "it was read as openai_chat, as was asked, and looks like langchain"


def test_a_value_that_was_decoded_already_is_read() -> None:
    chat = [{"role": "user", "content": "Moor?"}, {"role": "assistant", "content": "At 4."}]
    assert import_history(chat) == import_history(json.dumps(chat))
    with pytest.raises(NotATranscript):
        import_history(12)
