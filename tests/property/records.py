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
_FIELDS = """
    arguments attributes body call_id choices content conversations data description error event.name events
    from function gen_ai.event.content gen_ai.input.messages gen_ai.output.messages gen_ai.prompt
    gen_ai.prompt.0.content gen_ai.system_instructions id input instructions is_error items key message
    message_tree_id messages name output parts previous_response_id prompt raw reasoning refusal replies
    request response result role sender source spanId speaker stringValue summary text thought timestamp
    tool_call_id tool_calls tool_responses type value args author candidates chat_messages contents
    current_node functionCall functionResponse mapping parent payload reasoningContent recipient state status
    systemInstruction text toolCallId toolInvocation toolInvocations toolName toolResult toolUse toolUseId
"""
FIELDS = st.sampled_from(_FIELDS.split())
_KINDS = """
    SystemMessage TextMessage ThoughtEvent ToolCallRequestEvent assistant blob code_interpreter_call file
    function function_call function_call_output gen_ai.choice gen_ai.tool.message gen_ai.user.message gpt
    human image_url input_text mcp_call mcp_list_tools message output_text prompter reasoning system text
    tool tool_call tool_call_response user user_proxy dynamic-tool error model output-available response_item
    tool-call tool-invocation tool-look tool-result
"""
KINDS = st.sampled_from(_KINDS.split())
ANY = st.recursive(
    st.one_of(ATOMS, KINDS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(FIELDS, inner, max_size=6)),
    max_leaves=30,
)
ITEMS = st.builds(
    lambda kind, fields: {**kind, **fields},
    st.fixed_dictionaries({}, optional={"type": KINDS, "role": KINDS, "source": TEXTS, "event.name": KINDS}),
    st.dictionaries(FIELDS, ANY, max_size=5),
)
ITEM_LISTS: st.SearchStrategy[list[object]] = st.lists(st.one_of(ITEMS, MESSAGES, ATOMS), max_size=6)
CONTAINERS = st.dictionaries(FIELDS, st.one_of(ITEM_LISTS, ITEMS, ANY), max_size=4)
ITEM_EXCHANGES = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "request": st.fixed_dictionaries(
                {}, optional={"messages": ITEM_LISTS, "input": st.one_of(ITEM_LISTS, TEXTS)}
            ),
            "response": st.fixed_dictionaries(
                {}, optional={"output": ITEM_LISTS, "choices": ITEM_LISTS, "id": TEXTS}
            ),
        },
    ),
    max_size=4,
)
LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["user:", "**Assistant:** x", "## System", "assistant: y", "```", "", "---", "{", "\u2028"]
        ),
        st.text(max_size=12),
    ),
    max_size=8,
).map("\n".join)
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
    LINES,
    ITEM_LISTS,
    ITEM_LISTS.map(_lines),
    CONTAINERS,
    st.lists(CONTAINERS, max_size=3).map(_lines),
    ITEM_EXCHANGES.map(lambda exchanges: {"exchanges": exchanges}),
)
"""What a text may hold: a value of JSON, a value on each line, or words."""
