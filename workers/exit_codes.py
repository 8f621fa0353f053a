"""The exit codes of the command line and the workers.

This module is a table that scripts can rely on; the reference in the README shows the same rows.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended."""

    OK = 0
    INVALID = 1
    """A message was not valid, was rejected, or has no such form; `fmt --check`: a file would change;
    `bus trace`, `bus context`: there is nothing to show; `bus state verify`: Redis differs."""
    USAGE = 2
    """The command line, a file or a setting is wrong; only `check` goes on with the other files."""
    UNREACHABLE = 3
    """Kafka or Redis could not be reached, or does not have what is needed, until the deadline."""
    FENCED = 4
    """Another worker has taken over this worker's partitions."""
    INTERNAL = 70
    """A fault in the software itself."""
    INTERRUPTED = 130
    """Ended by Ctrl-C before it was done."""
