"""Conversations that others have recorded, where they are at hand: each file imports, and nothing is lost.

Knows how many turns, thoughts, calls and results were counted in each by other means. Refuses to know what
they say. `PAIRL_TRANSCRIPTS_DIR` names the directory that holds them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pairl.encode.history import Call, Result, Thought
from pairl.encode.importers.formats import import_history

COUNTED = {
    "pydantic_anthropic_mcp_servers": ("anthropic", 4, 2, 2, 2),
    "pydantic_anthropic_model_thinking_part": ("anthropic", 4, 2, 0, 0),
    "pydantic_multiple_parallel_tool_calls": ("anthropic", 4, 0, 4, 4),
    "viewer_1af7fc5e": ("claude_code", 9, 0, 12, 12),
    "viewer_5c0375b4": ("claude_code", 24, 0, 21, 21),
    "openhands_fn_1757015036": ("openai_chat", 6, 0, 4, 3),
    "openhands_fn_1757015046": ("openai_chat", 8, 0, 6, 5),
    "pydantic_compatible_api_with_tool_calls_without_id": ("openai_chat", 3, 0, 1, 1),
    "pydantic_openai_model_thinking_part": ("openai_chat", 4, 2, 0, 0),
    "tau_airline_167": ("openai_chat", 30, 0, 12, 12),
    "tau_airline_194": ("openai_chat", 6, 0, 0, 0),
    "oasst_path_035": ("openai_chat", 6, 0, 0, 0),
    "oasst_path_051": ("openai_chat", 6, 0, 0, 0),
    "pydantic_openai_responses_model_mcp_server_tool": ("openai_responses", 5, 0, 1, 1),
    "pydantic_openai_responses_thinking_with_tool_calls": ("openai_responses", 4, 5, 1, 1),
    "background_run": ("langchain", 3, 0, 1, 1),
    "crypto_BabyEncryption": ("swe_agent", 17, 0, 15, 14),
    "demonstrations_function_calling_simple": ("swe_agent", 7, 0, 5, 5),
    "mini_local": ("swe_agent", 4, 0, 2, 2),
    "replay_marshmallow_code_marshmallow_1867_function_calling_in": ("swe_agent", 13, 0, 11, 11),
}
"""Format, turns, thoughts, calls and results of files, by the name before the first point."""


@pytest.fixture(scope="module")
def transcripts() -> list[Path]:
    """Return the files of the recorded conversations."""
    directory = os.environ.get("PAIRL_TRANSCRIPTS_DIR")
    if not directory:
        pytest.skip("set PAIRL_TRANSCRIPTS_DIR to a directory of recorded conversations to import them")
    return sorted(path for path in Path(directory).glob("*/*") if path.is_file())


def test_every_file_is_imported(transcripts: list[Path]) -> None:
    assert len(transcripts) >= len(COUNTED)
    for path in transcripts:
        history = import_history(path.read_bytes())
        parts = [part for turn in history.turns for part in turn.parts]
        assert history.turns, path
        assert not any(isinstance(part, Result) and part.call is None for part in parts), path


@pytest.mark.parametrize("name", COUNTED)
def test_what_was_counted_is_there(transcripts: list[Path], name: str) -> None:
    (path,) = (path for path in transcripts if path.name.partition(".")[0] == name)
    history = import_history(path.read_bytes())
    parts = [part for turn in history.turns for part in turn.parts]
    counts = [sum(isinstance(part, kind) for part in parts) for kind in (Thought, Call, Result)]
    assert (history.format, len(history.turns), *counts) == COUNTED[name]


def test_a_later_request_of_a_session_begins_as_the_earlier_one_went(transcripts: list[Path]) -> None:
    """All turns are the same; the last one had a call that was not answered yet."""
    earlier, later = (
        import_history(path.read_bytes()).turns
        for path in transcripts
        if path.name.startswith("openhands_fn_")
    )
    assert later[: len(earlier) - 1] == earlier[:-1]
    assert later[len(earlier) - 1].parts[: len(earlier[-1].parts)] == earlier[-1].parts


def test_a_result_that_the_last_request_leaves_out_is_read(transcripts: list[Path]) -> None:
    (path,) = (path for path in transcripts if path.name.startswith("pydantic_openai_responses_model_mcp"))
    parts = [part for turn in import_history(path.read_bytes()).turns for part in turn.parts]
    assert [len(part.text) for part in parts if isinstance(part, Result)] == [3_627]
