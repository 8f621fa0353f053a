"""A record of each format with everything that the format has, and where in it nothing need be told.

Knows what the formats look like. What becomes of a change in one of them is for the tests. All are made up.
"""

from __future__ import annotations

Path = tuple[str | int, ...]

USE = {"type": "tool_use", "id": "c", "name": "sound", "input": {"pier": ["north"]}}
RESULT = {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "4 m"}]}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
TEXT = {"type": "text", "text": "How deep?"}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
CALL = {"id": "c", "type": "function", "function": {"name": "sound", "arguments": {"pier": "north"}}}

SAMPLES: dict[str, object] = {
    "anthropic": {
        "request": {
            "system": "Be short.",
            "messages": [
                {"role": "user", "content": [TEXT, PICTURE]},
                {"role": "assistant", "content": [THOUGHT, TEXT, USE]},
                {"role": "user", "content": [RESULT, TEXT]},
            ],
        },
        "response": {"type": "message", "role": "assistant", "content": [TEXT]},
    },
    "claude_code": [
        {"type": "user", "uuid": "1", "sessionId": "s", "message": {"role": "user", "content": "How deep?"}},
        {
            "type": "assistant",
            "uuid": "2",
            "sessionId": "s",
            "message": {"id": "m", "role": "assistant", "content": [THOUGHT, TEXT, USE]},
        },
        {"type": "user", "uuid": "3", "sessionId": "s", "message": {"role": "user", "content": [RESULT]}},
        {"type": "summary", "summary": "Depth", "uuid": "4"},
    ],
    "codex": [
        {"timestamp": "t", "type": "session_meta", "payload": {"cwd": "/quay", "instructions": "Be short."}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [TEXT]}},
        {
            "type": "response_item",
            "payload": {"type": "function_call", "call_id": "c", "name": "x", "arguments": "{}"},
        },
        {
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c", "output": "4 m"},
        },
    ],
    "chatgpt": {
        "title": "Depth",
        "mapping": {
            "a": {
                "message": {
                    "author": {"role": "user"},
                    "content": {"content_type": "text", "parts": ["How?"]},
                }
            },
            "b": {
                "parent": "a",
                "message": {
                    "author": {"role": "assistant"},
                    "recipient": "sound",
                    "content": {"content_type": "code", "text": "north"},
                },
            },
            "c": {
                "parent": "b",
                "message": {
                    "author": {"role": "tool", "name": "sound"},
                    "content": {"content_type": "execution_output", "text": "4 m"},
                },
            },
            "d": {
                "parent": "c",
                "message": {
                    "author": {"role": "assistant"},
                    "content": {"content_type": "thoughts", "thoughts": [{"summary": "Hm.", "content": "4"}]},
                },
            },
        },
    },
    "claude_ai": [
        {
            "name": "Depth",
            "chat_messages": [
                {
                    "sender": "human",
                    "text": "How deep?",
                    "attachments": [{"file_name": "a.txt", "extracted_content": "pier"}],
                    "files": [{"file_name": "b.png"}],
                },
                {"sender": "assistant", "content": [THOUGHT, USE, RESULT, TEXT]},
            ],
        }
    ],
    "swe_agent": {
        "trajectory": [],
        "info": {"submission": "diff"},
        "history": [
            {"role": "system", "content": "Be short.", "agent": "main"},
            {"role": "user", "content": [TEXT], "agent": "main"},
            {"role": "assistant", "content": "I look.", "action": "", "agent": "main", "tool_calls": [CALL]},
            {"role": "tool", "content": [TEXT], "tool_call_ids": ["c"], "agent": "main"},
        ],
    },
    "langchain": {
        "values": {
            "summary": "Depth",
            "messages": [
                {"type": "human", "content": [TEXT]},
                {
                    "type": "ai",
                    "content": [{"type": "reasoning", "reasoning": "Hm."}, TEXT],
                    "tool_calls": [{"name": "sound", "args": {"pier": "north"}, "id": "c"}],
                    "additional_kwargs": {"refusal": "No."},
                },
                {
                    "type": "tool",
                    "content": [TEXT],
                    "tool_call_id": "c",
                    "artifact": {"raw": "4"},
                    "name": "x",
                },
            ],
        }
    },
    "otel": {
        "gen_ai.input.messages": [
            {"role": "user", "parts": [{"type": "text", "content": "How deep?"}]},
            {
                "role": "assistant",
                "parts": [{"type": "tool_call", "id": "c", "name": "sound", "arguments": {"a": "b"}}],
            },
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "4 m"}]},
        ],
        "gen_ai.output.messages": [
            {
                "role": "assistant",
                "parts": [{"type": "reasoning", "content": "Hm."}, {"type": "text", "content": "4 m."}],
            }
        ],
    },
    "assistant_trees": {
        "message_tree_id": "t",
        "prompt": {
            "role": "prompter",
            "text": "How deep?",
            "replies": [{"role": "assistant", "text": "4 m.", "replies": []}],
        },
    },
    "openai_responses": {
        "request": {
            "model": "m",
            "instructions": "Be short.",
            "input": [{"role": "user", "content": [TEXT]}],
        },
        "response": {
            "output": [
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
                {"type": "function_call", "call_id": "c", "name": "sound", "arguments": '{"pier": "north"}'},
                {
                    "type": "function_call_output",
                    "call_id": "c",
                    "output": [{"type": "input_text", "text": "4 m"}],
                },
                {"type": "mcp_call", "name": "dig", "arguments": "{}", "output": "mud", "server_label": "x"},
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "4 m."}],
                },
            ]
        },
    },
    "group_chat": {
        "summary": "Depth",
        "chat_history": [
            {"name": "Anna", "content": "How deep?"},
            {
                "source": "Ben",
                "type": "ToolCallRequestEvent",
                "content": [{"id": "c", "name": "x", "arguments": "{}"}],
            },
            {
                "source": "Ben",
                "type": "ToolCallExecutionEvent",
                "content": [{"call_id": "c", "name": "x", "content": "4 m"}],
            },
            {"name": "Ben", "content": [TEXT], "thought": "Hm."},
        ],
    },
    "openai_chat": {
        "messages": [
            {"role": "system", "content": "Be short."},
            {
                "role": "user",
                "name": "Anna",
                "content": [TEXT, {"type": "image_url", "image_url": {"url": "x"}}],
            },
            {
                "role": "assistant",
                "content": "I look.",
                "reasoning_content": "Hm.",
                "refusal": "No.",
                "tool_calls": [CALL],
            },
            {"role": "tool", "tool_call_id": "c", "content": [TEXT]},
            {
                "role": "assistant",
                "content": [{"type": "tool-call", "toolCallId": "d", "toolName": "y", "input": {"a": "b"}}],
            },
            {
                "role": "tool",
                "content": [{"type": "tool-result", "toolCallId": "d", "toolName": "y", "output": "4"}],
            },
            {
                "role": "assistant",
                "content": [{"toolUse": {"toolUseId": "e", "name": "z", "input": {"a": "b"}}}],
            },
            {
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": "e", "content": [{"text": "4"}], "status": "success"}}
                ],
            },
            {"role": "model", "parts": [{"functionCall": {"name": "w", "args": {"a": "b"}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "w", "response": {"output": "4"}}}]},
        ],
        "response": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "4 m."}}]},
    },
}

LINKS = frozenset(
    {
        "tool_use_id",
        "tool_call_id",
        "tool_call_ids",
        "call_id",
        "toolCallId",
        "toolUseId",
        "toolName",
        "current_node",
    }
    | {"role", "sender", "name", "server_label", "content_type", "language", "action", "agent", "file_name"}
    | {"source"}
)
"""Fields that only say which call a result belongs to, who speaks, or what something is called.

They may be told by another name: a role by a speaker, and the name of a result's tool by its call.
"""


REPEATED: frozenset[tuple[str, Path]] = frozenset({("swe_agent", ("trajectory",))})
"""Lists of which only the length is read: what stands in them is told once more elsewhere."""

ELSEWHERE: frozenset[tuple[str, Path]] = frozenset({("otel", ()), ("claude_code", (3,))})
"""Objects whose fields are told in no notice: attributes of a span, and lines that are left out whole."""
