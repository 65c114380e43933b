"""Locks between processes: a file that the system itself locks, so that a crash leaves no lock behind.

The hook takes such a lock within milliseconds of starting, so this module imports next to nothing. A lock file is
never deleted: whoever waits has it open, and would go on to lock a file that nobody else can find.
"""

# `pathlib` would cost the hook more than the lock.
# ruff: noqa: PTH116, PTH119

from __future__ import annotations

import errno
import os
import stat
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_POLL_SECONDS = 0.1
_LONGEST_NOTE = 200
"""Bytes of a lock file that are read and shown."""
_SOMEBODY = "another process"

# Not waiting and not following links: the file may come with a cloned project.
_FLAGS = (
    os.O_RDWR
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


class FileLock:
    """One lock, held by at most one `FileLock` in one process; released by the system when that process ends.

    As a context manager it raises `BlockingIOError` when another process holds the lock.
    """

    __slots__ = ("_descriptor", "_path")

    def __init__(self, path: str) -> None:
        """Name the lock file; nothing is opened. Its folder must be there when the lock is taken."""
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def acquire(self) -> bool:
        """Take the lock if it is free, and say whether it is ours now; never waits.

        Raises `OSError` when the file cannot be opened or locked: a read-only folder, a link in its place.
        """
        while self._descriptor is None:
            descriptor = os.open(self._path, _FLAGS, 0o600)
            ours = False
            try:
                _lock_regular(descriptor, self._path)
                # Somebody may have removed the file after it was opened: a lock on it would keep nobody out.
                ours = _is_at(descriptor, self._path)
            except BlockingIOError:
                return False
            finally:
                if not ours:
                    os.close(descriptor)
            if ours:
                self._descriptor = descriptor
                _write_note(descriptor, _who())
        return True

    def release(self) -> None:
        """Give the lock back, if it is held; the file stays."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            _write_note(descriptor, "")
            _unlock(descriptor)
            os.close(descriptor)

    def holder(self) -> str:
        """Who has the lock: "pid command time", as the holder wrote it; empty when that is not known."""
        try:
            descriptor = os.open(self._path, _FLAGS & ~os.O_CREAT & ~os.O_RDWR)
        except OSError:
            return ""
        try:
            note = os.read(descriptor, _LONGEST_NOTE) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        except OSError:
            return ""
        finally:
            os.close(descriptor)
        line = note.decode("utf-8", "replace").partition("\n")[0]
        return "".join(char if char.isprintable() else "\ufffd" for char in line)

    def wait(self, timeout: float | None, on_wait: Callable[[str], None]) -> bool:
        """Take the lock as soon as it is free, at most after `timeout` seconds (None: however long it takes).

        Tells `on_wait` who has it, once for each holder. False when the time is up; raises as `acquire` does.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        told = ""
        while not self.acquire():
            holder = self.holder() or _SOMEBODY
            if holder != told:
                on_wait(holder)
                told = holder
            if deadline is not None and time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def __enter__(self) -> Self:
        """Take the lock, or go on holding it."""
        if not self.acquire():
            raise BlockingIOError(errno.EAGAIN, f"held by {self.holder() or _SOMEBODY}", self._path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back."""
        self.release()


def _lock_regular(descriptor: int, path: str) -> None:
    """Locks an open file; raises `BlockingIOError` when another holds it, `OSError` when it cannot be locked."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    _lock(descriptor)


def _is_at(descriptor: int, path: str) -> bool:
    """Whether the open file is still the one that has the name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _who() -> str:
    """This process in a few words; of the arguments only the first, since a query is nobody's business."""
    program = os.path.basename(sys.argv[0]) if sys.argv and sys.argv[0] else "python"
    command = " ".join([program, *sys.argv[1:2]])
    return f"{os.getpid()} {command} {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}"


def _write_note(descriptor: int, note: str) -> None:
    """Replaces what the file says; on a full disk the lock holds without a note."""
    data = note.encode("utf-8", "replace")[: _LONGEST_NOTE - 1] + b"\n" if note else b""
    try:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, data)
    except OSError:
        return


if sys.platform == "win32":
    # A locked byte can be read by nobody else there, so one is locked that lies far behind the note.
    _LOCKED_BYTE = 1 << 30

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                raise BlockingIOError(errno.EAGAIN, "held by another process") from error
            raise

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
