"""Chats of OpenAI's interface, in every container and with every oddity that real records have.

Knows what becomes of each in a history. All samples are made up.
"""

from __future__ import annotations

import json

import pytest

from pairl.encode.history import History, Unknown
from pairl.encode.importers.format import Lines, NotATranscript
from pairl.encode.importers.openai_chat import FORMAT
from tests.unit.outlines import answers, calls, notices, outline

Json = dict[str, object]
ASKED: Json = {"role": "user", "content": "How long is the ferry?"}
SAID: Json = {"role": "assistant", "content": "42 m."}
OUTLINE = [("user", "How long is the ferry?"), ("assistant", "42 m.")]


def call(call_id: str, name: str, arguments: object = "{}") -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def returned(call_id: str, content: object) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def response(*messages: Json, **more: object) -> Json:
    return {"choices": [{"index": index, "message": one} for index, one in enumerate(messages)], **more}


def read(*messages: Json) -> History:
    return FORMAT.read(list(messages))


@pytest.mark.parametrize(
    "record",
    [
        [ASKED, SAID],
        Lines([ASKED, SAID]),
        {"messages": [ASKED, SAID]},
        {"traj": [ASKED, SAID], "task_id": 3, "reward": 1.0, "info": {}, "trial": 0},
        {"conversations": [ASKED, SAID]},
        {"messages": [ASKED], "tools": [], "response": response(SAID), "cost": 0.1},
        {"exchanges": [{"request": {"messages": [ASKED], "model": "m"}, "response": response(SAID)}]},
        {"request": {"messages": [ASKED]}, "response": response(SAID)},
        {"messages": [ASKED, SAID], "response": response(SAID)},
        {"request": {"messages": [ASKED]}, "response": {"model": "m", "message": SAID}},
        Lines([{"messages": [ASKED], "response": response(SAID)}]),
    ],
)
def test_every_container_holds_the_same_conversation(record: object) -> None:
    assert FORMAT.recognise(record)
    history = FORMAT.read(record)
    assert outline(history) == OUTLINE
    assert history.items == (ASKED, SAID)
    assert [turn.item for turn in history.turns] == [0, 1]
    assert not history.notices


def test_of_exchanges_the_last_request_is_read_with_its_response() -> None:
    first: Json = {"request": {"messages": [ASKED]}, "response": response(SAID, created=1_767_225_600)}
    more: Json = {"role": "user", "content": "And how wide?"}
    wide: Json = {"role": "assistant", "content": "11 m."}
    second = {"request": {"messages": [ASKED, SAID, more]}, "response": response(wide, created=1_767_225_700)}
    history = FORMAT.read({"exchanges": [first, second]})
    assert outline(history) == [*OUTLINE, ("user", "And how wide?"), ("assistant", "11 m.")]
    assert notices(history) == {"exchange that another one repeats": (1, 0)}
    assert history.began_at == "2026-01-01T00:00:00+00:00"


def test_other_conversations_among_exchanges_follow_as_their_own() -> None:
    other: Json = {"role": "user", "content": "What is the time?"}
    lines: list[object] = [
        {"messages": [ASKED], "response": response(SAID)},
        {"messages": [other], "response": response()},
    ]
    history = FORMAT.read(Lines(lines))
    assert outline(history) == [*OUTLINE, ("user", "What is the time?")]
    assert answers(history) == [None, 0, None]


def test_an_exchange_of_the_other_interface_may_stand_among_them() -> None:
    item: Json = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "42."}]}
    before: Json = {"request": {"input": [ASKED], "model": "m"}, "response": {"output": [item]}}
    after = {"request": {"messages": [ASKED, SAID, ASKED]}, "response": response(SAID)}
    assert FORMAT.recognise({"exchanges": [before, after]})
    assert not FORMAT.recognise({"exchanges": [after, before]})
    assert outline(FORMAT.read({"exchanges": [before, after]})) == OUTLINE * 2


def test_other_answers_to_a_request_are_told_and_left_out() -> None:
    record = {"messages": [ASKED], "response": response(SAID, {"role": "assistant", "content": "About 40."})}
    history = FORMAT.read(record)
    assert outline(history) == OUTLINE
    assert notices(history) == {"other answer to the same request": (1, 0)}


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("text", ("text",)),
        ("", ()),
        (None, ()),
        ([], ()),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], ("one", "two")),
        (["one", "two"], ("one", "two")),
        ([{"text": "no kind"}], ("no kind",)),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "so"}], ("(hm)", "so")),
        ([{"type": "refusal", "refusal": "I will not."}], ("I will not.",)),
        ({"type": "text", "text": "alone"}, ("alone",)),
        (3, ("3",)),
        ([{"type": "hologram", "beam": 1}], ("?hologram",)),
    ],
)
def test_content_has_many_shapes(content: object, parts: tuple[str, ...]) -> None:
    assert outline(read(ASKED, {"role": "assistant", "content": content}))[1] == ("assistant", *parts)


def test_a_message_without_content_is_a_turn_all_the_same() -> None:
    history = read(ASKED, {"role": "assistant", "tool_calls": [call("a", "ls")]}, {"role": "user"})
    assert outline(history)[1:] == [("assistant", "1:ls"), ("user",)]


def test_an_item_of_unknown_kind_is_kept_with_a_notice() -> None:
    part = {"type": "hologram", "beam": 1}
    history = read(ASKED, {"role": "assistant", "content": [part]})
    assert history.turns[1].parts == (Unknown("hologram", json.dumps(part, separators=(",", ":"))),)
    assert "item of unknown kind `hologram`" in notices(history)


def test_media_are_told_with_their_size_and_left_out() -> None:
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'A' * 1_000}"}}
    sound = {"type": "input_audio", "input_audio": {"data": "B" * 500, "format": "wav"}}
    history = read({"role": "user", "content": [{"type": "text", "text": "See."}, image, image, sound]})
    assert outline(history) == [("user", "See.")]
    told = notices(history)
    assert told["image"][0] == 2
    assert told["image"][1] > 2_000
    assert told["audio"][0] == 1


def test_parallel_calls_keep_their_order_and_their_results() -> None:
    both: Json = {
        "role": "assistant",
        "content": None,
        "tool_calls": [call("x", "north"), call("y", "south")],
    }
    history = read(ASKED, both, returned("y", "warm"), returned("x", "cold"), SAID)
    assert outline(history)[1:] == [("assistant", "1:north", "2:south", "2=warm", "1=cold"), OUTLINE[1]]


def test_an_id_that_is_given_again_belongs_to_the_next_call() -> None:
    one: Json = {"role": "assistant", "tool_calls": [call("same", "open")]}
    two: Json = {"role": "assistant", "tool_calls": [call("same", "close")]}
    history = read(ASKED, one, returned("same", "opened"), two, returned("same", "closed"))
    assert outline(history)[1:] == [("assistant", "1:open", "1=opened"), ("assistant", "2:close", "2=closed")]


@pytest.mark.parametrize("call_id", ["", None])
def test_results_without_an_id_answer_the_calls_in_their_order(call_id: str | None) -> None:
    both: Json = {"role": "assistant", "tool_calls": [call("", "first"), call("b", "second")]}
    unnamed: Json = {"role": "tool", "tool_call_id": call_id, "content": "one"}
    history = read(ASKED, both, unnamed, {**unnamed, "content": "two"})
    assert outline(history)[1] == ("assistant", "1:first", "2:second", "1=one", "2=two")


def test_a_result_that_no_call_asked_for_is_kept_and_told() -> None:
    history = read(ASKED, SAID, returned("ghost", "boo"))
    assert outline(history)[1] == ("assistant", "42 m.", "=boo")
    assert notices(history) == {"result without a call": (1, 0)}


def test_a_call_that_was_never_answered_is_a_call() -> None:
    assert outline(read(ASKED, {"role": "assistant", "tool_calls": [call("z", "finish")]}))[1] == (
        "assistant",
        "1:finish",
    )


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ('{"path": "a.txt", "n": 2}', {"path": "a.txt", "n": 2}),
        ('{ "n" :\n2 }', {"n": 2}),
        ("{}", {}),
        ("", {}),
        (None, {}),
        ({"n": 2}, {"n": 2}),
        ('{"n": 2', {"": '{"n": 2'}),
        ("ls -l", {"": "ls -l"}),
        ("[1, 2]", {"": "[1, 2]"}),
        ("null", {"": "null"}),
        ('{"n": NaN, "h": "\\ud83d"}', {"n": "NaN", "h": "\ud83d"}),
    ],
)
def test_arguments_are_an_object_or_one_text(given: object, arguments: Json) -> None:
    history = read(ASKED, {"role": "assistant", "tool_calls": [call("a", "run", given)]})
    assert calls(history)[0].arguments == arguments


def test_calls_have_many_shapes() -> None:
    shapes = [
        {"id": "a", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}},
        {"id": "b", "name": "flat", "args": {"x": 1}},
        {"function": {"name": "local", "arguments": {"y": 2}}},
        {"id": "d", "function": {}},
        "nonsense",
    ]
    history = read(ASKED, {"role": "assistant", "tool_calls": shapes})
    assert [(one.tool, one.arguments, one.id) for one in calls(history)] == [
        ("patch", {"": "*** Begin"}, "a"),
        ("flat", {"x": 1}, "b"),
        ("local", {"y": 2}, ""),
        ("unnamed", {"function": {}}, "d"),
        ("unnamed", {"": "nonsense"}, ""),
    ]
    assert notices(history)["call without the name of a tool"][0] == 2


def test_the_older_form_has_one_call_and_a_function_as_role() -> None:
    history = read(
        ASKED,
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "measure", "arguments": '{"of": "x"}'},
        },
        {"role": "function", "name": "measure", "content": "42"},
        {**SAID, "function_call": None},
    )
    assert outline(history)[1:] == [("assistant", "1:measure", "1=42"), OUTLINE[1]]


def test_the_content_of_a_result_may_be_a_list() -> None:
    asked: Json = {"role": "assistant", "tool_calls": [call("a", "look"), call("b", "list")]}
    picture = {"type": "image_url", "image_url": {"url": "data:,x"}}
    parts = [{"type": "text", "text": "a"}, picture, {"type": "text", "text": "b"}]
    history = read(ASKED, asked, returned("a", parts), returned("b", [1, {"n": 2}]))
    assert outline(history)[1][3:] == ("1=a\nb", '2=[1,{"n":2}]')
    assert notices(history)["image"][0] == 1


@pytest.mark.parametrize(
    ("fields", "end"), [({"status": "error"}, "!"), ({"is_error": False}, "."), ({"is_error": "no"}, "")]
)
def test_what_a_result_says_of_itself_is_taken_over(fields: Json, end: str) -> None:
    asked: Json = {"role": "assistant", "tool_calls": [call("a", "look")]}
    assert outline(read(ASKED, asked, {**returned("a", "x"), **fields}))[1][2] == f"1=x{end}"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("<think>one</think>\n\n<think>\ntwo\n</think>\n\nSo: 3.", ("(one)", "(two)", "So: 3.")),
        ("\n<thinking>x</thinking>y", ("(x)", "y")),
        ("<think></think>plain", ("plain",)),
        ("<think>only</think>", ("(only)",)),
        ("  as it was  ", ("  as it was  ",)),
        ("It says <think>not here</think>.", ("It says <think>not here</think>.",)),
        ("<think>never closed", ("<think>never closed",)),
    ],
)
def test_thoughts_at_the_head_of_an_answer_are_thoughts(content: str, parts: tuple[str, ...]) -> None:
    assert outline(read(ASKED, {"role": "assistant", "content": content}))[1] == ("assistant", *parts)
    assert outline(read({"role": "user", "content": content}))[0] == ("user", content)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_may_stand_in_a_field(field: str) -> None:
    assert outline(read(ASKED, {**SAID, field: "Long boats."}))[1] == ("assistant", "(Long boats.)", "42 m.")


def test_thoughts_that_are_told_twice_are_read_once() -> None:
    message: Json = {
        **SAID,
        "reasoning": "Hm.",
        "reasoning_content": "Hm.",
        "reasoning_details": [{"text": "Hm."}],
    }
    history = read(ASKED, message)
    assert outline(history)[1] == ("assistant", "(Hm.)", "42 m.")
    assert not history.notices


def test_a_refusal_is_said() -> None:
    assert outline(read(ASKED, {"role": "assistant", "content": None, "refusal": "No."}))[1] == (
        "assistant",
        "No.",
    )


def test_what_was_spoken_is_its_transcript() -> None:
    spoken: Json = {
        "role": "assistant",
        "content": None,
        "audio": {"id": "x", "data": "C" * 99, "transcript": "Yes."},
    }
    history = read(ASKED, spoken)
    assert outline(history)[1] == ("assistant", "Yes.")
    assert notices(history) == {"audio": (1, 99)}


def test_roles_have_many_names_and_participants_may_have_one() -> None:
    history = read(
        {"role": "developer", "content": "Be kind."},
        {"role": "Human", "content": "Hi."},
        {"role": "user", "name": "ada", "content": "Hello."},
        {"role": "critic", "content": "Too long."},
        {"role": "model", "content": "Sorry."},
    )
    assert [(turn.role, turn.speaker) for turn in history.turns] == [
        ("system", None),
        ("user", None),
        ("user", "ada"),
        ("assistant", "critic"),
        ("assistant", None),
    ]


def test_fields_that_are_not_known_are_told() -> None:
    history = read({**ASKED, "mood": "curious", "empty": None}, {**SAID, "annotations": [], "model": "m"})
    assert [(one.what, one.where, one.count) for one in history.notices] == [
        ("field that is no part of the conversation", "mood", 1)
    ]


@pytest.mark.parametrize(
    "record",
    [
        [],
        {},
        "text",
        None,
        3,
        Lines([]),
        [{"role": "user"}],
        [{"content": "x"}],
        {"messages": []},
        {"messages": "none"},
        {"instruction": "Add.", "input": "1 2", "output": "3"},
        [1, 2],
    ],
)
def test_what_is_no_chat_is_not_recognised(record: object) -> None:
    assert not FORMAT.recognise(record)


@pytest.mark.parametrize("record", [[], {}, "text", None, {"messages": []}, {"exchanges": [{}]}])
def test_what_is_no_chat_is_refused(record: object) -> None:
    with pytest.raises(NotATranscript, match="there are no chat messages in it"):
        FORMAT.read(record)


def test_a_few_strange_items_do_not_spoil_a_chat() -> None:
    messages = [ASKED, SAID, ASKED, SAID, 7, {"note": "x"}]
    assert FORMAT.recognise(messages)
    history = FORMAT.read(messages)
    assert outline(history)[:4] == OUTLINE * 2
    assert notices(history)["message that is no object"] == (1, 1)
