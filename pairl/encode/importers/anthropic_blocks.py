"""The blocks that messages of the Anthropic API consist of: texts, thoughts, calls and results.

This module knows the kinds of blocks, those of tools that the service runs itself among them. It knows
nothing of the records that hold messages. What a block has beside its content (signatures, citations) is left
out with a notice; a block of a kind that is not known is kept as its JSON.
"""

from __future__ import annotations

from collections.abc import Callable

from pairl.diagnostics import excerpt
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import write_json
from pairl.encode.importers.json_values import as_flag, as_list, as_number, as_object, as_text
from pairl.encode.importers.metadata import known_fields, note_fields

Block = dict[str, object]

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
THOUGHTS = frozenset({"thinking", "redacted_thinking"})
_RESULT = "tool_result"  # the end of each kind of result: `mcp_tool_result`, `web_search_tool_result` …


def blocks_of(content: object) -> list[Block]:
    """Return the blocks of the content of a message; a text is one block, and nothing is none."""
    if content is None:
        return []
    if not isinstance(content, list):
        content = [content]
    return [_block(item) for item in content]


def is_result(block: Block) -> bool:
    """Say whether a block is what a tool returned."""
    return as_text(block.get("type")).endswith(_RESULT)


def is_of_this_api(block: Block) -> bool:
    """Say whether a block is of a kind that only this API has."""
    kind = as_text(block.get("type"))
    return kind in CALLS or kind in THOUGHTS or (kind.endswith(_RESULT) and "tool_use_id" in block)


def add_block(history: HistoryBuilder, block: Block, where: str, turn: int | None = None) -> None:
    """Add a block to a turn, the latest one if none is named. `where` is told in notices."""
    kind = as_text(block.get("type"))
    if is_result(block):
        add_result(history, block, where)
    elif kind in _READERS:
        note_fields(history, block, _FIELDS)
        _READERS[kind](history, block, where, turn)
    elif as_text(as_object(block.get("source")).get("type")) in ("base64", "url", "file"):
        history.leave_out(_attached(kind), where, _size(block))
        note_fields(history, block, _FIELDS_OF_ATTACHED)
    else:
        history.keep(excerpt(kind) or "block without a type", write_json(block), turn=turn)


def add_result(
    history: HistoryBuilder, block: Block, where: str, details: dict[str, str] | None = None
) -> None:
    """Add what a tool returned to the turn that called it. `details` are what else is known of it (§7.2)."""
    note_fields(history, block, _FIELDS_OF_RESULTS)
    content = block.get("content")
    is_error = as_flag(block.get("is_error"))
    report = as_object(content)
    if as_text(report.get("type")).endswith("_error"):
        is_error = True
    code = as_number(report.get("return_code"))
    known = {**(details or {}), **({} if code is None else {"exit": str(code)})}
    text = "\n".join(filter(None, (_returned(history, one, where) for one in blocks_of(content))))
    history.result(as_text(block.get("tool_use_id")), text, is_error=is_error, details=known)


def _block(item: object) -> Block:
    if isinstance(item, dict):
        return item
    return {"type": "text", "text": item} if isinstance(item, str) else {"type": "", "value": item}


def _returned(history: HistoryBuilder, block: Block, where: str) -> str:
    """Return the text of a block of a result."""
    kind = as_text(block.get("type"))
    if kind in _TEXTS_OF_RESULTS:
        note_fields(history, block, _FIELDS_OF_TEXTS)
        texts = [text_of(block.get(key)) for key in _TEXTS_OF_RESULTS[kind]]
        inner = (text_of(as_object(one).get("text")) for one in as_list(block.get("content")))
        return "\n".join(filter(None, [*texts, *inner]))
    if kind.endswith("_error"):
        return " ".join(filter(None, (text_of(block.get(key)) for key in ("error_code", "error_message"))))
    source = as_object(block.get("source") or as_object(block.get("content")).get("source"))
    if as_text(source.get("type")) == "text":
        title = as_text(block.get("title")) or as_text(block.get("url"))
        return "\n".join(filter(None, (title, text_of(source.get("data")))))
    if source:
        history.leave_out(_attached(kind), where, _size({"source": source}))
        return ""
    written = write_json(block)
    history.notice(f"part of a result of unknown kind `{excerpt(kind)}`, kept as JSON", where, len(written))
    return written


_TEXTS_OF_RESULTS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "web_search_result": ("title", "url", "page_age"),
    "search_result": ("title", "source"),
    "tool_reference": ("tool_name",),
    "code_execution_result": ("stdout", "stderr"),
    "bash_code_execution_result": ("stdout", "stderr"),
}
"""The kinds of blocks in results that are texts, and the fields that hold them."""

_FIELDS = known_fields("text", "citations", "thinking", "signature", "data", "name", "input", "server_name")
_FIELDS_OF_ATTACHED = known_fields("source", "title", "context", "citations")
_FIELDS_OF_RESULTS = known_fields("content", "is_error", "tool_use_id")
_FIELDS_OF_TEXTS = known_fields(
    *(field for fields in _TEXTS_OF_RESULTS.values() for field in fields),
    *("content", "return_code", "encrypted_content"),
)


def _add_text(history: HistoryBuilder, block: Block, where: str, turn: int | None) -> None:
    history.say(text_of(block.get("text")), turn=turn)
    if as_list(block.get("citations")):
        history.notice("citations of a text", where, len(write_json(block["citations"])))


def _add_thought(history: HistoryBuilder, block: Block, where: str, turn: int | None) -> None:
    history.think(text_of(block.get("thinking")), turn=turn)
    signature = as_text(block.get("signature"))
    if signature:
        history.notice("signature of a thought", where, len(signature))


def _add_hidden_thought(history: HistoryBuilder, block: Block, where: str, _turn: int | None) -> None:
    history.leave_out("thought that is encrypted", where, len(as_text(block.get("data"))))


def _add_call(history: HistoryBuilder, block: Block, where: str, turn: int | None) -> None:
    history.call(as_text(block.get("name")), block.get("input"), as_text(block.get("id")), turn=turn)
    server = as_text(block.get("server_name"))
    if server:
        history.notice(f"server of a tool, `{excerpt(server)}`", where)


def _attached(kind: str) -> str:
    return f"attached {excerpt(kind) or 'item'}"


def _size(block: Block) -> int:
    """Return how many characters stand for what is attached."""
    return max(map(len, map(text_of, as_object(block.get("source")).values())), default=0)


_READERS: dict[str, Callable[[HistoryBuilder, Block, str, int | None], None]] = {
    "text": _add_text,
    "thinking": _add_thought,
    "redacted_thinking": _add_hidden_thought,
    **dict.fromkeys(CALLS, _add_call),
}
