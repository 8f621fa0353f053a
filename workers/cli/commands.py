"""The commands of `pairl`, as a table: what each is called, what it is for, and where it stands.

This module imports none of them: a command is loaded when it is asked for, since what some need (clients
of Kafka and Redis, the encoder) takes far longer to load than what others do. What a command does, and
with which arguments, is in the modules that the table names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pkgutil import resolve_name
from typing import Any

import msgspec
import typer
from typer.core import TyperCommand
from typer.main import get_command


class Command(msgspec.Struct, frozen=True):
    """A command: its name, the function that it is, as `module:function`, and what the function is for.

    The purpose is what the function's docstring begins with, where the commands of a group are listed.
    """

    name: str
    function: str
    purpose: str


PAIRL = (
    Command(
        "check",
        "workers.cli.check:check",
        "Judge messages, and show what is wrong with each and how to mend it.",
    ),
    Command(
        "hash",
        "workers.cli.protocol:hash_messages",
        "Print the value for `@hash` of each message; of several, each with where it stands.",
    ),
    Command(
        "canon",
        "workers.cli.convert:canon",
        "Print messages in canonical form, with `@hash` where they carry it: `fmt` without options.",
    ),
    Command(
        "fmt",
        "workers.cli.convert:fmt",
        "Print messages in canonical form, or as short as it can be; neither changes a hash.",
    ),
    Command(
        "decode",
        "workers.cli.convert:decode",
        "Print messages as JSON without loss: a line each, indented on a terminal.",
    ),
    Command(
        "encode",
        "workers.cli.encode:encode",
        "Print a recorded conversation, such as the session file of an agent, as messages in PAIRL.",
    ),
    Command(
        "render",
        "workers.cli.protocol:render_messages",
        "Print messages as documents for people: Markdown, plain text, or fragments of HTML.",
    ),
    Command(
        "explain",
        "workers.cli.explain:explain",
        "Explain a rule: what it checks, why, an example, and what to write instead; or list the rules.",
    ),
)
"""The commands that need no bus."""

BUS = (
    Command("topics", "workers.cli.topics:topics", "Create the topics that are missing, and list all."),
    Command("run", "workers.cli.worker:run", "Run a worker until SIGTERM or Ctrl-C."),
    Command("send", "workers.cli.send:send", "Send messages, wait for the verdicts, and show them."),
    Command("tail", "workers.cli.tail:tail", "Follow a stream until Ctrl-C."),
    Command(
        "schemas", "workers.cli.contracts:contracts", "Print the contracts on the topics as JSON Schema."
    ),
    Command(
        "trace",
        "workers.cli.trace:trace",
        "Show a conversation as a tree, with the state of every message, and what was spent.",
    ),
    Command(
        "context",
        "workers.cli.context:context",
        "Print a conversation as a model is to be given it: legend, body, and what is new to the legend.",
    ),
    Command(
        "up",
        "workers.cli.up:up",
        "Start Kafka, Redis and all workers here, and show verdicts until Ctrl-C. Nothing is kept.",
    ),
)
"""The commands of `pairl bus`."""

STATE = (
    Command(
        "verify",
        "workers.cli.state:verify",
        "Compare what Redis has of all sessions with the changelogs; workers may run meanwhile.",
    ),
    Command(
        "rebuild",
        "workers.cli.state:rebuild",
        "Clear what Redis has of all sessions, and restore it from the changelogs; workers may run "
        "meanwhile.",
    ),
)
"""The commands of `pairl bus state`."""


class Deferred(TyperCommand):
    """A command as its group lists it. Its callback loads the function that reads arguments and runs."""

    # The library has no public name for the type of a context.
    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401
        """Load the command, and return a context of it: all that a group asks of a command to run it."""
        assert self.callback is not None  # noqa: S101  # `add` gives it
        single = typer.Typer(add_completion=False)
        single.command(self.name)(self.callback())
        return get_command(single).make_context(info_name, args, parent, **extra)


def add(group: typer.Typer, commands: Iterable[Command]) -> None:
    """Add commands to a group, in order, without loading them."""
    for command in commands:
        group.command(command.name, cls=Deferred, help=command.purpose)(_loader(command))


def _loader(command: Command) -> Callable[[], Callable[..., None]]:
    def load() -> Callable[..., None]:
        function: Callable[..., None] = resolve_name(command.function)
        return function

    return load
