"""Nothing of a record is left out in silence, wherever in it a word stands.

A word is planted at one place of a record after the other (`whole_records` has one of each format); it has
to be in the history then, or a notice has to tell of that place, unless its field is in the table of those
that are no part of a conversation.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator

import msgspec
import pytest

from pairl.encode.history import History
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.formats import FORMATS, import_history
from pairl.encode.importers.metadata import METADATA
from tests.property.whole_records import ELSEWHERE, LINKS, REPEATED, SAMPLES, Path

WORD = "Zwieselhornbach"


def places(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield where the texts of a value stand."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))
    elif isinstance(value, str):
        yield path


def objects(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield where the objects of a value stand."""
    if isinstance(value, dict):
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from objects(inner, (*path, key))


def all_places(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield where anything stands in a value, but for the value itself."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from all_places(inner, (*path, key))


def planted(value: object, path: Path, word: object) -> object:
    """Return a copy of a value with a word at a place."""
    copied = copy.deepcopy(value)
    at = copied
    for key in path[:-1]:
        at = at[key]  # type: ignore[index]
    at[path[-1]] = word  # type: ignore[index]
    return copied


def imported(name: str, value: object) -> History | None:
    """Return what is read of a value, None where it is refused."""
    lines = isinstance(value, list) and name in ("claude_code", "codex")
    text = "\n".join(map(json.dumps, value)) if lines and isinstance(value, list) else json.dumps(value)
    try:
        return import_history(text, name)
    except NotATranscript:
        return None


def is_told(history: History, before: History) -> bool:
    """Say whether the word is in a history, or a notice tells of it."""
    turns = msgspec.json.encode(history.turns).decode()
    return WORD in turns or history.notices != before.notices


def test_every_format_has_a_sample() -> None:
    assert {form.name for form in FORMATS} == {*SAMPLES, "plain_text"}
    assert all(import_history(imported_text(name)).format == name for name in SAMPLES)


def imported_text(name: str) -> str:
    """Return the sample of a format as its file has it."""
    value = SAMPLES[name]
    return (
        "\n".join(map(json.dumps, value))
        if name in ("claude_code", "codex") and isinstance(value, list)
        else json.dumps(value)
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_word_at_any_place_is_told(name: str) -> None:
    before = imported(name, SAMPLES[name])
    assert before is not None
    lost = []
    for path in places(SAMPLES[name]):
        history = imported(name, planted(SAMPLES[name], path, WORD))
        keys = {key for key in path if isinstance(key, str)}
        if (
            history is not None
            and not is_told(history, before)
            and not keys & METADATA
            and path[-1] not in LINKS
        ):
            lost.append(path)
    assert not lost


OTHER_TYPES: dict[str, object] = {
    "a text": WORD,
    "an object": {"undertow": WORD},
    "an object with a text": {"text": WORD},
    "a part": {"type": "text", "text": WORD},
    "a list": [WORD, WORD],
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_a_value_of_another_type_is_told_at_any_place(name: str, kind: str) -> None:
    before = imported(name, SAMPLES[name])
    assert before is not None
    lost = []
    for path in all_places(SAMPLES[name]):
        history = imported(name, planted(SAMPLES[name], path, OTHER_TYPES[kind]))
        keys = {key for key in path if isinstance(key, str)}
        field = next(key for key in (*reversed(path), "") if isinstance(key, str))
        if (
            history is not None
            and not is_told(history, before)
            and not keys & METADATA
            and field not in LINKS
            and (name, path) not in REPEATED
        ):
            lost.append(path)
    assert not lost


@pytest.mark.parametrize("name", SAMPLES)
def test_a_field_that_is_not_known_is_told_in_any_object(name: str) -> None:
    before = imported(name, SAMPLES[name])
    assert before is not None
    lost = []
    for path in objects(SAMPLES[name]):
        history = imported(name, planted(SAMPLES[name], (*path, "undertow"), WORD))
        is_open = not set(path) & METADATA and (name, path) not in ELSEWHERE
        if history is not None and not is_told(history, before) and is_open:
            lost.append(path)
    assert not lost


@pytest.mark.parametrize("name", SAMPLES)
def test_an_item_of_an_unknown_kind_is_told_in_any_list(name: str) -> None:
    before = imported(name, SAMPLES[name])
    assert before is not None
    lost = []
    for path in objects(SAMPLES[name]):
        if path and isinstance(path[-1], int):
            item = {"type": "undertow", "drift": WORD}
            history = imported(name, planted(SAMPLES[name], path, item))
            if history is not None and not is_told(history, before):
                lost.append(path)
    assert not lost


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"otel", "langchain", "swe_agent"}))
def test_a_record_of_an_unknown_kind_is_told_behind_others(name: str) -> None:
    value = SAMPLES[name]
    records = value if isinstance(value, list) else [value, value]
    before, history = imported(name, records), imported(name, [*records, {"type": "undertow", "drift": WORD}])
    assert before is not None
    assert history is not None
    assert is_told(history, before)
