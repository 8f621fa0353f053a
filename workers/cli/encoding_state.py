"""The file in which `pairl encode --state` remembers how far a conversation was encoded.

This module knows when such a file can be read and written. It does not know what is remembered, or why.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from pairl.encode.encoding import BodyState
from workers.cli.encoding_refusals import Refusal, refuse
from workers.cli.files import Source, Unreadable, read
from workers.cli.replacing import obstacle, put_contents


def begin_with(path: Path) -> BodyState | None:
    """Return what a state file holds, None if it is not there.

    Raises:
        typer.Exit: it cannot be read, or not be written later; why was shown.

    """
    found = state_in(path)
    fault = obstacle(path)
    if fault is not None:
        refuse(Refusal.NO_PLACE_FOR_STATE, name=fault.name, reason=fault.reason)
    return found


def state_in(path: Path) -> BodyState | None:
    """Return what a state file holds, None if it is not there.

    Raises:
        typer.Exit: it cannot be read; why was shown.

    """
    try:
        if not path.exists():
            return None
    except OSError as fault:
        refuse(Refusal.UNREADABLE_STATE, name=path, reason=fault.strerror or fault)
    data = read(Source(str(path), path))
    if isinstance(data, Unreadable):
        refuse(Refusal.UNREADABLE_STATE, name=path, reason=data.reason)
    try:
        return msgspec.json.decode(data, type=BodyState)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        refuse(Refusal.UNREADABLE_STATE, name=path, reason=fault)


def put_state(path: Path, state: BodyState) -> None:
    """Write a state file.

    Raises:
        typer.Exit: it cannot be written, though what it is of was printed; why was shown.

    """
    fault = put_contents(path, msgspec.json.encode(state) + b"\n")
    if fault is not None:
        refuse(Refusal.UNWRITABLE_STATE, name=fault.name, reason=fault.reason)
