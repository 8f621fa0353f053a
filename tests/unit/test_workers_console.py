"""What is written to standard output: all of it, or the reason why not."""

from __future__ import annotations

import errno
import io
import os
import sys

import pytest
import typer

from workers.cli.console import write_bytes
from workers.exit_codes import ExitCode


class Narrow(io.RawIOBase):
    """A stream that takes a few bytes at a time, as one without a buffer may, until it is full."""

    def __init__(self, room: int, fault: int | None) -> None:
        super().__init__()
        self.taken = b""
        self._room = room
        self._fault = fault

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: object) -> int | None:
        piece = bytes(memoryview(data)[: min(7, self._room - len(self.taken))])  # type: ignore[arg-type]
        if not piece:
            if self._fault is None:
                return None
            raise OSError(self._fault, os.strerror(self._fault))
        self.taken += piece
        return len(piece)

    _descriptor = os.open(os.devnull, os.O_WRONLY)


def stream_of(room: int, fault: int | None, monkeypatch: pytest.MonkeyPatch) -> Narrow:
    """Return a stream that standard output goes to from now on, without a buffer."""
    stream = Narrow(room, fault)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream, write_through=True))  # type: ignore[type-var]
    return stream


def test_a_stream_that_takes_a_part_gets_the_rest_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = stream_of(100, errno.ENOSPC, monkeypatch)
    write_bytes(b"0123456789" * 10)
    assert stream.taken == b"0123456789" * 10


@pytest.mark.parametrize("fault", [errno.ENOSPC, None], ids=["full", "would block"])
def test_what_cannot_be_written_to_its_end_is_no_success(
    fault: int | None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stream = stream_of(25, fault, monkeypatch)
    with pytest.raises(typer.Exit) as ended:
        write_bytes(b"0123456789" * 10)
    assert ended.value.exit_code == ExitCode.USAGE
    assert stream.taken == b"0123456789012345678901234"
    assert capfd.readouterr().err.startswith("pairl: cannot write the output: ")
