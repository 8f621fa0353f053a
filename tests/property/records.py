"""Strategies for values of JSON that are records of conversations only nearly.

Knows the names and words that records are made of, so that what is drawn comes near to each of them. Refuses
to know what any of them means.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from pairl.encode.importers.format import Lines

_NAMES = """
    action additional_kwargs agentId answers args arguments artifact calls citations content data
    error_code exchanges file function history id input invalid_tool_calls isApiErrorMessage
    isCompactSummary isSidechain is_error kwargs lc logicalParentUuid message messages message_type name
    numLines parentUuid prompt request response return_code role reasoning server_name sessionId signature
    source speaker status stderr stdout structuredPatch subagent_type subtype summary system text thinking
    thinking_blocks thought timestamp tool_call_id tool_call_ids tool_calls toolUseResult tool_use_id
    trajectory trajectory_format type url uuid values
"""
_WORDS = """
    ai assistant base64 chat compact_boundary constructor document error exit function human image
    image_url langchain mcp_tool_result mcp_tool_use message observation reasoning redacted_thinking
    remove system text thinking tool tool_result tool_use user web_search_tool_result x y HumanMessage
    AIMessageChunk 2026-01-01T00:00:00Z
"""
NAMES = st.sampled_from(_NAMES.split())
WORDS = st.sampled_from(_WORDS.split())
TEXTS = st.one_of(
    WORDS,
    st.sampled_from(
        ["", "```\nls\n```", "```bash\nls\n```", "<returncode>1</returncode>", "{}", "{", "\ud83d"]
    ),
    st.text(max_size=6),
)
ATOMS = st.one_of(TEXTS, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False))
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=6)),
    max_leaves=25,
)


def _object(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Return objects with some of these fields, and sometimes another one."""
    known = st.fixed_dictionaries({}, optional=fields)
    more = st.dictionaries(NAMES, VALUES, max_size=1)
    return st.builds(lambda first, second: {**first, **second}, known, more)


def _lines(items: Sequence[object]) -> Lines:
    return Lines(list(items))


IDS = st.sampled_from(["a", "b", "", None])
BLOCKS = _object(
    type=WORDS, text=TEXTS, id=IDS, tool_use_id=IDS, name=TEXTS, input=VALUES, content=VALUES, source=VALUES
)
CONTENTS = st.one_of(TEXTS, st.none(), st.lists(st.one_of(BLOCKS, ATOMS), max_size=3))
MESSAGES = _object(
    role=WORDS,
    type=WORDS,
    content=CONTENTS,
    id=IDS,
    tool_calls=VALUES,
    tool_call_id=IDS,
    action=TEXTS,
    data=VALUES,
)
SESSION_LINES = _object(
    type=st.sampled_from(["user", "assistant", "system"]),
    message=MESSAGES,
    uuid=IDS,
    parentUuid=IDS,
    logicalParentUuid=IDS,
    isSidechain=st.booleans(),
    isCompactSummary=st.booleans(),
    toolUseResult=VALUES,
)
LISTS = st.lists(st.one_of(MESSAGES, SESSION_LINES, ATOMS), max_size=5)
EXCHANGES = st.lists(_object(request=_object(messages=LISTS, system=CONTENTS), response=MESSAGES), max_size=3)
RECORDS = st.one_of(
    VALUES,
    LISTS,
    LISTS.map(_lines),
    EXCHANGES.map(_lines),
    SESSION_LINES,
    _object(
        messages=LISTS, history=LISTS, values=_object(messages=LISTS), system=VALUES, exchanges=EXCHANGES
    ),
    st.text(max_size=20),
)
"""What a text may hold: a value of JSON, a value on each line, or words."""
