"""Small files that belong to the user, not to a project: where they lie, and how they are read and replaced.

Everything here is private (folders 0700, files 0600), follows no links, and is replaced as a whole or not at
all.
"""

# Every search passes here; pathlib would cost it more than the work itself:
# ruff: noqa: PTH101, PTH102, PTH103, PTH105, PTH108, PTH111, PTH112, PTH116, PTH117, PTH118, PTH120, PTH208

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from docs_rag.errors import Busy, DocsRagError

_APP: Final = "docs-rag"
_CONFIG: Final = "config.json"
"""What of a project's state folder git carries, and others may read."""
_MAX_BYTES: Final = 5_000_000
_LOCK_SECONDS: Final = 10.0
_LEFT_SECONDS: Final = 3600.0
"""A file that is being written for longer than this was left by a process that is no more."""
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def user_state_folder() -> str:
    """The user's state folder for this program, by the platform's convention; it may not exist yet.

    `XDG_STATE_HOME` counts when it is absolute, as its specification asks: a relative one would lie in
    whatever project is being looked at.
    """
    chosen = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, _APP)
    if sys.platform != "linux":
        import platformdirs  # noqa: PLC0415  (18 ms; on Linux the line below answers the same without it)

        return platformdirs.user_state_dir(_APP, appauthor=False)
    return os.path.join(os.path.expanduser("~"), ".local", "state", _APP)


def user_cache_folder() -> str:
    """The user's folder for what can be made again, by the platform's convention; it may not exist yet.

    `XDG_CACHE_HOME` counts when it is absolute, on every platform.
    """
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, _APP)
    if sys.platform != "linux":
        import platformdirs  # noqa: PLC0415  (as above)

        return platformdirs.user_cache_dir(_APP, appauthor=False)
    return os.path.join(os.path.expanduser("~"), ".cache", _APP)


def read_private(path: str) -> bytes | None:
    """The content of a file that only this user can have written; None for any other, and for none at all.

    A link, a special file, a file of another user or one that others may write to is not believed, nor one
    of more than 5 MB.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        if not _is_private(os.fstat(descriptor)):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data if len(data) <= _MAX_BYTES else None


def write_private(path: str, data: bytes) -> None:
    """Replace the file `path` by `data`, atomically and on disk when it returns; mode 0600.

    Its folder must exist. Raises `DocsRagError`; the file is then as it was.
    """
    sweep(path)
    temporary = temporary_name(path)
    try:
        try:
            _write_new(temporary, data)
            os.replace(temporary, path)
        except BaseException:
            _remove_quietly(temporary)
            raise
        _sync_folder(os.path.dirname(path))
    except OSError as error:
        raise _unwritable(path, error) from error


def put_aside(path: str) -> None:
    """Rename a damaged file to `PATH.damaged` for its owner to look at; fine when there is none.

    Raises `DocsRagError`.
    """
    try:
        if os.path.lexists(path):
            os.replace(path, f"{path}.damaged")
    except OSError as error:
        raise _unwritable(path, error) from error


def private_folder(path: str) -> str:
    """Make the folder `path`, or tighten it to 0700 where it is looser; returns it. Raises `DocsRagError`."""
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        if os.name == "posix" and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
            os.chmod(path, 0o700)
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def project_folder(path: str) -> None:
    """Make the folder `.rag` of a project at `path`, with a `.gitignore` that lets git see the config only.

    One that is there is closed to other users. Raises `DocsRagError`.
    """
    try:
        if not os.path.isdir(path):
            os.mkdir(path, mode=0o700)
    except FileExistsError:
        return
    except OSError as error:
        raise DocsRagError(
            f"cannot make the state folder {path}: {error.strerror}", "check its parent's rights"
        ) from None
    tighten(path, public=(_CONFIG,))
    ignore = os.path.join(path, ".gitignore")
    if not os.path.lexists(ignore):
        from docs_rag.core.ignorelines import STATE_IGNORE  # noqa: PLC0415  # once in the life of a project

        write_private(ignore, STATE_IGNORE)  # whole or not at all: it is never looked at again


def tighten(folder: str, *, public: Collection[str]) -> None:
    """Close a folder, and what lies right in it but for the names in `public`, to other users.

    What came with a clone or a copy is as open as a umask left it. Only what is this user's own is changed, and
    nothing through a link; what cannot be changed stays as it is.
    """
    if os.name != "posix":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        _close_to_others(descriptor)
        for name in set(os.listdir(descriptor)).difference(public):
            _tighten_entry(name, descriptor)
    finally:
        os.close(descriptor)


def _tighten_entry(name: str, folder: int) -> None:
    try:
        if not os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode & 0o077:
            return
        descriptor = os.open(name, os.O_RDONLY | _NO_FOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return
    try:
        if stat.S_IFMT(os.fstat(descriptor).st_mode) in (stat.S_IFREG, stat.S_IFDIR):
            _close_to_others(descriptor)
    finally:
        os.close(descriptor)


def _close_to_others(descriptor: int) -> None:
    found = os.fstat(descriptor)
    if found.st_uid == os.geteuid() and found.st_mode & 0o077:
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(found.st_mode) & 0o700)


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold the lock file `path` (made when missing, 0600), so that two processes do not overwrite each other.

    The system frees it when the process dies. Waits at most 10 s, then raises `Busy`.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        deadline = time.monotonic() + _LOCK_SECONDS
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise Busy(f"another docs-rag holds {path}", "wait for it, or end it, and try again")
            time.sleep(0.02)
        yield
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  (exists on Windows alone)

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  (exists everywhere else)

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        # A file system without locks: re-reading just before the atomic replacement has to do.
        return True
    return True


def _is_private(found: os.stat_result) -> bool:
    if not stat.S_ISREG(found.st_mode):
        return False
    return os.name != "posix" or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def _write_new(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def temporary_name(path: str) -> str:
    """A name that no other process uses for what is being written in place of `path`."""
    return f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"


def sweep(path: str) -> None:
    """Remove what processes that were killed began to write in place of `path`, under a `temporary_name`."""
    import re  # noqa: PLC0415

    folder, name = os.path.split(path)
    ours = re.compile(rf"{re.escape(name)}\.\d+-[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for each in os.scandir(folder or "."):
            if ours.fullmatch(each.name) and time.time() - each.stat(follow_symlinks=False).st_mtime > _LEFT_SECONDS:
                os.unlink(each.path)


def _sync_folder(path: str) -> None:
    """Make a rename in this folder outlast a power cut; Windows cannot open a folder, and needs no such."""
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_quietly(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _unwritable(path: str, error: OSError) -> DocsRagError:
    why = error.strerror or type(error).__name__
    return DocsRagError(f"cannot write {path}: {why.lower()}", "make its folder writable, or set XDG_STATE_HOME")
