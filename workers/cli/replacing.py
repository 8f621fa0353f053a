"""Puts other contents in a file, in one step or not at all.

This module knows what a file keeps when it is replaced, and when it is left alone. It does not know what
the contents are.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from pathlib import Path

from workers.cli.files import Unreadable


def replace_contents(path: Path, before: bytes, data: bytes) -> Unreadable | None:
    """Put `data` in a file in one step, so that nobody ever sees half of it; it keeps its owner and mode.

    A link stays a link: the file that it leads to is replaced. A file that no longer holds `before` is
    left alone: somebody else has written it meanwhile.
    """
    try:
        target = path.resolve(strict=True)
        if not target.is_file():
            return Unreadable(str(path), "only a file can be mended in its place")
        now = target.read_bytes()
        if now == data:  # it has another name, under which it was replaced
            return None
        if now != before:
            return Unreadable(str(path), "it was changed meanwhile, and is left as it is")
        _replace(target, data)
    except (OSError, RuntimeError) as fault:  # RuntimeError: links in a circle
        return Unreadable(str(path), getattr(fault, "strerror", None) or str(fault))
    return None


def put_contents(path: Path, data: bytes) -> Unreadable | None:
    """Put `data` in a file in one step, whatever it held; a link stays a link.

    A new file can be read by its owner alone. What is no file, such as a terminal or a pipe, is written to.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except (OSError, RuntimeError, ValueError) as fault:  # ValueError: a name with a NUL in it
        return Unreadable(str(path), getattr(fault, "strerror", None) or str(fault))
    return None


def obstacle(path: Path) -> Unreadable | None:
    """Return why nothing can be put in a file, as far as that can be known before it is tried."""
    try:
        target = path.resolve()
        if target.is_dir():
            return Unreadable(str(path), os.strerror(errno.EISDIR))
        needed = target if target.exists() and not target.is_file() else target.parent
        needed.stat()
        if not os.access(needed, os.W_OK):
            return Unreadable(str(path), os.strerror(errno.EACCES))
    except (OSError, RuntimeError, ValueError) as fault:  # ValueError: a name with a NUL in it
        return Unreadable(str(path), getattr(fault, "strerror", None) or str(fault))
    return None


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".pairl-", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            _keep_owner(target.stat(), temporary)
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:  # be it Ctrl-C: what is half done is taken away
        temporary.unlink(missing_ok=True)
        raise


def _keep_owner(before: os.stat_result, temporary: Path) -> None:
    """Give a file the owner and group of the one that it will replace, as far as we may."""
    with contextlib.suppress(PermissionError):
        os.chown(temporary, before.st_uid, before.st_gid)
