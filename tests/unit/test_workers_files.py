"""Files that are replaced: whole or not at all, by whom they belong to, and never over somebody's change."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from workers.cli import files
from workers.cli.files import Source, Unreadable, read
from workers.cli.replacing import replace_contents


def test_a_file_that_was_changed_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.pairl"
    path.write_bytes(b"theirs")
    fault = replace_contents(path, b"as it was read", b"ours")
    assert fault == Unreadable(str(path), "it was changed meanwhile, and is left as it is")
    assert path.read_bytes() == b"theirs"


def test_a_file_that_has_two_names_is_replaced_once(tmp_path: Path) -> None:
    path, link = tmp_path / "m.pairl", tmp_path / "n.pairl"
    path.write_bytes(b"before")
    link.symlink_to(path)
    assert replace_contents(path, b"before", b"after") is None
    inode = path.stat().st_ino
    assert replace_contents(link, b"before", b"after") is None
    assert (path.read_bytes(), path.stat().st_ino) == (b"after", inode)


def test_a_name_of_the_greatest_length_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / f"{'n' * 249}.pairl"
    path.write_bytes(b"before")
    assert replace_contents(path, b"before", b"after") is None
    assert path.read_bytes() == b"after"


def test_a_file_keeps_its_owner_and_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "m.pairl"
    path.write_bytes(b"before")
    if os.geteuid() == 0:  # Nobody else can give a file away; then it is to stay our own.
        os.chown(path, 12_345, 23_456)
    path.chmod(0o2640)
    before = path.stat()
    assert replace_contents(path, b"before", b"after") is None
    status = path.stat()
    assert (status.st_uid, status.st_gid) == (before.st_uid, before.st_gid)
    assert stat.S_IMODE(status.st_mode) == stat.S_IMODE(before.st_mode)


def test_an_interrupted_replacement_leaves_the_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "m.pairl"
    path.write_bytes(b"before")
    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_contents(path, b"before", b"after")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"before"


def test_what_has_no_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MOST_BYTES", 5_000_000)
    assert isinstance(read(Source("zero", Path("/dev/zero"))), Unreadable)
