"""The mark that says that notes were edited, and since which a run must look at the vault.

The hook sets it on every save, so this module imports next to nothing. Paths in the mark are for people: a run
compares the whole vault with the index, so an edit is taken in even when its line is lost.
"""

# `pathlib` and `contextlib` would cost the hook more than the mark.
# ruff: noqa: PTH105, PTH108, PTH118, SIM105

from __future__ import annotations

import errno
import os
import stat

from docs_rag.core.hookfiles import EDITS, EDITS_IN_WORK

_MOST_BYTES = 1_000_000
"""A mark that is larger is set all the same, without another line."""
_LONGEST_PATH = 4096

# Not waiting and not following links: the file may come with a cloned project.
_SAFELY = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


class Marks:
    """The mark of one project, in its state folder; it outlasts a crash of whoever was at work on it."""

    __slots__ = ("_edits", "_in_work")

    def __init__(self, state_dir: str) -> None:
        """Name the folder; nothing is opened."""
        self._edits = os.path.join(state_dir, EDITS)
        self._in_work = os.path.join(state_dir, EDITS_IN_WORK)

    def mark(self, path: str) -> None:
        """Say that a file was edited. Raises `OSError`: no folder, a full disk, a link in the mark's place."""
        line = path.replace("\n", " ").encode("utf-8", "replace")[:_LONGEST_PATH] + b"\n"
        descriptor = os.open(self._edits, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _SAFELY, 0o600)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", self._edits)
            if found.st_size < _MOST_BYTES:
                os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def is_set(self) -> bool:
        """True while an edit waits, or a run that took one over has not ended well."""
        return self.is_new() or os.path.lexists(self._in_work)

    def is_new(self) -> bool:
        """True when something was edited since the last run began."""
        return os.path.lexists(self._edits)

    def take(self) -> list[str]:
        """Take the edits over; from now on others are new. Returns the paths, once each. Raises `OSError`.

        To be called before the vault is looked at: what is edited from then on sets the mark again.
        """
        try:
            os.replace(self._edits, self._in_work)
        except FileNotFoundError:
            pass
        return self._paths()

    def done(self) -> None:
        """What was taken over is in the index. Raises `OSError`."""
        try:
            os.unlink(self._in_work)
        except FileNotFoundError:
            return

    def _paths(self) -> list[str]:
        try:
            descriptor = os.open(self._in_work, os.O_RDONLY | _SAFELY)
        except OSError:  # a link that was planted: it marks, and is never read
            return []
        try:
            data = os.read(descriptor, _MOST_BYTES + _LONGEST_PATH)
        except OSError:
            return []
        finally:
            os.close(descriptor)
        return [line.decode("utf-8", "replace") for line in dict.fromkeys(data.splitlines()) if line]
