"""A body as messages: where it is cut, what each declares, and how it is judged."""

from __future__ import annotations

import pytest

from pairl import CannotWrite, validate
from pairl.encode.addition import NOTHING_LEFT
from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call, History, Part, Result, Said, Turn
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.messages import as_messages, judged
from pairl.encode.reread import reread
from pairl.quotation import SourceTurn, normalise
from tests.skeletons import skeleton
from tests.unit.conversations import NOW, WHOLE, chat


@pytest.mark.parametrize(
    ("answered", "markers"),
    [([2, 0], ["u1", "a2", "u3", "a4", "t5", "t6"]), ([4, 1], ["a2", "a4", "t5", "t6"])],
)
def test_a_turn_that_is_answered_again_is_declared_in_the_order_of_turns(
    answered: list[int], markers: list[str]
) -> None:
    builder = HistoryBuilder("x")
    builder.turn("user")
    builder.turn("assistant")
    builder.call("look", {}, "k1")
    builder.turn("user")
    first = encode(builder.history(), Options(window=0))
    builder.result("k1", "17")
    builder.turn("assistant")
    for place in answered:
        builder.turn("assistant", speaker="clerk", answers=place)
    second = encode(builder.history(), before=first.state)
    (message,) = as_messages(second, id="m2", ts=NOW)
    assert [record.name for record in message.records if record.kind == "marker"] == markers
    assert validate(message, strict=True, source=()).diagnostics == []
    messages = [*as_messages(first, id="m1", ts=NOW), message]
    assert skeleton(reread(messages)) == skeleton(builder.history())


def test_decision_17_a_long_body_is_cut_between_turns() -> None:
    history = chat(*[("user", "Which pier?"), ("assistant", "Pier 4.")] * 600)
    messages = as_messages(encode(history, WHOLE), id="m1", ts=NOW, p="m0")
    assert [len(message.records) for message in messages] == [998, 998, 404]
    assert [message.headers["p"] for message in messages] == ["m0", "m1", "m1n2"]
    assert skeleton(reread(messages)) == skeleton(history)


def test_a_long_turn_is_cut_between_calls() -> None:
    parts: list[Part] = [Said("I look at all of them.")]
    parts += [Call(number, "Read", {"file_path": f"/f{number}"}) for number in range(1, 1_201)]
    parts += [Result(number, "fine") for number in range(1, 1_201)]
    history = History("x", (Turn("user", (), "Anna"), Turn("user", tuple(parts), "Bo", 0)))
    encoded = encode(history, WHOLE)
    messages = as_messages(encoded, id="m1", ts=NOW)
    assert len(messages) == 3
    for message in messages:
        assert validate(message, strict=True, source=encoded.source).diagnostics == []
    assert skeleton(reread(messages)) == skeleton(history)


def test_a_long_text_without_a_blank_is_quoted_as_far_as_a_message_holds_it() -> None:
    history = chat(("user", "\u4e00\u4e8c\u3002" * 120_000), ("assistant", '"' * 300_000))
    encoded = encode(history, WHOLE)
    assert encoded.report.dropped == {NOTHING_LEFT: 1, "texts left out": 1, "texts quoted in part": 1}
    (message,) = as_messages(encoded, id="m1", ts=NOW)
    assert validate(message, strict=True).valid


def test_a_longer_text_becomes_several_quotations_of_its_turn() -> None:
    text = "".join(f'Line {number} of a long list, with \u4e00 and "quotes".\n' for number in range(30_000))
    encoded = encode(chat(("user", text), ("assistant", "Thanks.")), WHOLE)
    assert encoded.report.dropped == {}
    messages = as_messages(encoded, id="m1", ts=NOW)
    assert len(messages) > 1
    for message, report in judged(messages, [SourceTurn("u1", text), SourceTurn("a2", "Thanks.")]):
        assert report.diagnostics == [], message.msg_id
    back = reread(messages)
    assert [turn.role for turn in back.turns] == ["user", "assistant"]
    assert (
        " ".join(part.text for part in back.turns[0].parts if isinstance(part, Said))
        == normalise(text).strip()
    )


def test_headers_are_refused_as_a_writer_does() -> None:
    with pytest.raises(CannotWrite):
        as_messages(encode(chat(("user", "x")), WHOLE), id="m 1", ts=NOW)
    assert as_messages(encode(chat(), WHOLE), id="m1", ts=NOW) == []


def test_each_message_is_judged_with_the_turns_that_it_quotes() -> None:
    encoded = encode(chat(*[("user", f"Is pier {number} lit?") for number in range(3)]), WHOLE)
    messages = as_messages(encoded, id="m1", ts=NOW)
    assert [report.valid for _, report in judged(messages, encoded.source)] == [True]
    forged = [SourceTurn(turn.id, turn.text.replace("pier 1", "pier 9")) for turn in encoded.source]
    (found,) = [report for _, report in judged(messages, forged)]
    assert [diagnostic.code for diagnostic in found.diagnostics] == ["V15/not-in-source"]
