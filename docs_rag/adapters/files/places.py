"""Reaches a file below a folder for writing, without being led out of it.

A note may be a link to another file of the vault: then that file is meant, and the link stays. Where the system can
work relative to an open folder, the way to it is walked without following links once it was resolved, so that nothing
which changes meanwhile leads elsewhere.
"""

# Descriptors of folders have no Path objects:
# ruff: noqa: PTH104, PTH110, PTH114, PTH118, PTH206

from __future__ import annotations

import errno
import os
import re
import stat
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from docs_rag.core.documents import DocPath
from docs_rag.errors import DocsRagError

_CAN_DESCEND: Final = {os.open, os.stat, os.unlink, os.rename, os.link} <= os.supports_dir_fd
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_READ: Final = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0)
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_NEW_MODE: Final = 0o644
_CHUNK: Final = 1 << 20
_LEFT_SECONDS: Final = 3600.0
"""A file that was prepared longer ago than this belongs to no process any more."""


class Place:
    """A file's name in its folder, which is held open where the system can do that."""

    def __init__(self, path: DocPath, folder: str, descriptor: int | None, name: str, *, is_link: bool) -> None:
        """`folder` is its real path; the descriptor belongs to the caller."""
        self.path = path
        """As the vault names it."""
        self.is_link = is_link
        """True when that is a link to the file."""
        self.real = os.path.join(folder, name)
        """Where the file really lies: the same for a link and its target."""
        self._folder = folder
        self._descriptor = descriptor
        self._name = name

    def read(self) -> bytes | None:
        """What the file holds; None when there is none. Raises `OSError`, also for what is no regular file."""
        try:
            descriptor = os.open(self._of(self._name), _READ, dir_fd=self._descriptor)
        except FileNotFoundError:
            return None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            parts = []
            while part := os.read(descriptor, _CHUNK):
                parts.append(part)
        finally:
            os.close(descriptor)
        return b"".join(parts)

    def is_same(self, other: Place) -> bool:
        """Whether both are names of one file."""
        mine, theirs = self._status(), other._status()
        return mine is not None and theirs is not None and os.path.samestat(mine, theirs)

    def prepare(self, data: bytes, temporary: str, *, mode: int = _NEW_MODE) -> None:
        """Write `data` to a new file beside this one, on disk when it returns, with the mode of this one.

        Where there is no file yet, with `mode`.
        """
        descriptor = os.open(self._of(temporary), _CREATE, 0o600, dir_fd=self._descriptor)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(descriptor, left) :]
            self._dress(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def take(self, temporary: str) -> None:
        """Let a prepared file take this one's name, in one step."""
        os.replace(self._of(temporary), self._of(self._name), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        self._sync()

    def give(self, temporary: str) -> None:
        """The same where no file may have that name; raises `FileExistsError` when one has."""
        self._link(temporary, self, self._name)
        self.discard(temporary)
        self._sync()

    def move(self, to: Place) -> None:
        """Give the file another name, which no file may have; raises `FileExistsError` when one has."""
        self._link(self._name, to, to._name)
        self.remove()
        to._sync()

    def remove(self) -> None:
        """Take the file away."""
        os.unlink(self._of(self._name), dir_fd=self._descriptor)
        self._sync()

    def discard(self, temporary: str) -> None:
        """Take a prepared file away, if it is there."""
        with suppress(FileNotFoundError):
            os.unlink(self._of(temporary), dir_fd=self._descriptor)

    def sweep(self, left: re.Pattern[str]) -> None:
        """Take away prepared files beside this one, with such a name, that a killed process has left."""
        with suppress(OSError):
            for name in os.listdir(self._folder if self._descriptor is None else self._descriptor):  # noqa: PTH208
                if left.fullmatch(name) and self._age(name) > _LEFT_SECONDS:
                    self.discard(name)

    def _link(self, name: str, to: Place, as_name: str) -> None:
        """A second name for a file, for a moment; a file system without such gets a renamed one."""
        where = {"src_dir_fd": self._descriptor, "dst_dir_fd": to._descriptor}
        try:
            os.link(self._of(name), to._of(as_name), follow_symlinks=False, **where)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):
            if to._status() is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            os.rename(self._of(name), to._of(as_name), **where)

    def _age(self, name: str) -> float:
        """How many seconds ago a file beside this one was last written."""
        found = os.stat(self._of(name), dir_fd=self._descriptor, follow_symlinks=False)
        return time.time() - found.st_mtime

    def _status(self) -> os.stat_result | None:
        try:
            return os.stat(self._of(self._name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _dress(self, descriptor: int, mode: int) -> None:
        """Mode and owner of the file that will be replaced; a new one gets what a new file gets."""
        if not hasattr(os, "fchmod"):
            return
        former = self._status()
        if former is None:
            os.fchmod(descriptor, mode)
            return
        made = os.fstat(descriptor)
        if (made.st_uid, made.st_gid) != (former.st_uid, former.st_gid):
            with suppress(OSError):
                os.fchown(descriptor, former.st_uid, former.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(former.st_mode))

    def _of(self, name: str) -> str:
        return name if self._descriptor is not None else os.path.join(self._folder, name)

    def _sync(self) -> None:
        """Make a change of names outlast a power cut."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)


@contextmanager
def reach(root: str, path: DocPath, *, called: DocPath | None = None) -> Iterator[Place]:
    """The place of a file of the vault, for the time of the block; the file need not be there, its folder must.

    `called` is its path among all notes, where that is another one. Raises `DocsRagError` for a path that leads out of
    the vault, or to where nothing is a note.
    """
    segments = path.split("/")
    if not _is_inside(segments):
        raise DocsRagError(f"{called or path} is no path of a note in the vault", "name a file below it")
    try:
        spelt = _on_disk(root, segments)
        folders, name = _resolved(root, spelt)
        real_root = os.path.realpath(root)
        descriptor = _descend(real_root, folders) if _CAN_DESCEND else None
    except _LeadsOutside:
        folder = "its root" if called else "the vault"
        hint = "nothing was written; edit the file itself"
        raise DocsRagError(f"{called or path} leads outside {folder}", hint) from None
    except OSError as error:
        raise trouble(called or path, error) from error
    try:
        is_link = os.path.islink(os.path.join(root, *spelt))
        yield Place(called or path, os.path.join(real_root, *folders), descriptor, name, is_link=is_link)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def trouble(path: str, error: OSError) -> DocsRagError:
    """What to tell of a file that cannot be read or written."""
    why = (error.strerror or type(error).__name__).lower()
    return DocsRagError(f"{path} cannot be changed: {why}", "look at the file and its folder")


class _LeadsOutside(Exception):
    """A link whose end does not lie in the vault, or lies where no notes are."""


def _is_inside(segments: list[str]) -> bool:
    """Whether a path stays in the vault by its letters, and out of hidden folders such as `.git`."""
    foreign = (os.sep, ":") if os.sep != "/" else ("\0",)
    odd = any(not each or "\0" in each or any(char in each for char in foreign) for each in segments)
    return not odd and segments[-1] not in (".", "..") and not any(each.startswith(".") for each in segments[:-1])


def _resolved(root: str, segments: list[str]) -> tuple[list[str], str]:
    """The folders below the real root and the name of the file that a path means once links are followed."""
    path = os.path.join(root, *segments)
    if os.path.islink(path) and not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, "a link that leads nowhere")
    real_root = os.path.realpath(root)
    real = os.path.realpath(path)
    if not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise _LeadsOutside
    below = real[len(real_root.rstrip(os.sep)) + 1 :].split(os.sep)
    if not _is_inside(below):
        raise _LeadsOutside
    return below[:-1], below[-1]


def _descend(root: str, folders: list[str]) -> int:
    """A descriptor of a folder below `root`, reached without following links; the caller closes it."""
    folder = os.open(root, _FOLDER)
    for name in folders:
        try:
            below = os.open(name, _FOLDER | _NO_LINK, dir_fd=folder)
        finally:
            os.close(folder)
        folder = below
    return folder


def _on_disk(root: str, segments: list[str]) -> list[str]:
    """The path as it is spelt on disk: identities are NFC, names there need not be."""
    spelt: list[str] = []
    for segment in segments:
        folder = os.path.join(root, *spelt)
        spelt.append(segment if segment.isascii() else _spelling(folder, segment))
    return spelt


def _spelling(folder: str, name: str) -> str:
    if os.path.lexists(os.path.join(folder, name)):
        return name
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return name
    return next((each for each in sorted(names) if unicodedata.normalize("NFC", each) == name), name)
