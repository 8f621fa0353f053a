"""What can be wrong outside the messages: the exceptions of the workers.

This module knows the kinds of fault by who can mend them. A fault in a message is never an
exception: it is a verdict.
"""

from __future__ import annotations


class WrongSettings(Exception):  # noqa: N818  # a state of the settings, named as users meet it
    """Settings cannot be used; `problems` has a line for each, with the setting's name."""

    def __init__(self, problems: list[str]) -> None:
        """Keep the problems, a line each."""
        self.problems = problems
        super().__init__("\n".join(problems))


class Unreachable(Exception):  # noqa: N818  # a state of the environment, named as users meet it
    """Kafka or Redis is away, or lacks something; trying again may help.

    The message says what happened, the usual cause, and what to do.
    """


class Fenced(Exception):  # noqa: N818  # Kafka's own word
    """Another worker owns the partition now; this one must not write to it again."""


class ViewLost(Exception):  # noqa: N818  # what happened, not an error in the code
    """Redis no longer holds the state that this worker put there; it must be restored first."""


class EmbeddedError(Exception):
    """The environment cannot run the embedded servers: what happened, the usual cause, what to do."""
