"""Fields of records that are no part of a conversation: what they are called, and that others are noticed.

This module knows fields that tell something about a message, a request or a session, and nothing that is said
in it. It does not know which fields a format reads: what is neither among those nor here is told in a notice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pairl.diagnostics import excerpt
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json

_OF_A_MESSAGE = """
    id uuid message_id parent_id parent_message_id type object index role kind status state date time
    messageId timestamp created created_at created_date updated_at create_time update_time model model_name
    model_id modelId model_version modelVersion provider usage usage_metadata usageMetadata metrics cost
    latency latency_sec duration weight score annotations logprobs metadata response_metadata
    provider_specific_fields provider_metadata providerMetadata providerOptions providerExecuted
    callProviderMetadata extra_content extra_body finish_reason finishReason stop_reason stopReason
    stop_sequence stop_details signature thought_signature thoughtSignature thinking_blocks
    reasoning_details cache_control tool_call_chunks caller container context_management service_tier
    system_fingerprint is_partial end_turn channel example phase namespace lang tags agent safety_ratings
    safetyRatings avg_logprobs avgLogprobs token_count
"""
_OF_A_REQUEST = """
    tools tool_choice toolConfig tool_config functions mcp_servers betas stream stream_options temperature
    top_p top_k topP topK n seed stop stop_sequences max_tokens max_completion_tokens max_output_tokens
    max_tool_calls presence_penalty frequency_penalty logit_bias top_logprobs parallel_tool_calls
    response_format response_schema reasoning_effort reasoning_config output_config inferenceConfig
    additionalModelRequestFields generationConfig generation_config safetySettings guardrailConfig include
    store background truncation prompt_cache_key prompt_cache_retention safety_identifier
    incomplete_details billing previous_response_id conversation_id completed_at user user_id kwargs
    context_window promptFeedback responseId response_id headers url method status_code request_id
"""
_OF_A_SESSION = """
    parentUuid logicalParentUuid sessionId session_id isSidechain isMeta isCompactSummary
    isApiErrorMessage isVisibleInTranscriptOnly userType cwd version gitBranch requestId slug agentId
    task_id trial reward trajectory_format message_type message_tree_id tree_state name_of_task title lc
"""

METADATA = frozenset(f"{_OF_A_MESSAGE} {_OF_A_REQUEST} {_OF_A_SESSION}".split())
"""Fields that no format reads as a part of the conversation, unless it names them itself."""

_NOTHING: tuple[object, ...] = (None, "", [], {}, False)


def note_others(
    history: HistoryBuilder, records: Sequence[object], is_read: Callable[[object], object]
) -> None:
    """Take notice of the records of a list in which nothing is that could be read."""
    for number, record in enumerate(records, 1):
        if not is_read(record):
            history.leave_out("record without a conversation", f"record {number}", len(write_json(record)))


def note_misfits(
    history: HistoryBuilder, form: Mapping[str, object], kinds: type | tuple[type, ...], *names: str
) -> None:
    """Take notice of fields of these names that hold something, but nothing of the kinds that are read."""
    for name in names:
        value = form.get(name)
        if value not in _NOTHING and not isinstance(value, kinds):
            history.leave_out("field whose value is of a type that is not read", name, len(write_json(value)))


def known_fields(*names: str) -> frozenset[str]:
    """Return what `note_fields` needs: fields that a format reads, and all that are no part of it."""
    return METADATA.union(names)


def note_fields(history: HistoryBuilder, form: Mapping[str, object], known: frozenset[str]) -> None:
    """Take notice of the fields of an object that are not `known` and hold something."""
    if form.keys() <= known:
        return
    for key, value in form.items():
        if key not in known and value not in _NOTHING:
            history.notice("field that is no part of the conversation", excerpt(key), len(write_json(value)))
