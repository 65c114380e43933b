"""The log of the background runs: bounded, its user's own, and never a link to another file."""

# Loaded by the hook, which pathlib would cost more than all it does.
# ruff: noqa: PTH118

from __future__ import annotations

import errno
import os
import stat

from docs_rag.core.hookfiles import LOG, MOST_LOG_BYTES

_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def open_log(state_dir: str) -> int:
    """A descriptor that appends to the log, begun anew when it has grown too large; raises `OSError`."""
    path = os.path.join(state_dir, LOG)
    descriptor = os.open(path, _FLAGS, 0o600)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", path)
    if found.st_size > MOST_LOG_BYTES:
        os.ftruncate(descriptor, 0)
    return descriptor
