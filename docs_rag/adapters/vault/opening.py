"""Reaches files below a folder without being led out of it.

Where the system can open relative to an open folder, every step of the way is taken without following links,
so nothing that changes meanwhile can lead elsewhere. A path that does hold a link is resolved first, judged by
where it ends, and then walked to in the same manner. Elsewhere (Windows) the resolved path is compared instead.
"""

# Paths are plain text here: a Path object for each file costs more than its status.
# ruff: noqa: PTH118

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence

_CAN_DESCEND = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags for opening a folder."""
# Without waiting: the other end of a FIFO may never come.
_FILE = (
    os.O_RDONLY
    | _NO_LINK
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

LINK_ERRNOS = frozenset((errno.ELOOP, errno.ENOTDIR))
"""What the functions below raise at a link; a system may also mean by `ENOTDIR` that a file is on the way."""


class LeadsOutside(Exception):
    """A link whose end does not lie below the folder."""


def status_of(root: str, segments: Sequence[str]) -> os.stat_result:
    """The file's status; raises `OSError`, also where the file or a folder on the way is a link."""
    if not _CAN_DESCEND:
        _refuse_links(root, segments)
        return os.lstat(os.path.join(root, *segments))
    folder = _descend(root, segments[:-1])
    try:
        status = os.stat(segments[-1], dir_fd=folder, follow_symlinks=False)
    finally:
        os.close(folder)
    if stat.S_ISLNK(status.st_mode):
        raise _link_error(segments[-1])
    return status


def open_file(root: str, segments: Sequence[str]) -> int:
    """A descriptor for reading; raises `OSError`, also where the file or a folder on the way is a link."""
    if not _CAN_DESCEND:
        _refuse_links(root, segments)
        return os.open(os.path.join(root, *segments), _FILE)
    folder = _descend(root, segments[:-1])
    try:
        return os.open(segments[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)


def resolve(root: str, path: str) -> str:
    """Where `path` really lies, relative to the real `root`, `/` separated.

    Raises `LeadsOutside`, or `OSError` for a link that leads to nothing.
    """
    real_root = os.path.realpath(root)
    real = os.path.realpath(path, strict=True)
    if real != real_root and not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise LeadsOutside(real)
    return real[len(real_root) :].strip(os.sep).replace(os.sep, "/")


def read_all(descriptor: int, limit: int) -> bytes:
    """What the file holds, at most `limit` bytes and one more, which tells that there is more."""
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := os.read(descriptor, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _descend(root: str, folders: Sequence[str]) -> int:
    """A descriptor of the folder that lies below `root`; the caller closes it."""
    folder = os.open(root, FOLDER)
    for name in folders:
        try:
            below = os.open(name, FOLDER | _NO_LINK, dir_fd=folder)
        finally:
            os.close(folder)
        folder = below
    return folder


def _refuse_links(root: str, segments: Sequence[str]) -> None:
    """Raises `OSError` with `ELOOP` unless the path is where it seems to be."""
    path = os.path.join(root, *segments)
    straight = os.path.join(os.path.realpath(root), *segments)
    if os.path.normcase(os.path.realpath(path)) != os.path.normcase(straight):
        raise _link_error(path)


def _link_error(path: str) -> OSError:
    return OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
