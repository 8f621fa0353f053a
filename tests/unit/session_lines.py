"""Lines of made-up Claude Code sessions, one after the other.

Knows what each line has beside its message. Refuses to know how sessions are read.
"""

from __future__ import annotations

from pairl.encode.history import History
from pairl.encode.importers.claude_code import FORMAT
from pairl.encode.importers.format import Lines

Json = dict[str, object]


class SessionLines:
    """A session to which lines are added; each follows the one before unless it says what it follows."""

    def __init__(self) -> None:
        self.lines: list[object] = []
        self._before: str | None = None

    def user(self, content: object, **more: object) -> str:
        """Add a line of the user; return its name."""
        return self._spoken("user", {"role": "user", "content": content}, more)

    def results(self, *blocks: Json, **more: object) -> str:
        """Add a line that holds what tools returned; return its name."""
        return self.user(list(blocks), **more)

    def assistant(self, message_id: str, *blocks: Json, **more: object) -> str:
        """Add a line of a message of the assistant; return its name."""
        message: Json = {"role": "assistant", "content": list(blocks)}
        return self._spoken("assistant", {**message, "id": message_id} if message_id else message, more)

    def aside(
        self, kind: str, parent: str | None, content: object, message_id: str = "", **more: object
    ) -> str:
        """Add a line of an agent that was asked for help; return its name."""
        before = self._before
        message: Json = {"role": kind, "content": content, "id": message_id}
        name = self._spoken(kind, message, {"parentUuid": parent, "isSidechain": True, **more})
        self._before = before
        return name

    def add(self, line: Json) -> None:
        """Add a line as it is."""
        self.lines.append(line)

    def read(self) -> History:
        """Return the history that is read from the lines."""
        assert FORMAT.recognise(Lines(self.lines))
        return FORMAT.read(Lines(self.lines))

    def _spoken(self, kind: str, message: Json, more: Json) -> str:
        number = len(self.lines) + 1
        line: Json = {
            "type": kind,
            "uuid": f"u{number}",
            "parentUuid": self._before,
            "isSidechain": False,
            "sessionId": "s1",
            "timestamp": f"2026-03-01T08:{number // 60:02}:{number % 60:02}.000Z",
            "message": message,
        }
        line.update(more)
        self.lines.append(line)
        self._before = str(line["uuid"])
        return self._before


def text(words: str) -> Json:
    """Return a block of text."""
    return {"type": "text", "text": words}


def call(tool: str, call_id: str, **given: object) -> Json:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": tool, "input": given}


def returned(call_id: str, content: object, **more: object) -> Json:
    """Return a block of what a tool returned."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}
