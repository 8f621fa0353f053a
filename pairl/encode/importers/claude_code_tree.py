"""Which lines of a Claude Code session are its conversation.

This module knows how the lines hang together: each names the one it follows, so that they are trees. A prompt
that was edited begins a branch; results of parallel calls hang from their calls; a summary begins a new root;
an agent that was asked for help has a tree of its own. It does not know what the lines say.

The conversation is the branch that ends last in the file, since lines are only ever appended.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pairl.encode.importers.anthropic_blocks import CALLS, blocks_of, is_result
from pairl.encode.importers.json_values import as_text


class Line(msgspec.Struct, frozen=True):
    """A line of a session: its number from 1, and the object that it holds."""

    number: int
    value: dict[str, object]

    @property
    def is_spoken(self) -> bool:
        """Whether it holds a message, or a part of one."""
        return as_text(self.value.get("type")) in ("user", "assistant") and "message" in self.value

    @property
    def is_aside(self) -> bool:
        """Whether it belongs to an agent that was asked for help."""
        return self.value.get("isSidechain") is True

    @property
    def message(self) -> dict[str, object]:
        """The message, as the API has it; without an `id` where none is told.

        What is no object is what was said: other programs write a text alone.
        """
        message = self.value.get("message")
        return message if isinstance(message, dict) else {"content": message}

    @property
    def message_id(self) -> str:
        """The id that all lines of a message share; empty for a line of the user."""
        return as_text(self.message.get("id")) if self.value.get("type") == "assistant" else ""


class Conversation(msgspec.Struct, frozen=True):
    """What hangs together: the lines of the conversation, and of each agent that was asked for help.

    `asides` gives for each line of such an agent the number of the first line of its thread. `branches` are
    the first lines of the branches that were left, `copies` those that were written a second time.
    """

    lines: list[Line]
    asides: dict[int, int]
    branches: list[Line]
    copies: list[Line]


def conversation(lines: list[Line]) -> Conversation:
    """Return the lines that are the conversation, in their order in the file."""
    known, copies = _without_copies(lines)
    if all(line.is_aside for line in known if line.is_spoken):
        main, asides = known, {}  # the file of such an agent alone: it is the conversation
    else:
        main = [line for line in known if not line.is_aside]
        asides = _asides([line for line in known if line.is_aside and line.is_spoken])
    parents = _parents(main)
    chosen = _chosen(main, parents)
    spoken = [line for line in known if line.number in chosen or line.number in asides]
    return Conversation(spoken, asides, _branches(main, parents, chosen), copies)


def _without_copies(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """Return the lines, and apart from them those that a resumed session has written a second time."""
    seen: set[str] = set()
    first: list[Line] = []
    copies: list[Line] = []
    for line in lines:
        uuid = as_text(line.value.get("uuid"))
        (copies if uuid and uuid in seen else first).append(line)
        seen.add(uuid)
    return first, copies


def _parents(main: list[Line]) -> dict[int, int]:
    """Return for each line, by its number, the number of the line that it follows; a root has none."""
    numbers = {uuid: line.number for line in main if (uuid := as_text(line.value.get("uuid")))}
    parents = {}
    before: Line | None = None
    for line in main:
        named = line.value.get("parentUuid", "")
        found = numbers.get(as_text(named)) or numbers.get(as_text(line.value.get("logicalParentUuid")))
        if found is None and before is not None and (named is not None or _goes_on(line, before)):
            found = before.number  # its parent is not in the file, or it names none
        if found is not None and found != line.number:
            parents[line.number] = found
        if "uuid" in line.value or line.is_spoken:
            before = line
    return parents


def _goes_on(line: Line, before: Line) -> bool:
    """Say whether a root goes on from the line before: a summary, or the first line of another session."""
    session, session_before = as_text(line.value.get("sessionId")), as_text(before.value.get("sessionId"))
    return (
        line.value.get("isCompactSummary") is True
        or line.value.get("subtype") == "compact_boundary"
        or bool(session and session_before and session != session_before)
    )


def _chosen(main: list[Line], parents: dict[int, int]) -> set[int]:
    """Return the numbers of the spoken lines of the branch that ends last.

    To it belong all lines of its messages, and the results of its calls, wherever they hang.
    """
    branch: set[int] = set()
    at = next((line.number for line in reversed(main) if line.is_spoken), None)
    while at is not None and at not in branch:
        branch.add(at)
        at = parents.get(at)
    messages = {line.message_id for line in main if line.number in branch}
    chosen: set[int] = set()
    calls: set[str] = set()
    for line in main:
        if not line.is_spoken:
            continue
        own = line.number in branch or (line.message_id and line.message_id in messages)
        if own or any(answered in calls for answered in _ids(line, "tool_use_id")):
            chosen.add(line.number)
            calls.update(_ids(line, "id"))
    return chosen


def _ids(line: Line, key: str) -> Iterator[str]:
    """Yield the ids of the calls that a line holds (`id`), or answers (`tool_use_id`)."""
    for block in blocks_of(line.message.get("content")):
        if is_result(block) if key == "tool_use_id" else as_text(block.get("type")) in CALLS:
            yield as_text(block.get(key))


def _branches(main: list[Line], parents: dict[int, int], chosen: set[int]) -> list[Line]:
    """Return the first spoken lines of the branches that are not the conversation."""
    left: set[int] = set()
    first = []
    for line in main:
        goes_on = parents.get(line.number) in left
        if line.is_spoken and line.number not in chosen:
            left.add(line.number)
            if not goes_on:
                first.append(line)
        elif goes_on and not line.is_spoken:
            left.add(line.number)
    return first


def _asides(lines: list[Line]) -> dict[int, int]:
    """Return for each line of an agent that was asked for help the number of its thread's first line."""
    threads: dict[int, int] = {}
    of_line: dict[str, int] = {}
    of_agent: dict[str, int] = {}
    latest: int | None = None
    for line in lines:
        agent = as_text(line.value.get("agentId"))
        thread = of_agent.get(agent) if agent else of_line.get(as_text(line.value.get("parentUuid")))
        if thread is None and not agent and "parentUuid" not in line.value:
            thread = latest
        latest = threads[line.number] = line.number if thread is None else thread
        if agent:
            of_agent[agent] = latest
        if uuid := as_text(line.value.get("uuid")):
            of_line[uuid] = latest
    return threads
