"""Actions of agents that write a command into their text instead of calling a tool.

This module knows where in a text the command stands, and what it calls: a command of SWE-agent's own by its
name, anything else the shell. It knows nothing of the records that hold such texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec

SHELL = "bash"

OWN_COMMANDS = frozenset(
    {"open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append", "set_cursors"}
    | {"search_dir", "search_file", "find_file", "filemap", "str_replace_editor", "submit", "exit_forfeit"}
)
"""Commands that SWE-agent adds to the shell."""

_FENCE = re.compile(r"^```([^\n`]*)$\n?", re.MULTILINE)
_SHELL_FENCES = frozenset({"bash", "sh", "mswea_bash_command"})
_EXIT_CODE = re.compile(r"\s*<returncode>\s*(-?[0-9]{1,6})\s*</returncode>")


class Action(msgspec.Struct, frozen=True):
    """A command in a text: what stands before it, itself, and what stands behind."""

    before: str
    command: str
    after: str

    @property
    def tool(self) -> str:
        """The tool that it calls."""
        words = self.command.split(maxsplit=1)
        return words[0] if words and words[0] in OWN_COMMANDS else SHELL

    @property
    def arguments(self) -> dict[str, object]:
        """What it gives to the tool: the whole command to the shell, to others what follows their name."""
        if self.tool == SHELL:
            return {"command": self.command}
        rest = self.command.strip()[len(self.tool) :].lstrip()
        return {"arguments": rest} if rest else {}


def last_action(text: str, expected: str | None = None) -> Action | None:
    """Return the last command of a text that stands in a fenced block; `expected` is what it has to be.

    None if there is no such block, or its fences are not closed.
    """
    fences = list(_FENCE.finditer(text))
    # A command that is known is found even where other fences stand in it, or around it.
    blocks = list(pairwise(fences) if expected else _blocks(fences))
    for opening, closing in reversed(blocks):
        command = text[opening.end() : closing.start()]
        if not expected or command.strip() == expected.strip():
            return _action(text, opening, closing)
    return None


def only_action(text: str) -> Action | None:
    """Return the command of a text that has one in a fenced block of the shell, and no second one."""
    blocks = _blocks(list(_FENCE.finditer(text)))
    own = [block for block in blocks if block[0][1].strip() in _SHELL_FENCES]
    return _action(text, *own[0]) if len(own) == 1 else None


def exit_code(observation: str) -> int | None:
    """Return the exit code that an observation begins with, None if it does not."""
    found = _EXIT_CODE.match(observation)
    return int(found[1]) if found else None


def is_marked(text: str) -> bool:
    """Say whether a text can only be of a mini-swe-agent: by the name of its fence, or its exit code."""
    return "```mswea_bash_command\n" in text or exit_code(text) is not None


def _blocks(fences: list[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    return zip(fences[::2], fences[1::2], strict=False)


def _action(text: str, opening: re.Match[str], closing: re.Match[str]) -> Action:
    command = text[opening.end() : closing.start()].removesuffix("\n")
    return Action(text[: opening.start()], command, text[closing.end() :])
