"""Changes small files that people and other programs keep, of a project or of a user: all of a set or none.

Every file is prepared beside its place and on disk before the first one is replaced; when one cannot be, those that
were are put back. A link is followed, so that it stays one, but never out of the folder that a change names: the link
may have come with a cloned project.
"""

# Descriptors of folders have no Path objects:
# ruff: noqa: PTH102, PTH106, PTH110, PTH112, PTH114, PTH119, PTH120

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from docs_rag.adapters.files.places import Place, trouble
from docs_rag.core.documents import DocPath
from docs_rag.core.filechanges import FileChange
from docs_rag.errors import DocsRagError

_MOST_BYTES: Final = 50_000_000
"""A larger file is no settings file; Claude Code keeps histories in its own."""
_FOLDER: Final = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
)
_LEFT: Final = re.compile(r"\.docs-rag-[0-9a-f]{16}-\d+\.tmp(?:\.back)?")
"""How `_temporary` names what it prepares."""
_HAS_DESCRIPTORS: Final = {os.open, os.stat, os.unlink, os.rename, os.link} <= os.supports_dir_fd
_PRIVATE: Final = (0o600, 0o700)
_PUBLIC: Final = (0o644, 0o777)
"""Modes of a new file and of a new folder; the umask takes from the latter."""


class AnyFiles:
    """Answers the `ProjectFiles` port."""

    def read(self, path: str, *, within: str | None = None) -> bytes | None:
        """What a file holds; None when there is none. Raises `DocsRagError`."""
        try:
            real = _real(path, within)
            if not os.path.isdir(os.path.dirname(real)):
                return None
            with _place(real, path) as place:
                return _held(place)
        except OSError as error:
            raise trouble(path, error) from error

    def exists(self, path: str) -> bool:
        """Whether something is there, if only a link that leads nowhere."""
        return os.path.lexists(path)

    def real(self, path: str) -> str:
        """The path with its links resolved, in the form in which two names of one file are equal."""
        return os.path.normcase(os.path.realpath(path))

    def is_link(self, path: str) -> bool:
        """Whether the file itself is a link."""
        return os.path.islink(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """What lies in a folder; nothing for one that is not there."""
        try:
            return tuple(sorted(os.listdir(folder)))  # noqa: PTH208  # names are wanted, not paths
        except OSError:
            return ()

    def missing_folders(self, path: str) -> tuple[str, ...]:
        """The folders above a file that are not there, the uppermost first."""
        missing: list[str] = []
        folder = os.path.dirname(path)
        while not os.path.lexists(folder):
            missing.insert(0, folder)
            folder = os.path.dirname(folder)
        return tuple(missing)

    def apply(self, changes: Sequence[FileChange], *, leave: Sequence[str] = ()) -> None:
        """Make all of these changes or none, then remove those of the folders `leave` that are empty.

        Raises `DocsRagError` when a file is not as its change expects it, or cannot be written.
        """
        made: list[str] = []
        try:
            self._make(changes, made)
        except BaseException:
            for folder in reversed(made):
                with suppress(OSError):
                    os.rmdir(folder)
            raise
        for folder in leave:
            with suppress(OSError):  # not empty, or not there: then it is none of ours
                os.rmdir(folder)

    def _make(self, changes: Sequence[FileChange], made: list[str]) -> None:
        """`made` takes the folders that had to be made."""
        with ExitStack() as stack:
            todo = [(each, stack.enter_context(_reached(each, made))) for each in changes]
            _refuse_doubles(todo)
            mark = secrets.token_hex(8)
            for _, place in todo:
                place.sweep(_LEFT)
            try:
                for number, (change, place) in enumerate(todo):
                    _expect(change, place)
                    if change.after is not None:
                        place.prepare(change.after, _temporary(mark, number), mode=_modes(change)[0])
                _take_all(todo, mark)
            except OSError as error:
                raise _failed(error) from error
            finally:
                for number, (_, place) in enumerate(todo):
                    with suppress(OSError):
                        place.discard(_temporary(mark, number))


def _take_all(todo: Sequence[tuple[FileChange, Place]], mark: str) -> None:
    """Give the prepared files their names; those that were given are taken back when one cannot be."""
    done: list[tuple[FileChange, Place]] = []
    try:
        for number, (change, place) in enumerate(todo):
            _expect(change, place)
            done.append((change, place))
            if change.after is None:
                place.remove()
            elif change.before is None:
                place.give(_temporary(mark, number))
            else:
                place.take(_temporary(mark, number))
    except BaseException as error:
        left = [change.name for change, place in reversed(done) if not _is_taken_back(change, place, mark)]
        if left:
            raise DocsRagError(f"the files could not all be written: {error}", f"look at {', '.join(left)}") from error
        raise


def _is_taken_back(change: FileChange, place: Place, mark: str) -> bool:
    try:
        _take_back(change, place, mark)
    except OSError:
        return False
    return True


def _take_back(change: FileChange, place: Place, mark: str) -> None:
    """Put the former content back where the new one stands already."""
    if place.read() != change.after:
        return
    if change.before is None:
        place.remove()
        return
    former = f"{_temporary(mark, 0)}.back"
    try:
        place.prepare(change.before, former)
        if change.after is None:
            place.give(former)
        else:
            place.take(former)
    finally:
        place.discard(former)


def _expect(change: FileChange, place: Place) -> None:
    if _held(place) != change.before:
        raise DocsRagError(f"{change.name} has changed since it was read; nothing was written", "run the command again")


def _refuse_doubles(todo: Sequence[tuple[FileChange, Place]]) -> None:
    seen: dict[str, str] = {}
    for change, place in todo:
        if place.real in seen:
            raise DocsRagError(f"{seen[place.real]} and {change.name} are one and the same file", "make it two files")
        seen[place.real] = change.name


@contextmanager
def _reached(change: FileChange, made: list[str]) -> Iterator[Place]:
    """The place of a change's file, its folder made where it is missing; what was made goes into `made`."""
    try:
        real = _real(change.path, change.within)
        for folder in AnyFiles().missing_folders(real):
            os.mkdir(folder, mode=_modes(change)[1])
            made.append(folder)
        context = _place(real, change.name)
        place = context.__enter__()
    except OSError as error:
        raise trouble(change.name, error) from error
    try:
        yield place
    finally:
        context.__exit__(None, None, None)


@contextmanager
def _place(real: str, name: str) -> Iterator[Place]:
    """A file's place by its real path; raises `OSError` when its folder cannot be opened."""
    folder = os.path.dirname(real)
    descriptor = os.open(folder, _FOLDER) if _HAS_DESCRIPTORS else None
    try:
        yield Place(DocPath(name), folder, descriptor, os.path.basename(real), is_link=False)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _real(path: str, within: str | None) -> str:
    """Where a path leads once links are followed. Raises `DocsRagError` when that is elsewhere, or nowhere."""
    real = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(real):
        raise OSError(errno.ENOENT, "a link that leads nowhere")
    if within is not None and not real.startswith(os.path.realpath(within).rstrip(os.sep) + os.sep):
        raise DocsRagError(f"{path} leads outside {within}", "nothing was written; look at that link")
    return real


def _held(place: Place) -> bytes | None:
    data = place.read()
    if data is not None and len(data) > _MOST_BYTES:
        raise OSError(errno.EFBIG, "larger than 50 MB")
    return data


def _modes(change: FileChange) -> tuple[int, int]:
    return _PRIVATE if change.is_private else _PUBLIC


def _temporary(mark: str, number: int) -> str:
    return f".docs-rag-{mark}-{number}.tmp"


def _failed(error: OSError) -> DocsRagError:
    why = (error.strerror or type(error).__name__).lower()
    return DocsRagError(f"the files could not be written: {why}", "nothing was changed; look at their folders")
